"""Hex: connect your two edges of a board of hexagons.

Players take turns to place a stone on an empty cell. Red has won with a chain of stones from the top to the bottom,
blue with one from the left to the right. A full board has exactly one such chain, so there are no draws. The game is
Piet Hein's and John Nash's; whoever begins wins it, and there is no swap here.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bits import ONE, WORD, ZERO, u
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.games.cells import LAST_BIT
from rookery.games.hexagons import RADIUS, Hexagons
from rookery.games.placement import Placement, placed
from rookery.games.squares import Squares
from rookery.problem import Layout, Limits, Spots

NEIGHBOURHOODS = 3**6
"""What may be on the six cells beside one: nothing, or a stone or an edge of either player."""


class Hex(Placement):
    """Connect the top with the bottom, or the left with the right, by a chain of stones.

    Parameters
    ----------
    size
        of the board, 2 to 19

    >>> game = Hex(size=3)
    >>> print(game.draw([game.read_move(cell) for cell in ("b2", "c1", "b1")]))
       a b c
     1  ·[●]○
      2  · ● ·
       3  · · ·
    """

    size: int = 11

    players = ("red", "blue")

    def limits(self) -> Limits:
        return Limits(moves=self.points, length=self.points + 1, codes=self.points, features=NEIGHBOURHOODS)

    def layout(self) -> Layout:
        # The chains, as trees: the parent of each cell, and then of the edges: top, bottom, left and right.
        return {**Placement.layout(self), "parent": ("u2", self.words * WORD + 4)}

    # --- compiled ---

    def start(self, s):
        self._begin(s)
        for i in range(self.words * WORD + 4):
            s.parent[u(i)] = i

    def _root(self, s, i):
        """The cell or edge that a chain is known by; on the way there trees become flatter."""
        i = u(i)
        while u(s.parent[i]) != i:
            s.parent[i] = s.parent[u(s.parent[i])]
            i = u(s.parent[i])
        return i

    def _join(self, s, p, other):
        s.parent[self._root(s, other)] = self._root(s, p)

    def _owner(self, s, column, row):
        """Who has a cell, or the edge that is there: -1 nobody."""
        if row < 0 or row >= self.size:
            return 0
        if column < 0 or column >= self.size:
            return 1
        p = u(row * self.size + column)
        if (s.stones[0, p >> u(6)] >> (p & LAST_BIT)) & ONE != ZERO:
            return 0
        if (s.stones[1, p >> u(6)] >> (p & LAST_BIT)) & ONE != ZERO:
            return 1
        return -1

    def _touch(self, s, p, column, row):
        """Join the stone at p with the player's stone or edge beside it."""
        if self._owner(s, column, row) == s.turn:
            edges = self.words * WORD
            if row < 0:
                self._join(s, p, edges)
            elif row >= self.size:
                self._join(s, p, edges + 1)
            elif column < 0:
                self._join(s, p, edges + 2)
            elif column >= self.size:
                self._join(s, p, edges + 3)
            else:
                self._join(s, p, row * self.size + column)

    def _wins(self, s, p):
        row = p // self.size
        column = p % self.size
        self._touch(s, p, column, row - 1)
        self._touch(s, p, column + 1, row - 1)
        self._touch(s, p, column - 1, row)
        self._touch(s, p, column + 1, row)
        self._touch(s, p, column - 1, row + 1)
        self._touch(s, p, column, row + 1)
        edge = self.words * WORD + 2 * s.turn
        return self._root(s, edge) == self._root(s, edge + 1)

    def feature(self, s, move):
        """What is on the six cells around, as on AROUND: 0 nothing, 1 an own stone or edge, 2 one of the other's."""
        row = move // self.size
        column = move % self.size
        feature = self._stands(s, column, row - 1)
        feature += 3 * self._stands(s, column + 1, row - 1)
        feature += 9 * self._stands(s, column - 1, row)
        feature += 27 * self._stands(s, column + 1, row)
        feature += 81 * self._stands(s, column - 1, row + 1)
        return feature + 243 * self._stands(s, column, row + 1)

    def _stands(self, s, column, row):
        owner = self._owner(s, column, row)
        if owner < 0:
            return 0
        return 1 if owner == s.turn else 2

    # --- for people ---

    @property
    def board(self) -> Hexagons:
        """The cells, as people see them."""
        return Hexagons(self.size)

    def describe_move(self, move: int) -> str:
        if not 0 <= move < self.points:
            raise InputError(f"a move must be 0 to {self.points - 1} on a board of size {self.size}, got {move}")
        return Squares(self.size, self.size).name(move)

    def read_move(self, text: str) -> int:
        return Squares(self.size, self.size).square(text)

    def stones_after(self, moves: Sequence[int]) -> dict[int, int]:
        """Whose stone is on each cell that is not empty, after moves that must be legal.

        >>> Hex(size=3).stones_after([4, 2])
        {4: 0, 2: 1}
        """
        return placed(self, moves, lambda stones, move: self.board.connects(stones, move))

    def draw(self, moves: Sequence[int]) -> str:
        """The board after these moves as text, the last one in brackets."""
        return self.board.text(self.stones_after(moves), moves[-1:])

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The board after these moves; the last stone has a mark."""
        return self.board.picture(self.stones_after(moves), moves[-1:])

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """The cell."""
        return [(((*self.board.centre(move), RADIUS),),) for move in legal]
