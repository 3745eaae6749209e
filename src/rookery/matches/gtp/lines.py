"""Lines of the Go Text Protocol: a command is taken apart, its words are read, an answer is put together."""

from __future__ import annotations

import math
import re

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}
SYNTAX, COLOUR_OR_POINT, ILLEGAL = "syntax error", "invalid color or coordinate", "illegal move"
MOST_MESSAGE = 1000
"""Characters of an error message."""
MOST_DIGITS = 18


class Refused(Exception):
    """What a command answers instead of doing what it was asked."""


def split_line(line: str) -> tuple[str, str, list[str]]:
    r"""The number of a command, its name and its words; a comment and control characters do not count.

    >>> split_line("7\tplay  b\x07 D4 # an opening")
    ('7', 'play', ['b', 'D4'])
    >>> split_line("  # nothing else")
    ('', '', [])
    """
    visible = "".join(c for c in line.partition("#")[0].replace("\t", " ") if ord(c) >= 32 and ord(c) != 127)
    words = visible.split(" ")
    words = [word for word in words if word]
    number = words.pop(0) if words and re.fullmatch("[0-9]+", words[0]) else ""
    return number, words[0] if words else "", words[1:]


def good(number: str, text: str) -> str:
    r"""The answer of a command that was carried out.

    >>> good("7", "D4"), good("", "")
    ('=7 D4\n\n', '=\n\n')
    """
    return f"={number} {text}".rstrip() + "\n\n"


def bad(number: str, text: str) -> str:
    r"""The answer of a command that was refused.

    >>> bad("", "unknown\ncommand")
    '? unknown command\n\n'
    """
    words = " ".join(text.split())[:MOST_MESSAGE].encode("ascii", "backslashreplace").decode()
    return f"?{number} {words}\n\n"


def word(words: list[str], place: int) -> str:
    """The word at this place."""
    if place >= len(words):
        raise Refused(SYNTAX)
    return words[place]


def colour(words: list[str], place: int = 0) -> int:
    """The colour at this place: 0 for black, 1 for white."""
    found = COLOURS.get(word(words, place).lower())
    if found is None:
        raise Refused(COLOUR_OR_POINT)
    return found


def whole(words: list[str], place: int) -> int:
    """The whole number at this place."""
    text = word(words, place)
    if not re.fullmatch(f"-?[0-9]{{1,{MOST_DIGITS}}}", text):
        raise Refused(SYNTAX)
    return int(text)


def real(words: list[str], place: int) -> float:
    """The number at this place."""
    text = word(words, place)
    try:
        value = float(text) if text.isascii() else math.nan
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise Refused(SYNTAX)
    return value
