"""The travelling salesman problem with time windows: every city must be reached before its time is over.

The tour begins at city 0 at time 0 and ends there. Whoever comes to a city before it is ready waits; whoever comes
after it is due is late. The cost is the sum of the distances, waiting not counted; service times are part of the
distances.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rookery.drawing import Drawing
from rookery.drawing.palette import FRAME, INK, PALE, colour_of
from rookery.errors import InputError
from rookery.problem import Layout
from rookery.problems.instances import Line, read_instance, refuse_both, told_parameters
from rookery.problems.tsp import MOST_CITIES, Tour, distances
from rookery.rng import Stream, root_key

SLACK = 1e-9
"""An arrival this little after the due time is not late: sums of floats depend on their order."""


class TSPTW(Tour):
    """A tour that reaches every city within its time window, at the least cost.

    A move is the next city. The score, to be minimised, is ``penalty`` times the number of late arrivals plus the
    cost, so that every tour in time is better than any other. A move has the bias -``pull`` d / dmax, where d is its
    distance and dmax the greatest of all (GNRPA: Cazenave, 2020).

    Parameters
    ----------
    distance
        from each city (row) to each (column)
    ready, due
        the time window of each city; that of city 0 is for the return
    penalty
        what a late arrival costs
    pull
        how much searches that use biases prefer near cities; 0: not at all

    >>> TSPTW.build(n=10, seed=1).due.shape
    (10,)
    """

    ready: np.ndarray
    due: np.ndarray
    penalty: float = 1e6
    pull: float = 10.0

    bias_by_code = True

    def __post_init__(self) -> None:
        n = len(self.distance)
        shapes = (np.shape(self.distance), np.shape(self.ready), np.shape(self.due))
        if shapes != ((n, n), (n,), (n,)) or n < 2:
            raise InputError(f"n cities need n x n distances and n ready and due times, got shapes {shapes}")
        for name in ("distance", "ready", "due"):
            object.__setattr__(self, name, np.ascontiguousarray(getattr(self, name), np.float64))

    @classmethod
    def build(
        cls,
        instance: str | None = None,
        n: int = 20,
        seed: int = 0,
        width: float = 60.0,
        penalty: float = 1e6,
        pull: float = 10.0,
    ) -> TSPTW:
        """``instance``: a file with n, n rows of distances and n lines with a time window, or its text on one line.

        None: a random one that has a tour in time: cities in a square of 100 x 100, each with a window of this width
        around the time when a certain tour gets there. That tour goes to the nearest of three cities each time.

        >>> float(TSPTW.build("2 / 0 3 / 4 0 / 0 9 / 1 5").distance[1, 0])
        4.0
        """
        if instance is not None:
            refuse_both("instance", n=(n, 20), seed=(seed, 0), width=(width, 60.0))
            return cls(*read_instance(instance, "a TSP with time windows", parse), penalty, pull)
        if not 2 <= n <= MOST_CITIES:
            raise InputError(f"n must be 2 to {MOST_CITIES}, got {n}")
        if not 0 <= width < np.inf:
            raise InputError(f"width must be at least 0, got {width:g}")
        return cls(*generated(n, width, Stream(root_key(seed))), penalty, pull)

    def parameters(self) -> dict[str, Any]:
        return told_parameters(self, "instance", self._rows, "penalty", "pull")

    def _rows(self) -> list[Sequence[float]]:
        windows = np.stack([self.ready, self.due], axis=1)
        return [[len(self.distance)], *self.distance.tolist(), *windows.tolist()]

    def constants(self) -> Mapping[str, Any]:
        nearest = -self.pull / max(float(self.distance.max()), 1e-300)
        plain = {name: getattr(self, name) for name in ("distance", "ready", "due", "penalty")}
        return {**plain, "nearest": nearest}

    def layout(self) -> Layout:
        return {**super().layout(), "time": "f8", "late": "i8"}

    def play(self, s, move):
        city = np.uint64(move)
        s.time = max(s.time + self.distance[np.uint64(s.here), city], self.ready[city])
        s.late += s.time > self.due[city] + SLACK
        self._go(s, move)

    def score(self, s):
        home = self.distance[s.here, 0]
        late = s.late
        if s.time + home > self.due[0] + SLACK:
            late += 1
        return self.penalty * late + s.length + home

    def bias(self, s, move):
        return self.nearest * self.distance[np.uint64(s.here), np.uint64(move)]

    # --- for people ---

    def visits(self, moves: Sequence[int]) -> list[tuple[int, float, bool]]:
        """Each city of a tour, when it is served, and whether that is late; finally the return, if all were visited.

        >>> TSPTW.build("2 / 0 3 / 4 0 / 0 9 / 4 5").visits([1])
        [(1, 4.0, False), (0, 8.0, False)]
        """
        here, time, found = 0, 0.0, []
        for move in [*moves] + ([0] if len(moves) == len(self.distance) - 1 else []):
            time = max(time + float(self.distance[here, move]), float(self.ready[move]) if move else 0.0)
            found.append((move, time, bool(time > self.due[move] + SLACK)))
            here = move
        return found

    def format_score(self, score: float) -> str:
        late = int(score // self.penalty) if self.penalty > 0 else 0
        cost = super().format_score(round(score - late * self.penalty, 6))
        return f"{cost} and {late} late" if late else cost

    def draw(self, moves: Sequence[int]) -> str:
        """A line for each city in the order of the tour: when it is served, and its window."""
        lines = [
            f"{city:5}  {time:9.2f}  in {self.ready[city]:g} to {self.due[city]:g}{'  late' if late else ''}"
            for city, time, late in self.visits(moves)
        ]
        return "\n".join([" city       time", *lines])

    def picture(self, moves: Sequence[int]) -> Drawing:
        """A line for each city in the order of the tour, with its window as a bar and a dot at the time of service."""
        visits = self.visits(moves)
        far = max(float(self.due[1:].max()), max((time for _, time, _ in visits), default=0.0)) or 1.0
        drawing = Drawing(560, 14.0 * len(self.distance) + 24)

        def place(time: float) -> float:
            return 40 + 500 * min(1.0, time / far)

        for row, (city, time, late) in enumerate(visits):
            y = 19 + 14.0 * row
            drawing.text(24, y, str(city), size=10, colour=INK)
            left, right = place(float(self.ready[city])), place(float(self.due[city]))
            drawing.rect(left, y - 4, right - left, 8, fill=PALE, stroke=FRAME)
            drawing.circle(place(time), y, 4, fill=colour_of(1 if late else 0))
        return drawing


def parse(lines: list[Line]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances, ready times and due times of an instance: n, then n rows of distances, then n windows.

    >>> parse([Line(1, ("2",)), Line(2, ("0", "3")), Line(3, ("4", "0")), Line(4, ("0", "9")), Line(5, ("1", "5"))])[2]
    array([9., 5.])
    """
    if not lines:
        raise InputError("it is empty")
    first, rest = lines[0], lines[1:]
    if len(first.words) != 1:
        raise first.refuse("the number of cities must stand alone in the first line", " ".join(first.words))
    (n,) = first.wholes(2, MOST_CITIES, "the number of cities")
    if len(rest) != 2 * n:
        wanted = f"after it there must be {n} rows of distances and {n} time windows"
        raise InputError(f"line {first.number}: {wanted}, got {len(rest)} lines")
    distance = np.array([line.reals(n, "a row of distances") for line in rest[:n]])
    window = np.array([line.reals(2, "ready and due") for line in rest[n:]])
    for line, row in zip(rest, [*distance, *window], strict=True):
        if row.min() < 0:
            raise line.refuse("a distance or a time must not be negative", row.min().item())
    for line, (ready, due) in zip(rest[n:], window.tolist(), strict=True):
        if ready > due:
            raise line.refuse("a city must be ready before it is due", f"{ready:g} and {due:g}")
    return distance, window[:, 0], window[:, 1]


def generated(n: int, width: float, stream: Stream) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Distances to four digits, ready and due times, made so that there is a tour in time."""
    points = np.array([[100 * stream.uniform(), 100 * stream.uniform()] for _ in range(n)])
    distance = np.round(distances(points), 4)
    left = list(range(1, n))
    ready, due = np.zeros(n), np.zeros(n)
    here, time = 0, 0.0
    while left:
        some = [left[stream.below(len(left))] for _ in range(3)]
        city = min(some, key=lambda c: distance[here, c])
        left.remove(city)
        time += float(distance[here, city])
        before = width * stream.uniform()
        ready[city], due[city] = max(0.0, np.floor(time - before)), np.ceil(time + width - before)
        here = city
    due[0] = np.ceil(time + distance[here, 0])
    return distance, ready, due
