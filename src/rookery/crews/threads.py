"""Who computes the jobs of a run: a crew of workers, whatever carries the tasks to them."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Protocol

from rookery.control import Signal
from rookery.engine.whereabouts import left_behind, whereabouts
from rookery.plans.plan import Job
from rookery.tasks import Outcome, Task

PATIENCE = 0.5
"""Seconds that are worth waiting for what was told to halt: what has not ended by then is left behind, or killed."""


@dataclass(frozen=True)
class Ended:
    """A job that ended: with an outcome, or with the error that its task raised."""

    job: Job
    outcome: Outcome | None = None
    error: BaseException | None = None


class Crew(Protocol):
    """Computes jobs, at most ``size`` at a time; every job that was submitted is collected once."""

    name: str
    """The name, as on the command line: threads, processes, mpi, dask, ..."""
    size: int
    """How many jobs it computes at a time."""
    patience: float
    """Seconds that are worth waiting for jobs that were told to halt."""

    def assemble(self) -> None:
        """Return when the workers are ready. KeyboardInterrupt may be raised in here."""

    def submit(self, job: Job, seconds: float | None) -> None:
        """Begin to compute ``job.task``; after this many seconds, if any are given, it halts by itself."""

    def wait(self, seconds: float) -> None:
        """Return when a job has ended, or after this many seconds. KeyboardInterrupt may be raised in here."""

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call, in that order."""

    def halt(self, job: Job) -> None:
        """The job's outcome is not wanted, or wanted as it is: make it end at once, if that can be done."""

    def playouts(self) -> int:
        """Playouts of the jobs that are being computed, as far as that is known."""

    def left(self, job: Job) -> str | None:
        """A sentence about a job that was told to halt and has not ended.

        Empty: it is moving, and will end soon if there is time for it. None: nothing is known, and it is not worth
        waiting.
        """

    def close(self, wait: bool) -> None:
        """No more jobs; ``wait`` for those that are being computed, or leave them."""


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
        """Return when a job has ended, or after this many seconds."""
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


class Lanes:
    """Threads that call one function after another; nothing has to wait for them, not even the end of the process."""

    def __init__(self, size: int, name: str) -> None:
        self._asked: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self.threads = [threading.Thread(target=self._serve, name=name, daemon=True) for _ in range(size)]
        for thread in self.threads:
            thread.start()

    def submit(self, function: Callable[[], None]) -> None:
        """Have a function called, which must raise nothing."""
        self._asked.put(function)

    def close(self, wait: bool) -> None:
        """No more functions; ``wait`` for those that were submitted."""
        for _ in self.threads:
            self._asked.put(None)
        for thread in self.threads if wait else ():
            thread.join()

    def _serve(self) -> None:
        for function in iter(self._asked.get, None):
            function()


class ThreadCrew:
    """Threads of this process: kernels run without Python's lock.

    Parameters
    ----------
    workers
        one for each thread; they are used one task at a time
    model
        the problem or game that they work on
    """

    name = "threads"
    patience = PATIENCE

    def __init__(self, workers: Sequence[Any], model: Any) -> None:
        self.size = len(workers)
        self._model = model
        self._idle: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for worker in workers:
            self._idle.put(worker)
        self._lanes = Lanes(self.size, "rookery-worker")
        self._signals: dict[Job, Signal] = {}
        self._threads: dict[Job, int] = {}
        self._ended = EndedJobs()

    def assemble(self) -> None:
        """Return at once: they are ready."""

    def submit(self, job: Job, seconds: float | None) -> None:
        """Begin to compute a job; the driver's own clock is exact enough for threads."""
        self._signals[job] = signal = Signal()
        self._lanes.submit(lambda: self._compute(job, signal))

    def wait(self, seconds: float) -> None:
        """Return when a job has ended, or after this many seconds."""
        self._ended.wait(seconds)

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call."""
        ended = self._ended.collect()
        for item in ended:
            self._signals.pop(item.job, None)
            self._threads.pop(item.job, None)
        return ended

    def halt(self, job: Job) -> None:
        """Make a job return within a move."""
        if job in self._signals:
            self._signals[job].halt()

    def playouts(self) -> int:
        """Playouts of the jobs that are being computed."""
        return sum(signal.playouts for signal in self._signals.values())

    def left(self, job: Job) -> str:
        """A sentence about the function that a job does not return from; empty if it is stuck in none."""
        thread = self._threads.get(job)
        found = None if thread is None else whereabouts(self._model, thread)
        return "" if found is None else left_behind(self._model, found)

    def close(self, wait: bool) -> None:
        """No more jobs; a thread that does not return ends with the process."""
        self._lanes.close(wait)

    def _compute(self, job: Job, signal: Signal) -> None:
        self._threads[job] = threading.get_ident()
        worker = self._idle.get()
        try:
            ended = Ended(job, timed_run(worker, job.task, signal))
        except BaseException as error:  # also what is not an Exception: a user's code may call sys.exit
            ended = Ended(job, None, error)
        self._idle.put(worker)
        self._ended.add(ended)
