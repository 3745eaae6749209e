"""Pictures of reproduced items: lines for a figure, ours beside the paper's for a table."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from rookery.errors import InputError
from rookery.experiments.timeline import COLOURS, write_figure
from rookery.papers.reproductions import Reproduced

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(item: Reproduced, path: str | os.PathLike[str] | None = None) -> Figure:
    """Draw an item; written to ``path`` if given."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise InputError('a plot needs matplotlib: pip install "rookery[experiment]"') from None
    figure = Figure(dpi=150, layout="constrained")
    axes = figure.add_subplot()
    if item.series:
        figure.set_size_inches(7, 4.2)
        _lines(axes, item)
    else:
        rows = [row for row in item.rows if row.number is not None]
        figure.set_size_inches(7, 1.2 + 0.28 * max(len(rows), 3))
        _beside(axes, rows)
    axes.set_title(f"{item.item}: {item.title}", loc="left", fontsize="medium")
    axes.grid(color="0.92", linewidth=0.8)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    if axes.get_legend_handles_labels()[1]:
        axes.legend(frameon=False, fontsize="small")
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
        style = {"color": colour, "linestyle": "--" if kind else "-", "linewidth": 1.2 if kind else 1.8}
        label = f"{base}, {kind}" if kind else base
        axes.plot(*zip(*points, strict=True), drawstyle="steps-post" if steps else "default", label=label, **style)
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    if "x" in log:
        axes.set_xscale("log")
    if "y" in log:
        axes.set_yscale("log")


def _beside(axes: Any, rows: Any) -> None:
    """Ours with its spread as a point with a bar, the paper's as a cross."""
    for place, row in enumerate(rows):
        axes.plot([row.low, row.high], [place, place], color=COLOURS[0], linewidth=3, alpha=0.35)
        axes.plot(row.number, place, "o", color=COLOURS[0], label="ours" if place == 0 else None)
    theirs = [(row.their_number, place) for place, row in enumerate(rows) if row.their_number is not None]
    if theirs:
        axes.plot(*zip(*theirs, strict=True), "x", color=COLOURS[1], label="the paper")
    axes.set_yticks(range(len(rows)), [row.name for row in rows], fontsize="small")
    axes.invert_yaxis()
