"""Histograms: the scores of many runs of a search, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rookery.experiments.distribution import distribution
from rookery.experiments.scores import Distribution
from rookery.papers.works import Found, Hands, Problems, Work, day
from rookery.search.protocol import Search

PORTION = 2_000_000
"""Runs that are counted at once: their scores are in memory until they are."""


@dataclass(frozen=True)
class Histogram(Work):
    """Runs of a search on one problem, of which only the scores are kept; the only value is a ``Distribution``.

    ``playouts`` are those of each run, for a search that has no end of its own.
    """

    problems: Problems
    search: Search
    playouts: int | None = None

    def compute(self, folder: Path, count: int, hands: Hands) -> None:
        """Make the runs that the file does not hold."""
        (problem,) = self.problems(hands).values()
        while (there := self.found(folder, count, hands).done) < count:
            done = distribution(
                problem,
                self.search,
                min(count, there + PORTION),
                seed=hands.seed,
                playouts=self.playouts,
                workers=hands.workers,
                executor=hands.executor,
                address=hands.address,
                file=self._file(folder),
                progress=hands.progress,
            )
            if not done.complete:
                raise KeyboardInterrupt

    def found(self, folder: Path, count: int, hands: Hands) -> Found:
        """The runs in the file, all of them."""
        file = self._file(folder)
        if not file.exists():
            return Found()
        done = Distribution.load(file)
        return Found((done,), done.playouts, done.core_seconds, day(file), counted=done.runs)

    def _file(self, folder: Path) -> Path:
        return folder / f"{self.name}.json"


def at_least(counts: Mapping[float, int]) -> list[tuple[float, float]]:
    """Each score, and the share of runs that had it or more: a cumulative histogram.

    >>> at_least({3.0: 1, 5.0: 3})
    [(3.0, 1.0), (5.0, 0.75)]
    """
    runs = left = sum(counts.values())
    points = []
    for score in sorted(counts):
        points.append((score, left / runs))
        left -= counts[score]
    return points
