"""Games that a program keeps as lines between two points: ``InitialDots``, ``LineLength``, ``Disjoint`` and ``Moves``.

A move is ``[x1, y1, x2, y2, x, y]``: the ends of its line, and its new dot. Dots lie some steps apart, and the cross
may lie anywhere: both are known from the dots of the start. ``LineLength`` counts the gaps between the dots of a line.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from rookery.disk import brief
from rookery.errors import InputError
from rookery.problems.morpion.game import DIRECTIONS, VARIANTS, Dot, MorpionGame, Move, Variant, cross, line_length
from rookery.problems.morpion.notation import FARTHEST

FARTHEST_STEP = 10_000
"""No coordinate in such a file is larger; on the grid, none is more than ``FARTHEST`` from the cross."""


def parse_lines(data: Mapping[str, Any], variant: Variant | None = None) -> MorpionGame:
    """A game from its JSON object; whether the moves are legal is another question.

    >>> dots = [[3 * x + 82, 3 * y + 82] for x, y in cross(5)]
    >>> data = {"InitialDots": dots, "LineLength": 4, "Disjoint": False, "Moves": [[82, 88, 82, 100, 82, 88]]}
    >>> parse_lines(data).variant, parse_lines(data).moves
    ('5T', (Move(x=0, y=2, direction='V', pos=0),))
    """
    variant = _variant(data) if variant is None else variant
    given = data.get("InitialDots")
    if not isinstance(given, list) or not given:
        raise InputError(f"'InitialDots' must be a list of [x, y], got {brief(given)}")
    if not isinstance(data["Moves"], list):
        raise InputError(f"'Moves' must be a list, got {brief(data['Moves'])}")
    dots = [_numbers("a dot of 'InitialDots'", dot, 2) for dot in given]
    left, top = (min(dot[axis] for dot in dots) for axis in (0, 1))
    step = math.gcd(*(dot[0] - left for dot in dots), *(dot[1] - top for dot in dots)) or 1

    def placed(what: str, x: int, y: int) -> Dot:
        column, row = (x - left) / step, (y - top) / step
        if column != int(column) or row != int(row) or max(abs(column), abs(row)) > FARTHEST:
            raise InputError(f"{what}: a point must lie on the grid of 'InitialDots', got {brief([x, y])}")
        return int(column), int(row)

    start = frozenset(placed("'InitialDots'", x, y) for x, y in dots)
    moves = []
    for number, line in enumerate(data["Moves"], 1):
        points = _numbers(f"move {number}", line, 6)
        moves.append(_move(number, *(placed(f"move {number}", *points[i : i + 2]) for i in (0, 2, 4))))
    return MorpionGame(variant, tuple(moves), None if start == cross(line_length(variant)) else start)


def _variant(data: Mapping[str, Any]) -> Variant:
    length, disjoint = data.get("LineLength"), data.get("Disjoint")
    if type(length) is not int or length not in (3, 4):
        raise InputError(f"'LineLength' must be 3 or 4, got {brief(length)}")
    if not isinstance(disjoint, bool):
        raise InputError(f"'Disjoint' must be true or false, got {brief(disjoint)}")
    return next(known for known in VARIANTS if known == f"{length + 1}{'D' if disjoint else 'T'}")


def _numbers(what: str, values: Any, count: int) -> list[int]:
    near = isinstance(values, list) and all(type(value) is int and abs(value) <= FARTHEST_STEP for value in values)
    if not near or len(values) != count:
        rule = f"{count} whole numbers from -{FARTHEST_STEP} to {FARTHEST_STEP}"
        raise InputError(f"{what} must be {rule}, got {brief(values)}")
    return list(values)


def _move(number: int, first: Dot, last: Dot, dot: Dot) -> Move:
    """The move that draws a line from one point to another, with its dot."""
    (x0, y0), (x1, y1) = sorted((first, last))
    reach = max(x1 - x0, abs(y1 - y0))
    for direction, (dx, dy) in DIRECTIONS.items():
        if reach and (x1 - x0, y1 - y0) == (dx * reach, dy * reach):
            pos = dot[0] - x0 if dx else dot[1] - y0
            if dot == (x0 + pos * dx, y0 + pos * dy):
                return Move(*dot, direction, pos)
            raise InputError(f"move {number}: its dot must lie on its line, got {brief(list(dot))}")
    raise InputError(f"move {number}: its line must be straight, got one from {first} to {last}")
