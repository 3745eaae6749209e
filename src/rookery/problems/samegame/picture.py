"""Pictures of games of SameGame, in letters and in colours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from rookery.drawing import Drawing
from rookery.problems.samegame.grid import Grid, Removal

COLOURS = (
    *("#4c78a8", "#e45756", "#54a24b", "#eeca3b", "#b279a2", "#f58518", "#72b7b2"),
    *("#9d755d", "#ff9da6", "#bab0ac", "#2f4b7c", "#8cd17d", "#79706e", "#d37295", "#1b9e77"),
)
"""A colour for each number, told apart also by those who see red and green alike."""
DARK_LETTERS, LIGHT_LETTERS = "#222222", "#ffffff"
# On light paper and on dark.
INK, EMPTY, FRAME = ("#222222", "#e8ecf0"), ("#f2f2f2", "#20242b"), ("#c8c8c8", "#454c56")
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
    drawing.rect(left, top, grid.width * SIDE, grid.height * SIDE, fill=EMPTY, stroke=FRAME)
    for column in range(grid.width):
        for row in range(grid.height):
            colour = grid.colour((column, row))
            if colour is None:
                continue
            x, y = left + column * SIDE, top + (grid.height - 1 - row) * SIDE
            fill = COLOURS[colour]
            drawing.rect(x + GAP / 2, y + GAP / 2, SIDE - GAP, SIDE - GAP, fill=fill, round=4)
            label = labels.get((column, row))
            if label is not None:
                letters = DARK_LETTERS if _is_light(fill) else LIGHT_LETTERS
                drawing.text(x + SIDE / 2, y + SIDE / 2, label, size=10, colour=letters)


def _is_light(fill: str) -> bool:
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return 299 * red + 587 * green + 114 * blue > 150_000
