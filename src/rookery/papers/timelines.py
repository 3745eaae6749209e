"""Timelines: runs of so many seconds, filled with restarts; a longer one has all shorter ones within."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rookery.experiments.timeline import timeline
from rookery.papers.items import Series
from rookery.papers.works import Found, Hands, Runs, Work

POINTS = 60
"""Points of a line in a picture."""
BEYOND = 1.1
"""Points of the paper are shown up to so many times our longest run."""


@dataclass(frozen=True)
class Timelines(Runs):
    """Runs of so many seconds; those of the same search for ``longer`` serve as well, and are preferred.

    >>> import rookery as rk
    >>> from rookery.papers.works import named
    >>> long = Timelines("b", 1000.0, named("morpion"), rk.NRPA(), rk.MaxTime(1000), restarts=True)
    >>> short = Timelines("a", 100.0, named("morpion"), rk.NRPA(), rk.MaxTime(100), restarts=True, longer=(long,))
    >>> short.within == (long,)
    True
    """

    longer: tuple[Timelines, ...] = ()

    @property
    def within(self) -> tuple[Work, ...]:
        """The longer runs."""
        return self.longer

    def files(self, folder: Path, seed: int, hands: Hands) -> Mapping[str, Path]:
        """The files of the longest run of a seed."""
        found = (work.files(folder, seed, hands) for work in self.longer)
        return next(filter(None, found), None) or super().files(folder, seed, hands)

    def held(self, folder: Path, seed: int, hands: Hands) -> bool:
        """Whether there is a longer run of a seed."""
        return any(work.files(folder, seed, hands) for work in self.longer)


def medians(
    labels: Mapping[str, str], theirs: Mapping[str, Sequence[tuple[float, float]]], least: float = 1.0
) -> Callable[[Mapping[str, Found]], Series]:
    """What a picture shows: the medians of timelines from ``least`` seconds on, and the paper's beside them.

    ``labels`` has the names of the lines by those of the works; several works may have one, of which the longest is
    shown.
    """

    def lines(found: Mapping[str, Found]) -> Series:
        series: dict[str, Sequence[tuple[float, float]]] = {}
        for name, of in found.items():
            runs = [run for sample in of.samples for run in sample.values()]
            times = np.geomspace(least, min(run.seconds for run in runs), POINTS)
            middle = timeline(runs, "max", "time", times=times).median
            points = [(float(x), float(y)) for x, y in zip(times, middle, strict=True) if not np.isnan(y)]
            label = labels[name]
            if points and (label not in series or points[-1][0] > series[label][-1][0]):
                series[label] = points
        end = max((points[-1][0] for points in series.values()), default=0.0)
        known = {label: [(x, y) for x, y in theirs.get(label, ()) if x <= BEYOND * end] for label in series}
        return {**series, **{f"{label} | the paper": points for label, points in known.items() if points}}

    return lines
