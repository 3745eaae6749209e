"""``solve``: one search on one problem, from a seed to a result."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from rookery._version import __version__
from rookery.callbacks import Callback
from rookery.compiler.engine import CompiledEngine
from rookery.driver import Driver
from rookery.errors import InputError, ProblemError
from rookery.parallel.nested import NestedSteps
from rookery.parallel.plan import Plan
from rookery.parallel.restarts import Restarts
from rookery.parallel.samples import Samples
from rookery.parallel.tree import SpeculationTree
from rookery.problem import Problem, PythonProblem
from rookery.reference.engine import PythonEngine
from rookery.result import Result
from rookery.rng import mix_int, root_key
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.parameters import whole
from rookery.search.sampling import Sampling
from rookery.stop import Stop
from rookery.tasks import Moves, NMCSTask, NRPATask, SamplingTask, Signal, Task, Weights, Worker

Search = NRPA | NMCS | Sampling

TASK_SECONDS = 1.0
"""A task of the atomic level takes at most about this long."""
CHUNK_SECONDS = 0.1


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
    ``atomic_level``. A time limit returns what the same search had found by then.

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
    progress
        show a line of progress on standard error
    debug
        check every array index in the problem's functions

    >>> import rookery as rk
    >>> rk.solve(rk.LeftMove(depth=8), rk.NMCS(level=2), seed=1).score
    8.0
    """
    entered = time.perf_counter()
    search = NRPA() if search is None else search
    if not isinstance(search, (NRPA, NMCS, Sampling)):
        raise InputError(f"search must be NRPA, NMCS or Sampling, got {search!r}")
    stop = Stop() if stop is None else stop
    if not isinstance(stop, Stop):
        raise InputError(f"stop must be made of MaxTime, MaxPlayouts, ..., got {stop!r}")
    if isinstance(search, Sampling) and not stop:
        raise InputError("sampling has no end of its own: give it a limit, such as stop=MaxPlayouts(1000)")
    if atomic_level is not None:
        whole("atomic_level", atomic_level, 1)
    whole("workers", workers, 1)
    seed = secrets.randbits(53) if seed is None else whole("seed", seed, 0, (1 << 64) - 1)
    prefix = tuple(start_from)
    observers = list(callbacks)
    if progress:
        from rookery.progress import ProgressLine

        observers.append(ProgressLine())

    engine = _engine(problem, debug)
    for observer in observers:
        observer.on_compile(problem)
    began = time.perf_counter()
    team = [engine.worker() for _ in range(workers)]
    team[0].replay(prefix)
    team[0].warm(_smallest_task(search, prefix))
    compile_seconds = time.perf_counter() - began

    def clock() -> float:
        return time.perf_counter() - entered - compile_seconds

    sign = -1.0 if problem.sense == "min" else 1.0
    policy = _warm_policy(search, team[0], prefix, warm_start, warm_steps)
    plan = _plan(search, stop, seed, engine.worker(), prefix, policy, atomic_level, restarts, sign)
    for observer in observers:
        observer.on_start(problem, search, seed)
    driver = Driver(plan, team, stop, observers, sign, clock, _shape(search))
    status = driver.run()
    best = plan.best
    if best is None:
        raise InputError("the search was stopped before its first playout was finished; give it more time")
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
    )
    for observer in observers:
        observer.on_end(result)
    return result


def replay(problem: Problem | PythonProblem, moves: Iterable[Any]) -> tuple[float, tuple[Any, ...]]:
    """Play moves from the start: the score of the state they lead to, and the moves still legal there.

    >>> import rookery as rk
    >>> rk.replay(rk.LeftMove(depth=3), [0, 1])
    (1.0, (0, 1))
    """
    score, legal = _engine(problem, False).worker().replay(tuple(moves))
    return (-score if problem.sense == "min" else score), legal


def problem_name(problem: Problem | PythonProblem) -> str:
    """Module and class of a problem."""
    cls = type(problem)
    return f"{cls.__module__}:{cls.__qualname__}"


def search_parameters(search: Search) -> dict[str, Any]:
    """A search as plain values, with its name."""
    values = {f.name: getattr(search, f.name) for f in fields(search) if f.init}
    for name, value in values.items():
        if isinstance(value, Mapping):  # levels as JSON has them
            values[name] = {str(level): item for level, item in value.items()}
    return {"algorithm": search.name, **values}


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


def _smallest_task(search: Search, prefix: Moves) -> Task:
    """A task of the search's kind that takes next to no time: to compile, and to measure."""
    if isinstance(search, NRPA):
        return NRPATask(
            key=0, prefix=prefix, policy=Weights(), level=1, iterations=(1, 1), ties=(-1.0, -1.0), alpha=search.alpha
        )
    if isinstance(search, NMCS):
        return NMCSTask(
            key=0,
            prefix=prefix,
            level=1,
            memorise=search.memorise,
            random_ties=search.ties == "random",
            sample=search.sample or 0,
        )
    return SamplingTask(key=0, prefix=prefix, first=0, last=1)


def _warm_policy(
    search: Search, worker: Worker, prefix: Moves, warm_start: Iterable[Any] | None, steps: int
) -> Weights:
    if warm_start is None:
        return Weights()
    if not isinstance(search, NRPA):
        raise InputError(f"warm_start adapts a policy: it goes with NRPA, not with {type(search).__name__}")
    whole("warm_steps", steps, 1)
    moves = tuple(warm_start)
    if moves[: len(prefix)] != prefix:
        raise InputError("warm_start must begin with the moves of start_from")
    worker.replay(moves)
    policy = Weights()
    for _ in range(steps):
        policy = worker.adapt(policy, moves[len(prefix) :], search.alpha, prefix)
    return policy


def _plan(
    search: Search,
    stop: Stop,
    seed: int,
    worker: Worker,
    prefix: Moves,
    policy: Weights,
    atomic_level: int | None,
    restarts: bool | None,
    sign: float,
) -> Plan:
    """The plan of a run: what is handed to the driver."""
    root = root_key(seed)
    target = float("inf") if stop.target is None else sign * stop.target
    cost = _Cost(worker, prefix)
    if isinstance(search, Sampling):
        chunk = max(1, int(CHUNK_SECONDS / max(cost.playout(search), 1e-7)))
        return Samples(mix_int(root, 0), chunk, prefix, target)
    endless = bool(stop) if restarts is None else restarts
    make: Callable[[int], Plan]
    if isinstance(search, NRPA):
        atomic = atomic_level or cost.nrpa_level(search)
        if stop.iterations is not None or stop.no_improvement is not None:
            atomic = max(1, min(atomic, search.level - 1))  # iterations of the top level are seen by the driver

        def make(number: int) -> Plan:
            return SpeculationTree(search, worker, mix_int(root, number), atomic, prefix, policy, target)
    else:
        nmcs, atomic = search, atomic_level or cost.nmcs_level(search)

        def make(number: int) -> Plan:
            return NestedSteps(nmcs, worker, mix_int(root, number), atomic, prefix, target)

    return Restarts(make, endless)


class _Cost:
    """How long things take, measured on a few playouts that are not part of the search."""

    def __init__(self, worker: Worker, prefix: Moves) -> None:
        self._worker = worker
        self._prefix = prefix

    def _seconds(self, task: Task) -> tuple[float, int]:
        """Seconds and playouts of a task."""
        began = time.perf_counter()
        outcome = self._worker.run(task, Signal())
        return time.perf_counter() - began, max(1, outcome.playouts)

    def playout(self, search: Search) -> float:
        """Seconds of one playout: of the first one, or of many if they are fast."""
        task = _smallest_task(search, self._prefix)
        seconds, playouts = self._seconds(task)
        if seconds / playouts > 0.005:
            return seconds / playouts
        if isinstance(task, NRPATask):
            task = replace(task, iterations=(1, 100))
        elif isinstance(task, SamplingTask):
            task = replace(task, last=100)
        seconds, playouts = self._seconds(task)
        return seconds / playouts

    def nrpa_level(self, search: NRPA) -> int:
        """The highest level whose nested call takes no more than a task may."""
        level, seconds = 1, self.playout(search) * search.iterations_by_level[1]
        while level < search.level and seconds * search.iterations_by_level[level + 1] <= TASK_SECONDS:
            level += 1
            seconds *= search.iterations_by_level[level]
        return level

    def nmcs_level(self, search: NMCS) -> int:
        """The highest level whose nested call takes no more than a task may."""
        seconds, playouts = self._seconds(_smallest_task(search, self._prefix))
        level = 1
        while level < search.level and seconds * playouts / 2 <= TASK_SECONDS:
            level += 1
            seconds *= playouts / 2
        return level
