"""Timelines: the best scores so far of many runs, combined by quantiles (Rosin 2011, section 4.1)."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from rookery.arguments import finite
from rookery.drawing.figures import new_figure, write_figure
from rookery.drawing.printed import as_table
from rookery.errors import InputError
from rookery.problem import Sense
from rookery.running.result import Result

if TYPE_CHECKING:
    from matplotlib.figure import Figure

By = Literal["time", "playouts"]
Scores = npt.NDArray[np.float64]

OVER = ("finished", "target")
"""Statuses of runs that had nothing left to do: their score would have stayed."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The palette of Okabe and Ito, which the colour-blind can tell apart."""
DASHES = ("-", "--", ":", "-.")
DECADES = 4
"""The most powers of ten that a table or a figure shows."""


def to_maximise(scores: npt.ArrayLike, sense: Sense) -> Scores:
    """Scores as in kernels: the larger the better, minus infinity for none yet."""
    values = np.asarray(scores, np.float64)
    values = -values if sense == "min" else values
    return np.where(np.isnan(values), -np.inf, values)


def quantile(scores: npt.ArrayLike, q: float, sense: Sense = "max") -> Scores:
    """The score at a share ``q`` of the way from the worst run (0) to the best (1): always a score of a run.

    Scores are ranked along the first axis. Where two elements are equally near, the better one is taken,
    so that ``q = 0.5`` is the median of Rosin 2011, section 4.1. A score that is not a number is one that
    a run does not have yet: it is worse than any other.

    >>> float(quantile([3, 1, 2, 4], 0.5)), float(quantile([3, 1, 2, 4], 0.5, "min"))
    (3.0, 2.0)
    """
    share = finite("q", q)
    if not 0 <= share <= 1:
        raise InputError(f"q must be between 0 and 1, got {q}")
    values = to_maximise(scores, sense)
    if not len(values):
        raise InputError("a quantile needs at least one score, got none")
    rank = min(len(values) - 1, math.floor(share * len(values) + 1e-9))
    found: Scores = np.sort(values, axis=0)[rank]
    return np.where(np.isneginf(found), np.nan, -found if sense == "min" else found)


def median(scores: npt.ArrayLike, sense: Sense = "max") -> Scores:
    """The middle score; of an even number, the better of the two in the middle (Rosin 2011, section 4.1).

    >>> float(median([7, 9, 8])), float(median([7, 9])), float(median([7, 9], "min"))
    (8.0, 9.0, 7.0)
    """
    return quantile(scores, 0.5, sense)


@dataclass(frozen=True, eq=False)
class Timeline:
    """The best score so far at certain times, of each run and of all together.

    ``scores`` has a row for each run and a column for each time; a score that a run does not have yet is
    not a number.

    >>> line = Timeline(times=np.array([1.0, 10.0]), scores=np.array([[3, 4], [5, 5], [np.nan, 9]]), sense="max")
    >>> line.median.tolist()
    [3.0, 5.0]
    """

    times: npt.NDArray[np.float64]
    scores: Scores
    sense: Sense

    @property
    def median(self) -> Scores:
        """The median at each time, by Rosin's definition."""
        return median(self.scores, self.sense)

    def quantile(self, q: float) -> Scores:
        """The score at each time, a share ``q`` of the way from the worst run to the best."""
        return quantile(self.scores, q, self.sense)

    def since(self, first: float) -> Timeline:
        """The same from a later time on."""
        at = max(0, int(np.searchsorted(self.times, first, side="right")) - 1)
        times = np.maximum(self.times[at:], first)
        return Timeline(times, self.scores[:, at:], self.sense)


def timeline(
    runs: Sequence[Result], sense: Sense, by: By, limit: float | None = None, times: Iterable[float] | None = None
) -> Timeline:
    """The timeline of some runs; without times, at every one at which a run improved.

    Beyond their horizon scores are not known. What a run found while it was being stopped counts at the limit.

    >>> from rookery.running.result import Improvement
    >>> past = (Improvement(1.0, 10, 3.0), Improvement(2.5, 25, 4.0))
    >>> run = Result("x", {}, {}, 1, 1, 4.0, (), 30, 1, 0, 3.0, 0.0, "finished", "1", past)
    >>> timeline([run], "max", "time", times=[0.5, 1, 2, 3]).scores.tolist()
    [[nan, 3.0, 3.0, 4.0]]
    """
    steps = [_steps(run, by, limit) for run in runs]
    end = horizon(runs, by, limit)
    if times is None:
        every = np.unique(np.concatenate([[end], *(at for at, _ in steps)]))
        chosen = every[every <= end]
    else:
        chosen = np.array(list(times), np.float64)
    scores = np.full((len(runs), len(chosen)), np.nan)
    for row, (at, score) in zip(scores, steps, strict=True):
        last = np.searchsorted(at, chosen, side="right") - 1
        known = (last >= 0) & (chosen <= end)
        row[known] = score[last[known]]
    return Timeline(chosen, scores, sense)


def horizon(runs: Sequence[Result], by: By, limit: float | None = None) -> float:
    """How far the best score is known for all of these runs: a run that was cut short is not known beyond."""
    cut = [_end(run, by) for run in runs if run.status not in OVER]
    if limit is not None:
        cut.append(limit)
    return min(cut) if cut else max(_end(run, by) for run in runs)


def marks(end: float, by: By) -> list[float]:
    """The powers of ten below ``end``, and ``end``: the last four of them, and no fraction of a playout.

    >>> marks(60, "time"), marks(100, "playouts")
    ([0.1, 1.0, 10.0, 60], [1.0, 10.0, 100])
    """
    top = int(np.ceil(np.log10(end) - 1e-9))
    powers = [float(f"1e{k}") for k in range(top - DECADES + 1, top)]
    return [*(mark for mark in powers if by == "time" or mark >= 1), end]


def table(lines: Mapping[str, Timeline], ends: Mapping[str, Sequence[float]], by: By) -> str:
    """Medians at the times of the timelines, and of the scores at the end the worst and the best, as text."""
    times = next(iter(lines.values())).times
    rows = [["search", "runs", *(f"{t:,.6g}{' s' * (by == 'time')}" for t in times), "worst", "best"]]
    for name, line in lines.items():
        last = [quantile(ends[name], q, line.sense) for q in (0, 1)]
        rows.append([name, str(len(ends[name])), *(score_text(float(value)) for value in [*line.median, *last])])
    return as_table(rows)


def draw(
    panels: Mapping[str, Mapping[str, Timeline]], by: By, title: str, path: str | os.PathLike[str] | None = None
) -> Figure:
    """A figure with a panel of lines for each problem, on logarithmic axes; written to ``path``."""
    columns = min(len(panels), 3)
    rows = -(-len(panels) // columns)
    size = (7, 4.2) if len(panels) == 1 else (4.6 * columns, 3.4 * rows)
    figure = new_figure(size)
    for number, (name, lines) in enumerate(panels.items(), 1):
        _draw_panel(figure.add_subplot(rows, columns, number), lines, by, name or title)
    if "" not in panels:
        figure.suptitle(title, fontsize="medium")
    if path is not None:
        write_figure(figure, path)
    return figure


def _draw_panel(axes: Any, lines: Mapping[str, Timeline], by: By, title: str) -> None:
    """Medians with the middle half of the runs shaded."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    left, right = _span(lines.values())
    for i, (name, whole) in enumerate(lines.items()):
        line = whole.since(left)
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i // len(COLOURS) % len(DASHES)]
        low, high = line.quantile(0.25), line.quantile(0.75)
        axes.fill_between(line.times, low, high, color=colour, alpha=0.18, step="post", linewidth=0)
        axes.plot(line.times, line.median, dash, color=colour, drawstyle="steps-post", linewidth=1.8, label=name)
    axes.set_xscale("log")
    axes.set_xlim(left, right)
    axes.set_xlabel("seconds" if by == "time" else "playouts")
    axes.set_ylabel("best score so far (median, middle half)")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.10g}"))
    axes.yaxis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10]))
    axes.set_title(title, loc="left", fontsize="medium")
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)


def _span(lines: Iterable[Timeline]) -> tuple[float, float]:
    """What a figure shows: a few decades, without the very first scores, which would squeeze the rest."""
    known = [line.times[~np.isnan(line.median)] for line in lines]
    known = [times for times in known if len(times)] or [np.array([1.0])]
    right = max(float(times[-1]) for times in known)
    first = max(float(times[0]) for times in known)
    return min(max(right / 10 ** (DECADES - 1), 2 * first), right / 10), right


def score_text(score: float) -> str:
    """A score as tables show it.

    >>> score_text(82.0), score_text(6.05612345), score_text(float("nan"))
    ('82', '6.05612', '-')
    """
    if np.isnan(score):
        return "-"
    return str(int(score)) if score == int(score) and abs(score) < 1e15 else f"{score:.6g}"


def _end(run: Result, by: By) -> float:
    return run.seconds if by == "time" else float(run.playouts)


def _steps(run: Result, by: By, limit: float | None) -> tuple[npt.NDArray[np.float64], Scores]:
    """When the best score of a run changed, and to what."""
    at = [i.seconds if by == "time" else float(i.playouts) for i in run.history]
    score = [i.score for i in run.history]
    when = np.array([*at, _end(run, by)])
    if limit is not None:
        when = np.minimum(when, limit)
    return np.maximum.accumulate(when), np.array([*score, run.score])
