"""The figure of a simulated cluster: speed-up over workers, and a run as in Nagorko 2019, Figure 3."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.errors import InputError
from rookery.files import write_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from rookery.simulation import Simulation

COLOURS = {"learned": "#0072B2", "table": "#D55E00"}
"""From the palette of Okabe and Ito, told apart by the colour-blind."""
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
