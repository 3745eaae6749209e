"""Histograms: the scores of many runs of a search, counted."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from rookery.experiments.distribution import distribution
from rookery.experiments.scores import Distribution
from rookery.papers.items import Figure
from rookery.papers.theirs import Theirs
from rookery.papers.works import Found, Hands, Problems, Work, day
from rookery.search.protocol import Search

PORTION = 2_000_000
"""Runs that are counted at once: their scores are in memory until they are."""


LEAST_EXPECTED = 5.0
"""Scores are taken together until so many runs of each group are expected, as a chi-square test needs it."""
RESAMPLES = 2_000


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
            runs = min(count, there + PORTION)
            seeds = f"seeds {hands.seed + there} to {hands.seed + runs - 1}"
            done = distribution(
                problem,
                self.search,
                runs,
                seed=hands.seed,
                playouts=self.playouts,
                workers=hands.workers,
                executor=hands.executor,
                address=hands.address,
                file=self._file(folder),
                progress=hands.progress,
                callbacks=hands.observers(f"{self.name}, {seeds}"),
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


def each_score(samples: Sequence[Distribution]) -> list[float]:
    """The score of every run."""
    return [score for done in samples for score, count in done.counts.items() for _ in range(count)]


def reached(score: float) -> Callable[[Sequence[Distribution]], list[float]]:
    """1 for every run that reached a score, 0 for all others."""

    def ones(samples: Sequence[Distribution]) -> list[float]:
        found = [(done, round(done.share(score) * done.runs)) for done in samples]
        return [value for done, won in found for value in [1.0] * won + [0.0] * (done.runs - won)]

    return ones


def shares(found: Mapping[str, Found], name: str) -> list[tuple[float, float]]:
    """The points of a distribution: scores, and the shares of the runs that had them."""
    (done,) = found[name].samples
    return [(score, count / done.runs) for score, count in done.counts.items()]


def mode_of(values: Sequence[float]) -> Figure:
    """The most frequent score.

    >>> mode_of([61.0, 60.0, 61.0]).ours
    '61'
    """
    mode = _mode(np.asarray(values))
    return Figure(mode, mode, mode, f"{mode:g}", "")


@dataclass(frozen=True)
class Peak(Theirs):
    """The most frequent score of a distribution, beside ours.

    >>> Peak("61", 61.0).p([60.0] * 10 + [61.0] * 300) == 1.0 and Peak("60", 60.0).p([60.0] * 10 + [61.0] * 300) < 0.01
    True
    """

    test = "peaks of distributions drawn again from ours"

    def p(self, ours: Sequence[float]) -> float | None:
        """How often a distribution drawn from ours has a peak at least as far from ours."""
        assert self.number is not None
        stream = np.random.default_rng(2009)
        scores, counts = np.unique(ours, return_counts=True)
        draws = stream.multinomial(len(ours), counts / len(ours), RESAMPLES)
        peak = _mode(np.asarray(ours))
        apart = np.abs(scores[np.argmax(draws, axis=1)] - peak)
        return float((np.sum(apart >= abs(self.number - peak)) + 1) / (RESAMPLES + 1))


@dataclass(frozen=True)
class Theory(Theirs):
    """Exact probabilities of the scores 0, 1, ...: a chi-square test of our runs.

    >>> Theory("", 1.0, lambda: [0.25, 0.5, 0.25]).p([0.0] * 25 + [1.0] * 50 + [2.0] * 25)
    1.0
    """

    probabilities: Callable[[], Sequence[float]] = list
    test = "a chi-square test against the exact distribution"

    def p(self, ours: Sequence[float]) -> float | None:
        """The p value of all scores, rare ones taken together."""
        from scipy import stats  # type: ignore[import-untyped, unused-ignore]

        probabilities = self.probabilities()
        counted = np.bincount(np.asarray(ours, np.int64), minlength=len(probabilities))
        groups: list[list[float]] = [[0.0, 0.0]]
        for count, probability in zip(counted, probabilities, strict=True):
            if groups[-1][1] >= LEAST_EXPECTED:
                groups.append([0.0, 0.0])
            groups[-1][0] += count
            groups[-1][1] += probability * len(ours)
        if groups[-1][1] < LEAST_EXPECTED and len(groups) > 1:
            last = groups.pop()
            groups[-1] = [groups[-1][0] + last[0], groups[-1][1] + last[1]]
        seen, expected = np.array(groups).T
        square: Any = np.sum((seen - expected) ** 2 / expected)
        return float(stats.chi2.sf(square, len(groups) - 1)) if len(groups) > 1 else None


def _mode(values: Any) -> float:
    scores, counts = np.unique(values, return_counts=True)
    return float(scores[np.argmax(counts)])
