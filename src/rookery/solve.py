"""``solve``: one search on one problem, from a seed to a result."""

from __future__ import annotations

import reprlib
import secrets
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import fields
from typing import Any

from rookery._version import __version__
from rookery.callbacks import Callback
from rookery.compiler.engine import CompiledEngine
from rookery.driver import Driver
from rookery.errors import InputError, ProblemError
from rookery.interrupts import Interrupts
from rookery.loading import builtin_name
from rookery.parallel.crew import ThreadCrew
from rookery.parallel.restarts import Restarts
from rookery.planning import Search, make_plan, smallest_task, warm_policy
from rookery.problem import Problem, PythonProblem
from rookery.reference.engine import PythonEngine
from rookery.result import Result
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.parameters import whole
from rookery.search.sampling import Sampling
from rookery.stop import Stop


def solve(
    problem: Problem | PythonProblem,
    search: Search | None = None,
    *,
    stop: Stop | None = None,
    seed: int | None = None,
    workers: int = 1,
    restarts: bool | None = None,
    atomic_level: int | None = None,
    start_from: Iterable[Any] = (),
    warm_start: Iterable[Any] | None = None,
    warm_steps: int = 10,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    debug: bool = False,
) -> Result:
    """Search a problem and return the best sequence found.

    The result depends on the problem, the search and the seed alone: not on ``workers`` and not on
    ``atomic_level``. A time limit returns what the same search had found by then, and so does Ctrl-C; before the
    first playout is finished there is nothing to return, and Ctrl-C raises KeyboardInterrupt as ever.

    Parameters
    ----------
    search
        ``NRPA(level=3)`` by default
    stop
        limits, as in ``MaxTime(60) | Target(82)``; without any, one run of the search
    seed
        a whole number; None draws one and records it in the result
    workers
        threads that compute tasks
    restarts
        fill the limits with independent restarts; by default whenever ``stop`` is given
    atomic_level
        nested calls of this level are computed as one task; by default what takes about a second or less
    start_from
        moves that are fixed: only what follows them is searched
    warm_start
        a known sequence, ``start_from`` included, that NRPA's policy is adapted to first, ``warm_steps`` times
    callbacks
        observers; they cannot steer
    progress
        show a line of progress on standard error
    debug
        check every array index in the problem's functions, and first play a few playouts in plain Python in which
        every call is watched: faults that no search would notice are refused

    >>> import rookery as rk
    >>> rk.solve(rk.LeftMove(depth=8), rk.NMCS(level=2), seed=1).score
    8.0
    """
    entered = time.perf_counter()
    search = NRPA() if search is None else search
    if not isinstance(search, (NRPA, NMCS, Sampling)):
        raise InputError(f"search must be NRPA(...), NMCS(...) or Sampling(), got {search!r}")
    stop = Stop() if stop is None else stop
    if not isinstance(stop, Stop):
        raise InputError(f"stop must be made of MaxTime, MaxPlayouts, ..., got {stop!r}")
    if isinstance(search, Sampling) and not stop:
        raise InputError("sampling has no end of its own: give it a limit, such as stop=MaxPlayouts(1000)")
    if isinstance(search, NRPA) and search.layers and not hasattr(problem, "commute"):
        name = type(problem).__name__
        raise InputError(f"layers need a problem that says which moves commute: {name} must define commute(self, a, b)")
    if atomic_level is not None:
        whole("atomic_level", atomic_level, 1)
    whole("workers", workers, 1, 1024)
    seed = secrets.randbits(53) if seed is None else whole("seed", seed, 0, (1 << 64) - 1)
    prefix = _moves("start_from", start_from)
    known = None if warm_start is None else _moves("warm_start", warm_start)
    observers = _observers(callbacks)
    with Interrupts() as interrupts, ExitStack() as stack:
        interrupts.listen()
        if progress:
            from rookery.progress import ProgressLine

            observers.append(line := ProgressLine())
            stack.callback(line.close)

        engine = _engine(problem, debug)
        if debug:
            from rookery.checking.debugging import refuse_silent_faults

            refuse_silent_faults(problem)
        for observer in observers:
            observer.on_compile(problem)
        began = time.perf_counter()
        team = [engine.worker() for _ in range(workers)]
        team[0].legal(prefix)
        interrupts.listen()  # to a request that was lost in a callback of LLVM
        team[0].warm(smallest_task(search, prefix))
        compile_seconds = time.perf_counter() - began
        interrupts.listen()

        def clock() -> float:
            return time.perf_counter() - entered - compile_seconds

        sign = -1.0 if problem.sense == "min" else 1.0
        policy = warm_policy(search, team[0], prefix, known, warm_steps)
        plan = make_plan(search, stop, seed, engine.worker(), prefix, policy, atomic_level, restarts, sign)
        for observer in observers:
            observer.on_start(problem, search, seed)
        crew = ThreadCrew(team)
        driver = Driver(plan, crew, stop, observers, sign, clock, _shape(search), interrupts)
        status = driver.run()
        best, seen = plan.best, driver.best_seen
        if best is None and status == "interrupted":
            raise KeyboardInterrupt
        if best is None:
            raise InputError("the search was stopped before its first playout was finished; give it more time")
        beyond = seen is not None and seen.score > best.score
        result = Result(
            problem=problem_name(problem),
            parameters=problem.parameters(),
            search=search_parameters(search),
            seed=seed,
            workers=workers,
            score=sign * best.score,
            moves=best.moves,
            playouts=driver.tally.playouts,
            iterations=driver.tally.iterations,
            restarts=plan.number if isinstance(plan, Restarts) else 0,
            seconds=clock(),
            compile_seconds=compile_seconds,
            status=status,
            version=__version__,
            history=tuple(driver.tally.history),
            best_seen={"score": sign * seen.score, "moves": list(seen.moves)} if seen and beyond else None,
            of=problem,
        )
        interrupts.answer()
        for observer in observers:
            with suppress(KeyboardInterrupt), interrupts.listening():  # ends this observer; the result is not lost
                observer.on_end(result)
            interrupts.answer()
        return result


def replay(problem: Problem | PythonProblem, moves: Iterable[Any]) -> tuple[float, tuple[Any, ...]]:
    """Play moves from the start: the score of the state they lead to, and the moves still legal there.

    >>> import rookery as rk
    >>> rk.replay(rk.LeftMove(depth=3), [0, 1])
    (1.0, (1, 0))
    """
    score, legal = _engine(problem, False).worker().replay(tuple(moves))
    return (-score if problem.sense == "min" else score), legal


def problem_name(problem: Problem | PythonProblem) -> str:
    """What ``load_problem`` would load it by; else its module and class."""
    cls = type(problem)
    loaded: str | None = problem.__dict__.get("_loaded_as")
    return loaded or builtin_name(cls) or f"{cls.__module__}:{cls.__qualname__}"


def search_parameters(search: Search) -> dict[str, Any]:
    """A search as plain values, with its name."""
    values = {f.name: getattr(search, f.name) for f in fields(search) if f.init}
    for name, value in values.items():
        if isinstance(value, Mapping):  # levels as JSON has them
            values[name] = {str(level): item for level, item in value.items()}
    return {"algorithm": search.name, **values}


def _moves(name: str, moves: Any) -> tuple[Any, ...]:
    try:
        iterator = iter(moves)
    except TypeError:
        raise InputError(f"{name} must be a list of moves, got {reprlib.repr(moves)}") from None
    return tuple(iterator)


def _observers(callbacks: Any) -> list[Callback]:
    for given in callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]:
        if given is callbacks or not isinstance(given, Callback):
            raise InputError(f"callbacks must be a list of Callback objects, got {callbacks!r}")
    return list(callbacks)


def _engine(problem: Any, debug: bool) -> CompiledEngine | PythonEngine:
    if isinstance(problem, Problem):
        return CompiledEngine(problem, debug)
    if isinstance(problem, PythonProblem):
        return PythonEngine(problem)
    raise ProblemError(f"a problem must be a Problem or a PythonProblem, got {problem!r}")


def _shape(search: Search) -> tuple[int, int | None]:
    """Level and iterations of the top level."""
    if isinstance(search, NRPA):
        return search.level, search.iterations_by_level[search.level]
    return (search.level if isinstance(search, NMCS) else 0), None
