"""Distributions of scores as a table and as a figure."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rookery.drawing.figures import new_figure, write_figure
from rookery.drawing.printed import as_table
from rookery.experiments.timeline import COLOURS, DASHES, score_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rookery.experiments.scores import Distribution

MOST_ROWS, INTERVALS = 50, 25
"""More different scores than this are shown in intervals, about so many."""


def table(of: Distribution) -> str:
    """The mean, and how many runs had each score, the best first; many scores in intervals.

    All of it depends on the seeds alone.
    """
    cut = "" if of.complete else ", interrupted"
    goal = "more is better" if of.sense == "max" else "less is better"
    each = "" if of.each is None else f" of {of.each:,} playout{'s' * (of.each != 1)}"
    parts = [f"{of.runs:,} run{'s' * (of.runs != 1)}{each}{cut}", f"{of.playouts:,} playouts"]
    if of.counts:
        parts += [f"mean {_mean(of)}", f"median {score_text(of.median)}"]
    rows, better = [["score", "runs", "share", "or better"]], 0
    for name, count in _rows(of):
        better += count
        rows.append([name, f"{count:,}", _percent(count / of.runs), _percent(better / of.runs)])
    return f"{named(of.problem, of.parameters)}, {_search(of.search)}, {goal}\n{', '.join(parts)}\n{as_table(rows)}"


def _rows(of: Distribution) -> list[tuple[str, int]]:
    """Scores and numbers of runs, the best first, those that found nothing last."""
    down, width = of.sense == "max", width_of(of)
    if width == 0.0:
        rows = [(score_text(score), count) for score, count in of.counts.items()]
    else:
        end = width - all(score == int(score) for score in of.counts)  # of whole numbers, the last one is named
        rows = [(f"{score_text(low)} to {score_text(low + end)}", n) for low, n in of.histogram(width).items()]
    rows = rows[::-1] if down else rows
    return [*rows, *([("infeasible", of.infeasible)] if of.infeasible else [])]


def width_of(of: Distribution) -> float:
    """A round width of intervals for many different scores; 0 if each can have a row of its own."""
    if len(of.counts) <= MOST_ROWS:
        return 0.0
    least = (of.max - of.min) / INTERVALS
    power = 10.0 ** math.floor(math.log10(least))
    return next(step * power for step in (1, 2, 5, 10) if step * power >= least)


def _mean(of: Distribution) -> str:
    """The mean with its standard error, to two digits of that."""
    error = of.standard_error
    digits = max(0, 1 - math.floor(math.log10(error))) if error > 0 else 2
    return f"{of.mean:.{digits}f}" + (f" (standard error {error:.{digits}f})" if error > 0 else "")


def _percent(share: float) -> str:
    return f"{100 * share:.2f}%"


def named(name: str, parameters: Mapping[str, Any]) -> str:
    """A problem or a search in short.

    >>> named("leftmove", {"depth": 9}), named("nmcs", {"level": 3, "rule": None})
    ('leftmove(depth=9)', 'nmcs(level=3)')
    """
    given = ", ".join(f"{key}={value}" for key, value in parameters.items() if value is not None)
    return f"{name.rpartition(':')[2]}({given})" if given else name.rpartition(":")[2]


def _search(search: Mapping[str, Any]) -> str:
    return named(search["algorithm"], {name: value for name, value in search.items() if name != "algorithm"})


def labels(several: Sequence[Distribution]) -> list[str]:
    """What tells distributions apart: the search, with those parameters that others of its name have otherwise."""
    found = []
    for one in several:
        alike = [other.search for other in several if other.search["algorithm"] == one.search["algorithm"]]
        differ = {n: v for n, v in one.search.items() if any(other.get(n) != v for other in alike)}
        found.append(_search({"algorithm": one.search["algorithm"], **differ}))
    if len({(one.problem, str(one.parameters)) for one in several}) > 1:
        found = [f"{named(one.problem, one.parameters)}, {label}" for one, label in zip(several, found, strict=True)]
    return found


def draw(several: Sequence[Distribution], cumulative: bool, path: str | os.PathLike[str] | None = None) -> Figure:
    """A figure with a line for each distribution; written to ``path`` if given."""
    figure = new_figure((7, 4.2))
    from matplotlib.ticker import PercentFormatter

    axes = figure.add_subplot()
    for i, (one, label) in enumerate(zip(several, labels(several), strict=True)):
        width = 0.0 if cumulative else width_of(one)
        if cumulative:
            points = one.cumulative()
        else:
            counts = one.histogram(width) if width else one.counts
            points = {score + width / 2: count / one.runs for score, count in counts.items()}
        style: dict[str, Any] = {
            "color": COLOURS[i % len(COLOURS)],
            "linestyle": DASHES[i // len(COLOURS) % len(DASHES)],
        }
        axes.plot(list(points), list(points.values()), marker=".", label=f"{label}, {one.runs:,} runs", **style)
    axes.set_xlabel("score")
    axes.set_ylabel("share of the runs that were at least as good" if cumulative else "share of the runs")
    if cumulative:
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_title(named(several[0].problem, several[0].parameters), loc="left", fontsize="medium")
    axes.grid(axis="y", color="0.9", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    if path is not None:
        write_figure(figure, path)
    return figure
