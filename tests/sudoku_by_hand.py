"""Sudoku by looking at the whole grid: slow and plain, for tests."""

from __future__ import annotations

import numpy as np


def candidates(grid, row, column):
    """The values that a cell can still have, by looking at its row, column and box."""
    size = len(grid)
    box = int(size**0.5)
    r, c = row // box * box, column // box * box
    seen = set(grid[row]) | set(grid[:, column]) | set(grid[r : r + box, c : c + box].ravel())
    return [value for value in range(1, size + 1) if value not in seen]


def slow_moves(values):
    """The cell with the fewest candidates, the first of equal ones, with each of them; none at the end."""
    size = int(len(values) ** 0.5)
    grid = np.array(values).reshape(size, size)
    left = {cell: candidates(grid, *divmod(cell, size)) for cell in range(size * size) if values[cell] == 0}
    if not left:
        return []
    cell = min(left, key=lambda k: (len(left[k]), k))
    return [cell * size + value - 1 for value in left[cell]]
