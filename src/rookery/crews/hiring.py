"""Crews by name: what can be refused at once, and how they are made."""

from __future__ import annotations

import multiprocessing
import os
import warnings
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

from rookery.arguments import whole
from rookery.crews.executors import ExecutorCrew
from rookery.crews.shipping import Parcel, ship
from rookery.crews.threads import Crew, ThreadCrew
from rookery.errors import InputError, RookeryWarning
from rookery.problem import PythonProblem
from rookery.tasks import Task

NAMES = ("threads", "processes", "mpi", "dask")


def check_executor(executor: str | Executor | None, workers: int | None = None, address: str | None = None) -> int:
    """Refuse what cannot work, before any time is spent; returns the number of workers.

    Without a number, there is one thread, or as many processes as cores; MPI and Dask have their own numbers. Without
    an executor, :func:`make_crew` chooses.

    >>> check_executor("threads", 2)
    2
    >>> check_executor("thread", 2)
    Traceback (most recent call last):
    rookery.errors.InputError: executor must be threads, processes, mpi, dask or an Executor object, got 'thread'
    """
    if executor is not None and not isinstance(executor, Executor) and executor not in NAMES:
        raise InputError(f"executor must be {', '.join(NAMES)} or an Executor object, got {executor!r}")
    if workers is not None:
        whole("workers", workers, 1, 1024)
    if address is not None and executor != "dask":
        raise InputError(f"address goes with the executor dask, got {address!r} with {_shown(executor)}")
    if executor == "mpi":
        from rookery.crews import mpi

        return mpi.check(workers)
    if executor == "dask":
        from rookery.crews import dask

        return dask.check(workers, address)
    if workers is not None:
        return workers
    if isinstance(executor, Executor):
        return int(getattr(executor, "_max_workers", None) or 1)
    return (os.cpu_count() or 1) if executor == "processes" else 1


def make_crew(
    executor: str | Executor | None,
    workers: int,
    subject: tuple[Any, Any],
    worker: Callable[[], Any],
    debug: bool = False,
    address: str | None = None,
    warm: Task | None = None,
) -> Crew:
    """The crew of a run; :func:`check_executor` has checked its executor, workers and address.

    Parameters
    ----------
    executor
        None: threads, but processes for several workers on a PythonProblem, whose threads would take turns
    subject
        the problem or game, and the search or searches whose tasks will come: what other processes must know
    worker
        makes workers of this process, for threads
    warm
        a task of the kind that will come: workers that can be told get ready for it before this returns
    """
    if executor is None and workers > 1 and isinstance(subject[0], PythonProblem):
        parcel = _parcel(subject)
        if parcel is not None:
            from rookery.crews.processes import ProcessCrew

            return ProcessCrew(workers, parcel, debug, warm, again=worker)
    if executor in (None, "threads"):
        return ThreadCrew([worker() for _ in range(workers)], subject[0])
    parcel = ship(*subject)
    if isinstance(executor, Executor):
        return ExecutorCrew(executor, workers, parcel, debug)
    if executor == "processes":
        from rookery.crews.processes import ProcessCrew

        return ProcessCrew(workers, parcel, debug, warm)
    if executor == "mpi":
        from rookery.crews.mpi import MPICrew

        return MPICrew(workers, parcel, debug, warm)
    from rookery.crews.dask import DaskCrew

    return DaskCrew(workers, parcel, debug, address, warm)


def _parcel(subject: tuple[Any, Any]) -> Parcel | None:
    """A problem to be sent to processes; or None, and a warning that says why not."""
    why = "this is itself a worker process, which may not start others"
    if not multiprocessing.current_process().daemon:
        try:
            return ship(*subject)
        except InputError as error:
            why = str(error)
    warnings.warn(f"the workers are threads, which take turns in Python: {why}", RookeryWarning, stacklevel=2)
    return None


def _shown(executor: str | Executor | None) -> str:
    if executor is None:
        return "no executor"
    return executor if isinstance(executor, str) else type(executor).__name__
