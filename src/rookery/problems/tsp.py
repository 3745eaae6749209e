"""The travelling salesman problem: visit every city once and come home, on the shortest tour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from rookery.compiler.constants import fixed
from rookery.drawing import Drawing
from rookery.drawing.palette import INK, colour_of
from rookery.errors import InputError
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.problems.instances import lines_of
from rookery.rng import Stream, mix, root_key

MOST_CITIES = 32_767
"""What the 16 bits of a city in the state can hold."""
VISITED = -1
"""In place of a place among the cities that are left."""


class Tour(Problem):
    """What tours of all cities have in common: they begin and end at city 0, and a move is the next city."""

    distance: np.ndarray

    sense = "min"

    def limits(self) -> Limits:
        n = len(self.distance)
        return Limits(codes=n * n, moves=n, length=n)

    def layout(self) -> Layout:
        n = capacity(len(self.distance))
        return {"here": "i8", "left": "i8", "length": "f8", "todo": ("i2", n), "place": ("i2", n)}

    def start(self, s):
        s.left = len(self.distance) - 1
        s.place[0] = VISITED
        for i in range(s.left):
            s.todo[i] = i + 1
            s.place[i + 1] = i

    def moves(self, s, out):
        for i in range(s.left):
            out[i] = s.todo[i]
        return s.left

    def count(self, s):
        return s.left

    def nth(self, s, i):
        return s.todo[np.uint64(i)]

    def is_legal(self, s, move):
        return s.place[np.uint64(move)] != VISITED

    def code(self, s, move):
        return s.here * len(self.distance) + move

    def _go(self, s, move):
        city = np.uint64(move)
        s.length += self.distance[np.uint64(s.here), city]
        s.here = move
        s.left -= 1
        place, last = s.place[city], s.todo[np.uint64(s.left)]
        s.todo[np.uint64(place)] = last
        s.place[np.uint64(last)] = place
        s.place[city] = VISITED

    def play(self, s, move):
        self._go(s, move)

    def score(self, s):
        return s.length + self.distance[s.here, 0]

    def describe_move(self, move: int) -> str:
        return f"city {move}"

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a tour: its cities in order; city 0 at either end may be left out.

        >>> TSP.build(n=4).read("0 2 3 1 0")
        (2, 3, 1)
        """
        last = len(self.distance) - 1
        cities = [city for line in lines_of(text) for city in line.wholes(0, last, "a city")]
        if not cities:
            raise InputError("a tour must have at least one city, got none")
        first = cities[:1] == [0]
        return tuple(cities[first : len(cities) - (len(cities) > first and cities[-1] == 0)])

    def write(self, moves: Sequence[int]) -> str:
        """The cities of a tour in order, from city 0.

        >>> TSP.build(n=4).write([2, 3, 1])
        '0 2 3 1\\n'
        """
        return " ".join(map(str, [0, *moves])) + "\n"


class TSP(Tour):
    """A tour of all cities from city 0 and back; a move is the next city.

    Parameters
    ----------
    distance
        from each city (row) to each (column)
    undirected
        the code of a move is the pair of cities in either order, so that a tour and its reverse teach the same; else
        the pair in order
    points
        places of the cities, for pictures

    >>> TSP.build(n=10, seed=1).distance.shape
    (10, 10)
    """

    undirected: bool = False
    points: np.ndarray | None = None

    @classmethod
    def build(cls, n: int = 50, seed: int = 0, code: Literal["directed", "undirected"] = "directed") -> TSP:
        """Cities uniform in the unit square.

        >>> float(TSP.build(n=3).distance[1, 1])
        0.0
        """
        if n < 2:
            raise InputError(f"n must be at least 2, got {n}")
        if n > MOST_CITIES:
            raise InputError(f"n must be at most {MOST_CITIES}, got {n}")
        if code not in ("directed", "undirected"):
            raise InputError(f"code must be directed or undirected, got {code!r}")
        stream = Stream(root_key(seed))
        points = np.array([stream.uniform() for _ in range(2 * n)]).reshape(n, 2)
        return cls(distances(points), code == "undirected", points)

    def parameters(self) -> dict[str, Any]:
        told = super().parameters()
        if told.get("code") == "directed":  # as before there was a choice, so that older results can be read
            del told["code"]
        return told

    def constants(self) -> Mapping[str, Any]:
        others = np.array(self.distance, np.float64)
        np.fill_diagonal(others, np.inf)
        return {"distance": self.distance, "undirected": fixed(self.undirected), "nearest": others.min(axis=0)}

    def code(self, s, move):
        if self.undirected and move < s.here:
            return move * len(self.distance) + s.here
        return s.here * len(self.distance) + move

    def estimate(self, s):
        """No tour that begins like this is shorter: each city left, and the first, is entered from somewhere."""
        length = s.length + self.nearest[0]
        for i in range(s.left):
            length += self.nearest[s.todo[i]]
        return length

    def key(self, s):
        """Where the tour is, and the cities left: what can follow does not depend on the way there."""
        left = np.uint64(0)
        for i in range(s.left):
            left += mix(np.uint64(0), s.todo[i])
        return mix(left, s.here)

    def picture(self, moves: Sequence[int]) -> Drawing | None:
        """The cities and the way so far; home again when all have been visited. None without places of the cities."""
        if self.points is None:
            return None
        return tour_picture(self.points, moves)


class NearTSP(TSP):
    """A tour of all cities in which near ones have a bias, for searches that use biases.

    The bias of a move is -``pull`` d / m, where d is its distance and m the mean distance of a city to the nearest
    other one.

    Parameters
    ----------
    pull
        how much near cities are preferred; 0: not at all

    >>> NearTSP.build(n=10, seed=1).pull
    3.0
    """

    pull: float = 3.0

    bias_by_code = True

    def __post_init__(self) -> None:
        if not 0 <= self.pull < np.inf:
            raise InputError(f"pull must be at least 0, got {self.pull:g}")
        if self.undirected and not np.array_equal(self.distance, np.transpose(self.distance)):
            raise InputError("undirected codes with a bias need the same distance in both directions")

    @classmethod
    def build(
        cls, n: int = 50, seed: int = 0, code: Literal["directed", "undirected"] = "undirected", pull: float = 3.0
    ) -> NearTSP:
        """Cities uniform in the unit square, those of ``TSP.build``.

        >>> bool((NearTSP.build(n=8, seed=3).distance == TSP.build(n=8, seed=3).distance).all())
        True
        """
        plain = TSP.build(n, seed, code)
        return cls(plain.distance, plain.undirected, plain.points, pull)

    def parameters(self) -> dict[str, Any]:
        return Tour.parameters(self)

    def constants(self) -> Mapping[str, Any]:
        plain = super().constants()
        near = float(plain["nearest"].mean())
        return {**plain, "near": -self.pull / near if near > 0.0 else 0.0}

    def bias(self, s, move):
        return self.near * self.distance[np.uint64(s.here), np.uint64(move)]


def distances(points: np.ndarray) -> np.ndarray:
    """The distance from each point to each.

    >>> distances(np.array([[0, 0], [3, 4]]))[0, 1].item()
    5.0
    """
    return np.sqrt(((points[:, None, :] - points[None, :, :]) ** 2).sum(axis=2))


SIDE, MARGIN = 400.0, 20.0


def tour_picture(points: np.ndarray, moves: Sequence[int]) -> Drawing:
    """Cities and the way through them; the first is larger.

    >>> tour_picture(np.array([[0, 0], [1, 0], [0, 1]]), [2, 1]).svg().count("<line")
    3
    """
    drawing = Drawing(SIDE + 2 * MARGIN, SIDE + 2 * MARGIN)
    low = points.min(axis=0)
    span = float((points.max(axis=0) - low).max()) or 1.0
    x, y = ((points - low) / span * SIDE + MARGIN).T.tolist()
    way = [0, *moves] + ([0] if len(moves) == len(points) - 1 else [])
    for a, b in pairwise(way):
        drawing.line(x[a], y[a], x[b], y[b], colour=colour_of(0), width=2)
    for city in range(len(points)):
        drawing.circle(x[city], y[city], 3 if city else 6, fill=INK if city else colour_of(1))
    return drawing
