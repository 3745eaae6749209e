"""Small problems that tests share, so that each is compiled once: between them they use the whole contract."""

from __future__ import annotations

import numpy as np

import rookery as rk


class Knapsack(rk.Problem):
    """Hashed codes, float scores, a helper method, a bias, a playout rule of its own, moves that commute."""

    weight: np.ndarray
    worth: np.ndarray
    room: int

    @classmethod
    def build(cls, n: int = 12, seed: int = 1) -> Knapsack:
        generator = np.random.default_rng(seed)
        return cls(generator.integers(1, 20, n), generator.uniform(1, 10, n), 5 * n)

    def limits(self):
        n = len(self.weight)
        return rk.Limits(moves=n, length=n, codes="hashed")

    def layout(self):
        return {"taken": "u8", "load": "i4", "worth": "f8"}

    def start(self, s):
        s.load = 0

    def moves(self, s, out):
        n = 0
        for i in range(len(self.weight)):
            if not (s.taken >> np.uint64(i)) & np.uint64(1) and self._fits(s, i):
                out[n] = i
                n += 1
        return n

    def _fits(self, s, i):
        return s.load + self.weight[i] <= self.room

    def code(self, s, move):
        return np.uint64(move) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(1)

    def bias(self, s, move):
        return 0.3 * self.worth[move] / self.weight[move]

    def choose(self, s, moves, n, rng):
        first, second = rk.below(rng, n), rk.below(rng, n)
        return first if self.worth[moves[first]] >= self.worth[moves[second]] else second

    def play(self, s, move):
        s.taken |= np.uint64(1) << np.uint64(move)
        s.load += self.weight[move]
        s.worth += self.worth[move]

    def score(self, s):
        return s.worth

    def commute(self, a, b):
        return (a + b) % 3 != 0  # it would be true of all pairs: this is true enough, and less simple


class Picnic(rk.Problem):
    """Things to carry, each in its turn: two biases, dense codes, moves that commute, a score to be minimised."""

    n: int = 12
    sense = "min"

    def constants(self):
        i = np.arange(self.n)
        return {"n": self.n, "weight": 7 * i % 11 + 1, "joy": (5 * i % 7 + 1) / 4}

    def limits(self):
        return rk.Limits(moves=self.n, length=self.n, codes=self.n, biases=2)

    def layout(self):
        return {"taken": ("u1", 16), "load": "i8", "regret": "f8"}

    def start(self, s):
        s.load = 0

    def moves(self, s, out):
        n = 0
        for i in range(self.n):
            if not s.taken[i] and s.load + self.weight[i] <= 3 * self.n:
                out[n] = i
                n += 1
        return n

    def code(self, s, move):
        return move

    def biases(self, s, move):
        return 0.5 * self.joy[move], -self.weight[move] / (s.load + 4)

    def play(self, s, move):
        s.taken[move] = 1
        s.load += self.weight[move]
        s.regret -= self.joy[move] * (1 + s.load % 3)

    def score(self, s):
        return s.regret

    def commute(self, a, b):
        return (a + b) % 3 == 1


class Workshop(rk.Problem):
    """Things that are made from others, each in one of two ways, with tools that wear out: moves that make and need."""

    n: int = 14

    def limits(self):
        return rk.Limits(moves=2 * self.n, length=self.n, codes=2 * self.n)

    def layout(self):
        return {"made": ("u1", 32), "used": ("i8", 4), "worth": "i8"}

    def start(self, s):
        s.worth = 0

    def moves(self, s, out):
        n = 0
        for thing in range(self.n):
            if not s.made[thing] and (thing < 3 or (s.made[thing // 2] and s.made[thing - 3])):
                for way in range(2):
                    if s.used[(3 * thing + 5 * way) % 4] < 3:
                        out[n] = 2 * thing + way
                        n += 1
        return n

    def code(self, s, move):
        return move

    def bias(self, s, move):
        return 0.2 * (move % 3)

    def makes(self, s, move):
        return move // 2

    def needs(self, move, i):
        thing = move // 2
        if thing < 3 or i > 1:
            return -1
        return thing // 2 if i == 0 else thing - 3

    def play(self, s, move):
        thing, way = move // 2, move % 2
        s.made[thing] = 1
        s.used[(3 * thing + 5 * way) % 4] += 1
        s.worth += 3 + (7 * thing + 4 * way) % 5

    def undo(self, s, move, made):
        s.made[made] = 0
        s.used[(3 * made + 5 * (move % 2)) % 4] -= 1
        s.worth -= 3 + (7 * made + 4 * (move % 2)) % 5

    def makers(self, s, thing, out):
        out[0] = 2 * thing
        out[1] = 2 * thing + 1
        return 2

    def clash(self, a, b):
        return (3 * (a // 2) + 5 * (a % 2)) % 4 == (3 * (b // 2) + 5 * (b % 2)) % 4

    def score(self, s):
        return s.worth


class HashedMorpion(rk.problems.Morpion):
    """Morpion with 64-bit codes: what interning costs, and that it changes nothing else."""

    def limits(self):
        return rk.Limits(moves=128, length=512, codes="hashed")

    def code(self, s, move):
        return (np.uint64(move) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)


class Words(rk.PythonProblem):
    """A PythonProblem: spell a word whose letters must not repeat; tuples as codes, new states."""

    def __init__(self, alphabet: str = "abcde", length: int = 4) -> None:
        self.alphabet = alphabet
        self.length = length

    def start(self):
        return ""

    def moves(self, state):
        return [letter for letter in self.alphabet if letter not in state] if len(state) < self.length else []

    def code(self, state, move):
        return (len(state), move)

    def play(self, state, move):
        return state + move

    def score(self, state):
        return float(sum(ord(c) * (i + 1) for i, c in enumerate(state)) % 97)
