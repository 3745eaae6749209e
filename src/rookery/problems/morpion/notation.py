"""The text notation of the program Pentasol, in which records of Morpion Solitaire are exchanged.

The first line is the reference point: the upper left inner corner of the cross. Each further line is a move: the new
dot, the direction of its line, and how many steps from it the line's third dot lies. The notation does not hold the
variant::

    (28,28)
    (28,29) | -2
    (28,30) | +1
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rookery.errors import InputError
from rookery.problems.morpion.game import Dot, MorpionGame, Move, Variant, checked_variant, cross, line_length

SIGNS = {"-": "H", "|": "V", "/": "DP", "\\": "DN"}
SIGN_OF = {direction: sign for sign, direction in SIGNS.items()}
REFERENCE = (28, 28)
THIRD = 2
"""Offsets count from the third dot of a line."""
FARTHEST = 1000
"""The largest coordinate in a file."""
STRICT_FIRST: tuple[Variant, ...] = ("5D", "5T", "4D", "4T")

NUMBER = r"\s*([+-]?[0-9]{1,9})\s*"
POINT_LINE = re.compile(rf"\({NUMBER},{NUMBER}\)")
MOVE_LINE = re.compile(rf"\({NUMBER},{NUMBER}\)\s*([-|/\\]){NUMBER}")


def pentasol(game: MorpionGame, reference: Dot = REFERENCE) -> str:
    r"""A game in the notation of Pentasol; it must begin from the cross.

    >>> print(pentasol(MorpionGame("5T", (Move(3, 4, "V", 4), Move(3, 5, "V", 1)))), end="")
    (28,28)
    (28,29) | -2
    (28,30) | +1
    """
    length = line_length(game.variant)
    if game.start != cross(length):
        raise InputError("Pentasol holds games that begin from the cross, got one that begins from other dots")
    dx, dy = (at - inner for at, inner in zip(reference, _inner_corner(length), strict=True))
    lines = [f"({reference[0]},{reference[1]})"]
    for move in game.moves:
        offset = THIRD - move.pos
        lines.append(f"({move.x + dx},{move.y + dy}) {SIGN_OF[move.direction]} {f'{offset:+}' if offset else '0'}")
    return "\n".join(lines) + "\n"


def parse_pentasol(text: str, variant: str | None = None) -> MorpionGame:
    """A game from the notation of Pentasol; without a variant, of the one that :func:`inferred` finds.

    Blank lines are skipped, and so is what follows ``#``.

    >>> parse_pentasol("(28,28)\\n(28,29) | -2", "5T").moves
    (Move(x=3, y=4, direction='V', pos=4),)
    """
    written = _read(text)
    if variant is not None:
        return written.game(checked_variant(variant))
    return inferred([written.game(each) for each in STRICT_FIRST])


def inferred(games: list[MorpionGame]) -> MorpionGame:
    """The most likely of the readings of one game, one in each variant, the strict ones first.

    What is legal in D is legal in T, and what is finished in T is finished in D. So it is the first in which the game
    is legal, be it finished or not: if it is finished anywhere, it is there. If it is legal in none, it is the one in
    which the most moves are legal before the first that is not; among equals T: the game then breaks even the lenient
    rules.

    >>> inferred([MorpionGame("5D", ()), MorpionGame("5T", ())]).variant
    '5D'
    """
    for game in games:
        if game.first_illegal() is None:
            return game

    def likeliness(game: MorpionGame) -> tuple[int, bool]:
        broken = game.first_illegal()
        return broken[0] if broken else 0, game.variant.endswith("T")

    return max(games, key=likeliness)


class _Written(NamedTuple):
    """What a text says, before it is known where the cross is."""

    reference: Dot
    moves: list[Move]  # in the coordinates of the text

    def game(self, variant: Variant) -> MorpionGame:
        dx, dy = (inner - at for inner, at in zip(_inner_corner(line_length(variant)), self.reference, strict=True))
        return MorpionGame(variant, tuple(move._replace(x=move.x + dx, y=move.y + dy) for move in self.moves))


def _inner_corner(length: int) -> Dot:
    """The upper left of the four corners of the cross that point inwards."""
    return length - 2, length - 2


def _read(text: str) -> _Written:
    reference: Dot | None = None
    moves = []
    for number, line in enumerate(text.splitlines(), 1):
        line = line.partition("#")[0].strip()
        if not line:
            continue
        if reference is None:
            found = POINT_LINE.fullmatch(line)
            if found is None:
                raise InputError(f"line {number} must be the reference point, as in (28,28), got {_shown(line)}")
            reference = _near(found[1], number), _near(found[2], number)
        else:
            found = MOVE_LINE.fullmatch(line)
            if found is None:
                raise InputError(f"line {number} must be a move, as in (28,29) | -2, got {_shown(line)}")
            x, y, offset = (_near(found[group], number) for group in (1, 2, 4))
            moves.append(Move(x, y, SIGNS[found[3]], THIRD - offset))
    if reference is None:
        raise InputError("the reference point, as in (28,28), is missing")
    return _Written(reference, moves)


def _near(text: str, number: int) -> int:
    value = int(text)
    if abs(value) > FARTHEST:
        raise InputError(f"line {number}: a number must lie between -{FARTHEST} and {FARTHEST}, got {value}")
    return value


def _shown(line: str) -> str:
    return repr(line if len(line) <= 40 else line[:37] + "...")
