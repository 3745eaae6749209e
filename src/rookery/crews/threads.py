"""Who computes the jobs of a run: a crew of workers, whatever carries the tasks to them."""

from __future__ import annotations

import queue
import time
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rookery.control import Signal
from rookery.plans.plan import Job
from rookery.tasks import Outcome, Task


@dataclass(frozen=True)
class Ended:
    """A job that ended: with an outcome, or with the error that its task raised."""

    job: Job
    outcome: Outcome | None = None
    error: BaseException | None = None


class Crew(Protocol):
    """Computes jobs, at most ``size`` at a time; every job that was submitted is collected once."""

    name: str
    """As on the command line: threads, processes, mpi, dask, ..."""
    size: int
    """How many jobs it computes at a time."""
    patience: float
    """Seconds that are worth waiting for jobs that were told to halt: infinite if they obey at once."""

    def submit(self, job: Job, seconds: float | None) -> None:
        """Begin to compute ``job.task``; after so many seconds, if any are given, it halts by itself."""

    def wait(self, seconds: float) -> None:
        """Return when a job has ended, or after so many seconds. KeyboardInterrupt may be raised in here."""

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call, in that order."""

    def halt(self, job: Job) -> None:
        """The job's outcome is not wanted, or wanted as it is: make it end at once, if that can be done."""

    def playouts(self) -> int:
        """Playouts of the jobs that are being computed, as far as that is known."""

    def close(self, wait: bool) -> None:
        """No more jobs; ``wait`` for those that are being computed."""


def timed_run(worker: Any, task: Task, signal: Signal) -> Outcome:
    """Compute a task and say how long it took."""
    began = time.perf_counter()
    outcome = task.compute(worker, signal)
    return replace(outcome, seconds=time.perf_counter() - began)


class EndedJobs:
    """Jobs that ended in other threads; whoever waits for them is woken up, and none is lost to an interrupt."""

    def __init__(self) -> None:
        self._jobs: deque[Ended] = deque()
        self._wake: queue.SimpleQueue[None] = queue.SimpleQueue()

    def add(self, ended: Ended) -> None:
        """A job has ended."""
        self._jobs.append(ended)
        self._wake.put(None)

    def wait(self, seconds: float) -> None:
        """Return when a job has ended, or after so many seconds."""
        with suppress(queue.Empty):
            if not self._jobs:  # concurrent.futures.wait could be left with its locks taken
                self._wake.get(timeout=seconds)
            while True:
                self._wake.get_nowait()

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call."""
        ended = []
        while self._jobs:
            ended.append(self._jobs.popleft())
        return ended


class ThreadCrew:
    """Threads of this process: kernels run without Python's lock.

    Parameters
    ----------
    workers
        one for each thread; they are used one task at a time
    """

    name = "threads"
    patience = float("inf")

    def __init__(self, workers: Sequence[Any]) -> None:
        self.size = len(workers)
        self._idle: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for worker in workers:
            self._idle.put(worker)
        self._pool = ThreadPoolExecutor(self.size, thread_name_prefix="rookery")
        self._signals: dict[Job, Signal] = {}
        self._ended = EndedJobs()

    def submit(self, job: Job, seconds: float | None) -> None:
        """Begin to compute a job; the driver's own clock is exact enough for threads."""
        self._signals[job] = signal = Signal()
        future = self._pool.submit(self._compute, job.task, signal)
        future.add_done_callback(lambda future: self._end(job, future))

    def wait(self, seconds: float) -> None:
        """Return when a job has ended, or after so many seconds."""
        self._ended.wait(seconds)

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call."""
        ended = self._ended.collect()
        for item in ended:
            self._signals.pop(item.job, None)
        return ended

    def halt(self, job: Job) -> None:
        """Make a job return within a move."""
        if job in self._signals:
            self._signals[job].halt()

    def playouts(self) -> int:
        """Playouts of the jobs that are being computed."""
        return sum(signal.playouts for signal in self._signals.values())

    def close(self, wait: bool) -> None:
        """No more jobs."""
        self._pool.shutdown(wait=wait)

    def _compute(self, task: Task, signal: Signal) -> Outcome:
        worker = self._idle.get()
        try:
            return timed_run(worker, task, signal)
        finally:
            self._idle.put(worker)

    def _end(self, job: Job, future: Future[Outcome]) -> None:
        error = future.exception()
        self._ended.add(Ended(job, None, error) if error is not None else Ended(job, future.result()))
