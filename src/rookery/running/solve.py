"""``solve``: one search on one problem, from a seed to a result."""

from __future__ import annotations

import os
import reprlib
import secrets
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from typing import Any, Literal, overload

from rookery.arguments import finite, whole
from rookery.control import INFEASIBLE_SCORE
from rookery.crews.hiring import check_executor
from rookery.engine.engines import make_engine
from rookery.errors import InputError
from rookery.loading.kinds import SEARCH
from rookery.plans.pool import NO_POOL, Keeping
from rookery.plans.risks import SELECTS
from rookery.problem import INFEASIBLE, Problem, PythonProblem
from rookery.running.background import BackgroundRun
from rookery.running.callbacks import Callback, checked_callbacks
from rookery.running.checkpoint import claimed
from rookery.running.interrupts import Interrupts
from rookery.running.result import Result
from rookery.running.run import Run, execute
from rookery.running.watched import Watched, as_interrupt
from rookery.search.auto import Auto
from rookery.search.nrpa import NRPA
from rookery.search.protocol import Search
from rookery.stop import NO_LIMITS, Stop


@overload
def solve(
    problem: Problem | PythonProblem,
    search: Search | None = None,
    *,
    stop: Stop | None = None,
    seed: int | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    address: str | None = None,
    restarts: bool | int | None = None,
    atomic_level: int | None = None,
    select: str = "learned",
    start_from: Iterable[Any] = (),
    warm_start: Iterable[Any] | Result | None = None,
    warm_steps: int = 10,
    keep: int = 0,
    differ: float = 0.1,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    debug: bool = False,
    background: Literal[False] = False,
) -> Result: ...


@overload
def solve(
    problem: Problem | PythonProblem,
    search: Search | None = None,
    *,
    stop: Stop | None = None,
    seed: int | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    address: str | None = None,
    restarts: bool | int | None = None,
    atomic_level: int | None = None,
    select: str = "learned",
    start_from: Iterable[Any] = (),
    warm_start: Iterable[Any] | Result | None = None,
    warm_steps: int = 10,
    keep: int = 0,
    differ: float = 0.1,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    debug: bool = False,
    background: Literal[True],
) -> BackgroundRun: ...


def solve(
    problem: Problem | PythonProblem,
    search: Search | None = None,
    *,
    stop: Stop | None = None,
    seed: int | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    address: str | None = None,
    restarts: bool | int | None = None,
    atomic_level: int | None = None,
    select: str = "learned",
    start_from: Iterable[Any] = (),
    warm_start: Iterable[Any] | Result | None = None,
    warm_steps: int = 10,
    keep: int = 0,
    differ: float = 0.1,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    debug: bool = False,
    background: bool = False,
) -> Result | BackgroundRun:
    """Search a problem and return the best sequence found.

    The result depends on the problem, the search and the seed alone: not on ``workers``, ``executor`` or
    ``atomic_level``. A time limit returns the best found by then, and so does Ctrl-C; before the first playout is
    finished there is nothing to return, and Ctrl-C raises KeyboardInterrupt as usual. An exception in the problem's
    own code ends the run; what was found before is in the exception's attribute ``best_so_far``.

    Parameters
    ----------
    search
        by default :class:`rookery.Auto` where ``stop`` has a budget, time or playouts, and nothing is asked for that it
        does not have (``restarts``, ``atomic_level``, ``select``, ``warm_start``); else ``NRPA(level=3)``
    stop
        limits, as in ``MaxTime(60) | Target(82)``; without any, one run of the search
    seed
        a whole number; None draws one and records it in the result
    workers
        how many compute tasks at the same time; by default one, all cores for ``"processes"``, and all workers
        of a cluster
    executor
        what they are: ``"threads"``, ``"processes"``, ``"mpi"``, ``"dask"``, or any executor of
        ``concurrent.futures``, which is used but never shut down. By default threads; several workers of a
        ``PythonProblem`` are processes, since its threads would take turns, and ``result.executor`` says so. If it
        cannot be sent to other processes, they are threads, and a warning says why
    address
        address of the scheduler, for Dask; without one, a cluster is started on this machine
    restarts
        True: restart independently until a limit is met, which is the default if ``stop`` is given. A number: this
        many independent runs, computed side by side, of which the best is kept
    atomic_level
        nested calls of this level are computed as one task; by default one that takes a second or less (half a
        second if there are several workers, and less if there would not be enough tasks for them)
    select
        how NRPA chooses what to compute ahead: ``"learned"`` from the run itself, by the ``"table"`` of Nagorko 2019,
        or by the ``"literal"`` reading of its section V.C; the result is the same
    start_from
        the first moves, which are fixed: only what follows them is searched
    warm_start
        a known sequence, ``start_from`` included, that NRPA's policy is adapted to first, ``warm_steps`` times; or a
        result, for its moves
    keep
        how many of the best sequences to keep in ``result.pool``
    differ
        the share of its codes in which each of them must differ from the better ones; 0: in at least one code
    checkpoint
        a file in which the run is kept, every ``checkpoint_every`` seconds and when it ends: :func:`resume` continues
        from it. It must not hold another unfinished run
    callbacks
        observers; they cannot steer
    progress
        show a line of progress on standard error
    debug
        check every array index in the problem's functions, and first make a few playouts in plain Python in which
        every call is watched: mistakes that no search would notice are refused
    background
        return at once, with a :class:`rookery.BackgroundRun`: the best so far while the search goes on, a way to stop
        it, and the same result in the end

    >>> import rookery as rk
    >>> rk.solve(rk.problems.LeftMove(depth=8), rk.NMCS(level=2), seed=1).score
    8.0
    """
    stop = NO_LIMITS if stop is None else stop
    if not isinstance(stop, Stop):
        raise InputError(f"stop must be made of MaxTime, MaxPlayouts, ..., got {stop!r}")
    if search is None:
        asked = restarts is not None or atomic_level is not None or select != "learned" or warm_start is not None
        search = default_search(stop, asked)
    SEARCH.check("search", search)
    check_endless(search, stop)
    search.check(problem)
    if atomic_level is not None:
        whole("atomic_level", atomic_level, 1)
    if restarts is not None and not isinstance(restarts, bool):
        whole("restarts", restarts, 1)
        if search.endless:
            raise InputError(f"{search.name} has no end of its own, so it cannot be run {restarts} times")
    if select not in SELECTS:
        raise InputError(f"select must be one of {', '.join(SELECTS)}, got {select!r}")
    with ExitStack() as stack:
        run = Run(
            problem=problem,
            search=search,
            stop=stop,
            seed=secrets.randbits(53) if seed is None else whole("seed", seed, 0, (1 << 64) - 1),
            restarts=restarts,
            prefix=_moves("start_from", start_from),
            warm=None if warm_start is None else _moves("warm_start", warm_start),
            warm_steps=warm_steps,
            atomic_level=atomic_level,
            workers=check_executor(executor, workers, address),
            executor=executor,
            address=address,
            select=select,
            observers=checked_callbacks(callbacks),
            progress=progress,
            debug=debug,
            keeping=NO_POOL if (keep, differ) == (0, 0.1) else Keeping(keep, differ),
            checkpoint=None if checkpoint is None else stack.enter_context(closing(claimed(checkpoint))),
            every=seconds_between(checkpoint_every),
        )
        return BackgroundRun(run, stack.pop_all()) if background else execute(run)


def default_search(stop: Stop, asked: bool = False) -> Search:
    """A portfolio where there is a budget to divide, and nothing was ``asked`` of the run that only NRPA has.

    >>> default_search(NO_LIMITS).name
    'nrpa'
    """
    budget = stop.time is not None or stop.playouts is not None
    return Auto() if budget and not asked else NRPA()


def replay(problem: Problem | PythonProblem, moves: Iterable[Any]) -> tuple[float, tuple[Any, ...]]:
    """Play moves from the start: the score of the state they lead to, and the moves still legal there.

    The score of an infeasible end is :data:`rookery.INFEASIBLE`.

    >>> import rookery as rk
    >>> rk.replay(rk.problems.LeftMove(depth=3), [0, 1])
    (1.0, (1, 0))
    """
    with (
        Interrupts() as interrupts,
        closing(Watched(make_engine(problem).worker(), problem, interrupts)) as worker,
        as_interrupt(),
        interrupts.listening(),
    ):
        score, legal = worker.replay(tuple(moves))
    if score == INFEASIBLE_SCORE:
        return INFEASIBLE, legal
    return (-score if problem.sense == "min" else score), legal


def check_endless(search: Search, stop: Stop) -> None:
    """Refuse a search that would never end."""
    if search.endless and not stop:
        raise InputError(f"{search.name} has no end of its own: give it a limit, such as stop=MaxPlayouts(1000)")


def _moves(name: str, moves: Any) -> tuple[Any, ...]:
    if isinstance(moves, Result):
        return moves.moves
    try:
        iterator = iter(moves)
    except TypeError:
        raise InputError(f"{name} must be a list of moves, got {reprlib.repr(moves)}") from None
    return tuple(iterator)


def seconds_between(seconds: Any) -> float:
    """Seconds between two checkpoints, checked."""
    value = finite("checkpoint_every", seconds)
    if value <= 0:
        raise InputError(f"checkpoint_every must be more than 0 seconds, got {seconds}")
    return value
