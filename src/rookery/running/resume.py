"""``resume``: continue a run from its checkpoint."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from typing import Literal, overload

from rookery.crews.hiring import check_executor
from rookery.disk import file_bytes
from rookery.errors import InputError
from rookery.plans.pool import Keeping
from rookery.problem import Problem, PythonProblem
from rookery.running.background import BackgroundRun
from rookery.running.callbacks import Callback, checked_callbacks
from rookery.running.checkpoint import Checkpoint, claimed
from rookery.running.result import Result
from rookery.running.resumed import checkpoint_options, checkpoint_problem, checkpoint_search, checkpoint_stop
from rookery.running.run import Run, execute
from rookery.running.solve import check_endless, seconds_between
from rookery.search.protocol import Search
from rookery.stop import Stop


@overload
def resume(
    path: str | os.PathLike[str],
    problem: Problem | PythonProblem | None = None,
    *,
    search: type[Search] | None = None,
    stop: Stop | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    address: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    background: Literal[False] = False,
) -> Result: ...


@overload
def resume(
    path: str | os.PathLike[str],
    problem: Problem | PythonProblem | None = None,
    *,
    search: type[Search] | None = None,
    stop: Stop | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    address: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    background: Literal[True],
) -> BackgroundRun: ...


def resume(
    path: str | os.PathLike[str],
    problem: Problem | PythonProblem | None = None,
    *,
    search: type[Search] | None = None,
    stop: Stop | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    address: str | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = 30.0,
    callbacks: Sequence[Callback] = (),
    progress: bool = False,
    background: bool = False,
) -> Result | BackgroundRun:
    """Continue a run from its checkpoint; the result is the same as without the interruption.

    Parameters
    ----------
    problem
        by default it is rebuilt from the name and the parameters in the checkpoint; if it is in a file of your own,
        that file is run. A problem that was made in Python must be given
    search
        the class of a search of your own; its parameters are in the checkpoint
    stop
        by default the limits of the run; time and playouts before the checkpoint count
    workers, executor, address
        may differ from before
    checkpoint
        where the run is kept from now on; by default in the same file
    background
        return at once, as :func:`solve` does

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
    workers = check_executor(executor, workers, address)
    every = seconds_between(checkpoint_every)
    observers = checked_callbacks(callbacks)
    file_bytes(path)  # a file that cannot be read is refused as such
    with ExitStack() as stack:
        kept = path if checkpoint is None else checkpoint
        new = os.path.realpath(kept) != os.path.realpath(path)
        writer = stack.enter_context(closing(claimed(kept, new)))
        saved = Checkpoint.load(path)  # nobody else writes it any more
        if problem is None:
            problem = checkpoint_problem(saved, path=path)
        stop = checkpoint_stop(saved, path) if stop is None else stop
        if not isinstance(stop, Stop):
            raise InputError(f"stop must be made of MaxTime, MaxPlayouts, ..., got {stop!r}")
        made = checkpoint_search(saved, path, search)
        check_endless(made, stop)
        made.check(problem)
        options = checkpoint_options(saved, path)
        run = Run(
            problem=problem,
            search=made,
            stop=stop,
            seed=saved.seed,
            restarts=options["restarts"],
            prefix=options["prefix"],
            atomic_level=options["atomic_level"],
            workers=workers,
            executor=executor,
            address=address,
            select=options["select"],
            observers=observers,
            progress=progress,
            debug=options["debug"],
            keeping=Keeping(options["keep"], options["differ"]),
            checkpoint=writer,
            every=every,
            resumed=saved,
        )
        return BackgroundRun(run, stack.pop_all()) if background else execute(run)
