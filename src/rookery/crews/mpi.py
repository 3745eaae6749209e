"""The ranks of an MPI job as workers, through ``mpi4py.futures``."""

from __future__ import annotations

import importlib.util
import signal
import sys
from typing import Any

from rookery.crews.executors import ExecutorCrew
from rookery.crews.remote import ignore_interrupts, prepare
from rookery.crews.shipping import Parcel, pack_value
from rookery.errors import InputError
from rookery.tasks import Task

COMMAND = "mpirun -n 3 python -m mpi4py.futures -m rookery solve ... --executor mpi"


def check(workers: int | None) -> int:
    """Refuse a program that was not started as an MPI job; returns the number of workers, by default all there are."""
    if importlib.util.find_spec("mpi4py") is None:
        raise InputError("the executor mpi needs mpi4py, which is not installed: pip install 'rookery[mpi]'")
    ranks = _ranks()
    if ranks == 0:
        raise InputError(f"the executor mpi needs a program that was started with at least 2 ranks, as in {COMMAND}")
    if workers is not None and workers > ranks:
        raise InputError(f"workers must be at most {ranks}, the ranks of the MPI job but the first, got {workers}")
    return ranks if workers is None else workers


def _ranks() -> int:
    """The ranks that wait for tasks: there are none unless ``mpi4py.futures`` runs this program in the first one."""
    module = sys.modules.get("mpi4py.futures._core")  # importing it would start MPI
    shared: Any = getattr(module, "SharedPool", None)
    alone = shared is None or shared.counter is None
    return 0 if alone else int(shared.comm.Get_remote_size())


class MPICrew(ExecutorCrew):
    """Computes tasks in the other ranks; those that run cannot be halted, but they keep their time limit.

    Parameters
    ----------
    warm
        a task of the kind that will come: each rank gets ready for it before the first one does
    """

    def __init__(self, workers: int, parcel: Parcel, debug: bool, warm: Task | None = None) -> None:
        from mpi4py.futures import MPIPoolExecutor

        packed = None if warm is None else pack_value(warm)
        self._pool = MPIPoolExecutor(workers, _start, (parcel, debug, packed), main=False)
        super().__init__(self._pool, workers, parcel, debug, "mpi")
        self._pool.bootup()

    def close(self, wait: bool) -> None:
        """No more tasks; the ranks wait for those of the next run."""
        self._pool.shutdown(wait=wait, cancel_futures=True)


def _start(parcel: Parcel, debug: bool, warm: bytes | None) -> None:
    ignore_interrupts()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)  # mpirun sends it to all ranks: the first one needs time to save
    prepare(parcel, debug, warm)
