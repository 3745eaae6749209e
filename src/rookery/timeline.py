"""Timelines: the best score so far of many runs, against time or playouts (Rosin 2011, section 4.1)."""

from __future__ import annotations

import io
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from rookery.errors import InputError
from rookery.problem import Sense
from rookery.result import Result, check_writable
from rookery.statistics import Scores, median, quantile

if TYPE_CHECKING:
    from matplotlib.figure import Figure

By = Literal["time", "playouts"]

OVER = ("finished", "target")
"""Statuses of runs that had nothing left to do: their score would have stayed."""

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The palette of Okabe and Ito, told apart by the colour-blind."""
DASHES = ("-", "--", ":", "-.")
DECADES = 4
"""Decades of a logarithmic axis that are shown at most."""


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


def timeline(
    runs: Sequence[Result], sense: Sense, by: By, limit: float | None = None, times: Iterable[float] | None = None
) -> Timeline:
    """The timeline of some runs; without times, at every one at which a run improved.

    Beyond their horizon scores are not known. What a run found while it was being stopped counts at the limit.

    >>> from rookery.result import Improvement
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
        rows.append([name, str(len(ends[name])), *(_text(float(value)) for value in [*line.median, *last])])
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join([row[0].ljust(widths[0]), *map(str.rjust, row[1:], widths[1:])]) for row in rows)


def draw(lines: Mapping[str, Timeline], by: By, title: str, score: str) -> Figure:
    """A figure of medians with the middle half of the runs shaded, on a logarithmic axis."""
    try:
        from matplotlib.figure import Figure
        from matplotlib.ticker import FuncFormatter, MaxNLocator
    except ImportError:
        raise InputError('a plot needs matplotlib: pip install "rookery[experiment]"') from None
    figure = Figure(figsize=(7, 4.2), dpi=150, layout="constrained")  # no pyplot: no window, no global state
    axes = figure.add_subplot()
    last = max(float(line.times[-1]) for line in lines.values())
    first = last
    for i, (name, line) in enumerate(lines.items()):
        colour, dash = COLOURS[i % len(COLOURS)], DASHES[i // len(COLOURS) % len(DASHES)]
        known = ~np.isnan(line.median)
        if not known.any():
            continue
        first = min(first, float(line.times[known][0]))
        axes.plot(line.times, line.median, dash, color=colour, drawstyle="steps-post", linewidth=1.8, label=name)
        low, high = line.quantile(0.25), line.quantile(0.75)
        axes.fill_between(line.times, low, high, color=colour, alpha=0.18, step="post", linewidth=0)
    axes.set_xscale("log")
    axes.set_xlim(max(first, last / 10**DECADES), last)
    axes.set_xlabel("seconds" if by == "time" else "playouts")
    axes.set_ylabel(score)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.10g}"))
    axes.yaxis.set_major_locator(MaxNLocator(nbins="auto", steps=[1, 2, 5, 10]))
    axes.set_title(title, loc="left", fontsize="medium")
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    return figure


def save_figure(figure: Figure, path: str | os.PathLike[str]) -> None:
    """Write a figure in the format that the name ends with."""
    check_writable(path)
    form = Path(path).suffix.lower().lstrip(".")
    known = figure.canvas.get_supported_filetypes()
    if form not in known:
        raise InputError(f"a plot must be written as {', '.join(sorted(known))}, got {os.fspath(path)!r}")
    picture = io.BytesIO()
    figure.savefig(picture, format=form)
    try:
        Path(path).write_bytes(picture.getvalue())
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def _text(score: float) -> str:
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
