"""Workers of a Dask cluster: one that runs somewhere, or one of this machine, made for the run."""

from __future__ import annotations

import importlib.util
import logging
import os
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

from rookery.crews import remote
from rookery.crews.executors import ExecutorCrew
from rookery.crews.shipping import Parcel, pack_value
from rookery.errors import InputError
from rookery.plans.plan import Job
from rookery.tasks import Task

CONNECT_SECONDS = 3
"""A scheduler that does not answer within this time counts as absent."""
CLOSE_SECONDS = 20
"""How long a cluster may take to end; its processes end with this one anyway."""


_hiding = threading.Lock()
_hidden = 0  # how many hide the main module now
_kept: dict[str, Any] = {}


def check(workers: int | None, address: str | None) -> int:
    """Refuse a cluster that is not there; returns the number of workers, by default all there are."""
    if importlib.util.find_spec("distributed") is None:
        raise InputError("the executor dask needs distributed, which is not installed: pip install 'rookery[dask]'")
    if address is None:
        return workers or os.cpu_count() or 1
    with _quiet(), _connected(address) as client:
        threads = sum(client.nthreads().values())
    if threads == 0:
        raise InputError(f"the Dask cluster at {address} has no workers: start some with dask worker {address}")
    return workers or threads


class DaskCrew(ExecutorCrew):
    """Computes tasks on a Dask cluster; those that run cannot be halted, but they keep their time limit.

    Parameters
    ----------
    address
        of a scheduler; None makes a cluster on this machine that ends with the crew
    warm
        a task of the kind that will come: each worker gets ready for it before the first one does
    """

    def __init__(
        self, workers: int, parcel: Parcel, debug: bool, address: str | None, warm: Task | None = None
    ) -> None:
        self._address = address
        with ExitStack() as stack:
            stack.enter_context(_quiet())
            client = stack.enter_context(_connected(address or stack.enter_context(_local_cluster(workers))))
            client.run(remote.prepare, parcel, debug, None if warm is None else pack_value(warm), on_error="ignore")
            super().__init__(client.get_executor(pure=False), workers, parcel, debug, "dask")
            self._open = stack.pop_all()

    def halt(self, job: Job) -> None:
        """Withdraw a job, unless it is about to halt by itself: what it has found may count."""
        sent = self._sent.get(job)
        if sent is not None and sent.ends_soon():
            sent.halted = True
        else:
            super().halt(job)

    def close(self, wait: bool) -> None:
        """Leave the cluster; one that was made here ends."""
        super().close(wait)
        self._open.close()

    def _sentence(self, error: BaseException) -> str:
        where = "" if self._address is None else f" at {self._address}"
        if isinstance(error, CancelledError):
            return f"the connection to the Dask scheduler{where} is lost"
        if type(error).__name__ == "KilledWorker":
            return "Dask workers died several times while they computed the same task; perhaps memory has run out"
        return super()._sentence(error)


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's log: what matters of it is in the library's own errors."""
    dask: Any = importlib.import_module("dask")
    importlib.import_module("distributed")  # its loggers are set up when it is imported
    loggers = [logging.getLogger(name) for name in sorted(logging.root.manager.loggerDict)]
    levels = {logger: logger.level for logger in loggers if logger.name.split(".")[0] in ("distributed", "tornado")}
    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1TB"}):
        try:
            for logger in levels:
                logger.setLevel(logging.CRITICAL + 1)
            yield
        finally:
            for logger, level in levels.items():
                logger.setLevel(level)


@contextmanager
def _connected(address: Any) -> Iterator[Any]:
    distributed: Any = importlib.import_module("distributed")
    try:
        client = distributed.Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except Exception:  # there are as many as there are ways to write an address
        raise InputError(f"no Dask scheduler answers at {address}") from None
    try:
        yield client
    finally:
        with suppress(Exception):  # a result must not be lost because a cluster no longer answers
            client.close(timeout=CLOSE_SECONDS)


def dask_setup(worker: Any) -> None:
    """What Dask calls in the workers of a cluster that was made here: Ctrl-C is for the process that made it."""
    remote.ignore_interrupts()


@contextmanager
def hidden_main() -> Iterator[None]:
    """While processes are started in here, they do not run the main module again.

    Nothing is needed from it: what a problem has from there travels with the problem. So a script works without
    ``if __name__ == "__main__"``.
    """
    global _hidden
    values: dict[str, Any] = vars(sys.modules["__main__"])
    with _hiding:
        if not _hidden:
            _kept.update({name: values.pop(name) for name in ("__file__", "__spec__") if name in values})
            values["__spec__"] = None
        _hidden += 1
    try:
        yield
    finally:
        with _hiding:
            _hidden -= 1
            if not _hidden:
                del values["__spec__"]
                values.update(_kept)
                _kept.clear()


@contextmanager
def _local_cluster(workers: int) -> Iterator[Any]:
    distributed: Any = importlib.import_module("distributed")

    class HidingNanny(distributed.Nanny):
        """Starts its worker, even a second time, without the main module."""

        async def instantiate(self) -> Any:
            with hidden_main():
                return await super().instantiate()

    with hidden_main():
        cluster = distributed.LocalCluster(
            n_workers=workers,
            threads_per_worker=1,
            worker_class=HidingNanny,
            dashboard_address="127.0.0.1:0",  # None would mean Dask's own port, which others may have
            silence_logs=logging.CRITICAL,
            preload=[__name__],
            memory_limit=0,
        )
    try:
        yield cluster
    finally:
        with suppress(Exception):
            cluster.close(timeout=CLOSE_SECONDS)
