"""Morpion Solitaire, touching (5T) and disjoint (5D): the benchmark of the papers.

Rules as in Rosin 2011, section 3.2: a move adds one dot so that a line of five dots can be drawn, and
draws it. No unit segment is drawn twice (T), or lines of the same direction share no dot (D).

A line is named by its first cell and its direction. The board counts the dots of every line: a line can
be played when one dot is missing. Lines that may no longer be drawn are marked and never count again.
"""

from __future__ import annotations

from collections.abc import Mapping
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
MOST_LEGAL = 128
DIRECTIONS = ((1, 0), (0, 1), (1, -1), (1, 1))
NAMES = "-|/\\"

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
        dots = np.array([[c == "#" for c in row] for row in CROSS])
        ys, xs = np.nonzero(dots)
        return {
            "dots": (ys + OFFSET) * WIDTH + xs + OFFSET,
            "step": np.array([dx + WIDTH * dy for dx, dy in DIRECTIONS]),
            "reach": LENGTH - 2 if self.variant == "5T" else LENGTH - 1,
        }

    def limits(self) -> Limits:
        return Limits(moves=MOST_LEGAL, length=512, codes=4 * CELLS)

    def layout(self) -> Layout:
        return {
            "dot": ("u1", CELLS),
            "count": ("u1", 4 * CELLS),
            "place": ("u1", 4 * CELLS),
            "legal": ("u2", MOST_LEGAL),
            "n": "i4",
            "played": "i4",
        }

    def start(self, s):
        for origin in range(CELLS):
            for d in range(4):
                if not _fits(origin, d):
                    s.count[4 * origin + d] = BLOCKED
        for cell in self.dots:
            s.dot[cell] = 1
            for d in range(4):
                for k in range(LENGTH):
                    s.count[4 * (cell - k * self.step[d]) + d] += 1
        for line in range(4 * CELLS):
            if s.count[line] == LENGTH - 1:
                _add(s, line)

    def moves(self, s, out):
        for i in range(s.n):
            out[i] = s.legal[i]
        return s.n

    def code(self, s, move):
        return move

    def play(self, s, move):
        step = self.step[move & 3]
        cell = move >> 2
        while s.dot[np.uint64(cell)]:
            cell += step
        s.dot[np.uint64(cell)] = 1
        for d in range(4):
            for k in range(LENGTH):
                line = 4 * (cell - k * self.step[d]) + d
                s.count[np.uint64(line)] += 1
                count = s.count[np.uint64(line)]
                if count == LENGTH - 1:
                    _add(s, line)
                elif count == LENGTH:
                    _remove(s, line)
        for j in range(-self.reach, self.reach + 1):
            line = move + 4 * j * step
            if s.count[np.uint64(line)] == LENGTH - 1:
                _remove(s, line)
            s.count[np.uint64(line)] |= BLOCKED
        s.played += 1

    def score(self, s):
        return s.played

    def describe_move(self, move: int) -> str:
        y, x = divmod(move >> 2, WIDTH)
        return f"({x - OFFSET},{y - OFFSET}) {NAMES[move & 3]}"


def _fits(origin, d):
    x0, y0 = origin % WIDTH, origin // WIDTH
    x1 = x0 + (LENGTH - 1) * (d != 1)
    y1 = y0 + (LENGTH - 1) * (0 if d == 0 else (-1 if d == 2 else 1))
    low, high = MARGIN, WIDTH - 1 - MARGIN
    return low <= x0 and x1 <= high and low <= min(y0, y1) and max(y0, y1) <= high


def _add(s, line):
    s.legal[s.n] = line
    s.place[np.uint64(line)] = s.n
    s.n += 1


def _remove(s, line):
    s.n -= 1
    last = s.legal[s.n]
    hole = s.place[np.uint64(line)]
    s.legal[hole] = last
    s.place[last] = hole
