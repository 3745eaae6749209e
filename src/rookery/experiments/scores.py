"""The scores of many runs of a search: a frozen value with their distribution, which can be saved and loaded again."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import accumulate, pairwise
from typing import TYPE_CHECKING, Any

from rookery.arguments import finite
from rookery.disk import brief, check_fields, is_a, read_json, write_text
from rookery.drawing.printed import Printed
from rookery.errors import InputError
from rookery.experiments.histograms import draw, table
from rookery.matches.scores import wilson
from rookery.problem import Sense

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SAME = ("problem", "parameters", "search", "sense", "each")
"""What two distributions must have in common to be merged."""


@dataclass(frozen=True)
class Distribution(Printed):
    """How many runs of a search ended with each score, in the problem's own sense.

    Parameters
    ----------
    counts
        score -> number of runs, the lowest score first
    seeds
        those of the runs, as pairs of the first and the last of a range
    infeasible
        runs that found nothing feasible; they are worse than all others and do not count in the mean
    best_seed
        the first seed that gave the best score: ``solve`` with it gives the moves
    each
        playouts of each run, if the search has no end of its own
    playouts, seconds, core_seconds
        of all runs: playouts, seconds from the first to the last, and seconds of work summed over cores
    complete
        False after Ctrl-C: there are fewer runs than were asked for
    fingerprint
        what the problem does, in short, if the runs were kept in a file

    >>> import rookery as rk
    >>> done = rk.distribution(rk.problems.LeftMove(depth=9), rk.NMCS.cazenave(level=3), runs=1000)
    >>> print(done)
    leftmove(depth=9), nmcs(level=3, memorise=True, ties=random), more is better
    1,000 runs, 672,000 playouts, mean 8.821 (standard error 0.012), median 9
    score  runs   share  or better
    9       823  82.30%     82.30%
    8       175  17.50%     99.80%
    7         2   0.20%    100.00%
    >>> done.share(9), done.quantile(0.1), done.counts[9]
    (0.823, 8.0, 823)
    """

    problem: str
    parameters: Mapping[str, Any]
    search: Mapping[str, Any]
    sense: Sense
    counts: Mapping[float, int] = field(repr=False)
    seeds: tuple[tuple[int, int], ...]
    infeasible: int = 0
    best_seed: int | None = None
    each: int | None = None
    playouts: int = 0
    seconds: float = 0.0
    core_seconds: float = 0.0
    complete: bool = True
    workers: int = 1
    executor: str = "threads"
    version: str = ""
    fingerprint: str = ""

    def __post_init__(self) -> None:
        seeds = sum(last - first + 1 for first, last in self.seeds)
        if seeds != self.runs or not seeds:
            raise InputError(f"counts must hold a run for each seed, got {self.runs} runs and {seeds} seeds")

    # --- statistics ---

    @property
    def runs(self) -> int:
        """How many there are."""
        return sum(self.counts.values()) + self.infeasible

    @property
    def status(self) -> str:
        """``"finished"`` or ``"interrupted"``."""
        return "finished" if self.complete else "interrupted"

    @property
    def mean(self) -> float:
        """The mean score; not a number if nothing feasible was found."""
        n = self.runs - self.infeasible
        return math.fsum(score * count for score, count in self.counts.items()) / n if n else math.nan

    @property
    def standard_error(self) -> float:
        """The standard error of the mean; not a number if there are fewer than two scores."""
        n, mean = self.runs - self.infeasible, self.mean
        squares = math.fsum(count * (score - mean) ** 2 for score, count in self.counts.items())
        return math.sqrt(squares / (n - 1) / n) if n > 1 else math.nan

    @property
    def min(self) -> float:
        """The lowest score; not a number if there is none."""
        return min(self.counts, default=math.nan)

    @property
    def max(self) -> float:
        """The highest score; not a number if there is none."""
        return max(self.counts, default=math.nan)

    @property
    def best(self) -> float:
        """The best score: the highest one, or the lowest where less is better."""
        return self.max if self.sense == "max" else self.min

    @property
    def median(self) -> float:
        """The middle score; of an even number of runs, the better of the two in the middle (Rosin 2011)."""
        return self.quantile(0.5)

    def quantile(self, q: float) -> float:
        """The score a share ``q`` of the way from the worst run (0) to the best (1): always the score of a run."""
        if not 0 <= finite("q", q) <= 1:
            raise InputError(f"q must be between 0 and 1, got {q}")
        better = self.runs - 1 - min(self.runs - 1, math.floor(q * self.runs + 1e-9))
        return next((score for score, runs in self._or_better().items() if runs > better), math.nan)

    def share(self, score: float) -> float:
        """The share of the runs that were at least as good as a score."""
        return self._reached(score) / self.runs

    def interval_95(self, score: float) -> tuple[float, float]:
        """The 95% interval of that share (Wilson)."""
        return wilson(self._reached(score), self.runs)

    def cumulative(self) -> dict[float, float]:
        """Each score with the share of the runs that were at least as good, the best score first."""
        return {score: runs / self.runs for score, runs in self._or_better().items()}

    def histogram(self, width: float) -> dict[float, int]:
        """The number of runs in each interval of this width, by where it begins, the lowest first."""
        if finite("width", width) <= 0:
            raise InputError(f"width must be more than 0, got {width}")
        found: Counter[float] = Counter()
        for score, count in self.counts.items():
            found[math.floor(score / width) * width] += count
        return dict(found)

    def _or_better(self) -> dict[float, int]:
        """Score -> number of runs that were at least as good, the best score first."""
        scores = sorted(self.counts, reverse=self.sense == "max")
        return dict(zip(scores, accumulate(self.counts[score] for score in scores), strict=True))

    def _reached(self, score: float) -> int:
        wanted = finite("score", score)
        good = (s >= wanted if self.sense == "max" else s <= wanted for s in self.counts)
        return sum(count for count, counts in zip(self.counts.values(), good, strict=True) if counts)

    # --- reports ---

    def __str__(self) -> str:
        return table(self)

    def plot(
        self,
        path: str | os.PathLike[str] | None = None,
        others: Iterable[Distribution] = (),
        cumulative: bool = False,
    ) -> Figure:
        """The share of the runs that had each score, with those of other distributions; written to ``path`` if given.

        ``cumulative``: the share that were at least as good, on a logarithmic axis (Rosin 2011, Figure 8).
        """
        return draw([self, *others], cumulative, path)

    # --- several ---

    def merge(self, other: Distribution) -> Distribution:
        """Both in one: runs of the same search on the same problem, with other seeds."""
        for name in SAME:
            if getattr(self, name) != getattr(other, name):
                mine, theirs = brief(getattr(self, name)), brief(getattr(other, name))
                raise InputError(f"distributions can be merged if they have the same {name}, got {mine} and {theirs}")
        if self.fingerprint and other.fingerprint and self.fingerprint != other.fingerprint:
            raise InputError("distributions can be merged if the problem is the same: what it does has changed")
        best = (max if self.sense == "max" else min)((d.best for d in (self, other) if d.counts), default=math.nan)
        return replace(
            other,
            counts=dict(sorted((Counter(self.counts) + Counter(other.counts)).items())),
            seeds=joined((*self.seeds, *other.seeds)),
            infeasible=self.infeasible + other.infeasible,
            best_seed=min(
                (d.best_seed for d in (self, other) if d.best_seed is not None and d.best == best), default=None
            ),
            playouts=self.playouts + other.playouts,
            seconds=self.seconds + other.seconds,
            core_seconds=self.core_seconds + other.core_seconds,
            complete=self.complete and other.complete,
            fingerprint=self.fingerprint or other.fingerprint,
        )

    # --- files ---

    def to_json(self) -> dict[str, Any]:
        """The distribution as a JSON object."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return values | {"counts": [*map(list, self.counts.items())], "seeds": [*map(list, self.seeds)]}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the distribution as JSON: whole, or not at all."""
        write_text(path, json.dumps(self.to_json()) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Distribution:
        """Read a distribution that :meth:`save` wrote."""
        return read_json(path, "a file of a distribution", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> Distribution:
        """A distribution from its JSON object, every field checked."""
        if not isinstance(data, dict):
            raise InputError("not a JSON object")
        check_fields(data, KINDS)
        if data["sense"] not in ("max", "min"):
            raise InputError(f"'sense' must be max or min, got {brief(data['sense'])}")
        if not isinstance(data.get("complete"), bool):
            raise InputError(f"'complete' must be true or false, got {brief(data.get('complete'))}")
        for name in ("best_seed", "each"):
            if data.get(name) is not None and not is_a(data[name], "a whole number"):
                raise InputError(f"'{name}' must be a whole number or null, got {brief(data[name])}")
        counts, seeds = (_pairs(name, data[name], kind) for name, kind in PAIRS.items())
        if any(low >= high for (low, _), (high, _) in pairwise(counts)) or any(count < 1 for _, count in counts):
            raise InputError("'counts' must hold scores, the lowest first, each with a number of runs")
        if not all(first <= last for first, last in seeds) or joined(seeds) != seeds:
            raise InputError("'seeds' must hold ranges, the lowest first")
        best = data.get("best_seed")
        if (best is None) != (not counts) or not (best is None or any(first <= best <= last for first, last in seeds)):
            raise InputError(f"'best_seed' must be one of the seeds, got {brief(best)}")
        values = {name: data[name] for name in (*KINDS, "complete")} | {n: data.get(n) for n in ("best_seed", "each")}
        return cls(**values | {"counts": {float(score): count for score, count in counts}, "seeds": seeds})


KINDS = {
    **dict.fromkeys(("problem", "sense", "executor", "version", "fingerprint"), "a text"),
    **dict.fromkeys(("parameters", "search"), "an object"),
    **dict.fromkeys(("counts", "seeds"), "a list"),
    **dict.fromkeys(("infeasible", "playouts", "workers"), "a whole number"),
    **dict.fromkeys(("seconds", "core_seconds"), "a number"),
}
PAIRS = {"counts": ("a number", "a whole number"), "seeds": ("a whole number", "a whole number")}


def _pairs(name: str, items: Any, kinds: tuple[str, str]) -> tuple[tuple[Any, Any], ...]:
    for item in items:
        if not is_a(item, "a list") or len(item) != 2 or not all(map(is_a, item, kinds)):
            raise InputError(f"'{name}' must hold pairs of numbers, got {brief(item)}")
    return tuple((a, b) for a, b in items)


def joined(ranges: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Ranges of seeds in order, those that follow each other as one.

    >>> joined([(11, 20), (1, 10), (31, 40)])
    ((1, 20), (31, 40))
    >>> joined([(1, 10), (10, 20)])
    Traceback (most recent call last):
    rookery.errors.InputError: distributions can be merged if they share no seed, got 10 in both
    """
    found: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if found and first <= found[-1][1]:
            raise InputError(f"distributions can be merged if they share no seed, got {first} in both")
        if found and first == found[-1][1] + 1:
            first, _ = found.pop()
        found.append((first, last))
    return tuple(found)
