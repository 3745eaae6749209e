"""Undirected graphs: some that have names, the DIMACS format, and a picture on a circle.

The DIMACS format: lines that begin with ``c`` are comments, ``p edge N M`` tells how many vertices and edges there
are, and ``e A B`` is an edge between two vertices, counted from 1.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.drawing import Drawing
from rookery.drawing.palette import FRAME, INK, colour_of, letters_on
from rookery.errors import InputError
from rookery.problems.instances import Line, one_line, read_instance
from rookery.rng import Stream, root_key

Matrix = npt.NDArray[np.bool_]
MOST_VERTICES = 4096


def mycielski(order: int) -> Matrix:
    """The graph of Mycielski that needs ``order`` colours and has no triangle: order 2 is an edge, order 3 a cycle of
    five.

    >>> len(mycielski(4)), int(mycielski(4).sum()) // 2
    (11, 20)
    """
    joined = np.array([[False, True], [True, False]])
    for _ in range(order - 2):
        n = len(joined)
        larger = np.zeros((2 * n + 1, 2 * n + 1), np.bool_)
        larger[:n, :n] = larger[n : 2 * n, :n] = larger[:n, n : 2 * n] = joined
        larger[2 * n, n : 2 * n] = larger[n : 2 * n, 2 * n] = True
        joined = larger
    return joined


def queens(size: int) -> Matrix:
    """The squares of a board, joined where a queen can go from one to the other.

    >>> len(queens(5)), int(queens(5).sum()) // 2
    (25, 160)
    """
    row, column = np.divmod(np.arange(size * size), size)
    across, down = row[:, None] - row, column[:, None] - column
    joined = (across == 0) | (down == 0) | (abs(across) == abs(down))
    return joined & ~np.eye(size * size, dtype=np.bool_)


def hamming(bits: int, differ: int) -> Matrix:
    """The words of this many bits, joined if they differ in fewer than ``differ`` places.

    Its independent sets are the codes of that distance: it is the complement of the graph of this name in the clique
    benchmark of DIMACS.

    >>> int(hamming(3, 2).sum()) // 2
    12
    """
    words = np.arange(1 << bits)
    places = sum(((words[:, None] ^ words) >> k) & 1 for k in range(bits))
    return (places > 0) & (places < differ)


def at_random(n: int, percent: int, seed: int) -> Matrix:
    """A graph in which each pair of vertices is joined with this probability, in percent.

    >>> int(at_random(5, 100, 1).sum()) // 2
    10
    """
    stream = Stream(root_key(seed))
    joined = np.zeros((n, n), np.bool_)
    for a in range(n):
        for b in range(a):
            joined[a, b] = joined[b, a] = stream.below(100) < percent
    return joined


_MADE: Mapping[str, tuple[Callable[..., Matrix], Callable[..., bool], str]] = {
    r"mycielski(\d{1,2})": (mycielski, lambda order: 2 <= order <= 12, "mycielski2 to mycielski12"),
    r"queen(\d{1,2})": (queens, lambda size: 1 <= size <= 64, "queen1 to queen64"),
    r"hamming(\d{1,2})-(\d{1,2})": (hamming, lambda bits, d: 1 <= bits <= 12 and 1 <= d <= bits, "hamming8-4"),
    r"random(\d{1,4})-(\d{1,3})": (at_random, lambda n, p: 1 <= n <= MOST_VERTICES and p <= 100, "random60-50"),
}
"""How a name is written; what makes the graph, the sizes that it can have, and an example."""


def given_graph(graph: str, seed: int) -> Matrix:
    """A graph by name, from a file in DIMACS format, or as such a file on one line: which vertices are joined.

    >>> given_graph("p edge 3 2 / e 1 2 / e 2 3", 0).sum(axis=0).tolist()
    [1, 2, 1]
    """
    for pattern, (make, sizes, example) in _MADE.items():
        found = re.fullmatch(pattern, graph)
        if found is not None:
            numbers = [int(number) for number in found.groups()]
            if not sizes(*numbers):
                raise InputError(f"graph must be of a size that can be made, such as {example}, got {graph}")
            if seed and make is not at_random:
                raise InputError(f"seed is for graphs made at random, such as random60-50, got seed {seed} for {graph}")
            return make(*numbers, seed) if make is at_random else make(*numbers)
    if seed:
        raise InputError(f"seed is for graphs made at random, such as random60-50, got seed {seed}")
    try:
        return read_instance(graph, "a graph in DIMACS format", parse)
    except InputError as error:
        if str(error).startswith("cannot read"):
            made = ", ".join(example for _, _, example in _MADE.values())
            raise InputError(f"graph must be {made}, or a file in DIMACS format: {error}") from None
        raise


def graph_parameters(problem: Any, joined: Matrix) -> dict[str, Any]:
    """The name and the seed that ``build`` was given, or the graph itself: its file may be gone later."""
    built = problem.__dict__.get("_built_with")
    if built is not None and any(re.fullmatch(pattern, built["graph"]) for pattern in _MADE):
        return {name: built[name] for name in ("graph", "seed")}
    return {"graph": one_line(dimacs_rows(joined))}


def checked(joined: Any) -> Matrix:
    """A matrix that says which vertices are joined: square, symmetric, no vertex joined to itself.

    >>> checked([[0, 1], [0, 0]])
    Traceback (most recent call last):
    rookery.errors.InputError: joined must be the same both ways, with no vertex joined to itself
    """
    matrix = np.ascontiguousarray(joined, np.bool_)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not 1 <= len(matrix) <= MOST_VERTICES:
        raise InputError(f"joined must be a square table of 1 to {MOST_VERTICES} rows, got shape {matrix.shape}")
    if (matrix != matrix.T).any() or matrix.diagonal().any():
        raise InputError("joined must be the same both ways, with no vertex joined to itself")
    return matrix


def neighbours(joined: Matrix) -> dict[str, np.ndarray]:
    """The neighbours of each vertex one after the other (``beside``), and where those of each begin (``first``).

    >>> neighbours(mycielski(2))["beside"].tolist()
    [1, 0]
    """
    first = np.concatenate([[0], np.cumsum(joined.sum(axis=1))])
    return {"first": first.astype(np.int64), "beside": np.nonzero(joined)[1].astype(np.int64)}


def parse(lines: list[Line]) -> Matrix:
    """A graph in DIMACS format."""
    joined: Matrix | None = None
    for line in lines:
        kind = line.words[0]
        if kind == "c":
            continue
        if kind == "p":
            if joined is not None or len(line.words) != 4 or line.words[1] not in ("edge", "edges", "col"):
                raise line.refuse("there must be one line p edge N M", " ".join(line.words))
            n = Line(line.number, line.words[2:3]).wholes(1, MOST_VERTICES, "the number of vertices")[0]
            joined = np.zeros((n, n), np.bool_)
        elif kind == "e":
            if joined is None:
                raise line.refuse("the line p edge N M must come before edges", " ".join(line.words))
            ends = Line(line.number, line.words[1:]).wholes(1, len(joined), "a vertex")
            if len(ends) != 2 or ends[0] == ends[1]:
                raise line.refuse("an edge must have two different vertices", " ".join(line.words))
            joined[ends[0] - 1, ends[1] - 1] = joined[ends[1] - 1, ends[0] - 1] = True
        else:
            raise line.refuse("a line must begin with c, p or e", kind)
    if joined is None:
        raise InputError("it has no line p edge N M")
    return joined


def dimacs_rows(joined: Matrix) -> list[list[Any]]:
    """The lines of a graph in DIMACS format, as words.

    >>> dimacs_rows(mycielski(2))
    [['p', 'edge', 2, 1], ['e', 1, 2]]
    """
    edges = [["e", int(a) + 1, int(b) + 1] for a, b in zip(*np.nonzero(np.triu(joined)), strict=True)]
    return [["p", "edge", len(joined), len(edges)], *edges]


def circle_picture(joined: Matrix, colours: Sequence[int | None]) -> Drawing:
    """The vertices on a circle, each in the colour of its number, or empty.

    >>> circle_picture(mycielski(2), [0, None]).svg().count("<circle")
    2
    """
    n = len(joined)
    across = max(200.0, 9.0 * n)
    middle, radius = across / 2 + 20, min(9.0, 0.4 * math.pi * across / max(n, 3))
    turns = [2 * math.pi * k / n - math.pi / 2 for k in range(n)]
    places = [(middle + across / 2 * math.cos(turn), middle + across / 2 * math.sin(turn)) for turn in turns]
    drawing = Drawing(2 * middle, 2 * middle)
    for a, b in zip(*np.nonzero(np.triu(joined)), strict=True):
        drawing.line(*places[a], *places[b], colour=FRAME, width=0.6)
    for vertex, ((x, y), number) in enumerate(zip(places, colours, strict=True)):
        fill = None if number is None else colour_of(number)
        drawing.circle(x, y, radius, fill=fill or ("#ffffff", "#13151a"), stroke=INK, line=0.8)
        drawing.text(x, y, str(vertex + 1), size=radius, colour=INK if fill is None else letters_on(fill))
    return drawing
