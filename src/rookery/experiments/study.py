"""An experiment over several problems: one experiment for each of them, and what they say together."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.disk import read_json, write_text
from rookery.drawing.printed import as_table
from rookery.errors import InputError
from rookery.experiments.statistics import Experiment, holm
from rookery.experiments.timeline import Scores, draw, score_text, to_maximise

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMNS = ("seed", "score", "playouts", "iterations", "restarts", "seconds", "status")


@dataclass(frozen=True)
class Study:
    """The experiments of several problems with the same searches, by the names of the problems.

    >>> import rookery as rk
    >>> problems = {"short": rk.problems.LeftMove(depth=10), "long": rk.problems.LeftMove(depth=30)}
    >>> searches = {"flat": rk.NRPA(level=1), "nested": rk.NRPA(level=2, iterations=10)}
    >>> study = rk.experiment(problems, searches, seeds=5, stop=rk.MaxPlayouts(100))
    >>> print(study)
    medians at the end of 5 runs; * the best of a row
    problem    flat  nested
    short      10 *    10 *
    long       27 *      24
    mean rank  1.25    1.75
    """

    of: Mapping[str, Experiment]

    def __post_init__(self) -> None:
        if not self.of:
            raise InputError("a study must hold at least one experiment, got none")

    @property
    def complete(self) -> bool:
        """Whether every run has ended."""
        return all(experiment.complete for experiment in self.of.values())

    @property
    def searches(self) -> tuple[str, ...]:
        """The names of the searches."""
        return tuple(next(iter(self.of.values())).runs)

    def __getitem__(self, problem: str) -> Experiment:
        if problem not in self.of:
            raise InputError(f"problem must be one of {', '.join(self.of)}, got {problem!r}")
        return self.of[problem]

    def ranks(self) -> dict[str, float]:
        """The mean rank of each search over the problems, by medians: 1 is best; equal ones share their ranks."""
        rows = [to_maximise([_median(e, name) for name in self.searches], e.sense) for e in self.of.values()]
        return dict(zip(self.searches, mean_ranks(rows), strict=True))

    def comparisons(self) -> dict[tuple[str, str], PairedComparison]:
        """Every pair of searches compared over the problems (SciPy must be installed)."""
        pairs = [
            (a, b, *_paired([_effect(e, a, b) for e in self.of.values()])) for a, b in combinations(self.searches, 2)
        ]
        corrected = holm([pair[-1] for pair in pairs])
        return {
            (a, b): PairedComparison(a, b, better, worse, effect, p, by_holm)
            for (a, b, better, worse, effect, p), by_holm in zip(pairs, corrected, strict=True)
        }

    # --- reports ---

    def table(self) -> str:
        """Medians of each search on each problem, and their mean ranks, as text."""
        rows = [["problem", *self.searches]]
        for problem, experiment in self.of.items():
            medians = [_median(experiment, name) for name in self.searches]
            good = to_maximise(medians, experiment.sense)
            stars = ["*" if value == good.max() and value > -np.inf else "" for value in good]
            rows.append([problem, *(f"{score_text(m)} {star}".strip() for m, star in zip(medians, stars, strict=True))])
        rows.append(["mean rank", *(f"{rank:.2f}" for rank in self.ranks().values())])
        runs = len(next(iter(self.of.values())).seeds)
        end = "" if self.complete else "; runs are missing"
        return f"medians at the end of {runs} run{'s' * (runs != 1)}; * the best of a row{end}\n{as_table(rows)}"

    def __str__(self) -> str:
        return self.table()

    def csv(self) -> str:
        """One line for each run, as comma-separated values."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["problem", "search", *COLUMNS])
        writer.writerows(self._rows())
        return out.getvalue()

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each run (pandas must be installed)."""
        try:
            import pandas
        except ImportError:
            raise InputError("to_frame needs pandas: pip install pandas") from None
        return pandas.DataFrame(list(self._rows()), columns=["problem", "search", *COLUMNS])

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """The medians through time on each problem, side by side; written to ``path`` if given."""
        panels = {problem: experiment.lines() for problem, experiment in self.of.items()}
        axis = next(iter(self.of.values())).axis()
        return draw(panels, axis, f"{len(next(iter(self.of.values())).seeds)} seeds", path)

    def _rows(self) -> Iterator[list[Any]]:
        for problem, experiment in self.of.items():
            for name, runs in experiment.runs.items():
                for run in runs:
                    yield [problem, name, *(getattr(run, column) for column in COLUMNS)]

    # --- files ---

    def to_json(self) -> dict[str, Any]:
        """The study as a JSON object: its experiments by name."""
        return {"study": {name: experiment.to_json() for name, experiment in self.of.items()}}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the study as JSON: whole, or not at all."""
        write_text(path, json.dumps(self.to_json()) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Study:
        """Read a study that :meth:`save` wrote."""
        return read_json(path, "the file of a study", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> Study:
        """A study from its JSON object, every field checked."""
        if not isinstance(data, dict) or not isinstance(data.get("study"), dict):
            raise InputError("'study' is missing or not an object")
        return cls({name: Experiment.from_json(experiment) for name, experiment in data["study"].items()})


@dataclass(frozen=True)
class PairedComparison:
    """Two searches over all problems of a study: a two-sided Wilcoxon signed-rank test of their effects.

    The effect on a problem is the probability that a run of ``a`` is better than one of ``b``, a half if they are
    alike, so that problems of any scale count alike; ``effect`` is its mean. ``better`` and ``worse`` count problems.

    >>> print(PairedComparison("deep", "flat", better=5, worse=1, effect=0.8, p=0.06, p_holm=0.06))
    deep against flat: better on 5 problems, worse on 1; mean effect 0.80, p = 0.06
    """

    a: str
    b: str
    better: int
    worse: int
    effect: float
    p: float
    p_holm: float

    def __str__(self) -> str:
        corrected = "" if self.p_holm == self.p else f" ({self.p_holm:.2g} by Holm)"
        count = f"better on {self.better} problem{'s' * (self.better != 1)}, worse on {self.worse}"
        return f"{self.a} against {self.b}: {count}; mean effect {self.effect:.2f}, p = {self.p:.2g}{corrected}"


def mean_ranks(rows: Iterable[Scores]) -> list[float]:
    """The mean rank of each column over the rows, where larger is better: 1 is best; equal ones share their ranks.

    >>> mean_ranks([np.array([3.0, 5.0, 5.0])])
    [3.0, 1.5, 1.5]
    """
    return [
        float(rank)
        for rank in np.mean([[1 + np.sum(row > x) + (np.sum(row == x) - 1) / 2 for x in row] for row in rows], axis=0)
    ]


def _median(experiment: Experiment, name: str) -> float:
    return experiment.median(name) if experiment.runs[name] else float("nan")


def _effect(experiment: Experiment, a: str, b: str) -> float:
    if not experiment.runs[a] or not experiment.runs[b]:
        return 0.5
    x, y = (to_maximise(experiment.scores(name), experiment.sense) for name in (a, b))
    return float(np.mean((x[:, None] > y) + (x[:, None] == y) / 2))


def _paired(effects: list[float]) -> tuple[int, int, float, float]:
    """How many effects are above and below a half, their mean, and the p value of the signed ranks."""
    try:
        from scipy import stats
    except ImportError:
        raise InputError('a comparison needs SciPy: pip install "rookery[experiment]"') from None
    found = np.array(effects) - 0.5
    p = 1.0 if not np.any(found) else float(stats.wilcoxon(found).pvalue)
    return int(np.sum(found > 0)), int(np.sum(found < 0)), float(np.mean(effects)), p
