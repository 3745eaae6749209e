"""Sudoku as in Cazenave 2009, section 5.3, on a compiled grid.

A step takes the cell with the fewest values left (the first of them, row by row); its moves are these values. An
assignment removes the value from all cells of the same row, column and box. A playout ends when nothing is left for
some cell, or all are filled. The score is the number of cells that have a value, including the givens: 256 is a
solution of a grid of 16 x 16.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isqrt
from typing import Any

import numpy as np

from rookery.compiler.constants import fixed
from rookery.drawing import Drawing
from rookery.errors import IllegalSolution, InputError
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.problems.sudoku.formats import SIZES, given_grid, one_line, read_grid, ruled
from rookery.problems.sudoku.generator import emptied, full_grid
from rookery.problems.sudoku.rules import check_givens, grid_picture, steps_to


class Sudoku(Problem):
    """Fill a grid so that no row, column or box has a value twice; a move gives the next cell a value.

    Parameters
    ----------
    givens
        the value of each cell, row by row, 1 to 4, 9, 16 or 25; 0 for an empty one

    >>> problem = Sudoku.build(size=9, empty=0.6, seed=1)
    >>> sum(value > 0 for value in problem.givens)
    32
    """

    givens: tuple[int, ...]

    def __post_init__(self) -> None:
        givens = tuple(int(value) for value in self.givens)
        if isqrt(len(givens)) not in SIZES or isqrt(len(givens)) ** 2 != len(givens):
            sizes = ", ".join(f"{n} x {n}" for n in SIZES)
            raise InputError(f"a grid must have {sizes} cells, got {len(givens)} cells")
        check_givens(givens)
        object.__setattr__(self, "givens", givens)

    @classmethod
    def build(cls, size: int = 16, empty: float = 0.66, seed: int = 0, grid: str | None = None) -> Sudoku:
        """A full grid from a random solver with this share of its cells emptied; or ``grid``: givens, or a file of
        them.

        >>> Sudoku.build(seed=1).givens.count(0)
        169
        >>> Sudoku.build(grid="1...............").size
        4
        """
        if grid is not None:
            return cls(given_grid(grid))
        if size not in SIZES:
            raise InputError(f"size must be {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]}, got {size}")
        if not 0 <= empty <= 1:
            raise InputError(f"empty must be a share from 0 to 1, got {empty:g}")
        return cls(emptied(full_grid(size, seed), round(empty * size * size), seed))

    def parameters(self) -> dict[str, Any]:
        return {"grid": one_line(self.givens)}

    @property
    def size(self) -> int:
        """Rows, columns and values."""
        return isqrt(len(self.givens))

    def limits(self) -> Limits:
        return Limits(moves=self.size, length=len(self.givens), codes=len(self.givens) * self.size)

    def layout(self) -> Layout:
        cells = capacity(len(self.givens))
        return {
            "rank": ("u2", cells),
            "domain": ("u2" if self.size <= 16 else "u4", cells),
            "cell": "i4",  # the next one
            "left": "u4",  # its values
            "n": "i4",  # how many
            "assigned": "i4",
        }

    def constants(self) -> Mapping[str, Any]:
        given = [(cell, value - 1) for cell, value in enumerate(self.givens) if value]
        return {"box": fixed(isqrt(self.size)), "given": np.array(given, np.int64).reshape(-1, 2)}

    def start(self, s):
        open_all(s.domain, s.rank, self.box)
        for i in range(len(self.given)):
            assign(s.domain, s.rank, self.given[i, 0], self.given[i, 1], self.box)
        s.assigned = len(self.given)
        self._next(s)

    def _next(self, s):
        """Find the cell with the fewest values left; no moves if there is none, or none of its values."""
        least = smallest(s.rank)
        if least == DONE:
            s.n = 0
        else:
            s.n = least >> CELL_BITS
            s.cell = least & CELL_MASK
            s.left = s.domain[np.uint64(s.cell)]

    def moves(self, s, out):
        left = np.uint32(s.left)
        first = np.int64(s.cell) * self.box * self.box
        for i in range(s.n):
            out[i] = first + place_of_lowest(left)
            left &= left - np.uint32(1)
        return s.n

    def count(self, s):
        return s.n

    def nth(self, s, i):
        left = np.uint32(s.left)
        for _ in range(i):
            left &= left - np.uint32(1)
        return np.int64(s.cell) * self.box * self.box + place_of_lowest(left)

    def code(self, s, move):
        return move

    def play(self, s, move):
        size = self.box * self.box
        assign(s.domain, s.rank, move // size, move % size, self.box)
        s.assigned += 1
        self._next(s)

    def score(self, s):
        return s.assigned

    # --- grids ---

    def filled(self, moves: Sequence[int]) -> tuple[int, ...]:
        """The grid after these moves.

        >>> Sudoku.build(grid="1...............").filled([5])[:4]
        (1, 2, 0, 0)
        """
        values = list(self.givens)
        for number, move in enumerate(moves, 1):
            if not 0 <= move < len(values) * self.size:
                raise InputError(f"move {number} must be 0 to {len(values) * self.size - 1}, got {move}")
            values[move // self.size] = move % self.size + 1
        return tuple(values)

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a solution, on one line or in rows; if it leaves cells empty, it must be a state of the search.

        >>> Sudoku.build(grid="1234341221434321"[:15] + ".").read("1234341221434321")
        (60,)
        """
        values = read_grid(text)
        if len(values) != len(self.givens):
            raise InputError(f"a solution must have {len(self.givens)} cells, got {len(values)}")
        try:
            return steps_to(self.givens, values)
        except InputError as error:
            raise IllegalSolution(str(error)) from None

    def write(self, moves: Sequence[int]) -> str:
        """The grid after these moves in one line."""
        return one_line(self.filled(moves)) + "\n"

    def draw(self, moves: Sequence[int]) -> str:
        """The grid after these moves, with lines between the boxes."""
        return ruled(self.filled(moves))

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The grid after these moves; what was given stands out."""
        return grid_picture(self.givens, self.filled(moves))

    def describe_move(self, move: int) -> str:
        row, column = divmod(move // self.size, self.size)
        return f"row {row + 1}, column {column + 1}: {move % self.size + 1}"


CELL_BITS = 10
CELL_MASK = (1 << CELL_BITS) - 1
DONE = np.uint16(0xFFFF)
"""The rank of a filled cell: after all others."""

_FOLD = 0x077CB531
"""Multiplied by a power of two, its upper five bits tell which one."""
_PLACES = np.array(sorted(range(32), key=lambda k: (_FOLD << k & 0xFFFFFFFF) >> 27), np.uint8)


def place_of_lowest(bits):
    """The place of the lowest bit that is set.

    >>> int(place_of_lowest(np.uint32(0b10100)))
    2
    """
    lowest = np.uint64(bits) & (~np.uint64(bits) + np.uint64(1))
    return np.int64(_PLACES[((lowest * np.uint64(_FOLD)) & np.uint64(0xFFFFFFFF)) >> np.uint64(27)])


def open_all(domain, rank, box):
    """All values are left for all cells."""
    size = box * box
    for cell in range(len(rank)):
        rank[cell] = DONE
    for cell in range(size * size):
        domain[cell] = (1 << size) - 1
        rank[cell] = (size << CELL_BITS) + cell


def assign(domain, rank, cell, value, box):
    """Give a cell a value, and remove the value from all cells in its row, column and box (forward checking)."""
    size = box * box
    row, column = cell // size, cell % size
    keep = ~(np.uint32(1) << np.uint32(value))
    domain[cell] = 0
    rank[cell] = DONE
    first = row * size
    for k in range(size):
        strike(domain, rank, first + k, value, keep)
    for k in range(size):
        strike(domain, rank, column + k * size, value, keep)
    corner = (row - row % box) * size + column - column % box
    for j in range(box):
        for k in range(box):
            strike(domain, rank, corner + j * size + k, value, keep)


def strike(domain, rank, cell, value, keep):
    """Remove a value from those left for a cell, if it is one of them."""
    there = np.uint64(cell)
    left = np.uint32(domain[there])
    domain[there] = left & keep
    rank[there] -= ((left >> np.uint32(value)) & np.uint32(1)) << np.uint32(CELL_BITS)


def smallest(rank):
    """The smallest rank; DONE if no cell is left."""
    least = rank[0]
    for cell in range(1, len(rank)):
        least = min(least, rank[cell])
    return least
