"""Starting dots of one's own: from a picture in a file, or from a list."""

from __future__ import annotations

import json
from typing import Any

from rookery.contents import as_text, file_bytes
from rookery.errors import InputError
from rookery.problems.morpion.game import Dot

MARKS = "#oO*"
EMPTY = " ."


def read_dots(text: str) -> tuple[Dot, ...]:
    """The dots of a list as text, ``[[x, y], ...]``, or of a picture in a file of this name.

    >>> read_dots("[[0, 0], [3, 1]]")
    ((0, 0), (3, 1))
    """
    if text.lstrip().startswith("["):
        return _listed(text)
    try:
        picture = as_text(file_bytes(text))
    except InputError as error:
        raise InputError(f"dots: {error}") from None
    return pictured(picture, text)


def pictured(picture: str, name: str = "the picture") -> tuple[Dot, ...]:
    """The dots of a picture: a row to a line, the first character of the first line is (0, 0).

    >>> pictured("#..#")
    ((0, 0), (3, 0))
    """
    dots = []
    for y, row in enumerate(picture.splitlines()):
        for x, mark in enumerate(row):
            if mark in MARKS:
                dots.append((x, y))
            elif mark not in EMPTY:
                raise InputError(f"{name}, line {y + 1}: a dot is '#' and no dot is '.', got {mark!r}")
    if not dots:
        raise InputError(f"{name} has no dots")
    return tuple(dots)


def _listed(text: str) -> tuple[Dot, ...]:
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        raise InputError(f"dots must be a list [[x, y], ...], got {text[:60]!r}") from None
    if not given or not all(_is_dot(dot) for dot in given):
        raise InputError(f"dots must be a list of pairs of whole numbers, got {text[:60]!r}")
    return tuple((x, y) for x, y in given)


def _is_dot(dot: Any) -> bool:
    return isinstance(dot, list) and len(dot) == 2 and all(type(n) is int and abs(n) < 1000 for n in dot)
