"""Processes of this machine: tasks halt at once, and workers that die are replaced."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from rookery.control import PLAYOUTS, Signal
from rookery.crews import remote
from rookery.crews.executors import UNTOUCHED, ExecutorCrew, Sent
from rookery.crews.remote import Answer, Order
from rookery.crews.shipping import Parcel, pack_value
from rookery.crews.threads import Ended
from rookery.errors import ExecutorError, RemoteError
from rookery.plans.plan import Job
from rookery.tasks import Task

T = TypeVar("T")

WIDTH = 16
"""Cells of a signal."""
MOST_LOST = 3
"""A job in whose time the workers died so often is not sent again."""

_hiding = threading.Lock()
_hidden = 0  # by so many
_kept: dict[str, Any] = {}


class SharedSignal(Signal):
    """A signal in memory that two processes share."""

    def __init__(self, control: npt.NDArray[np.int64]) -> None:
        self.control = control


class ProcessCrew(ExecutorCrew):
    """Worker processes, which are made here and end with the crew, or with this process whatever ends it.

    Parameters
    ----------
    warm
        a task of the kind that will come: each process gets ready for it when it starts
    again
        makes a worker of this process. A task that raised an error of the user's own is computed again by it, so that
        the error is what it would be without processes: no sentence about it, but the exception itself
    """

    patience = float("inf")

    def __init__(
        self,
        workers: int,
        parcel: Parcel,
        debug: bool,
        warm: Task | None = None,
        again: Callable[[], Any] | None = None,
    ) -> None:
        self._again = again
        self._warm = None if warm is None else pack_value(warm)
        self._places: dict[str, tuple[int, int]] = {}  # token -> number of the pool, slot of its memory
        self._number = -1
        self.size, self._debug, self._parcel = workers, debug, parcel
        self._open()
        super().__init__(self._pool, workers, parcel, debug, "processes")
        try:
            begun = [self._call(_nothing) for _ in range(workers)]
            for future in begun:
                future.result()
        except BrokenExecutor as error:
            self.close(wait=False)
            raise ExecutorError("the worker processes cannot be started: they die at once") from error
        except BaseException:
            self.close(wait=False)
            raise

    def playouts(self) -> int:
        """Playouts of the jobs that are being computed."""
        slots = [slot for number, slot in self._places.values() if number == self._number]
        return int(self._memory[slots, PLAYOUTS].sum())

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call."""
        return [self._with_own_error(ended) for ended in super().collect()]

    def _with_own_error(self, ended: Ended) -> Ended:
        if self._again is not None and isinstance(ended.error, RemoteError):
            try:
                ended.job.task.compute(self._again(), Signal())
            except Exception as error:
                return Ended(ended.job, error=error)
        return ended

    def close(self, wait: bool) -> None:
        """End the processes; those that would not halt are killed."""
        processes = list((self._pool._processes or {}).values())
        if not wait:
            for process in processes:
                process.terminate()
        self._pool.shutdown(wait=wait, cancel_futures=True)

    def _open(self) -> None:
        """A new pool with new memory: nobody can be left to write to it."""
        context = multiprocessing.get_context("spawn")
        shared = context.RawArray("q", self.size * WIDTH)
        self._memory = _view(shared)
        self._number += 1
        self._pool = ProcessPoolExecutor(self.size, context, _start, (shared, self._parcel, self._debug, self._warm))

    def _reopen(self) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)
        self._open()

    def _call(self, function: Callable[..., T], *arguments: Any) -> Future[T]:
        with hidden_main():  # processes are started in here
            return self._pool.submit(function, *arguments)

    def _begin(self, order: Order) -> Future[Answer]:
        for _ in range(MOST_LOST):
            taken = {slot for number, slot in self._places.values() if number == self._number}
            slot = next(slot for slot in range(self.size) if slot not in taken)
            self._memory[slot] = 0
            try:
                future = self._call(_compute, slot, order)
            except BrokenExecutor:  # a process died that had nothing to do
                self._reopen()
            else:
                self._places[order.token] = (self._number, slot)
                return future
        raise ExecutorError("the worker processes die as soon as they are started")

    def _halt(self, sent: Sent) -> None:
        number, slot = self._places[sent.order.token]
        if number == self._number:
            SharedSignal(self._memory[slot]).halt()

    def _forget(self, sent: Sent) -> None:
        self._places.pop(sent.order.token, None)

    def _broken(self, job: Job, error: BrokenExecutor) -> Ended | None:
        """Send a job again whose process died, or the process of another job: a task can be repeated."""
        sent = self._sent[job]
        number, _ = self._places.pop(sent.order.token)
        if number == self._number:
            self._reopen()
        if sent.halted:
            return Ended(job, UNTOUCHED)
        sent.lost += 1
        if sent.lost == MOST_LOST:
            lost = "worker processes died three times while they computed the same task; perhaps memory has run out"
            return Ended(job, error=ExecutorError(lost))
        self._send(job)
        return None

    def _explained(self, error: BaseException) -> ExecutorError:
        return error if isinstance(error, ExecutorError) else super()._explained(error)


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


# --- in the worker processes ---

_slots: list[npt.NDArray[np.int64]] = []


def _view(shared: Any) -> npt.NDArray[np.int64]:
    return np.frombuffer(shared, np.int64).reshape(-1, WIDTH)


def _start(shared: Any, parcel: Parcel, debug: bool, warm: bytes | None) -> None:
    remote.ignore_interrupts()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _slots[:] = list(_view(shared))
    remote.prepare(parcel, debug, warm)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # whatever is being computed: nobody will ask for it


def _nothing() -> None:
    pass


def _compute(slot: int, order: Order) -> Answer:
    return remote.compute_with(order, SharedSignal(_slots[slot]))
