"""Gomoku: five stones in a row on a Go board.

Rules of the free game: black begins, players take turns to place a stone on an empty point, and the first with five or
more stones in a row, across, upwards or along a diagonal, has won. A full board without such a row is a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rookery.drawing import Drawing
from rookery.games.placement import Placement, placed
from rookery.games.points import RADIUS, board_picture, board_text, place, point_name, read_point
from rookery.games.rows import check_row, has_row, longest_row, row_feature
from rookery.problem import Limits, Spots


class Gomoku(Placement):
    """Be the first to have five stones in a row; a full board is a draw.

    Parameters
    ----------
    size
        of the board, 2 to 19
    row
        how many stones in a row win, 2 to ``size``; more of them win too

    >>> Gomoku(size=15).describe_move(112)
    'H8'
    """

    size: int = 15
    row: int = 5

    def __post_init__(self) -> None:
        Placement.__post_init__(self)
        check_row(self.row, self.size)

    def limits(self) -> Limits:
        return Limits(moves=self.points, length=self.points + 1, codes=self.points, features=self.row * self.row)

    def constants(self) -> dict[str, Any]:
        return {**Placement.constants(self), "row": self.row}

    # --- compiled ---

    def _wins(self, s, p):
        return longest_row(s, s.turn, p, self.size, self.size) >= self.row

    def feature(self, s, move):
        """How long a row the stone makes, and how long one it keeps the other from making."""
        return row_feature(s, move, self.size, self.size, self.row)

    # --- for people ---

    def describe_move(self, move: int) -> str:
        return point_name(self.size, move, passes=False)

    def read_move(self, text: str) -> int:
        return read_point(self.size, text, passes=False)

    def stones_after(self, moves: Sequence[int]) -> dict[int, int]:
        """Whose stone is on each point that is not empty, after moves that must be legal.

        >>> Gomoku(size=15).stones_after([112, 113])
        {112: 0, 113: 1}
        """
        return placed(self, moves, lambda stones, move: has_row(stones, move, self.size, self.row))

    def draw(self, moves: Sequence[int]) -> str:
        return board_text(self.size, self.stones_after(moves), moves)

    def picture(self, moves: Sequence[int]) -> Drawing:
        return board_picture(self.size, self.stones_after(moves), moves)

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """The point."""
        return [(((*place(self.size, move), RADIUS),),) for move in legal]
