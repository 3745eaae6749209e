"""Suites: problems with best known scores, and searches that are judged on them under equal time."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rookery.arguments import finite, shown
from rookery.errors import InputError
from rookery.experiments.experiment import experiment
from rookery.experiments.judgement import Judgement, Known, Scores
from rookery.experiments.run_task import Observers
from rookery.experiments.statistics import mann_whitney
from rookery.loading.loading import load_problem
from rookery.problem import Problem, PythonProblem
from rookery.search.protocol import Search
from rookery.stop import MaxTime

FINALISTS = 3
"""How many searches go on to the second and every later limit."""


@dataclass(frozen=True)
class Case:
    """A problem of a suite: how tables call it, how it is loaded, the best known score and who knows it, its kind.

    >>> Case("left", "leftmove", {"depth": 10}, best=10.0, source="all moves to the left").load().depth
    10
    """

    name: str
    problem: str
    parameters: Mapping[str, Any] = field(default_factory=dict)
    best: float | None = None
    source: str = "the best run of this table"
    kind: str = ""

    def load(self) -> Problem | PythonProblem:
        """The problem."""
        return load_problem(self.problem, self.parameters)


@dataclass(frozen=True)
class Suite:
    """Cases, and searches by name.

    >>> import rookery as rk
    >>> cases = (Case("left", "leftmove", {"depth": 10}, best=10.0, source="all moves to the left"),)
    >>> suite = Suite("small", cases, {"flat": rk.NRPA(level=1), "sampling": rk.Sampling()})
    >>> suite.run([0.2], seeds=1).complete
    True
    """

    name: str
    cases: tuple[Case, ...]
    searches: Mapping[str, Search]

    def run(  # noqa: PLR0913
        self,
        seconds: Sequence[float],
        seeds: int = 5,
        *,
        folder: str | os.PathLike[str] | None = None,
        workers: int | None = None,
        executor: str | Executor = "threads",
        address: str | None = None,
        progress: bool = False,
        observers: Observers | None = None,
        only: Sequence[str] | None = None,
        on: Sequence[str] | None = None,
        kept: Judgement | None = None,
    ) -> Judgement:
        """Run every search on every case with each seed for the first number of seconds, the three best for the others.

        ``folder`` and what follows it are those of ``rk.experiment``: the same call continues a suite that was
        interrupted. ``only`` names the searches that are run, and ``on`` the problems; all other scores are those that
        were ``kept``.
        """
        limits = [finite("seconds", value) for value in seconds]
        if not limits or min(limits) <= 0 or sorted(set(limits)) != limits:
            raise InputError(f"seconds must be more than 0 and rise, got {', '.join(map(str, seconds)) or 'none'}")
        mann_whitney([0.0], [0.0])  # whoever has no SciPy hears of it now, not after hours
        problems = {case.name: case.load() for case in self.cases}
        known = {case.name: Known(case.best, case.source, problems[case.name].sense, case.kind) for case in self.cases}
        self._check(seeds, only, on, kept)
        asked = {name: problem for name, problem in problems.items() if on is None or name in on}
        scores: dict[float, Scores] = {}
        judged = Judgement(self.name, seeds, known, scores, False)
        for number, limit in enumerate(limits):
            named = dict(self.searches)
            if number:
                ranks = judged.ranks(limits[number - 1])
                named = {name: named[name] for name in sorted(ranks, key=lambda name: ranks[name])[:FINALISTS]}
            before: Scores = {} if kept is None else kept.scores.get(limit, {})
            if only is not None:
                named = {name: search for name, search in named.items() if name in only}
            if not named or not asked:
                scores[limit] = {case: self._together(before.get(case, {}), {}) for case in known}
                continue
            try:
                study = experiment(
                    asked,
                    named,
                    stop=MaxTime(limit),
                    seeds=seeds,
                    workers=workers,
                    executor=executor,
                    address=address,
                    folder=None if folder is None else Path(folder) / f"{limit:g}s",
                    progress=progress,
                    observers=observers,
                )
            except KeyboardInterrupt:
                if not scores:
                    raise
                return judged  # what the shorter limits came to is not lost
            made = {
                problem: {name: tuple(run.score for run in runs) for name, runs in of.runs.items()}
                for problem, of in study.of.items()
            }
            scores[limit] = {case: self._together(before.get(case, {}), made.get(case, {})) for case in known}
            if not study.complete:
                return judged
        return Judgement(self.name, seeds, known, scores, True)

    def _check(self, seeds: int, only: Sequence[str] | None, on: Sequence[str] | None, kept: Judgement | None) -> None:
        cases = [case.name for case in self.cases]
        for what, names, known in (("searches", only, list(self.searches)), ("problems", on, cases)):
            for name in names or ():
                if name not in known:
                    raise InputError(f"{what} must be some of {', '.join(known)}, got {shown(name)}")
        if kept is not None and (kept.seeds, set(kept.known)) != (seeds, set(cases)):
            raise InputError(
                f"what is kept must have seeds {seeds} and the problems of this suite, "
                f"got seeds {kept.seeds} and {', '.join(kept.known)}"
            )

    def _together(self, kept: Mapping[str, Any], made: Mapping[str, Any]) -> dict[str, tuple[float, ...]]:
        """Scores that were kept and new ones, in the order of the searches."""
        both = {**kept, **made}
        return {name: both[name] for name in self.searches if name in both}
