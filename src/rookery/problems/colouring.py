"""Graph colouring: as few colours as possible, and no edge between two vertices of one colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rookery.drawing import Drawing
from rookery.errors import IllegalSolution, InputError
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.problems.graphs import checked, circle_picture, given_graph, graph_parameters, neighbours
from rookery.problems.instances import lines_of


class Colouring(Problem):
    """Colour all vertices of a graph; a move gives the next vertex a colour, and the score is the number of colours.

    The next vertex is the one with the fewest colours left, then the one with the most neighbours (DSATUR: Brelaz,
    1979). A colour is used only if all before it are: which one is called the first does not matter. A vertex for
    which none of the ``colours`` is left gets one of its own, which no other vertex shares: if ``colours`` is the
    number hoped for, the score tells how far a colouring is from it. The code of a move is the vertex and its colour.

    Parameters
    ----------
    joined
        for each pair of vertices, whether there is an edge
    colours
        how many may be shared; None: as many as there are vertices

    >>> Colouring.build("mycielski4", colours=4).limits().codes
    44
    """

    joined: np.ndarray
    colours: int | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "joined", checked(self.joined))
        n = len(self.joined)
        if self.colours is not None and not 1 <= self.colours <= n:
            raise InputError(f"colours must be 1 to {n}, the number of vertices, got {self.colours}")

    @classmethod
    def build(cls, graph: str = "queen6", colours: int | None = None, seed: int = 0) -> Colouring:
        """``graph``: a name such as mycielski5, queen8 or random60-50; or a file in DIMACS format.

        >>> Colouring.build("p edge 2 1 / e 1 2").joined.tolist()
        [[False, True], [True, False]]
        """
        return cls(given_graph(graph, seed), colours)

    def parameters(self) -> dict[str, Any]:
        return {**graph_parameters(self, self.joined), "colours": self.colours}

    def _shared(self) -> int:
        """One more than a vertex has neighbours is always enough."""
        most = int(self.joined.sum(axis=1).max()) + 1
        return most if self.colours is None else min(self.colours, most)

    def constants(self) -> Mapping[str, Any]:
        return {**neighbours(self.joined), "shared": self._shared()}

    def limits(self) -> Limits:
        n, shared = len(self.joined), self._shared()
        return Limits(moves=shared, length=n, codes=n * shared)

    def layout(self) -> Layout:
        n, shared = capacity(len(self.joined)), capacity(self._shared())
        return {
            "next": "i8",  # the vertex; -1: none
            "used": "i8",
            "alone": "i8",
            "left": ("i2", n),  # colours; -1: the vertex has one of its own
            "taken": ("u1", (n, shared)),
        }

    def start(self, s):
        for v in range(len(self.first) - 1):
            s.left[v] = self.shared
        self._find_next(s)

    def _find_next(self, s):
        s.next = -1
        fewest, most = 1 << 30, -1
        for v in range(len(self.first) - 1):
            left = s.left[v]
            if left == 0:
                s.alone += 1
                s.left[v] = -1
            elif left > 0:
                beside = self.first[v + 1] - self.first[v]
                if left < fewest or (left == fewest and beside > most):
                    fewest, most, s.next = left, beside, v

    def moves(self, s, out):
        n = 0
        if s.next >= 0:
            for c in range(min(s.used + 1, self.shared)):
                if s.taken[s.next, c] == 0:
                    out[n] = s.next * self.shared + c
                    n += 1
        return n

    def code(self, s, move):
        return move

    def play(self, s, move):
        v, c = move // self.shared, move % self.shared
        s.left[v] = -1
        s.used = max(s.used, c + 1)
        for k in range(self.first[v], self.first[v + 1]):
            w = self.beside[k]
            if s.taken[w, c] == 0:
                s.taken[w, c] = 1
                if s.left[w] > 0:
                    s.left[w] -= 1
        self._find_next(s)

    def score(self, s):
        return s.used + s.alone

    sense = "min"

    # --- for people ---

    def colour_of_each(self, moves: Sequence[int]) -> list[int | None]:
        """The colour of each vertex; None if it has none yet, or one of its own."""
        found: list[int | None] = [None] * len(self.joined)
        for move in moves:
            found[move // self._shared()] = move % self._shared()
        return found

    def describe_move(self, move: int) -> str:
        v, c = divmod(move, self._shared())
        return f"vertex {v + 1}: colour {c + 1}"

    def write(self, moves: Sequence[int]) -> str:
        """The colour of each vertex, from 1; 0 for a vertex without a shared colour.

        >>> Colouring.build("p edge 2 1 / e 1 2").write([0, 3])
        '1 2\\n'
        """
        return " ".join(str(0 if c is None else c + 1) for c in self.colour_of_each(moves)) + "\n"

    def draw(self, moves: Sequence[int]) -> str:
        """The colour of each vertex."""
        return self.write(moves).rstrip()

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a colouring, in the order in which a search colours the vertices.

        >>> Colouring.build("p edge 2 1 / e 1 2").read("2 1")
        (0, 3)
        """
        n, shared = len(self.joined), self._shared()
        given = [c for line in lines_of(text) for c in line.wholes(0, max(n, shared), "a colour")]
        if len(given) != n:
            raise InputError(f"there must be a colour for each of the {n} vertices, got {len(given)}")
        for a, b in zip(*np.nonzero(np.triu(self.joined)), strict=True):
            if given[a] and given[a] == given[b]:
                raise IllegalSolution(f"vertices {a + 1} and {b + 1} are joined, and both have colour {given[a]}")
        names: dict[int, int] = {}
        taken: list[set[int]] = [set() for _ in range(n)]
        left, moves = set(range(n)), []
        degree = self.joined.sum(axis=1)
        while left := {v for v in left if len(taken[v]) < shared}:
            v = min(left, key=lambda v: (shared - len(taken[v]), -degree[v], v))
            left.discard(v)
            if not given[v]:
                raise IllegalSolution(f"vertex {v + 1} must have a colour: {shared - len(taken[v])} are left for it")
            colour = names.setdefault(given[v], len(names))
            if colour >= shared:
                raise IllegalSolution(f"there must be at most {shared} colours, vertex {v + 1} has one more")
            moves.append(v * shared + colour)
            for w in np.nonzero(self.joined[v])[0]:
                taken[w].add(colour)
        return tuple(moves)

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The graph, with its vertices in their colours."""
        return circle_picture(self.joined, self.colour_of_each(moves))
