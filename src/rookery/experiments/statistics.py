"""The result of an experiment: a frozen value with its statistics, which can be saved as JSON and loaded again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rookery.arguments import finite, whole
from rookery.disk import read_json, write_text
from rookery.drawing.printed import Printed
from rookery.errors import InputError
from rookery.experiments.timeline import (
    By,
    Timeline,
    draw,
    horizon,
    marks,
    median,
    quantile,
    table,
    timeline,
    to_maximise,
)
from rookery.problem import Sense
from rookery.running.result import Result
from rookery.stop import Stop

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Experiment(Printed):
    """The runs of an experiment, by the name of their search; scores are in the problem's own sense.

    ``complete`` is False if it was interrupted: ``runs`` then holds those that had ended. Where a method takes
    ``at``, it looks at the best scores at that time, by default at the end; ``by`` is ``"time"`` (seconds) or
    ``"playouts"``, by default the one that was limited.

    >>> import rookery as rk
    >>> searches = {"short": rk.NRPA(level=1, iterations=20), "long": rk.NRPA(level=1, iterations=200)}
    >>> done = rk.experiment(rk.problems.LeftMove(depth=40), searches, seeds=5, stop=rk.MaxPlayouts(1000))
    >>> print(done)
    leftmove(depth=40): medians by playouts, more is better
    search  runs   1  10  100  1,000  worst  best
    short      5  20  26   30     33     31    34
    long       5  20  26   33     38     37    39
    >>> done.median("long", at=100), done.quantile("long", 0.25), done.scores("short")
    (33.0, 38.0, (33.0, 33.0, 32.0, 31.0, 34.0))
    >>> print(done.compare("long", "short"))
    long against short: U = 25, effect 1.00, p = 0.011
    """

    runs: Mapping[str, tuple[Result, ...]] = field(repr=False)
    sense: Sense
    stop: Stop
    seeds: tuple[int, ...]
    restarts: bool = True
    workers: int = 1
    complete: bool = True

    def __post_init__(self) -> None:
        if not any(self.runs.values()):
            raise InputError("runs must hold at least one run, got none")

    # --- scores ---

    def scores(self, name: str, at: float | None = None, by: By | None = None) -> tuple[float, ...]:
        """The best score of each run, in order of seeds; not a number (NaN) where a run has none yet."""
        if at is None:
            return tuple(run.score for run in self._runs(name))
        end, axis = self.horizon(name, by), self.axis(by)
        if not 0 <= finite("at", at) <= end:
            unit = "s" if axis == "time" else "playouts"
            raise InputError(f"at must be between 0 and {end:.6g} {unit}, where {name!r} ends, got {at:.6g}")
        return tuple(self.timeline(name, [at], by).scores[:, 0].tolist())

    def median(self, name: str, at: float | None = None, by: By | None = None) -> float:
        """The middle score; of an even number of runs, the better of the two in the middle (Rosin 2011)."""
        return float(median(self.scores(name, at, by), self.sense))

    def quantile(self, name: str, q: float, at: float | None = None, by: By | None = None) -> float:
        """The score a share ``q`` of the way from the worst run (0) to the best (1)."""
        return float(quantile(self.scores(name, at, by), q, self.sense))

    def timeline(self, name: str, times: Iterable[float] | None = None, by: By | None = None) -> Timeline:
        """The best scores so far at these times, by default at every one at which a run improved.

        They are not a number before a run has a score, and beyond the horizon.
        """
        axis = self.axis(by)
        chosen = None if times is None else [finite("a time", t) for t in times]
        return timeline(self._runs(name), self.sense, axis, getattr(self.stop, axis), chosen)

    def horizon(self, name: str, by: By | None = None) -> float:
        """The seconds or playouts up to which the best scores of a search are known."""
        axis = self.axis(by)
        return horizon(self._runs(name), axis, getattr(self.stop, axis))

    # --- comparisons ---

    def compare(self, a: str, b: str, at: float | None = None, by: By | None = None) -> Comparison:
        """A two-sided Mann-Whitney U test of two searches (SciPy must be installed).

        Searches that begin alike share their first playouts under the same seed: the test is then cautious.
        """
        x, y = self.scores(a, at, by), self.scores(b, at, by)
        u, p = mann_whitney(x, y, self.sense)
        return Comparison(a, b, u, p, u / (len(x) * len(y)), p)

    def comparisons(self, at: float | None = None, by: By | None = None) -> dict[tuple[str, str], Comparison]:
        """Every pair of searches compared, with p values corrected for their number by Holm's method."""
        pairs = [self.compare(a, b, at, by) for a, b in combinations(self.runs, 2)]
        corrected = holm([pair.p for pair in pairs])
        return {(pair.a, pair.b): replace(pair, p_holm=p) for pair, p in zip(pairs, corrected, strict=True)}

    # --- reports ---

    def table(self, times: Iterable[float] | None = None, by: By | None = None) -> str:
        """Medians at some times, and the worst and the best run, as text; ``-`` where nothing is known."""
        axis, names = self.axis(by), self._names()
        chosen = marks(min(self.horizon(name, axis) for name in names), axis) if times is None else list(times)
        lines = {name: self.timeline(name, chosen, axis) for name in names}
        heading = f"{self._title()}: medians by {axis}, {self._goal()}"
        return f"{heading}\n{table(lines, {name: self.scores(name) for name in names}, axis)}"

    def __str__(self) -> str:
        return self.table()

    def plot(self, path: str | os.PathLike[str] | None = None, by: By | None = None) -> Figure:
        """The medians through time, the middle half of the runs shaded; written to ``path`` if given."""
        title = f"{self._title()}, {len(self.seeds)} seeds, {self._goal()}"
        return draw({"": self.lines(by)}, self.axis(by), title, path)

    def lines(self, by: By | None = None) -> dict[str, Timeline]:
        """The timelines of the searches that have runs, by name."""
        return {name: self.timeline(name, by=by) for name in self._names()}

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each run (pandas must be installed)."""
        try:
            import pandas  # type: ignore[import-untyped, unused-ignore]
        except ImportError:
            raise InputError("to_frame needs pandas: pip install pandas") from None
        columns = ["seed", "score", "playouts", "iterations", "restarts", "seconds", "status"]
        rows = [[name, *(getattr(run, c) for c in columns)] for name, runs in self.runs.items() for run in runs]
        return pandas.DataFrame(rows, columns=["search", *columns])

    # --- files ---

    def to_json(self) -> dict[str, Any]:
        """The experiment as a JSON object."""
        data = {name: getattr(self, name) for name in ("sense", "restarts", "workers", "complete")}
        data["seeds"] = list(self.seeds)
        limits = asdict(replace(self.stop, when=None))  # a condition is code, which no file holds
        data["stop"] = {name: value for name, value in limits.items() if value is not None}
        data["runs"] = {name: [run.to_json() for run in runs] for name, runs in self.runs.items()}
        return data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the experiment as JSON: whole, or not at all."""
        write_text(path, json.dumps(self.to_json()) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Experiment:
        """Read an experiment that :meth:`save` wrote."""
        return read_json(path, "an experiment file", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> Experiment:
        """An experiment from its JSON object, every field checked."""
        if not isinstance(data, dict):
            raise InputError("not a JSON object")
        kinds = {"sense": str, "stop": dict, "seeds": list, "restarts": bool, "complete": bool, "runs": dict}
        for name, kind in kinds.items():
            if not isinstance(data.get(name), kind):
                raise InputError(f"'{name}' is missing or of the wrong kind")
        if data["sense"] not in ("max", "min"):
            raise InputError(f"'sense' must be max or min, got {data['sense']!r}")
        if not all(isinstance(runs, list) for runs in data["runs"].values()):
            raise InputError("'runs' must hold lists")
        return cls(
            runs={name: tuple(map(Result.from_json, runs)) for name, runs in data["runs"].items()},
            sense=data["sense"],
            stop=_stop(data["stop"]),
            seeds=tuple(whole("a seed", seed, 0) for seed in data["seeds"]),
            restarts=data["restarts"],
            workers=whole("'workers'", data.get("workers"), 1),
            complete=data["complete"],
        )

    # --- names ---

    def _runs(self, name: str) -> tuple[Result, ...]:
        if name not in self.runs:
            raise InputError(f"name must be one of {', '.join(self.runs)}, got {name!r}")
        if not self.runs[name]:
            raise InputError(f"no run of {name!r} is complete")
        return self.runs[name]

    def _names(self) -> list[str]:
        """Searches with at least one complete run."""
        return [name for name, runs in self.runs.items() if runs]

    def axis(self, by: By | None = None) -> By:
        """What scores are followed by: by default what was limited."""
        if by is None:
            return "playouts" if self.stop.time is None else "time"
        if by not in ("time", "playouts"):
            raise InputError(f'by must be "time" or "playouts", got {by!r}')
        return by

    def _title(self) -> str:
        run = self.runs[self._names()[0]][0]
        inner = ", ".join(f"{name}={value}" for name, value in run.parameters.items())
        return f"{run.problem.rpartition(':')[2]}({inner}){'' if self.complete else ', interrupted'}"

    def _goal(self) -> str:
        return "more is better" if self.sense == "max" else "less is better"


@dataclass(frozen=True)
class Comparison:
    """The runs of one search against those of another: a two-sided Mann-Whitney U test.

    ``u`` counts the pairs of runs in which ``a`` is better; ties count half; ``effect`` is their share: the
    probability that a run of ``a`` is better than one of ``b``, a half if they are alike. ``p_holm`` is ``p``
    corrected for all the comparisons that were made together.

    >>> print(Comparison("deep", "flat", u=8.0, p=0.19, effect=0.89, p_holm=0.19))
    deep against flat: U = 8, effect 0.89, p = 0.19
    """

    a: str
    b: str
    u: float
    p: float
    effect: float
    p_holm: float

    def __str__(self) -> str:
        corrected = "" if self.p_holm == self.p else f" ({self.p_holm:.2g} by Holm)"
        return f"{self.a} against {self.b}: U = {self.u:g}, effect {self.effect:.2f}, p = {self.p:.2g}{corrected}"


def mann_whitney(a: npt.ArrayLike, b: npt.ArrayLike, sense: Sense = "max") -> tuple[float, float]:
    """U of ``a`` and the two-sided p value: exact for few scores without ties, else corrected for ties.

    >>> mann_whitney([19, 22, 16, 29, 24], [20, 11, 17, 12])
    (17.0, 0.1111111111111111)
    """
    try:
        from scipy import stats  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise InputError('a comparison needs SciPy: pip install "rookery[experiment]"') from None
    x, y = to_maximise(a, sense), to_maximise(b, sense)
    if not len(x) or not len(y):
        raise InputError(f"a comparison needs at least one score on each side, got {len(x)} and {len(y)}")
    if np.all(np.concatenate([x, y]) == x[0]):
        return len(x) * len(y) / 2, 1.0  # SciPy would divide by a spread of zero
    test: Any = stats.mannwhitneyu(x, y, alternative="two-sided")
    return float(test.statistic), min(1.0, float(test.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values corrected for multiple comparisons (Holm 1979), in the same order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for done, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[i]))
        corrected[i] = largest
    return corrected


def _stop(limits: Mapping[str, Any]) -> Stop:
    for name in limits:
        if name not in Stop.__dataclass_fields__:
            raise InputError(f"'stop' holds an unknown limit, {name!r}")
    return Stop(**limits)
