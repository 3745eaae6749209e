"""Pictures of reproduced items: lines for a figure, ours beside the paper's for a table."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from rookery.drawing.figures import new_figure, write_figure
from rookery.experiments.timeline import COLOURS
from rookery.papers.reproductions import Reproduced
from rookery.papers.rows import Row

FEW = 5
"""So many points of a line of the paper are marked, as what is between them is not known."""
LEAST_UNIT, GAP = 20.0, 5.0
"""Figures above the first that are so many times as large as the next smaller ones have a panel of their own."""

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(item: Reproduced, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw an item; written to ``path`` if given."""
    figure = new_figure((7, 4.2))
    if item.series:
        panels = [figure.add_subplot()]
        _lines(panels[0], item)
    else:
        groups = _in_units([row for row in item.rows if row.number is not None])
        sizes = [max(len(rows), 3) for rows in groups]
        figure.set_size_inches(7, 0.4 + 0.8 * len(groups) + 0.28 * sum(sizes))
        panels = list(figure.subplots(len(groups), squeeze=False, height_ratios=sizes)[:, 0])
        for axes, rows in zip(panels, groups, strict=True):
            _beside(axes, rows)
    panels[0].set_title(f"{item.item}: {item.title}", loc="left", fontsize="medium")
    for axes in panels:
        axes.grid(color="0.92", linewidth=0.8)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
    if panels[0].get_legend_handles_labels()[1]:
        panels[0].legend(frameon=False, fontsize="small")
    if path is not None:
        write_figure(figure, path)
    return figure


def _lines(axes: Any, item: Reproduced) -> None:
    """The lines of a figure; those that are named after the paper are dashed."""
    x, y, log, steps = item.axes
    colours: dict[str, str] = {}
    for name, points in item.series.items():
        base, _, kind = name.partition(" | ")
        colour = colours.setdefault(base, COLOURS[len(colours) % len(COLOURS)])
        style: dict[str, Any] = {"color": colour, "linewidth": 1.8, "drawstyle": "steps-post" if steps else "default"}
        if kind:
            style = {"color": colour, "linewidth": 1.2, "linestyle": "--", "marker": "x" if len(points) <= FEW else ""}
        axes.plot(*zip(*points, strict=True), label=f"{base}, {kind}" if kind else base, **style)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if "x" in log:
        axes.set_xscale("log")
    if "y" in log:
        axes.set_yscale("log")


def _in_units(rows: Sequence[Row]) -> list[list[Row]]:
    """Rows in groups whose figures fit on one axis: words and letters of a grid do not beside the lines of a game."""
    sizes = sorted({abs(row.number or 0.0) for row in rows})
    starts = [above for below, above in pairwise(sizes) if below >= LEAST_UNIT and above > GAP * below]
    groups: list[list[Row]] = [[] for _ in range(len(starts) + 1)]
    for row in rows:
        groups[sum(start <= abs(row.number or 0.0) for start in starts)].append(row)
    return groups


def _beside(axes: Any, rows: Sequence[Row]) -> None:
    """Ours with its spread as a point with a bar, the paper's as a cross."""
    for place, row in enumerate(rows):
        axes.plot([row.low, row.high], [place, place], color=COLOURS[0], linewidth=3, alpha=0.35)
        axes.plot(row.number, place, "o", color=COLOURS[0], label="ours" if place == 0 else None)
    theirs = [(row.their_number, place) for place, row in enumerate(rows) if row.their_number is not None]
    if theirs:
        axes.plot(*zip(*theirs, strict=True), "x", color=COLOURS[1], label="the paper")
    axes.set_yticks(range(len(rows)), [row.name for row in rows], fontsize="small")
    axes.invert_yaxis()
