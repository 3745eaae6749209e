"""The phases of a check of a problem."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from rookery.checking.catalogue import CATALOGUE
from rookery.checking.compare import compare_functions
from rookery.checking.examine import Examination
from rookery.checking.measures import Measures
from rookery.checking.origin import at_def
from rookery.checking.patience import Patience
from rookery.checking.problem.compare import ProblemProber, compare_searches
from rookery.checking.problem.measures import measure_compiled, measure_python
from rookery.checking.problem.playouts import Ran, play
from rookery.checking.problem.watch import ProblemWatch
from rookery.checking.report import Finding, Log, Report
from rookery.compiler.specialise import specialise
from rookery.engine.compiled import CompiledEngine
from rookery.errors import ProblemError
from rookery.problem import Problem, PythonProblem
from rookery.user_code import place_of

MANY_CODES, FEW_SEEN = 1 << 20, 0.01


def examine(
    problem: Problem | PythonProblem,
    *,
    playouts: int = 200,
    seconds: float = 10.0,
    seed: int = 0,
    allow: Iterable[str] = (),
    measure: bool = True,
    tell: Callable[[str], None] = lambda phase: None,
) -> Report:
    """Check a problem and report what was found; see :func:`rookery.testing.check_problem` for the parameters.

    ``tell`` is called with the name of each phase as it begins.

    >>> import rookery as rk
    >>> examine(rk.problems.LeftMove(depth=6), playouts=20, measure=False).ok
    True
    """
    return ProblemExamination(problem, playouts, seconds, seed, allow, measure, tell).report()


class ProblemExamination(Examination[ProblemWatch]):
    """A check of a problem."""

    kind = "problem"
    contracts = (Problem, PythonProblem)
    plain_share = 0.7

    def watch(self, patience: Patience) -> ProblemWatch:
        """The problem under watch."""
        if isinstance(self.of, Problem):
            specialise(self.of, debug=True)
        return ProblemWatch(self.of, self.log, patience)

    def play(self, watch: ProblemWatch, seconds: float) -> None:
        """Play it by searches in plain Python."""
        self._runs: list[Ran] = play(watch, self.playouts, seconds, self.seed)
        codes, seen = watch.calls.codes, len(watch.codes_seen)
        if self.log.ok and codes is not None and codes >= MANY_CODES and seen < FEW_SEEN * codes:
            text = f"limits() declares codes={codes}, of which {seen} were seen"
            self.log.add("codes-generous", "limits", text)

    def compare(self, watch: ProblemWatch) -> None:
        """Compare its functions, and the searches that have played it."""
        compare_functions(watch, ProblemProber, (1 - self.plain_share) * self.seconds)
        self.tell("compiling it for speed")
        self._engine = CompiledEngine(watch.of)
        compare_searches(self._engine, self._runs, self.log)

    def measure(self, watch: ProblemWatch) -> Measures:
        """Time it and its functions."""
        if isinstance(self.of, PythonProblem):
            return measure_python(watch)
        return measure_compiled(watch, self._engine, self._runs)


SILENT = (
    *("state-changed", "not-deterministic", "field-overflow", "moves-not-written", "moves-not-distinct"),
    *("count-nth-disagree", "choose-changes-moves", "writes-constants", "copy-shares"),
)
"""Findings that silently change what a search does; the search itself reports all others."""
PLAYOUTS, SECONDS, PATIENCE = 16, 1.0, 60.0


def refuse_silent_faults(problem: Problem | PythonProblem) -> None:
    """Play a few playouts in plain Python, every call watched; raise a :class:`ProblemError` for the first fault.

    >>> import rookery as rk
    >>> refuse_silent_faults(rk.problems.LeftMove(depth=6))
    """
    log, patience = Log(problem), Patience(PATIENCE)
    with patience, np.errstate(all="ignore"):
        play(ProblemWatch(problem, log, patience), PLAYOUTS, SECONDS, 0)
    for finding in log.findings():
        if finding.name in SILENT:
            raise ProblemError(_sentence(problem, finding))


def _sentence(problem: Problem | PythonProblem, finding: Finding) -> str:
    function = finding.function.rpartition(".")[2]
    text = finding.text.replace(at_def(problem, function), "").removeprefix("it ")
    return place_of(problem, function).says(text, CATALOGUE[finding.name].advice.replace("`", ""))
