"""A cluster in virtual time: the real scheduler and real tasks, with any number of imaginary workers."""

from __future__ import annotations

import heapq
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count

from rookery.crews.memo import Memo
from rookery.crews.threads import PATIENCE, Crew, Ended
from rookery.plans.plan import Job
from rookery.rng import Stream, mix_int
from rookery.tasks import Outcome, Task

Duration = Callable[[Task], float | None]
"""How many seconds a task takes; None: as long as it really takes."""

IN_VAIN = Outcome(sequence=None, playouts=0, improvements=(), finished=False, reached_target=False)
"""The outcome of a task that was discarded before its end: nobody looks at it, so it is not computed."""

DURATIONS = 0x64757261
"""Sets the stream of durations apart from those of the playouts."""


@dataclass(frozen=True)
class LogNormal:
    """Durations with a mean and a spread (standard deviation over mean), drawn from the key of the task.

    >>> LogNormal(25.0, 0.0)(Task(search=None, key=1))
    25.0
    >>> LogNormal(25.0, 0.2)(Task(search=None, key=1)) == LogNormal(25.0, 0.2)(Task(search=None, key=1))
    True
    """

    mean: float
    spread: float

    def __call__(self, task: Task) -> float:
        """The seconds of a task."""
        if self.spread == 0.0:
            return self.mean
        stream = Stream(mix_int(task.key, DURATIONS))
        variance = math.log1p(self.spread * self.spread)
        # Box and Muller; 1 - u is never zero.
        normal = math.sqrt(-2.0 * math.log(1.0 - stream.uniform())) * math.cos(2.0 * math.pi * stream.uniform())
        return self.mean * math.exp(math.sqrt(variance) * normal - 0.5 * variance)


def measured(task: Task) -> None:
    """Every task takes as long as it takes in this process."""


AHEAD = 4
"""Tasks that are computed ahead for each real worker, at most."""
LOOK = 0.1
"""Seconds between two looks at what is being computed: Windows hears no Ctrl-C meanwhile."""


@dataclass(eq=False)
class _Running:
    """A job under way: how long it takes, when the driver hears of its end, and how it is really computed."""

    task: Task
    seconds: float = 0.0
    ends: float = math.inf
    wanted: bool = True
    begun: Job | None = None  # as the real crew has it
    name: bytes | None = None
    ended: Ended | None = None


class VirtualCrew:
    """Workers in virtual time; their tasks are really computed, by a real crew.

    A message takes ``delay`` seconds either way, so that a worker is busy for the duration of its task plus twice the
    delay. Tasks are computed in the order of their ends, a few of them ahead: hardly any that is discarded before its
    end.

    Parameters
    ----------
    computing
        the real crew; it may serve several virtual ones, one after the other
    duration
        how long tasks take; measured ones are computed when they are dispatched
    memo
        outcomes that were computed before, in this simulation or in another one of the same search
    cancel
        whether a discarded task frees its worker after one delay; else, as in Nagorko 2019, the worker finishes it
    """

    name = "virtual"
    patience = 0.0  # what is still under way when the run ends exists in virtual time only

    def __init__(
        self, computing: Crew, size: int, duration: Duration, delay: float, memo: Memo | None, cancel: bool
    ) -> None:
        self.size = size
        self.submitted = 0
        self._computing = computing
        self._duration, self._delay, self._cancel = duration, delay, cancel
        self._memo = memo
        self._now = 0.0
        self._running: dict[Job, _Running] = {}
        self._events: list[tuple[float, int, Job]] = []  # a heap; the number tells jobs apart that end together
        self._next: list[tuple[float, int, _Running]] = []  # a heap of what is still to be computed
        self._number = count()
        self._begun: dict[Job, _Running] = {}  # what is being computed
        self._ahead = 0  # tasks that were begun and whose end has not come
        self._ended: list[Ended] = []

    def clock(self) -> float:
        """Virtual seconds since the start."""
        return self._now

    def assemble(self) -> None:
        """They are ready."""

    def submit(self, job: Job, seconds: float | None) -> None:
        """Put a job on the clock; whoever drives the crew has no more than ``size`` under way, and no limit of time."""
        self.submitted += 1
        running = _Running(job.task)
        length = self._duration(job.task)
        if length is None:
            outcome = self._computed(running).outcome
            length = 0.0 if outcome is None else outcome.seconds
        running.seconds, running.ends = length, self._now + 2.0 * self._delay + length
        self._running[job] = running
        number = next(self._number)
        heapq.heappush(self._events, (running.ends, number, job))
        if running.begun is None:
            heapq.heappush(self._next, (running.ends, number, running))

    def wait(self, seconds: float) -> None:
        """Move on to the next moment at which a job ends, and have computed what ends then."""
        if self._ended or not self._running:
            return
        moment = math.inf
        while self._events and self._events[0][0] <= moment:
            ends, _, job = self._events[0]
            running = self._running.get(job)
            if running is not None and running.ends == ends:  # else it was freed before
                self._now = moment = ends
                ended = self._end(job, running)
                del self._running[job]
                self._ended.append(ended)
            heapq.heappop(self._events)

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call."""
        ended, self._ended = self._ended, []
        return ended

    def halt(self, job: Job) -> None:
        """The outcome of a job is not wanted."""
        running = self._running.get(job)
        if running is None or not running.wanted:
            return
        running.wanted = False
        if running.begun is not None:
            self._ahead -= 1
            self._computing.halt(running.begun)
        if self._cancel and self._now + self._delay < running.ends:
            running.ends = self._now + self._delay
            heapq.heappush(self._events, (running.ends, next(self._number), job))

    def playouts(self) -> int:
        """None: what is under way has not ended."""
        return 0

    def left(self, job: Job) -> str | None:
        """A sentence about a task that is really being computed and does not return; virtual ones always do."""
        self._halt_all()
        until = time.monotonic() + PATIENCE
        while self._begun and time.monotonic() < until:
            self._computing.wait(until - time.monotonic())
            self._take()
        return next(filter(None, map(self._computing.left, self._begun)), None)

    def close(self, wait: bool) -> None:
        """No more jobs: what is still being computed is halted."""
        self._halt_all()

    def _end(self, job: Job, running: _Running) -> Ended:
        if not running.wanted:
            return Ended(job, IN_VAIN)
        ended = self._computed(running)
        self._ahead -= 1
        if ended.outcome is None:
            return Ended(job, None, ended.error)
        return Ended(job, replace(ended.outcome, seconds=running.seconds))

    # --- what is really computed ---

    def _computed(self, running: _Running) -> Ended:
        """The outcome of a task; those that end after it are computed meanwhile."""
        self._begin(running)
        while True:
            self._take()
            self._begin_next()
            if running.ended is not None:
                return running.ended
            self._computing.wait(LOOK)

    def _begin_next(self) -> None:
        """Have tasks computed ahead: several at once when few are left, so that threads are seldom woken up."""
        most = AHEAD * self._computing.size
        if 2 * self._ahead > most:
            return
        while self._next and self._ahead < most:
            running = heapq.heappop(self._next)[2]
            if running.wanted:
                self._begin(running)

    def _begin(self, running: _Running) -> None:
        """Have a task computed, unless its outcome is known."""
        if running.begun is not None:
            return
        running.begun = Job(running.task)
        self._ahead += 1
        if self._memo is not None:
            running.name = self._memo.name(running.task)
            known = self._memo.find(running.name)
            if known is not None:
                running.ended = Ended(running.begun, known)
                return
        self._begun[running.begun] = running
        self._computing.submit(running.begun, None)

    def _take(self) -> None:
        """Take what was computed."""
        for ended in self._computing.collect():
            running = self._begun.pop(ended.job, None)
            if running is None:
                continue  # of an earlier run
            running.ended = ended
            outcome = ended.outcome
            if self._memo is not None and running.name is not None and outcome is not None and outcome.whole:
                self._memo.keep(running.name, outcome)

    def _halt_all(self) -> None:
        for job in self._begun:
            self._computing.halt(job)
