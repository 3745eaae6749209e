"""The values that are left for each cell of a Sudoku, and what an assignment does to them.

A cell is numbered row by row from 0, and a value is a bit from 0 on. ``domain`` has the values left for each cell,
and 0 for a cell that has got its value. ``rank`` has, for each cell without a value, how many are left for it and, in
its ten lower bits, the number of the cell: the smallest rank is the first of the cells with the fewest values left.
These functions are compiled, by whoever calls them.
"""

from __future__ import annotations

import numpy as np

CELL_BITS = 10
CELL_MASK = (1 << CELL_BITS) - 1
DONE = np.uint16(0xFFFF)
"""The rank of a cell that has its value: after all others."""

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
    """Give a cell a value, and take the value from all cells in its row, column and box (forward checking)."""
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
    """Take a value from a cell, if it is left for it."""
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
