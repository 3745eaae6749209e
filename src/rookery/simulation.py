"""What a simulated cluster came to: a frozen value with a row for each number of workers."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from rookery.problem import Sense

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Numbers = npt.NDArray[np.float64]

WINDOW = 0.05
"""The share of a run's time that a speed-up over iterations is taken over."""


@dataclass(frozen=True)
class Row:
    """One simulated run.

    ``tasks`` are those of the sequential search, ``tasks_discarded`` were dispatched in vain. ``speedup`` is the
    sum of the durations of the former over the virtual seconds of the run. The oracle's figures are those of
    perfect prediction: it knows which results will replace a best.

    >>> Row("learned", 2, 60.0, 1.5, 0.75, 90, 10, 0.9, 1.8, 0.9, 0.75 / 0.9).efficiency
    0.75
    """

    select: str
    workers: int
    seconds: float
    speedup: float
    efficiency: float
    tasks: int
    tasks_discarded: int
    useful_share: float
    oracle_speedup: float
    oracle_efficiency: float
    share_of_oracle: float


@dataclass(frozen=True, eq=False)
class Course:
    """How one run went: a value for each iteration of the second highest level, when it was committed.

    ``seconds`` is virtual time, ``best`` the best score, ``speedup`` how many workers were at work on what was not
    in vain, on average over the twentieth of the run before.

    >>> Course("learned", 4, *(np.array([value]) for value in (60.0, 71.0, 2.5))).best
    array([71.])
    """

    select: str
    workers: int
    seconds: Numbers
    best: Numbers
    speedup: Numbers


@dataclass(frozen=True)
class Simulation:
    """The simulated runs of one search, all with the same result.

    ``duration`` is the mean of the tasks' seconds, ``spread`` their standard deviation over it. ``rows`` has a
    row for each number of workers, and ``courses`` the course of the runs with the most. ``complete`` is False
    if Ctrl-C has ended it before the last row.
    """

    problem: str
    parameters: Mapping[str, Any]
    search: Mapping[str, Any]
    seed: int
    atomic_level: int
    select: str
    duration: float | Literal["measured"]
    spread: float | None
    delay: float
    cancel: bool
    sense: Sense
    score: float
    moves: tuple[Any, ...]
    rows: tuple[Row, ...]
    courses: tuple[Course, ...] = field(default=(), repr=False, compare=False)
    complete: bool = True

    def to_json(self) -> dict[str, Any]:
        """The simulation as a JSON object, without its moves and courses."""
        names = ("problem", "parameters", "search", "seed", "atomic_level", "select", "duration", "spread", "delay")
        values = {name: getattr(self, name) for name in (*names, "cancel", "score", "complete")}
        return {**values, "rows": [asdict(row) for row in self.rows]}

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """A figure: speed-up over workers, and for the most workers speed-up and best over iterations.

        It is written to ``path``, as .png, .svg or .pdf (matplotlib must be installed).
        """
        from rookery.plots.speedup import draw

        return draw(self, path)


def speedup_over(times: Numbers, starts: Numbers, lengths: Numbers) -> Numbers:
    """How many of some tasks were under way, on average over a window before each of some times.

    Parameters
    ----------
    times
        ascending; the last one is the end of the run
    starts, lengths
        when each task began, and how long it took

    >>> speedup_over(np.array([5.0, 100.0]), np.array([0.0, 98.0]), np.array([5.0, 2.0])).tolist()
    [1.0, 0.4]
    """
    since = np.maximum(times - WINDOW * times[-1], 0.0)
    done = _done(times, starts, lengths) - _done(since, starts, lengths)
    over: Numbers = done / np.maximum(times - since, np.finfo(np.float64).tiny)
    return over


def _done(times: Numbers, starts: Numbers, lengths: Numbers) -> Numbers:
    """How many seconds of work were done up to each of some times."""
    done: Numbers = _passed(times, starts) - _passed(times, starts + lengths)
    return done


def _passed(times: Numbers, moments: Numbers) -> Numbers:
    """The sum of the seconds that have passed since each of some moments."""
    moments = np.sort(moments)
    sums = np.concatenate([[0.0], np.cumsum(moments)])
    before = np.searchsorted(moments, times)
    passed: Numbers = before * times - sums[before]
    return passed
