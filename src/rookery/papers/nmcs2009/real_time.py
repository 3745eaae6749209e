"""Cazenave 2009, sections 4.3 and 5.1: mean scores of iterated searches in real time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rookery.papers.items import Cell, Item, Picture, Series, at_scales, mean_of
from rookery.papers.nmcs2009.levels import search_of, short_name
from rookery.papers.works import Found, Runs, named
from rookery.stop import MaxTime

TIMES = tuple(0.01 * 2**k for k in range(14))
SHORT, LONG = TIMES[8], TIMES[-1]
TIMED = {SHORT: at_scales(10, 10, 10), LONG: at_scales(0, 3, 100)}
"""Seconds of a run -> how many runs."""


def timed(problem: str, parameters: Mapping[str, Any], level: int, memorise: bool, seconds: float) -> Runs:
    """Iterated searches for some seconds."""
    name = f"{problem}-{short_name(level, memorise)}-{seconds:g}s"
    search = search_of(level, memorise)
    return Runs(name, seconds, named(problem, **parameters), search, MaxTime(seconds), restarts=level > 0)


def mean_at(runs: Sequence[Any], seconds: float) -> float:
    """The mean of the best scores after some seconds, of the runs that have one."""
    known = [[step.score for step in run.history if step.seconds <= seconds] for run in runs]
    return float(np.mean([scores[-1] for scores in known if scores])) if any(known) else float("nan")


def means_in_time(found: Mapping[str, Found]) -> Series:
    """The mean scores at the paper's times, of the longest runs of each level."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, of in sorted(found.items(), key=lambda pair: len(pair[1].samples), reverse=True):
        _, level, seconds = name.rsplit("-", 2)
        runs = [run for sample in of.samples for run in sample.values()]
        limit = float(seconds[:-1])
        points = [(t, mean_at(runs, t)) for t in TIMES if t <= limit]
        line = f"level {level[0]}"
        if line not in lines or limit > lines[line][-1][0]:
            lines[line] = [(t, mean) for t, mean in points if not np.isnan(mean)]
    return dict(sorted(lines.items()))


def real_time(number: str, title: str, problem: str, parameters: Mapping[str, Any], memorise: bool) -> Item:
    """A figure of mean scores in real time."""
    cells = [
        Cell(
            (str(level), f"{seconds:g} s"), timed(problem, parameters, level, memorise, seconds), runs, summary=mean_of
        )
        for seconds, runs in TIMED.items()
        for level in range(4)
    ]
    return Item(
        "figure",
        number,
        title,
        ("level", "time"),
        tuple(cells),
        picture=Picture("seconds", "mean score", means_in_time, log="x"),
        note="Mean scores of iterated searches; the paper has a picture of 100 runs of each level.",
    )
