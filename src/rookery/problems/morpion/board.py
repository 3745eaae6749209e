"""Morpion Solitaire, touching (5T) and disjoint (5D): the benchmark of the papers.

Rules as in Rosin 2011, section 3.2: a move adds one dot so that a line of five dots can be drawn, and
draws it. No unit segment is drawn twice (T), or lines of the same direction share no dot (D).

A line is named by its first cell and its direction. The board counts the dots of every line; a line can be
played when one dot is missing, and then stands in the list of legal moves. One byte per line says it all:
its dots; or LEGAL plus its place in the list; or BLOCKED and more, when it may no longer be drawn. A playout
begins with a copy of the state, so the state is kept small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from rookery.errors import InputError
from rookery.problem import Layout, Limits, Problem

WIDTH = 64
CELLS = WIDTH * WIDTH
OFFSET = 27  # where the cross's frame begins
MARGIN = 4  # no dot is ever nearer to the edge: every line through a dot is within the arrays
LENGTH = 5
BLOCKED = 16
LEGAL = 128
MOST_LEGAL = 256 - LEGAL
DIRECTIONS = ((1, 0), (0, 1), (1, -1), (1, 1))
NAMES = "-|/\\"
STROKES = "\u2500\u2502\u2571\u2572"
STEP = np.array([dx + WIDTH * dy for dx, dy in DIRECTIONS])

CROSS = (
    "...####...",
    "...#..#...",
    "...#..#...",
    "####..####",
    "#........#",
    "#........#",
    "####..####",
    "...#..#...",
    "...#..#...",
    "...####...",
)

CROSS_CELLS = np.array(
    [(y + OFFSET) * WIDTH + x + OFFSET for y, row in enumerate(CROSS) for x, c in enumerate(row) if c == "#"]
)


class Morpion(Problem):
    """Morpion Solitaire on a 64 x 64 grid, starting from the Greek cross of 36 dots.

    >>> Morpion(variant="5D").limits().length
    512
    """

    variant: Literal["5T", "5D"] = "5T"

    def __post_init__(self) -> None:
        if self.variant not in ("5T", "5D"):
            raise InputError(f"variant must be 5T or 5D, got {self.variant!r}")

    def constants(self) -> Mapping[str, Any]:
        return {"reach": LENGTH - 2 if self.variant == "5T" else LENGTH - 1}

    def limits(self) -> Limits:
        return Limits(moves=MOST_LEGAL, length=512, codes=4 * CELLS)

    def layout(self) -> Layout:
        return {
            "line": ("u1", 4 * CELLS),
            "dots": ("u8", WIDTH),
            "legal": ("u2", MOST_LEGAL),
            "n": "i4",
            "played": "i4",
        }

    def start(self, s):
        for origin in range(CELLS):
            for d in range(4):
                if not _fits(origin, d):
                    s.line[4 * origin + d] = BLOCKED
        for cell in CROSS_CELLS:
            _set_dot(s, cell)
            for d in range(4):
                for k in range(LENGTH):
                    s.line[4 * (cell - k * STEP[d]) + d] += 1
        n = 0
        for line in range(4 * CELLS):
            if s.line[line] == LENGTH - 1:
                n = _add(s, line, n)
        s.n = n

    def moves(self, s, out):
        for i in range(s.n):
            out[i] = s.legal[i]
        return s.n

    def count(self, s):
        return s.n

    def nth(self, s, i):
        return s.legal[np.uint64(i)]

    def code(self, s, move):
        return move

    def play(self, s, move):
        step = STEP[move & 3]
        cell = move >> 2
        while _has_dot(s, cell):
            cell += step
        _set_dot(s, cell)
        n = np.int64(s.n)
        for d in range(4):
            for k in range(LENGTH):
                line = np.uint64(4 * (cell - k * STEP[d]) + d)
                dots = s.line[line]
                if dots >= LEGAL:
                    n = _remove(s, line, n)
                    s.line[line] = LENGTH
                elif dots == LENGTH - 2:
                    n = _add(s, line, n)
                else:
                    s.line[line] = dots + 1
        for j in range(-self.reach, self.reach + 1):
            line = np.uint64(move + 4 * j * step)
            if s.line[line] >= LEGAL:
                n = _remove(s, line, n)
            s.line[line] = BLOCKED
        s.n = n
        s.played += 1

    def score(self, s):
        return s.played

    def describe_move(self, move: int) -> str:
        y, x = divmod(move >> 2, WIDTH)
        return f"({x - OFFSET},{y - OFFSET}) {NAMES[move & 3]}"

    def draw(self, moves: Sequence[int]) -> str:
        """The grid: ``o`` for the cross, the number of its move for every other dot, lines between them."""
        return draw_grid(moves)


def _fits(origin, d):
    x0, y0 = origin % WIDTH, origin // WIDTH
    x1 = x0 + (LENGTH - 1) * (d != 1)
    y1 = y0 + (LENGTH - 1) * (0 if d == 0 else (-1 if d == 2 else 1))
    low, high = MARGIN, WIDTH - 1 - MARGIN
    return low <= x0 and x1 <= high and low <= min(y0, y1) and max(y0, y1) <= high


def _has_dot(s, cell):
    return (s.dots[np.uint64(cell >> 6)] >> np.uint64(cell & 63)) & np.uint64(1) != 0


def _set_dot(s, cell):
    s.dots[np.uint64(cell >> 6)] |= np.uint64(1) << np.uint64(cell & 63)


# The list of legal lines; its length n is kept in a register while a move is played.


def _add(s, line, n):
    if n < MOST_LEGAL:  # one more is reported by moves, before it does harm
        s.legal[np.uint64(n)] = line
        s.line[line] = LEGAL + n
    return n + 1


def _remove(s, line, n):
    last = s.legal[np.uint64(n - 1)]
    hole = s.line[line]
    s.legal[np.uint64(hole - LEGAL)] = last
    s.line[last] = hole
    return n - 1


def draw_grid(moves: Sequence[int]) -> str:
    """A game as text: four columns and two rows to a cell."""
    number = {(x, y): "o" for y, row in enumerate(CROSS) for x, c in enumerate(row) if c == "#"}
    strokes: dict[tuple[int, int], str] = {}
    for i, move in enumerate(moves):
        y, x = divmod(move >> 2, WIDTH)
        (x0, y0), (dx, dy) = (x - OFFSET, y - OFFSET), DIRECTIONS[move & 3]
        cells = [(x0 + k * dx, y0 + k * dy) for k in range(LENGTH)]
        number.update({cell: str(i + 1) for cell in cells if cell not in number})
        for (xa, ya), (xb, yb) in pairwise(cells):
            middle = 2 * (xa + xb), ya + yb
            old = strokes.get(middle)
            strokes[middle] = STROKES[move & 3] if old in (None, STROKES[move & 3]) else "\u2573"
    xs, ys = [x for x, _ in number], [y for _, y in number]
    left, top, width = min(xs), min(ys), 4 * (max(xs) - min(xs)) + 3
    rows = [[" "] * (width + 1) for _ in range(2 * (max(ys) - top) + 1)]
    for (x4, y2), stroke in strokes.items():
        row, column = y2 - 2 * top, x4 - 4 * left + 1
        if stroke == STROKES[0]:
            rows[row][column - 1 : column + 2] = stroke * 3
        else:
            rows[row][column] = stroke
    for (x, y), text in number.items():
        column = 4 * (x - left)
        rows[2 * (y - top)][column : column + 3] = text.center(3) if len(text) < 3 else text
    return "\n".join("".join(row).rstrip() for row in rows)
