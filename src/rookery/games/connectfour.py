"""Connect Four: discs fall into columns, and four in a row win.

Players take turns to drop a disc into a column that is not full; it falls onto the discs below it. The first with four
or more in a row, across, upwards or along a diagonal, has won. A full board without such a row is a draw. The usual
board has seven columns of six squares; whoever begins wins there, in the column in the middle (Allis 1988).
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from rookery.bits import ONE, WORD, ZERO, lowest, nth, ones, u
from rookery.compiler.constants import fixed
from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.games.rows import check_row, has_row, longest_row, row_feature
from rookery.games.squares import SIDE, Look, SquareGame, stirred
from rookery.problem import Layout, Limits, Spots
from rookery.rng import below

BOARD = Look("#3f6fb5", "#3f6fb5", "#6a97d6", "#6a97d6", "#335c98")
HOLE = ("#eef2f7", "#335c98")
DISCS = (("#d64541", "#8e2a27"), ("#f4d03f", "#a68a1c"))
"""Fill and outline of a disc, by player."""
SYMBOLS = "●○"


class ConnectFour(SquareGame):
    """Discs fall into columns; be the first to have four in a row. A full board is a draw.

    A move is a column, and so is its code.

    Parameters
    ----------
    width
        columns, 2 to 16
    height
        rows, 2 to 16
    row
        how many discs in a row win, 2 to the longer side; more of them win too

    >>> game = ConnectFour()
    >>> print(game.draw([game.read_move(column) for column in "dde"]))
     6  · · · · · · ·
     5  · · · · · · ·
     4  · · · · · · ·
     3  · · · · · · ·
     2  · · · ○ · · ·
     1  · · · ●[●]· ·
        a b c d e f g
    """

    width: int = 7
    height: int = 6
    row: int = 4

    players = ("red", "yellow")
    LEAST = (2, 2)

    def __post_init__(self) -> None:
        SquareGame.__post_init__(self)
        check_row(self.row, max(self.width, self.height))

    @classmethod
    def build(cls, size: int = 0, width: int = 0, height: int = 0, row: int = 4) -> Self:
        """``size``: width and height, for those of them that are 0; if it is 0 too, 7 and 6."""
        if size:
            cls._check_side("size", size, cls.LEAST[0])
        return cls(width or size or 7, height or size or 6, row)

    def parameters(self) -> dict[str, Any]:
        return {**super().parameters(), "width": self.width, "height": self.height}

    # --- what is compiled in, and the state ---

    def limits(self) -> Limits:
        # One more than a game can have: at the very limit nothing is taken as proven.
        length, features = self.width * self.height + 1, self.row * self.row
        return Limits(moves=self.width, length=length, codes=self.width, features=features)

    def layout(self) -> Layout:
        return {
            "stones": ("u8", (2, self._words())),
            "open": "u8",  # the columns that are not full; none once somebody has won
            "filled": ("u1", self.MOST),  # discs in each column
            "turn": "i8",
            "won": "i8",
        }

    def constants(self) -> Mapping[str, Any]:
        return {"words": fixed(self._words()), "width": self.width, "height": self.height, "row": self.row}

    # --- compiled ---

    def start(self, s):
        s.won = -1
        s.open = (ONE << u(self.width)) - ONE

    def moves(self, s, out):
        n = 0
        m = s.open
        while m != ZERO:
            out[u(n)] = lowest(m)
            m &= m - ONE
            n += 1
        return n

    def sample(self, s, rng):
        n = ones(s.open)
        if n == 0:
            return -1
        return nth(s.open, below(rng, n))

    def code(self, s, move):
        return move

    def _lands(self, s, column):
        """The square that a disc in a column falls to."""
        return np.int64(s.filled[u(column)]) * self.width + column

    def feature(self, s, move):
        """How long a row the disc makes, and how long one it keeps the other from making."""
        return row_feature(s, self._lands(s, move), self.width, self.height, self.row)

    def play(self, s, move):
        square = self._lands(s, move)
        s.stones[u(s.turn), u(square) // u(WORD)] |= ONE << (u(square) % u(WORD))
        s.filled[u(move)] += 1
        if s.filled[u(move)] == self.height:
            s.open ^= ONE << u(move)
        if longest_row(s, s.turn, square, self.width, self.height) >= self.row:
            s.won = s.turn
            s.open = ZERO
        s.turn = 1 - s.turn

    def winner(self, s):
        return s.won

    def key(self, s):
        key = ZERO
        for player in range(2):
            for w in range(self.words):
                key = stirred(key, s.stones[player, w])
        return key ^ u(s.turn)

    # --- for people ---

    def describe_move(self, move: int) -> str:
        if not 0 <= move < self.width:
            raise InputError(f"a move must be a column from 0 to {self.width - 1}, got {brief(move)}")
        return string.ascii_lowercase[move]

    def read_move(self, text: str) -> int:
        """The move that is written as the letter of a column.

        >>> ConnectFour().read_move("D")
        3
        """
        column = string.ascii_lowercase.find(text.strip().lower() or "-")
        if not 0 <= column < self.width or len(text.strip()) != 1:
            last = string.ascii_lowercase[self.width - 1]
            raise InputError(f"a move must be a column from a to {last}, got {brief(text)}")
        return column

    def discs_after(self, moves: Sequence[int]) -> dict[int, int]:
        """Whose disc is on each square that is not empty, the last one last, after moves that must be legal.

        >>> ConnectFour().discs_after([3, 3, 4])
        {3: 0, 10: 1, 4: 0}
        """
        discs: dict[int, int] = {}
        over = False
        for number, move in enumerate(moves):
            name = self.describe_move(move)
            square = next((s for s in range(move, self.width * self.height, self.width) if s not in discs), None)
            if over or square is None:
                raise InputError(f"move {number + 1} must be legal, got {name}")
            discs[square] = number % 2
            over = has_row(discs, square, self.width, self.row)
        return discs

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """The square that the disc falls to."""
        there = (list(self.discs_after([*moves, move]))[-1] for move in legal)
        return [(((*self.board.centre(square), SIDE / 2),),) for square in there]

    def draw(self, moves: Sequence[int]) -> str:
        """The board after these moves as text, the last move in brackets."""
        discs = self.discs_after(moves)
        return self.board.text({square: SYMBOLS[player] for square, player in discs.items()}, list(discs)[-1:])

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The board after these moves, the square of the last one in another colour."""
        discs, board = self.discs_after(moves), self.board
        drawing = board.picture(list(discs)[-1:], BOARD)
        for square in range(self.width * self.height):
            board.disc(drawing, square, DISCS[discs[square]] if square in discs else HOLE)
        return drawing
