"""Conjectures about graphs, and trees that refute them.

The built-in one (Aouchiche and Hansen, 2010): the largest eigenvalue of a connected graph plus its matching number is
at least sqrt(n - 1) + 1, where n is the number of vertices. Wagner (2021) refuted it with a graph of 19 vertices.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from rookery.drawing import Drawing
from rookery.drawing.palette import FRAME, INK, colour_of
from rookery.errors import IllegalSolution, InputError
from rookery.problem import PythonProblem
from rookery.problems.instances import lines_of


def networkx() -> Any:
    """NetworkX's module."""
    try:
        import networkx
    except ImportError:
        raise InputError("conjectures about graphs need NetworkX: pip install 'rookery[graphs]'") from None
    return networkx


class GraphConjecture(PythonProblem):
    """Grow a tree that refutes a conjecture (needs the extra ``graphs``): it does if the score is above 0.

    A move is the vertex, from 0, to which the next one is joined: the last one or one above it, so that each branch is
    finished before the next begins. The code is the number of vertices and how far up the move goes. For a conjecture
    of your own, derive a class and define :meth:`margin`.

    Parameters
    ----------
    n
        vertices of the tree

    >>> problem = GraphConjecture(n=4)
    >>> problem.parameters()
    {'n': 4}
    """

    def __init__(self, n: int = 19) -> None:
        if not 2 <= n <= 1000:
            raise InputError(f"n must be 2 to 1000, got {n}")
        self.n = n

    def margin(self, graph: Any) -> float:
        """By how much a tree, as a NetworkX graph, breaks the conjecture; negative if it does not.

        >>> import networkx
        >>> abs(round(GraphConjecture(n=4).margin(networkx.star_graph(3)), 9))
        0.0
        """
        largest = float(np.linalg.eigvalsh(networkx().to_numpy_array(graph))[-1])
        matching = len(networkx().bipartite.maximum_matching(graph)) // 2  # each edge is listed from both ends
        return math.sqrt(len(graph) - 1) + 1 - largest - matching

    def start(self) -> tuple[int, ...]:
        return ()

    def moves(self, state: tuple[int, ...]) -> list[int]:
        return _way_up(state) if len(state) < self.n - 1 else []

    def code(self, state: tuple[int, ...], move: int) -> tuple[int, int]:
        return (len(state), _way_up(state).index(move))

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*state, move)

    def copy(self, state: tuple[int, ...]) -> tuple[int, ...]:
        return state

    def score(self, state: tuple[int, ...]) -> float:
        return round(self.margin(self.graph(state)), 9)  # linear algebra differs in the last digits between machines

    # --- for people ---

    def graph(self, moves: Sequence[int]) -> Any:
        """The tree after these moves, as a NetworkX graph.

        >>> GraphConjecture(n=4).graph([0, 0, 1]).number_of_edges()
        3
        """
        tree = networkx().Graph()
        tree.add_node(0)
        tree.add_edges_from((parent, child) for child, parent in enumerate(moves, 1))
        return tree

    def describe_move(self, move: int) -> str:
        return f"join to {move}"

    def write(self, moves: Sequence[int]) -> str:
        """The edges of the tree, one per line.

        >>> GraphConjecture(n=3).write([0, 1])
        '0 1\\n1 2\\n'
        """
        return "".join(f"{parent} {child}\n" for child, parent in enumerate(moves, 1))

    def draw(self, moves: Sequence[int]) -> str:
        """The neighbours of each vertex that is not a leaf."""
        rows: dict[int, list[int]] = {}
        for child, parent in enumerate(moves, 1):
            rows.setdefault(parent, []).append(child)
        return "\n".join(f"{parent}: {' '.join(map(str, children))}" for parent, children in sorted(rows.items()))

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a tree that is written as edges; vertices are renumbered, branch after branch from vertex 0.

        >>> GraphConjecture(n=4).read("0 3\\n3 1\\n2 0")
        (0, 1, 0)
        """
        beside: dict[int, list[int]] = {0: []}
        lines = lines_of(text)
        for line in lines:
            ends = line.wholes(0, self.n - 1, "a vertex")
            if len(ends) != 2 or ends[0] == ends[1]:
                raise line.refuse("an edge must have two different vertices", " ".join(line.words))
            for a, b in (ends, ends[::-1]):
                beside.setdefault(a, []).append(b)
        names: dict[int, int] = {}
        moves, stack = [], [(0, -1)]
        while stack:
            vertex, above = stack.pop()
            if vertex not in names:
                names[vertex] = len(names)
                moves.append(above)
                stack += [(other, names[vertex]) for other in reversed(beside[vertex]) if other not in names]
        if len(names) != len(beside) or len(names) != len(lines) + 1:
            raise IllegalSolution(f"the edges must make a tree with vertex 0 in it, got {len(lines)} edges")
        return tuple(moves[1:])

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The tree from its first vertex down; leaves side by side."""
        parents = [-1, *moves]
        children: list[list[int]] = [[] for _ in parents]
        depth = [0] * len(parents)
        for child, parent in enumerate(moves, 1):
            children[parent].append(child)
            depth[child] = depth[parent] + 1
        place, leaves, stack = [0.0] * len(parents), 0, [(0, False)]
        while stack:
            vertex, seen = stack.pop()
            if not children[vertex]:
                place[vertex], leaves = float(leaves), leaves + 1
            elif seen:
                place[vertex] = sum(place[child] for child in children[vertex]) / len(children[vertex])
            else:
                stack += [(vertex, True), *((child, False) for child in reversed(children[vertex]))]
        step = 34.0
        drawing = Drawing(step * max(leaves, 4) + 20, step * (max(depth) + 1) + 20)
        spots = [(10 + step * (x + 0.5), 10 + step * (y + 0.5)) for x, y in zip(place, depth, strict=True)]
        for child, parent in enumerate(parents):
            if parent >= 0:
                drawing.line(*spots[parent], *spots[child], colour=FRAME, width=1.5)
        for vertex, (x, y) in enumerate(spots):
            drawing.circle(x, y, 11, fill=colour_of(0) if children[vertex] else ("#ffffff", "#13151a"), stroke=INK)
            drawing.text(x, y, str(vertex), size=10, colour="#ffffff" if children[vertex] else INK)
        return drawing


def _way_up(parents: Sequence[int]) -> list[int]:
    """The last vertex, and those above it up to the first."""
    way = [len(parents)]
    while way[-1]:
        way.append(parents[way[-1] - 1])
    return way
