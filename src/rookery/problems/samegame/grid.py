"""SameGame with lists: the rules, plain and slow, for reading, writing and drawing games, in letters and in colours.

A cell is (column, row), both from 0, column 0 at the left and row 0 at the bottom. People count from 1: c1 r1.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.drawing import Drawing
from rookery.drawing.palette import FRAME, INK, PALE, tile
from rookery.errors import InputError

Cell = tuple[int, int]

BONUS = 1000
"""Points for a board that is empty in the end."""

LETTERS = "0123456789abcde"
"""Colours as one letter each, where a board is written on one line or drawn as text."""


def cell_name(cell: Cell) -> str:
    """A cell as people name it.

    >>> cell_name((6, 2))
    'c7 r3'
    """
    return f"c{cell[0] + 1} r{cell[1] + 1}"


class Removal(NamedTuple):
    """What a move took away: a colour, the cells, and where these stood at the start of the game."""

    colour: int
    cells: tuple[Cell, ...]
    origins: tuple[Cell, ...]

    @property
    def points(self) -> int:
        """(n - 2)^2 for n cells.

        >>> Removal(0, ((0, 0), (0, 1), (0, 2)), ()).points
        1
        """
        return (len(self.cells) - 2) ** 2


class Grid:
    """A board that moves are played on; search uses :class:`rookery.problems.SameGame`.

    >>> grid = Grid(np.array([[0, 1], [0, 1]]))
    >>> grid.remove((0, 1)).cells
    ((0, 0), (0, 1))
    >>> grid.text()
    '1.\\n1.'
    """

    def __init__(self, cells: npt.NDArray[np.integer]) -> None:
        """``cells`` as boards are written: the first row is the top one."""
        self.height, self.width = cells.shape
        stacks = [[int(colour) for colour in column[::-1]] for column in cells.T]
        self.columns = [[(colour, (x, y)) for y, colour in enumerate(stack)] for x, stack in enumerate(stacks)]

    def colour(self, cell: Cell) -> int | None:
        """The colour of a cell; None where the board is empty.

        >>> Grid(np.array([[3]])).colour((1, 0)) is None
        True
        """
        column, row = cell
        if 0 <= column < len(self.columns) and 0 <= row < len(self.columns[column]):
            return self.columns[column][row][0]
        return None

    def group(self, cell: Cell) -> set[Cell]:
        """The cells of one colour that are connected to a cell, which must not be empty.

        >>> sorted(Grid(np.array([[0, 0, 1]])).group((1, 0)))
        [(0, 0), (1, 0)]
        """
        colour, found, ahead = self.colour(cell), {cell}, [cell]
        while ahead:
            x, y = ahead.pop()
            for near in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)):
                if near not in found and self.colour(near) == colour:
                    found.add(near)
                    ahead.append(near)
        return found

    def remove(self, cell: Cell) -> Removal:
        """Play the group of a cell: take it away, let cells fall and columns close up.

        >>> Grid(np.array([[0, 1]])).remove((1, 0))
        Traceback (most recent call last):
        rookery.errors.InputError: c2 r1 has no neighbour of its colour
        """
        colour = self.colour(cell)
        if colour is None:
            raise InputError(f"{cell_name(cell)} is empty")
        group = sorted(self.group(cell))
        if len(group) < 2:
            raise InputError(f"{cell_name(cell)} has no neighbour of its colour")
        origins = tuple(self.columns[x][y][1] for x, y in group)
        for x, y in reversed(group):
            del self.columns[x][y]
        self.columns = [column for column in self.columns if column]
        return Removal(colour, tuple(group), origins)

    def is_over(self) -> bool:
        """Whether no group is left.

        >>> Grid(np.array([[0, 1]])).is_over()
        True
        """
        stacks = enumerate(self.columns)
        return all(len(self.group((x, y))) == 1 for x, column in stacks for y in range(len(column)))

    def left(self) -> int:
        """How many cells are left.

        >>> Grid(np.array([[0, 1]])).left()
        2
        """
        return sum(map(len, self.columns))

    def text(self) -> str:
        """The board in letters, with a dot where it is empty."""
        rows = range(self.height - 1, -1, -1)
        return "\n".join("".join(self._letter((x, y)) for x in range(self.width)) for y in rows)

    def _letter(self, cell: Cell) -> str:
        colour = self.colour(cell)
        return "." if colour is None else LETTERS[colour]


def total(cells: npt.NDArray[np.integer], removals: Iterable[Removal], penalty: bool = False) -> int:
    """The score of a game: points, the bonus if nothing is left, the penalty if the game is over and it is asked for.

    >>> total(np.array([[0, 0]]), [Removal(0, ((0, 0), (1, 0)), ())])
    1000
    """
    grid, points = Grid(cells), 0
    for removal in removals:
        points += grid.remove(removal.cells[0]).points
    if grid.left() == 0:
        return points + BONUS
    if penalty and grid.is_over():
        left = Counter(colour for column in grid.columns for colour, _ in column)
        points -= sum((n - 2) ** 2 for n in left.values())
    return points


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


def cell_centre(grid: Grid, cell: Cell) -> tuple[float, float]:
    """Where a cell of the board after the moves is in the picture.

    >>> cell_centre(Grid(np.array([[0, 1]])), (0, 0))
    (88.0, 52.0)
    """
    column, row = cell
    left = grid.width * SIDE + 2 * MARGIN
    return left + (column + 0.5) * SIDE, MARGIN + HEADING + (grid.height - row - 0.5) * SIDE


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
