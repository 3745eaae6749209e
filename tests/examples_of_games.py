"""Small games that tests share: one without draws, one with, and one whose state is a Python object."""

from __future__ import annotations

import numpy as np

import rookery as rk

SMALL = {name: {"size": "4" if name in ("amazons", "othello") else "5"} for name in rk.tools.builtin_games()}
"""Parameters for a small board of each built-in game."""


class Nim(rk.Game):
    """Take one to three stones; who takes the last one wins."""

    stones: int = 15

    def limits(self):
        return rk.Limits(moves=3, length=self.stones, codes=3)

    def layout(self):
        return {"left": "i8", "turn": "i8"}

    def start(self, s):
        s.left = self.stones

    def moves(self, s, out):
        n = min(3, s.left)
        for k in range(n):
            out[k] = k + 1
        return n

    def code(self, s, move):
        return move - 1

    def play(self, s, move):
        s.left -= move
        s.turn = 1 - s.turn

    def player(self, s):
        return s.turn

    def winner(self, s):
        return 1 - s.turn

    def key(self, s):
        return 2 * s.left + s.turn


LINES = np.array([(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)])


class Noughts(rk.Game):
    """Noughts and crosses: three in a row, or a draw."""

    lines = LINES

    def limits(self):
        return rk.Limits(moves=9, length=9, codes=9)

    def constants(self):
        return {"lines": LINES}

    def layout(self):
        return {"cell": ("i1", 9), "turn": "i1"}

    def start(self, s):
        for i in range(9):
            s.cell[i] = -1

    def _row(self, s):
        for i in range(8):
            a = s.cell[self.lines[i, 0]]
            if a >= 0 and a == s.cell[self.lines[i, 1]] and a == s.cell[self.lines[i, 2]]:
                return np.int64(a)
        return np.int64(-1)

    def moves(self, s, out):
        if self._row(s) >= 0:
            return 0
        n = 0
        for i in range(9):
            if s.cell[i] < 0:
                out[n] = i
                n += 1
        return n

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.cell[move] = s.turn
        s.turn = 1 - s.turn

    def player(self, s):
        return s.turn

    def winner(self, s):
        return self._row(s)

    def key(self, s):
        key = 0
        for i in range(9):
            key = 3 * key + np.int64(s.cell[i]) + 1
        return 2 * key + np.int64(s.turn)


class HintedNoughts(Noughts):
    """Noughts and crosses with all that a game may say about its moves and positions; it does not say much."""

    def limits(self):
        return rk.Limits(moves=9, length=10, codes=9, features=3)  # at the limit itself nothing would be proven

    def feature(self, s, move):
        return np.int64(s.cell[4]) + 1

    def bias(self, s, move):
        return 0.3 if move == 4 else 0.1 * (move % 2)

    def prior(self, s, move):
        return 2.0 if move == 4 else 1.0 * (move % 2)

    def estimate(self, s):
        return 0.6 if s.cell[4] == 0 else 0.4


class PythonNim(rk.PythonGame):
    """:class:`Nim` on tuples of the stones left and the player to move."""

    def __init__(self, stones: int = 7, keyed: bool = True) -> None:
        self.stones = stones
        self.keyed = keyed

    def start(self):
        return (self.stones, 0)

    def moves(self, state):
        return range(1, min(3, state[0]) + 1)

    def play(self, state, move):
        return (state[0] - move, 1 - state[1])

    def player(self, state):
        return state[1]

    def winner(self, state):
        return 1 - state[1]

    def key(self, state):
        return state if self.keyed else None

    def copy(self, state):
        return state

    def describe_move(self, move):
        return f"take {move}"


class DrawnNim(PythonNim):
    """Nobody wins."""

    def winner(self, state):
        return -1
