"""The largest independent set: as many vertices of a graph as possible of which no two are joined."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rookery.drawing import Drawing
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.problems.graphs import checked, circle_picture, given_graph, graph_parameters, neighbours
from rookery.problems.instances import lines_of


class IndependentSet(Problem):
    """Choose vertices of which no two are joined; a move is a vertex, and their order does not matter.

    Parameters
    ----------
    joined
        for each pair of vertices, whether there is an edge

    >>> IndependentSet.build("hamming6-4").limits().codes
    64
    """

    joined: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "joined", checked(self.joined))

    @classmethod
    def build(cls, graph: str = "random100-20", seed: int = 0) -> IndependentSet:
        """``graph``: a name such as random100-20 (vertices, percent of edges) or hamming8-4; or a file in DIMACS
        format.

        >>> IndependentSet.build("p edge 2 1 / e 1 2").joined.tolist()
        [[False, True], [True, False]]
        """
        return cls(given_graph(graph, seed))

    def parameters(self) -> dict[str, Any]:
        return graph_parameters(self, self.joined)

    def constants(self) -> Mapping[str, Any]:
        return neighbours(self.joined)

    def limits(self) -> Limits:
        n = len(self.joined)
        return Limits(moves=n, length=n, codes=n)

    def layout(self) -> Layout:
        n = capacity(len(self.joined))
        return {"n": "i8", "chosen": "i8", "free": ("i2", n), "place": ("i2", n)}  # a place of -1: not free

    def start(self, s):
        s.n = len(self.first) - 1
        for v in range(s.n):
            s.free[v] = v
            s.place[v] = v

    def count(self, s):
        return s.n

    def nth(self, s, i):
        return np.int64(s.free[i])

    def moves(self, s, out):
        for i in range(s.n):
            out[i] = s.free[i]
        return s.n

    def is_legal(self, s, move):
        return s.place[move] >= 0

    def code(self, s, move):
        return move

    def _bar(self, s, v):
        """Take a vertex from the free ones, if it is one; the last of them takes its place."""
        at = s.place[v]
        if at >= 0:
            s.n -= 1
            last = s.free[s.n]
            s.free[at] = last
            s.place[last] = at
            s.place[v] = -1

    def play(self, s, move):
        s.chosen += 1
        self._bar(s, move)
        for k in range(self.first[move], self.first[move + 1]):
            self._bar(s, self.beside[k])

    def score(self, s):
        return s.chosen

    def commute(self, a, b):
        return True

    # --- for people ---

    def describe_move(self, move: int) -> str:
        return f"vertex {move + 1}"

    def write(self, moves: Sequence[int]) -> str:
        """The vertices in ascending order, from 1 as in DIMACS files.

        >>> IndependentSet.build("queen2").write([3])
        '4\\n'
        """
        return " ".join(str(v + 1) for v in sorted(moves)) + "\n"

    def draw(self, moves: Sequence[int]) -> str:
        """The vertices in ascending order."""
        return self.write(moves).rstrip()

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a set of vertices.

        >>> IndependentSet.build("queen2").read("4")
        (3,)
        """
        return tuple(v - 1 for line in lines_of(text) for v in line.wholes(1, len(self.joined), "a vertex"))

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The graph, with the chosen vertices in colour."""
        chosen = set(moves)
        return circle_picture(self.joined, [0 if v in chosen else None for v in range(len(self.joined))])
