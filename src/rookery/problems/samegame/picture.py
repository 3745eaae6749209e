"""Pictures of games of SameGame, in letters and in colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rookery.drawing import Drawing
from rookery.drawing.palette import FRAME, INK, PALE, tile
from rookery.problems.samegame.grid import Grid, Removal

SIDE, GAP, MARGIN, HEADING = 24.0, 2.0, 14.0, 26.0


def game_picture(cells: npt.NDArray[np.int64], removals: Sequence[Removal], score: int) -> Drawing:
    """A game as two boards: at the start, with the number of the move that takes each cell, and after its moves.

    >>> game_picture(np.array([[0, 1]]), [], 0).svg().count("<text")
    2
    """
    height, width = cells.shape
    panel = width * SIDE
    drawing = Drawing(2 * panel + 3 * MARGIN, height * SIDE + HEADING + 2 * MARGIN)
    at_start, after = Grid(cells), Grid(cells)
    number = {origin: n for n, removal in enumerate(removals, 1) for origin in removal.origins}
    _board(drawing, at_start, MARGIN, {cell: str(n) for cell, n in number.items()})
    for removal in removals:
        after.remove(removal.cells[0])
    sums = f"{_many(len(removals), 'move')}, {_many(score, 'point')}" if removals else f"{width} x {height}"
    _heading(drawing, MARGIN, sums)
    left = panel + 2 * MARGIN
    _board(drawing, after, left, {})
    _heading(drawing, left, f"{_many(after.left(), 'cell')} left" if after.left() else "nothing left")
    return drawing


def board_text(cells: npt.NDArray[np.int64], removals: Sequence[Removal]) -> str:
    """The board after these moves in letters, rows and columns numbered.

    >>> print(board_text(np.array([[0, 1], [0, 2]]), []))
     2  0 1
     1  0 2
        1 2
    """
    grid = Grid(cells)
    for removal in removals:
        grid.remove(removal.cells[0])
    rows = [f"{grid.height - i:2}  {' '.join(row)}" for i, row in enumerate(grid.text().splitlines())]
    feet = " ".join(str(column % 10) for column in range(1, grid.width + 1))
    return "\n".join([*rows, f"    {feet}"])


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _heading(drawing: Drawing, left: float, text: str) -> None:
    drawing.text(left, MARGIN + HEADING / 2 - 4, text, size=14, colour=INK, anchor="start", bold=True)


def _board(drawing: Drawing, grid: Grid, left: float, labels: dict[tuple[int, int], str]) -> None:
    top = MARGIN + HEADING
    drawing.rect(left, top, grid.width * SIDE, grid.height * SIDE, fill=PALE, stroke=FRAME)
    for column in range(grid.width):
        for row in range(grid.height):
            colour = grid.colour((column, row))
            if colour is None:
                continue
            x, y = left + column * SIDE, top + (grid.height - 1 - row) * SIDE
            label = labels.get((column, row), "")
            tile(drawing, (x + GAP / 2, y + GAP / 2, SIDE - GAP, SIDE - GAP), colour, label)
