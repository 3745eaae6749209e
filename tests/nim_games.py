"""Nim in three forms for the tests of matches: take one to three stones, who takes the last one wins."""

from __future__ import annotations

import rookery as rk


class Nim(rk.PythonGame):
    """In plain Python."""

    def __init__(self, stones: int = 7) -> None:
        self.stones = stones

    def start(self):
        return (self.stones, 0)

    def moves(self, state):
        return list(range(1, min(3, state[0]) + 1))

    def play(self, state, move):
        return (state[0] - move, 1 - state[1])

    def player(self, state):
        return state[1]

    def winner(self, state):
        return 1 - state[1]

    def key(self, state):
        return state

    def describe_move(self, move):
        return f"take {move}"


class DrawnNim(Nim):
    """Nobody wins."""

    def winner(self, state):
        return -1


class CompiledNim(rk.Game):
    """The same, compiled."""

    stones: int = 12

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
