"""Problems and a game of our own: hashed codes, states that are Python objects, playout rules."""

from __future__ import annotations

import numpy as np

import rookery as rk


class Sack(rk.Problem):
    """Fill a sack with things: hashed codes, float scores, a bias, a playout rule, moves that commute."""

    n: int = 25
    room: int = 90

    def constants(self):
        i = np.arange(self.n)
        return {"n": self.n, "room": self.room, "weight": 7 * i % 19 + 2, "worth": 2.0 + 5 * i % 17 % 11 + i / 64}

    def limits(self):
        return rk.Limits(moves=self.n, length=self.n, codes="hashed")

    def layout(self):
        return {"taken": "u8", "load": "i8", "total": "f8"}

    def start(self, s):
        s.load = 0

    def moves(self, s, out):
        n = 0
        for i in range(self.n):
            if not (s.taken >> np.uint64(i)) & np.uint64(1) and s.load + self.weight[i] <= self.room:
                out[n] = i
                n += 1
        return n

    def code(self, s, move):
        return np.uint64(move + 1) * np.uint64(0x9E3779B97F4A7C15)

    def bias(self, s, move):
        return 0.25 * self.worth[move] / self.weight[move]

    def choose(self, s, moves, n, rng):
        first, second = rk.below(rng, n), rk.below(rng, n)
        return first if self.worth[moves[first]] >= self.worth[moves[second]] else second

    def play(self, s, move):
        s.taken |= np.uint64(1) << np.uint64(move)
        s.load += self.weight[move]
        s.total += self.worth[move]

    def score(self, s):
        return s.total

    def commute(self, a, b):
        return (a + b) % 3 != 0  # true of all pairs in fact, but then all moves would be one layer


class Fond(Sack):
    """The sack with two biases whose weights may be learned."""

    def limits(self):
        return rk.Limits(moves=self.n, length=self.n, codes="hashed", biases=2)

    def biases(self, s, move):
        return self.worth[move] / 16, -self.weight[move] / (8.0 + s.load)


class Words(rk.PythonProblem):
    """Spell a word without repeating a letter: texts as states and moves, tuples as codes, a playout rule."""

    def __init__(self, alphabet: str = "abcdefgh", length: int = 6) -> None:
        self.alphabet = alphabet
        self.length = length

    def start(self):
        return ""

    def moves(self, state):
        if len(state) == self.length or state.endswith("ab"):
            return []
        return [letter for letter in self.alphabet if letter not in state]

    def code(self, state, move):
        return (state[-1:], move)

    def play(self, state, move):
        return state + move

    def score(self, state):
        return sum(ord(letter) * (place + 1) for place, letter in enumerate(state)) % 997 / 4

    def choose(self, state, moves, rng):
        return max(rng.below(len(moves)), rng.below(len(moves)))

    def copy(self, state):
        return state


class Nim(rk.PythonGame):
    """Take one to three stones; who takes the last one wins."""

    def __init__(self, stones: int = 11) -> None:
        self.stones = stones

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
        return state

    def copy(self, state):
        return state
