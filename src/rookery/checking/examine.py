"""The phases of a check, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from rookery.checking.beginnings import check_start
from rookery.checking.catalogue import check_names
from rookery.checking.measures import Measures
from rookery.checking.objects import ObjectWatch
from rookery.checking.origin import GlobalArrays, in_words
from rookery.checking.patience import Patience
from rookery.checking.playouts import Ran, play
from rookery.checking.probe import compare_functions
from rookery.checking.profile import measure
from rookery.checking.records import RecordWatch
from rookery.checking.report import Log, Report
from rookery.checking.sameness import compare_searches
from rookery.checking.timing import measure_python
from rookery.compiler.engine import CompiledEngine
from rookery.compiler.settings import INTERPRETED
from rookery.compiler.specialise import specialise
from rookery.errors import InputError, ProblemError
from rookery.problem import Problem, PythonProblem
from rookery.search.parameters import finite, whole

PLAIN_SHARE = 0.7
"""Share of the time that plain Python may take; the rest is for the comparison with compiled functions."""
PATIENCE = 6
"""A single call may take so many times the time of a check: some are only slow."""
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

    ``tell`` is told of each phase as it begins.

    >>> import rookery as rk
    >>> examine(rk.LeftMove(depth=6), playouts=20, measure=False).ok
    True
    """
    if not isinstance(problem, (Problem, PythonProblem)):
        raise InputError(f"problem must be a Problem or a PythonProblem, got {problem!r}")
    whole("playouts", playouts, 8)
    whole("seed", seed, 0, (1 << 64) - 1)
    if finite("seconds", seconds) <= 0:
        raise InputError(f"seconds must be more than 0, got {seconds}")
    log = Log(problem, check_names(allow))
    patience = Patience(PATIENCE * seconds)
    check = _Check(log, playouts, seconds, seed, measure, tell, patience)
    with patience, np.errstate(all="ignore"):  # wrapping is meant or is found; what is not finite is found
        return check.python(problem) if isinstance(problem, PythonProblem) else check.compiled(problem)


class _Check:
    def __init__(
        self,
        log: Log,
        playouts: int,
        seconds: float,
        seed: int,
        measure: bool,
        tell: Callable[[str], None],
        patience: Patience,
    ) -> None:
        self._log, self._measure, self._tell, self._patience = log, measure, tell, patience
        self._playouts, self._seconds, self._seed = playouts, seconds, seed

    def python(self, problem: PythonProblem) -> Report:
        """A problem in plain Python: there is nothing to compile."""
        log = self._log
        self._tell("playing it in plain Python")
        watch = ObjectWatch(problem, log, self._patience)
        play(watch, self._playouts, self._seconds, self._seed, log)
        measures = None
        if self._measure and log.ok and watch.seen.playouts:
            self._tell("measuring")
            measures = measure_python(watch)
        return Report(log.owner, log.findings(), len(watch.seen.playouts), measures)

    def compiled(self, problem: Problem) -> Report:
        """A compiled problem: read, interpreted, compiled with checks, measured."""
        log = self._log
        watch = self._watch(problem)
        if watch is None:
            return Report(log.owner, log.findings(), 0)
        self._tell("playing it in plain Python")
        arrays = GlobalArrays(problem)
        runs = play(watch, self._playouts, PLAIN_SHARE * self._seconds, self._seed, log)
        for name in arrays.changed():
            log.add("writes-globals", "", f"the array {name} of a module was changed by a function of the problem")
        made = len(watch.seen.playouts)
        if log.ok:
            check_start(watch.call)
            self._codes_generous(watch)
        measures = None
        if not log.ok or not made:
            log.add("not-compared", "", "it was not compiled: mend the errors above first, and check again")
        elif INTERPRETED:
            log.add("not-compared", "", "it was not compiled: NUMBA_DISABLE_JIT is set")
        else:
            measures = self._compiled(problem, watch, runs)
        return Report(log.owner, log.findings(), made, measures)

    def _watch(self, problem: Problem) -> RecordWatch | None:
        """The problem under watch, if the library itself accepts what it declares."""
        try:
            specialise(problem, debug=True)
            return RecordWatch(problem, self._log, self._patience)
        except ProblemError as error:
            self._log.add("bad-problem", "", str(error))
        except Exception as error:
            self._log.add("bad-problem", "", in_words(problem, "limits", error))
        return None

    def _compiled(self, problem: Problem, watch: RecordWatch, runs: list[Ran]) -> Measures | None:
        self._tell("compiling it with every index checked")
        if not compare_functions(watch, self._log, (1 - PLAIN_SHARE) * self._seconds):
            return None
        self._tell("compiling it for speed")
        engine = CompiledEngine(problem)
        if not compare_searches(engine, runs, self._log) or not self._measure:
            return None
        self._tell("measuring")
        return measure(watch, engine, runs)

    def _codes_generous(self, watch: RecordWatch) -> None:
        codes, seen = watch.call.limits.codes, len(watch.seen.codes)
        if codes != "hashed" and codes >= MANY_CODES and seen < FEW_SEEN * codes:
            text = f"limits() declares codes={codes}, of which {seen} were seen"
            self._log.add("codes-generous", "limits", text)
