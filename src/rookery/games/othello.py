"""Othello: turn the discs of the other between your own; whoever has more at the end wins.

Black begins. A disc is placed on an empty square so that, in at least one of the eight directions, discs of the other
lie in line between it and another one of the player's own; all of these are turned. Whoever cannot do so passes, and
must place a disc if possible. When neither can, the game is over. Equal numbers are a draw.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rookery.bits import ONE, ZERO, lowest, nth, nth_bit, ones, u
from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.games.squares import BLACK_DISC, SIDE, WHITE_DISC, Look, SquareGame, Squares, stirred
from rookery.games.turning import placeable, turned, turned_down, turned_up
from rookery.problem import Layout, Limits, Spots
from rookery.rng import below

BOARD = Look("#2f8f5b", "#2f8f5b", "#57b483", "#57b483", "#1f6b42")
DISCS = (BLACK_DISC, WHITE_DISC)
SYMBOLS = "●○"
PASS = "pass"
AROUND = tuple((aside, up) for up in (-1, 0, 1) for aside in (-1, 0, 1) if aside or up)
"""Columns to the right and rows up, in the eight directions: from the one towards a1 to the opposite one."""


class Othello(SquareGame):
    """Turn the discs that lie between your own; whoever has more of them at the end wins, and players may have to pass.

    A move is a square, and so is its code. The number after the last square is a pass: a move if there is no other.

    Parameters
    ----------
    width
        columns, an even number from 4 to 8
    height
        rows, an even number from 4 to 8

    >>> game = Othello(6, 6)
    >>> print(game.draw([game.read_move(square) for square in ("e4", "e5")]))
     1  · · · · · ·
     2  · · · · · ·
     3  · · ○ ● · ·
     4  · · ● ○ ● ·
     5  · · · ·[○]·
     6  · · · · · ·
        a b c d e f
    """

    players = ("black", "white")
    LEAST = (4, 4)
    MOST = 8

    @classmethod
    def _check_side(cls, name: str, value: int, least: int) -> None:
        super()._check_side(name, value, least)
        if value % 2:
            raise InputError(f"{name} must be an even number, got {value}")

    @property
    def board(self) -> Squares:
        """The squares, as people see them: row 1 is the top one."""
        return Squares(self.width, self.height, down=True)

    # --- what is compiled in, and the state ---

    def limits(self) -> Limits:
        squares = self.width * self.height
        # Between two passes there is a disc; at the very limit nothing is taken as proven.
        return Limits(moves=squares, length=2 * squares, codes=squares + 1, features=1 << len(AROUND))

    def layout(self) -> Layout:
        return {"discs": ("u8", 2), "empty": "u8", "turn": "i8"}

    def constants(self) -> Mapping[str, Any]:
        columns = range(self.width)
        inner = sum(1 << row * self.width + c for row in range(self.height) for c in columns[1:-1])
        return {"width": self.width, "height": self.height, "inner": inner}

    # --- compiled ---

    def start(self, s):
        s.empty = ~ZERO >> u(64 - self.width * self.height)
        middle = u((self.height // 2 - 1) * self.width + self.width // 2)
        s.discs[0] = ONE << middle | ONE << (middle + u(self.width) - ONE)
        s.discs[1] = ONE << (middle - ONE) | ONE << (middle + u(self.width))
        s.empty ^= s.discs[0] | s.discs[1]

    def _placeable(self, s, player):
        """The squares on which a player may place a disc."""
        own = s.discs[u(player)]
        other = s.discs[u(1 - player)]
        return placeable(own, other, s.empty, u(self.width), u(self.inner))

    def moves(self, s, out):
        m = self._placeable(s, s.turn)
        if m == ZERO:
            if self._placeable(s, 1 - s.turn) == ZERO:
                return 0
            out[0] = self.width * self.height
            return 1
        n = 0
        while m != ZERO:
            out[u(n)] = lowest(m)
            m &= m - ONE
            n += 1
        return n

    def sample(self, s, rng):
        """One draw; none for a pass."""
        m = self._placeable(s, s.turn)
        if m != ZERO:
            return nth(m, below(rng, ones(m)))
        if self._placeable(s, 1 - s.turn) == ZERO:
            return -1
        return self.width * self.height

    def playout(self, s, rng):
        """The same in variables, to the end."""
        width, inner = u(self.width), u(self.inner)
        own, other, empty = s.discs[u(s.turn)], s.discs[u(1 - s.turn)], s.empty
        turn = s.turn
        passes = 0
        while passes < 2:
            m = placeable(own, other, empty, width, inner)
            passes += 1
            if m != ZERO:
                passes = 0
                bit = nth_bit(m, below(rng, ones(m)))
                more = turned(bit, own, other, width, inner)
                own ^= more | bit
                other ^= more
                empty ^= bit
            own, other = other, own
            turn = 1 - turn
        s.discs[u(turn)] = own
        s.discs[u(1 - turn)] = other
        return self.winner(s)

    def code(self, s, move):
        return move

    def feature(self, s, move):
        """In which of the directions of AROUND discs are turned."""
        if move == self.width * self.height:
            return 0
        bit = ONE << u(move)
        own = s.discs[u(s.turn)]
        other = s.discs[u(1 - s.turn)]
        across = other & u(self.inner)
        width = u(self.width)
        feature = np.int64(turned_down(bit, own, across, width + ONE) != ZERO)
        feature |= np.int64(turned_down(bit, own, other, width) != ZERO) << 1
        feature |= np.int64(turned_down(bit, own, across, width - ONE) != ZERO) << 2
        feature |= np.int64(turned_down(bit, own, across, ONE) != ZERO) << 3
        feature |= np.int64(turned_up(bit, own, across, ONE) != ZERO) << 4
        feature |= np.int64(turned_up(bit, own, across, width - ONE) != ZERO) << 5
        feature |= np.int64(turned_up(bit, own, other, width) != ZERO) << 6
        return feature | np.int64(turned_up(bit, own, across, width + ONE) != ZERO) << 7

    def play(self, s, move):
        if move < self.width * self.height:
            own = u(s.turn)
            other = u(1 - s.turn)
            bit = ONE << u(move)
            more = turned(bit, s.discs[own], s.discs[other], u(self.width), u(self.inner))
            s.discs[own] ^= more | bit
            s.discs[other] ^= more
            s.empty ^= bit
        s.turn = 1 - s.turn

    def winner(self, s):
        more = ones(s.discs[0]) - ones(s.discs[1])
        if more == 0:
            return -1
        return 0 if more > 0 else 1

    def key(self, s):
        return stirred(stirred(ZERO, s.discs[0]), s.discs[1]) ^ u(s.turn)

    # --- for people ---

    def describe_move(self, move: int) -> str:
        squares = self.width * self.height
        if not 0 <= move <= squares:
            raise InputError(f"a move must be 0 to {squares}, got {brief(move)}")
        return PASS if move == squares else self.board.name(move)

    def read_move(self, text: str) -> int:
        """The move that is written as a square, or as pass.

        >>> Othello(8, 8).read_move("f5"), Othello(8, 8).read_move("pass")
        (37, 64)
        """
        return self.width * self.height if text.strip().lower() == PASS else self.board.square(text)

    def discs_after(self, moves: Sequence[int]) -> dict[int, int]:
        """Whose disc is on each square that is not empty, after moves that must be legal.

        >>> len(Othello(8, 8).discs_after([37]))
        5
        """
        column, row = self.width // 2, self.height // 2
        discs = {row * self.width + column - 1: 0, (row - 1) * self.width + column: 0}
        discs |= {(row - 1) * self.width + column - 1: 1, row * self.width + column: 1}
        squares = range(self.width * self.height)
        for number, move in enumerate(moves):
            player, name = number % 2, self.describe_move(move)
            more = [] if name == PASS else self._turned_by(discs, move, player)
            can = [any(self._turned_by(discs, square, one) for square in squares) for one in (player, 1 - player)]
            if not more and (name != PASS or can != [False, True]):
                raise InputError(f"move {number + 1} must be legal, got {name}")
            if more:
                discs |= dict.fromkeys([*more, move], player)
        return discs

    def _turned_by(self, discs: Mapping[int, int], square: int, player: int) -> list[int]:
        """The discs that one of a player on a square turns; none if it may not be placed there."""
        found: list[int] = []
        if square in discs:
            return found
        for aside, up in AROUND:
            line: list[int] = []
            column, row = square % self.width + aside, square // self.width + up
            while 0 <= column < self.width and 0 <= row < self.height:
                at = row * self.width + column
                if discs.get(at) != 1 - player:
                    found += line if at in discs else []
                    break
                line.append(at)
                column, row = column + aside, row + up
        return found

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """The square; a pass has none."""
        board, squares = self.board, self.width * self.height
        return [(((*board.centre(move), SIDE / 2),),) if move < squares else () for move in legal]

    def draw(self, moves: Sequence[int]) -> str:
        """The board after these moves as text, the last move in brackets."""
        symbols = {square: SYMBOLS[player] for square, player in self.discs_after(moves).items()}
        return self.board.text(symbols, moves[-1:])

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The board after these moves, the square of the last one in another colour."""
        board = self.board
        drawing = board.picture(moves[-1:], BOARD)
        for square, player in sorted(self.discs_after(moves).items()):
            board.disc(drawing, square, DISCS[player])
        return drawing
