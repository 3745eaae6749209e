"""Domineering: dominoes on a board, one player's vertical, the other's horizontal.

Rules as in Cazenave, Playout Policy Adaptation for Games, 2015: the players take turns to cover two empty squares, one
above the other for the first player, side by side for the second. Whoever cannot move loses. The game is Göran
Andersson's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.bits import ONE, WORD, ZERO, lowest, nth, ones, u
from rookery.compiler.constants import fixed
from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.games.squares import SIDE, SquareGame, stirred
from rookery.problem import Layout, Limits, Spots
from rookery.rng import below

DOMINOES = (("#4c78a8", "#2f4b7c"), ("#e45756", "#9c2b2e"))
"""Fill and outline of a domino, by player."""
GAP = 4.0
BESIDE = 6
"""How many squares are beside a domino."""


class Domineering(SquareGame):
    """Players place dominoes, one vertically and the other horizontally; whoever cannot move loses.

    A move is player * squares + the lower or left one of its squares; the code leaves out the player.

    Parameters
    ----------
    width
        columns, 1 to 16
    height
        rows, 1 to 16

    >>> Domineering.build(size=5, width=6)
    Domineering(width=6, height=5)
    >>> game = Domineering(3, 3)
    >>> moves = [game.read_move("b1-b2"), game.read_move("b3-c3")]
    >>> print(game.draw(moves))
     3  ·[═ ═]
     2  · ║ ·
     1  · ║ ·
        a b c
    """

    players = ("vertical", "horizontal")

    # --- what is compiled in, and the state ---

    def limits(self) -> Limits:
        squares = self.width * self.height
        upright, lying = self.width * (self.height - 1), (self.width - 1) * self.height
        # One more than a game can have: at the very limit nothing is taken as proven.
        return Limits(moves=max(1, upright, lying), length=squares // 2 + 1, codes=squares, features=1 << BESIDE)

    def layout(self) -> Layout:
        return {"empty": ("u8", self._words()), "turn": "i8"}

    def constants(self) -> Mapping[str, Any]:
        may = np.zeros((2, self._words()), np.uint64)
        for player in (0, 1):
            for square in range(self.width * self.height):
                if self._second(player, square) is not None:
                    may[player, square // WORD] |= ONE << u(square % WORD)
        return {
            "words": fixed(self._words()),
            "squares": self.width * self.height,
            "may": may,  # squares from which a domino does not leave the board
            "shift": np.array([self.width, 1], np.uint64),
            "beside": self._beside(),
        }

    def _beside(self) -> npt.NDArray[np.int16]:
        """The squares beside the domino of a player on a square: at its ends, then along its sides; -1: none."""
        beside = np.full((2, self.width * self.height, BESIDE), -1, np.int16)
        for player, along in enumerate(((0, 1), (1, 0))):
            across = along[::-1]
            for square in range(self.width * self.height):
                row, column = divmod(square, self.width)
                steps = [(-along[0], -along[1]), (2 * along[0], 2 * along[1])]
                steps += [
                    (side * across[0] + k * along[0], side * across[1] + k * along[1])
                    for side in (-1, 1)
                    for k in (0, 1)
                ]
                for i, (columns, rows) in enumerate(steps):
                    if 0 <= column + columns < self.width and 0 <= row + rows < self.height:
                        beside[player, square, i] = square + rows * self.width + columns
        return beside

    def _second(self, player: int, square: int) -> int | None:
        """The other square of a domino; None: off the board."""
        if player == 0:
            return square + self.width if square + self.width < self.width * self.height else None
        return square + 1 if (square + 1) % self.width else None

    # --- compiled ---

    def start(self, s):
        for i in range(self.squares):
            s.empty[i // WORD] |= ONE << u(i % WORD)

    def _free(self, s, w):
        """Where in a word the player to move may place a domino."""
        shift = self.shift[u(s.turn)]
        second = s.empty[w] >> shift
        if w + 1 < self.words:
            second |= s.empty[w + 1] << (u(WORD) - shift)
        return s.empty[w] & self.may[u(s.turn), w] & second

    def moves(self, s, out):
        n = 0
        for w in range(self.words):
            m = self._free(s, w)
            first = s.turn * self.squares + WORD * w
            while m != ZERO:
                out[u(n)] = first + lowest(m)
                n += 1
                m &= m - ONE
        return n

    def sample(self, s, rng):
        n = 0
        for w in range(self.words):
            n += ones(self._free(s, w))
        if n == 0:
            return -1
        i = below(rng, n)
        for w in range(self.words):
            m = self._free(s, w)
            n = ones(m)
            if i < n:
                return s.turn * self.squares + WORD * w + nth(m, i)
            i -= n
        return -1

    def code(self, s, move):
        return move - s.turn * self.squares

    def feature(self, s, move):
        """Which of the squares beside the domino are empty."""
        square = u(move - s.turn * self.squares)
        feature = 0
        for i in range(BESIDE):
            beside = np.int64(self.beside[u(s.turn), square, i])
            if beside >= 0:
                feature |= np.int64((s.empty[u(beside) // u(WORD)] >> (u(beside) % u(WORD))) & ONE) << i
        return feature

    def play(self, s, move):
        square = u(move - s.turn * self.squares)
        second = square + self.shift[u(s.turn)]
        s.empty[square // u(WORD)] ^= ONE << (square % u(WORD))
        s.empty[second // u(WORD)] ^= ONE << (second % u(WORD))
        s.turn = 1 - s.turn

    def key(self, s):
        key = ZERO
        for w in range(self.words):
            key = stirred(key, s.empty[w])
        return key ^ u(s.turn)

    # --- for people ---

    def _squares_of(self, move: int) -> tuple[int, int, int]:
        """Who moves, and both squares of the domino."""
        player, square = divmod(move, self.width * self.height)
        second = self._second(player, square) if player in (0, 1) else None
        if second is None:
            raise InputError(f"a domino must lie on two squares of the board, got move {brief(move)}")
        return player, square, second

    def read_move(self, text: str) -> int:
        """The move that is written as both squares of the domino, in either order.

        >>> Domineering(3, 3).read_move("b1-a1")
        9
        """
        square, second = sorted(self.board.pair(text))
        for player in (0, 1):
            if self._second(player, square) == second:
                return player * self.width * self.height + square
        raise InputError(f"a domino must lie on two squares side by side, got {brief(text)}")

    def dominoes_after(self, moves: Sequence[int]) -> list[tuple[int, int, int]]:
        """Whose dominoes lie on which squares, after moves that must be legal.

        >>> Domineering(3, 3).dominoes_after([0, 10])
        [(0, 0, 3), (1, 1, 2)]
        """
        dominoes: list[tuple[int, int, int]] = []
        covered: set[int] = set()
        for number, move in enumerate(moves):
            player, square, second = self._squares_of(move)
            if player != number % 2 or covered & {square, second}:
                raise InputError(f"move {number + 1} must be legal, got {self.describe_move(move)}")
            covered |= {square, second}
            dominoes.append((player, square, second))
        return dominoes

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """Both squares of the domino, in either order."""
        pairs = (super(Domineering, self).spots(moves, [move])[0] for move in legal)
        return [((*first, *second), (*first, *second)) for first, second in pairs]

    def draw(self, moves: Sequence[int]) -> str:
        """The board after these moves as text, the last move in brackets."""
        dominoes = self.dominoes_after(moves)
        symbols = {square: "║═"[player] for player, *squares in dominoes for square in squares}
        return self.board.text(symbols, dominoes[-1][1:] if dominoes else ())

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The board after these moves, the last move in another colour."""
        dominoes = self.dominoes_after(moves)
        board = self.board
        drawing = board.picture(dominoes[-1][1:] if dominoes else ())
        for player, square, second in dominoes:
            (x1, y1), (x2, y2), (inside, edge) = board.centre(square), board.centre(second), DOMINOES[player]
            left, top = min(x1, x2) - SIDE / 2 + GAP, min(y1, y2) - SIDE / 2 + GAP
            wide, high = abs(x2 - x1) + SIDE - 2 * GAP, abs(y2 - y1) + SIDE - 2 * GAP
            drawing.rect(left, top, wide, high, fill=inside, stroke=edge, line=1.5, round=6)
        return drawing


class MisereDomineering(Domineering):
    """Domineering the other way round: whoever cannot place a domino wins.

    >>> MisereDomineering.build(size=5)
    MisereDomineering(width=5, height=5)
    """

    def winner(self, s):
        return s.turn
