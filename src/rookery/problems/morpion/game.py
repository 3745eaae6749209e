"""Games of Morpion Solitaire as people exchange them, and the rules in words.

Coordinates are those of the frame of the cross: x to the right from 0, y downwards from 0, to 9 (lines of five
dots) or 6 (lines of four). A move names its new dot, its direction, and the place of the new dot in its line.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from rookery.disk import as_text, file_bytes
from rookery.errors import InputError

Dot = tuple[int, int]
Line = tuple[Dot, str]
"""The first cell of a line, and its direction."""
Variant = Literal["5T", "5D", "4T", "4D"]
VARIANTS: tuple[Variant, ...] = ("5T", "5D", "4T", "4D")
DIRECTIONS: dict[str, Dot] = {"H": (1, 0), "V": (0, 1), "DP": (1, -1), "DN": (1, 1)}
WORDS = {"H": "horizontal", "V": "vertical", "DP": "rising", "DN": "falling"}


def checked_variant(variant: str) -> Variant:
    """The variant of this name.

    >>> checked_variant("6T")
    Traceback (most recent call last):
    rookery.errors.InputError: variant must be 5T, 5D, 4T or 4D, got '6T'
    """
    for known in VARIANTS:
        if variant == known:
            return known
    raise InputError(f"variant must be {', '.join(VARIANTS[:-1])} or {VARIANTS[-1]}, got {variant!r}")


def line_length(variant: str) -> int:
    """The number of dots in a line.

    >>> line_length("4D")
    4
    """
    return int(variant[0])


def cross(length: int) -> frozenset[Dot]:
    """The outline of the Greek cross that games begin from: 36 dots for lines of five, 24 for lines of four.

    >>> len(cross(5)), len(cross(4))
    (36, 24)
    """
    side = length - 2  # segments in each of the twelve edges
    corners = ((1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1))
    dots = set()
    for (x0, y0), (x1, y1) in zip(corners, (*corners[1:], corners[0]), strict=True):
        dots |= {(x0 * side + k * (x1 - x0), y0 * side + k * (y1 - y0)) for k in range(side)}
    return frozenset(dots)


class Move(NamedTuple):
    """A new dot, the direction of its line (``H``, ``V``, ``DP`` rising, ``DN`` falling), its place in the line.

    >>> Move(4, 3, "V", 0).cells(5)
    ((4, 3), (4, 4), (4, 5), (4, 6), (4, 7))
    """

    x: int
    y: int
    direction: str
    pos: int

    @property
    def dot(self) -> Dot:
        """The new dot."""
        return self.x, self.y

    @property
    def origin(self) -> Dot:
        """The first cell of the line."""
        dx, dy = DIRECTIONS[self.direction]
        return self.x - self.pos * dx, self.y - self.pos * dy

    def cells(self, length: int) -> tuple[Dot, ...]:
        """The cells of the line, from its origin on."""
        (x, y), (dx, dy) = self.origin, DIRECTIONS[self.direction]
        return tuple((x + k * dx, y + k * dy) for k in range(length))

    def __str__(self) -> str:
        return f"({self.x},{self.y}) {WORDS.get(self.direction, self.direction)}"


class Board:
    """The rules, with sets: slow and plain. Search uses :class:`rookery.problems.Morpion`.

    >>> board = Board("5T")
    >>> len(board.legal())
    28
    >>> board.broken_rule(Move(0, 0, "H", 0))
    'its line needs 4 dots that are there, and has 2'
    """

    def __init__(self, variant: str, dots: Iterable[Dot] | None = None) -> None:
        self.length = line_length(checked_variant(variant))
        self.touching = variant.endswith("T")
        self.dots = set(cross(self.length) if dots is None else dots)
        self._used: dict[tuple[Dot, str], int] = {}  # what lines have used up, and the move that did
        self.played = 0

    def _uses(self, move: Move) -> list[tuple[Dot, str]]:
        """Unit segments, each by its first dot (T); dots in a direction (D)."""
        cells = move.cells(self.length)
        return [(cell, move.direction) for cell in (cells[:-1] if self.touching else cells)]

    def broken_rule(self, move: Move) -> str | None:
        """The rule that a move breaks, in words; None for a legal move."""
        if move.direction not in DIRECTIONS:
            return f"its direction must be {', '.join(DIRECTIONS)}, got {move.direction!r}"
        if not 0 <= move.pos < self.length:
            return f"the place of its dot must be 0 to {self.length - 1}, got {move.pos}"
        if move.dot in self.dots:
            return f"there is a dot at ({move.x},{move.y}) already"
        there = sum(cell in self.dots for cell in move.cells(self.length))
        if there < self.length - 1:
            return f"its line needs {self.length - 1} dots that are there, and has {there}"
        for cell, direction in self._uses(move):
            by = self._used.get((cell, direction))
            if by is not None:
                dx, dy = DIRECTIONS[direction]
                x, y = cell
                shared = f"the segment ({x},{y}) to ({x + dx},{y + dy})" if self.touching else f"the dot ({x},{y})"
                return f"{shared} is in the {WORDS[direction]} line of move {by} already"
        return None

    def play(self, move: Move) -> None:
        """Play a legal move."""
        self.played += 1
        self.dots.add(move.dot)
        self._used.update(dict.fromkeys(self._uses(move), self.played))

    def completed(self, origin: Dot, direction: str) -> Move | None:
        """The move that completes a line; None unless one dot is missing, and only one."""
        (x, y), (dx, dy) = origin, DIRECTIONS[direction]
        missing = [k for k in range(self.length) if (x + k * dx, y + k * dy) not in self.dots]
        return Move(x + missing[0] * dx, y + missing[0] * dy, direction, missing[0]) if len(missing) == 1 else None

    def dominating(self, move: Move) -> Move:
        """The line that is drawn for a legal move when dominated moves are replaced (Rosin 2011, section 3.2).

        Another line through the same new dot, k steps on, is as good in all that follows if the k lines that it
        alone blocks are blocked already, and better if not all that only this one blocks are.
        """
        reach = self.length - 2 if self.touching else self.length - 1
        for sign in (1, -1):
            drawn, gain = move, False
            for k in range(1, self.length):
                other = Move(move.x, move.y, move.direction, move.pos - sign * k)
                if self.broken_rule(other) is not None or not self._is_blocked(move, sign * (reach + k)):
                    break
                gain = gain or not self._is_blocked(move, -sign * (reach - k + 1))
                drawn = other
            if gain:
                return drawn
        return move

    def _is_blocked(self, move: Move, steps: int) -> bool:
        """Whether the line this many steps on along a move's direction may no longer be drawn."""
        (x, y), (dx, dy) = move.origin, DIRECTIONS[move.direction]
        shifted = Move(x + steps * dx, y + steps * dy, move.direction, 0)
        return any(use in self._used for use in self._uses(shifted))

    def legal(self) -> list[Move]:
        """The legal moves, in the order of their origins."""
        found = set()
        for x, y in self.dots:
            for direction, (dx, dy) in DIRECTIONS.items():
                for k in range(self.length):
                    found.add(((x - k * dx, y - k * dy), direction))
        moves = (self.completed(origin, direction) for origin, direction in sorted(found))
        return [move for move in moves if move is not None and self.broken_rule(move) is None]


@dataclass(frozen=True)
class MorpionGame:
    """A variant, the moves, and the dots to begin with if they are not the cross.

    >>> MorpionGame("5D", (Move(4, 3, "V", 0),)).score
    1
    """

    variant: Variant
    moves: tuple[Move, ...]
    dots: frozenset[Dot] | None = None

    @property
    def score(self) -> int:
        """The number of moves."""
        return len(self.moves)

    @property
    def start(self) -> frozenset[Dot]:
        """The dots to begin with."""
        return cross(line_length(self.variant)) if self.dots is None else self.dots

    @property
    def lines(self) -> frozenset[Line]:
        """The lines that are drawn: the grid as people see it, whatever the order of the moves.

        >>> MorpionGame("5D", (Move(4, 3, "H", 4),)).lines
        frozenset({((0, 3), 'H')})
        """
        return frozenset((move.origin, move.direction) for move in self.moves)

    def first_illegal(self) -> tuple[int, str] | None:
        """Number (from 1) and broken rule of the first illegal move; None if all are legal.

        >>> MorpionGame("5D", (Move(4, 3, "H", 4), Move(4, 3, "H", 0))).first_illegal()
        (2, 'there is a dot at (4,3) already')
        """
        board = Board(self.variant, self.dots)
        for number, move in enumerate(self.moves, 1):
            rule = board.broken_rule(move)
            if rule is not None:
                return number, rule
            board.play(move)
        return None

    def board(self) -> Board:
        """The board after all moves, which must be legal."""
        board = Board(self.variant, self.dots)
        for move in self.moves:
            board.play(move)
        return board


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
    """The dots of a picture: one row per line, the first character of the first line is (0, 0).

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
