"""Random grids."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from rookery.problems.sudoku.generator import emptied, full_grid


@pytest.mark.parametrize(("size", "seed"), [(4, 1), (9, 1), (9, 2), (16, 1), (16, 2), (25, 1)])
def test_full_grids_have_every_value_in_every_row_column_and_box(size, seed):
    box = int(size**0.5)
    grid = np.array(full_grid(size, seed)).reshape(size, size)
    boxes = grid.reshape(box, box, box, box).swapaxes(1, 2).reshape(size, size)
    for units in (grid, grid.T, boxes):
        assert all(sorted(unit) == list(range(1, size + 1)) for unit in units)


def exchanges(grid):
    """Pairs of rows and columns whose four cells hold two values: no shuffle of rows, columns or values changes it."""
    size = len(grid)
    pairs = list(combinations(range(size), 2))
    return sum(grid[a, c] == grid[b, d] and grid[a, d] == grid[b, c] for a, b in pairs for c, d in pairs)


def test_full_grids_are_no_shuffles_of_one_pattern():
    counts = {exchanges(np.array(full_grid(9, seed)).reshape(9, 9)) for seed in range(6)}
    assert len(counts) > 2


def test_the_seed_decides_the_grid():
    assert full_grid(16, 5) == full_grid(16, 5)
    assert full_grid(16, 5) != full_grid(16, 6)


def test_cells_are_emptied_all_over_the_grid():
    values = full_grid(16, 1)
    left = emptied(values, 169, 1)
    assert left.count(0) == 169
    assert all(a in (0, b) for a, b in zip(left, values, strict=True))
    assert all(0 < sum(v == 0 for v in left[k : k + 16]) < 16 for k in range(0, 256, 16))
    assert emptied(values, 169, 2) != left
