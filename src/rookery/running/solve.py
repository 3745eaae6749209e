"""``solve``: one search on one problem, from a seed to a result. ``resume``: go on with it from a checkpoint."""

from __future__ import annotations

import os
import reprlib
import secrets
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing
from dataclasses import fields
from typing import Any

from rookery.arguments import finite, whole
from rookery.control import INFEASIBLE_SCORE
from rookery.crews.hiring import check_executor
from rookery.engine.engines import make_engine
from rookery.errors import InputError
from rookery.loading.kinds import SEARCH
from rookery.loading.loading import load_problem
from rookery.loading.searches import known_search
from rookery.plans.risks import SELECTS
from rookery.problem import INFEASIBLE, Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.checkpoint import Checkpoint, check_path
from rookery.running.interrupts import Interrupts
from rookery.running.pool import Keeping
from rookery.running.result import Result
from rookery.running.run import Run, execute
from rookery.running.watched import Watched, as_interrupt
from rookery.search.nrpa import NRPA
from rookery.search.protocol import Search
from rookery.stop import NO_LIMITS, Stop
from rookery.tasks import Weights


def solve(
    problem: Problem | PythonProblem,
    search: Search | None = None,
    *,
    stop: Stop | None = None,
    seed: int | None = None,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    restarts: bool | int | None = None,
    atomic_level: int | None = None,
    select: str = "learned",
    start_from: Iterable[Any] = (),
    warm_start: Iterable[Any] | None = None,
    warm_steps: int = 10,
    keep: int = 0,
    differ: float = 0.1,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    debug: bool = False,
) -> Result:
    """Search a problem and return the best sequence found.

    The result depends on the problem, the search and the seed alone: not on ``workers``, ``executor`` or
    ``atomic_level``. A time limit returns what the same search had found by then, and so does Ctrl-C; before the
    first playout is finished there is nothing to return, and Ctrl-C raises KeyboardInterrupt as usual. An exception in
    the problem's own code ends the run; what was found before is in the exception's attribute ``best_so_far``.

    Parameters
    ----------
    search
        ``NRPA(level=3)`` by default
    stop
        limits, as in ``MaxTime(60) | Target(82)``; without any, one run of the search
    seed
        a whole number; None draws one and records it in the result
    workers
        how many compute tasks at the same time; by default one thread, all cores for processes, and all workers
        of a cluster
    executor
        what they are: ``"threads"``, ``"processes"``, ``"mpi"``, ``"dask"``, or any executor of
        ``concurrent.futures``, which is used but never shut down
    address
        of the scheduler, for Dask; without one, a cluster is started on this machine
    restarts
        True: restart independently until a limit is met, which is the default if ``stop`` is given. A number: this
        many independent runs, computed side by side, of which the best is kept
    atomic_level
        nested calls of this level are computed as one task; by default one that takes a second or less (half a
        second if there are several workers, and less if there would not be enough tasks for them)
    select
        how NRPA chooses what to compute ahead: ``"learned"`` from the run itself, or the
        ``"table"`` of Nagorko 2019; the result is the same
    start_from
        the first moves, which are fixed: only what follows them is searched
    warm_start
        a known sequence, ``start_from`` included, that NRPA's policy is adapted to first, ``warm_steps`` times
    keep
        how many of the best sequences to keep in ``result.pool``
    differ
        the share of its codes in which each of them must differ from the better ones; 0: in at least one code
    checkpoint
        a file in which the run is kept, every ``checkpoint_every`` seconds and when it ends: :func:`resume` goes on
        from it. It must not hold another unfinished run
    callbacks
        observers; they cannot steer
    progress
        show a line of progress on standard error
    debug
        check every array index in the problem's functions, and first make a few playouts in plain Python in which
        every call is watched: mistakes that no search would notice are refused

    >>> import rookery as rk
    >>> rk.solve(rk.problems.LeftMove(depth=8), rk.NMCS(level=2), seed=1).score
    8.0
    """
    search = NRPA() if search is None else search
    SEARCH.check("search", search)
    stop = NO_LIMITS if stop is None else stop
    if not isinstance(stop, Stop):
        raise InputError(f"stop must be made of MaxTime, MaxPlayouts, ..., got {stop!r}")
    if search.endless and not stop:
        raise InputError(f"{search.name} has no end of its own: give it a limit, such as stop=MaxPlayouts(1000)")
    search.check(problem)
    if atomic_level is not None:
        whole("atomic_level", atomic_level, 1)
    if restarts is not None and not isinstance(restarts, bool):
        whole("restarts", restarts, 1)
    if select not in SELECTS:
        raise InputError(f"select must be one of {', '.join(SELECTS)}, got {select!r}")
    if checkpoint is not None:
        check_path(checkpoint)
    return execute(
        Run(
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
            observers=_observers(callbacks),
            progress=progress,
            debug=debug,
            keeping=Keeping(keep, differ),
            checkpoint=checkpoint,
            every=_every(checkpoint_every),
        )
    )


def resume(
    path: str | os.PathLike[str],
    problem: Problem | PythonProblem | None = None,
    *,
    search: type[Search] | None = None,
    stop: Stop | None = None,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
) -> Result:
    """Go on with a run from its checkpoint; the result is the same as without the interruption.

    Parameters
    ----------
    problem
        by default it is made again from the name and the parameters in the checkpoint; if it is in a file of your own,
        that file is run. A problem that was made in Python must be given
    search
        the class of a search of your own; its parameters are in the checkpoint
    stop
        by default the limits of the run; time and playouts before the checkpoint count
    workers, executor, address
        may differ from before
    checkpoint
        where the run is kept from now on; by default in the same file

    >>> import os, tempfile
    >>> import rookery as rk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.ckpt")
    ...     search = rk.NRPA(level=2, iterations=20)
    ...     part = rk.solve(rk.problems.LeftMove(depth=9), search, seed=1, stop=rk.MaxPlayouts(100), checkpoint=path)
    ...     whole = rk.resume(path, stop=rk.Stop())
    >>> part.playouts, whole.playouts, whole.status
    (100, 400, 'finished')
    """
    saved = Checkpoint.load(path)
    workers = check_executor(executor, workers, address)
    if checkpoint is not None and os.path.realpath(checkpoint) != os.path.realpath(path):
        check_path(checkpoint)
    if problem is None:
        problem = checkpoint_problem(saved)
    stop = _stop(saved, path) if stop is None else stop
    if not isinstance(stop, Stop):
        raise InputError(f"stop must be made of MaxTime, MaxPlayouts, ..., got {stop!r}")
    options = _options(saved, path)
    return execute(
        Run(
            problem=problem,
            search=checkpoint_search(saved, path, search),
            stop=stop,
            seed=saved.seed,
            restarts=options["restarts"],
            prefix=options["prefix"],
            atomic_level=options["atomic_level"],
            workers=workers,
            executor=executor,
            address=address,
            select=options["select"],
            observers=_observers(callbacks),
            progress=progress,
            debug=options["debug"],
            keeping=Keeping(options.get("keep", 0), options.get("differ", 0.1)),
            checkpoint=path if checkpoint is None else checkpoint,
            every=_every(checkpoint_every),
            resumed=saved,
        )
    )


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


def _every(seconds: Any) -> float:
    value = finite("checkpoint_every", seconds)
    if value <= 0:
        raise InputError(f"checkpoint_every must be more than 0 seconds, got {seconds}")
    return value


# --- what a checkpoint holds ---


def checkpoint_problem(
    saved: Checkpoint, name: str | None = None, parameters: Mapping[str, str] | None = None
) -> Problem | PythonProblem:
    """The problem of a checkpoint, made again from its name and parameters, or from others that are given.

    A problem in a user's file is made by running that file: look at ``saved.problem`` if the checkpoint is not yours.

    >>> checkpoint_problem(Checkpoint("0.1.0", "leftmove", {"depth": 9}, "", {}, 1, {}, {}, 0.0, 0.0, {}))
    LeftMove(depth=9)
    """
    kept = {key: str(value) for key, value in saved.parameters.items()}
    try:
        return load_problem(saved.problem if name is None else name, parameters or kept)
    except InputError as error:
        raise InputError(f"cannot go on with a run of {saved.problem}: {error}") from None


def _options(saved: Checkpoint, path: str | os.PathLike[str]) -> dict[str, Any]:
    kinds: dict[str, Any] = {
        "restarts": int | None,
        "prefix": tuple,
        "policy": Weights,
        "atomic_level": int | None,
        "select": str,
        "debug": bool,
    }
    options = saved.options
    if not all(name in options and isinstance(options[name], kind) for name, kind in kinds.items()):
        raise InputError(f"{path} is damaged: it does not say how the run was started")
    return options


def checkpoint_search(saved: Checkpoint, path: str | os.PathLike[str], given: type[Search] | None = None) -> Search:
    """The search of a checkpoint; the class of a user's own must be given, because no file may name code to run."""
    values = {name: value for name, value in saved.search.items() if name != "algorithm"}
    for name, value in values.items():
        if isinstance(value, Mapping):
            values[name] = {int(level): item for level, item in value.items()}
    algorithm = saved.search.get("algorithm")
    cls = given or known_search(algorithm)
    if cls is None and isinstance(algorithm, str) and ":" in algorithm:
        advice = f"`--algorithm {algorithm}` on the command line, search={algorithm.rpartition(':')[2]} in Python"
        raise InputError(f"{path} is a run of the search {algorithm}, which must be given again: {advice}")
    try:
        search = cls(**values)  # type: ignore[misc]
    except (KeyError, TypeError, ValueError):
        if given is not None:
            fits = f"{given.__name__} cannot be made of its parameters"
            raise InputError(f"{path} is a run of the search {algorithm}: {fits}") from None
        raise InputError(f"{path} holds a search that this version does not know: {saved.search}") from None
    made = search.parameters()["algorithm"]
    if given is not None and known_search(algorithm) is not None and known_search(algorithm) is not given:
        raise InputError(f"{path} is a run of the search {algorithm}, not of {made}")
    if isinstance(algorithm, str) and made != algorithm and given is not None:
        object.__setattr__(search, "_loaded_as", algorithm)
    return search


def _stop(saved: Checkpoint, path: str | os.PathLike[str]) -> Stop:
    known = {item.name for item in fields(Stop)}
    if not set(saved.stop) <= known:
        raise InputError(f"{path} holds limits that this version does not know: {saved.stop}")
    return Stop(**saved.stop)
