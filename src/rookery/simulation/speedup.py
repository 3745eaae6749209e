"""The result of a simulation: a frozen value with a row for each number of workers."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from rookery.disk import write_bytes
from rookery.errors import InputError
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
    if Ctrl-C ended it before the last row.
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
        return draw(self, path)


def speedup_over(times: Numbers, starts: Numbers, lengths: Numbers) -> Numbers:
    """How many of some tasks were under way, on average over a window before each of some ascending times.

    The last of the times ends the run; ``starts`` and ``lengths`` say when each task began, and how long it took.

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


COLOURS = {"learned": "#0072B2", "table": "#D55E00", "literal": "#CC79A7"}
"""From the palette of Okabe and Ito, which the colour-blind can tell apart."""
ORACLE, QUIET = "#009E73", "0.55"
FORMATS = (".png", ".svg", ".pdf")


def draw(done: Simulation, path: str | os.PathLike[str] | None = None) -> Figure:
    """A figure of three panels, written to ``path``."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError('a plot needs matplotlib: pip install "rookery[experiment]"') from None
    form = ".png" if path is None else Path(path).suffix.lower()
    if form not in FORMATS:
        raise InputError(f"a plot must be written as {', '.join(FORMATS)}, got {os.fspath(path or '')!r}")
    figure = Figure(figsize=(11, 4.2), dpi=150, layout="constrained")  # no pyplot: no window, no global state
    panels = figure.subplot_mosaic([["workers", "speedup"], ["workers", "best"]])
    _over_workers(panels["workers"], done)
    panels["best"].sharex(panels["speedup"])
    _over_iterations(panels["speedup"], panels["best"], done)
    for axes in panels.values():
        axes.grid(color="0.9", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    if path is not None:
        picture = io.BytesIO()
        figure.savefig(picture, format=form[1:])
        write_bytes(path, picture.getvalue())
    return figure


def _over_workers(axes: Any, done: Simulation) -> None:
    rows = sorted(done.rows, key=lambda row: row.workers)
    workers = sorted({row.workers for row in rows})
    axes.plot(workers, workers, ":", color=QUIET, linewidth=1.4, label="ideal")
    bounds = {row.workers: row.oracle_speedup for row in rows}
    axes.plot(workers, [bounds[n] for n in workers], "--s", color=ORACLE, markersize=5, label="perfect prediction")
    for rule, colour in COLOURS.items():
        own = [row for row in rows if row.select == rule]
        if own:
            axes.plot([r.workers for r in own], [r.speedup for r in own], "-o", color=colour, markersize=4, label=rule)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(workers, [f"{n:,}" for n in workers])
    axes.minorticks_off()
    axes.set_xlim(workers[0] / 1.3, workers[-1] * 1.3)
    axes.set_ylim(0.8 * min(1.0, *(row.speedup for row in rows), workers[0]), workers[-1] * 1.3)
    axes.set_yticks(workers, [f"{n:,}" for n in workers])
    axes.set_xlabel("workers")
    axes.set_ylabel("speed-up")
    axes.set_title(f"{rows[0].tasks:,} tasks", loc="left", fontsize="medium")
    axes.legend(frameon=False)


def _over_iterations(above: Any, below: Any, done: Simulation) -> None:
    for course in done.courses:
        colour = COLOURS[course.select]
        iterations = np.arange(1, len(course.seconds) + 1)
        label = f"{course.select}, {course.workers:,} workers"
        above.plot(iterations, course.speedup, color=colour, linewidth=1.2, label=label)
    if done.courses:  # all runs have the same result
        below.plot(iterations, course.best, color="black", linewidth=1.4, drawstyle="steps-post")
        above.set_ylim(0, 1.08 * max(float(course.speedup.max()) for course in done.courses))
        above.legend(frameon=False, fontsize="small")
    above.tick_params(labelbottom=False)
    above.set_ylabel("speed-up")
    above.set_title("one run, over the iterations of its top two levels", loc="left", fontsize="medium")
    below.set_ylabel("best score")
    below.set_xlabel("iteration")
