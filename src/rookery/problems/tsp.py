"""The travelling salesman problem: visit every city once and come home, on the shortest tour."""

from __future__ import annotations

import numpy as np

from rookery.errors import InputError
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.rng import Stream, root_key

MOST_CITIES = 32_767
"""What the 16 bits of a city in the state can hold."""


class TSP(Problem):
    """A tour of all cities from city 0 and back; a move is the next city.

    >>> TSP.build(n=10, seed=1).distance.shape
    (10, 10)
    """

    distance: np.ndarray

    sense = "min"

    @classmethod
    def build(cls, n: int = 50, seed: int = 0) -> TSP:
        """Cities uniform in the unit square.

        >>> float(TSP.build(n=3).distance[1, 1])
        0.0
        """
        if n < 2:
            raise InputError(f"n must be at least 2, got {n}")
        if n > MOST_CITIES:
            raise InputError(f"n must be at most {MOST_CITIES}, got {n}")
        stream = Stream(root_key(seed))
        points = np.array([stream.uniform() for _ in range(2 * n)]).reshape(n, 2)
        return cls(np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2)))

    def limits(self) -> Limits:
        n = len(self.distance)
        return Limits(codes=n * n, moves=n, length=n)

    def layout(self) -> Layout:
        return {"here": "i8", "left": "i8", "length": "f8", "todo": ("i2", capacity(len(self.distance)))}

    def start(self, s):
        s.left = len(self.distance) - 1
        for i in range(s.left):
            s.todo[i] = i + 1

    def moves(self, s, out):
        for i in range(s.left):
            out[i] = s.todo[i]
        return s.left

    def code(self, s, move):
        return s.here * len(self.distance) + move

    def play(self, s, move):
        s.length += self.distance[s.here, move]
        s.here = move
        i = 0
        while s.todo[i] != move:
            i += 1
        s.left -= 1
        s.todo[i] = s.todo[s.left]

    def score(self, s):
        return s.length + self.distance[s.here, 0]
