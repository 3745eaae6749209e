"""A cluster in virtual time: the real scheduler and real tasks, with any number of imaginary workers."""

from __future__ import annotations

import heapq
import math
import struct
from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import count
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.control import Signal
from rookery.crews.threads import Ended, timed_run
from rookery.plans.plan import Job
from rookery.rng import Stream, mix_int
from rookery.tasks import Outcome, Sequence, Task, Worker

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


@dataclass(eq=False)
class _Running:
    """A job under way: how long it takes, when the driver hears of its end, and its outcome if that is known."""

    task: Task
    seconds: float
    ends: float
    name: bytes | None
    ended: Ended | None = None
    wanted: bool = True


class VirtualCrew:
    """Workers in virtual time; every task is really computed in this process, when its end is reached.

    A message takes ``delay`` seconds either way, so that a worker is busy for the duration of its task plus twice the
    delay. A discarded task is not computed.

    Parameters
    ----------
    worker
        computes the tasks
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
        self, worker: Worker, size: int, duration: Duration, delay: float, memo: Memo | None, cancel: bool
    ) -> None:
        self.size = size
        self.submitted = 0
        self._worker = worker
        self._duration, self._delay, self._cancel = duration, delay, cancel
        self._memo = memo
        self._now = 0.0
        self._running: dict[Job, _Running] = {}
        self._events: list[tuple[float, int, Job]] = []  # a heap; the number tells jobs apart that end together
        self._number = count()
        self._ended: list[Ended] = []

    def clock(self) -> float:
        """Virtual seconds since the start."""
        return self._now

    def assemble(self) -> None:
        """They are ready."""

    def submit(self, job: Job, seconds: float | None) -> None:
        """Put a job on the clock; whoever drives the crew has no more than ``size`` under way, and no limit of time."""
        self.submitted += 1
        task = job.task
        name = None if self._memo is None else self._memo.name(task)
        length = self._duration(task)
        ended = None
        if length is None:
            ended = self._compute(job, task, name)
            length = 0.0 if ended.outcome is None else ended.outcome.seconds
        ends = self._now + 2.0 * self._delay + length
        self._running[job] = _Running(task, length, ends, name, ended)
        heapq.heappush(self._events, (ends, next(self._number), job))

    def wait(self, seconds: float) -> None:
        """Move on to the next moment at which a job ends, and compute what ends then."""
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
        if self._cancel and self._now + self._delay < running.ends:
            running.ends = self._now + self._delay
            heapq.heappush(self._events, (running.ends, next(self._number), job))

    def playouts(self) -> int:
        """None: what is under way has not been computed."""
        return 0

    def left(self, job: Job) -> None:
        """Nothing can be stuck: what has not ended has not begun."""

    def close(self, wait: bool) -> None:
        """No more jobs."""

    def _end(self, job: Job, running: _Running) -> Ended:
        if not running.wanted:
            return Ended(job, IN_VAIN)
        ended = running.ended or self._compute(job, running.task, running.name)
        if ended.outcome is not None:
            ended = Ended(job, replace(ended.outcome, seconds=running.seconds))
        return ended

    def _compute(self, job: Job, task: Task, name: bytes | None) -> Ended:
        if self._memo is not None and name is not None and (known := self._memo.find(name)) is not None:
            return Ended(job, known)
        try:
            outcome = timed_run(self._worker, task, Signal())
        except Exception as error:
            return Ended(job, None, error)
        if self._memo is not None and name is not None:
            self._memo.keep(name, outcome)
        return Ended(job, outcome)


HEAD = struct.Struct("<qdd??iiicccc")
"""Playouts, seconds, score, finished, target; then the sizes of moves, codes and improvements, and their types."""


class Memo:
    """Outcomes by what a task of NRPA depends on: its key, its policy, its level and its budget.

    >>> memo = Memo()
    >>> memo.keep(b"name", Outcome(Sequence(3.0, (1, 2), (7, 8)), 5, ((2, 3.0),), True, False))
    >>> memo.find(b"name").sequence.moves
    (1, 2)
    >>> memo.find(b"other") is None
    True
    """

    def __init__(self) -> None:
        self._outcomes: dict[bytes, bytes | Outcome] = {}
        self._numbers: dict[Hashable, int] = {}  # of codes that are not numbers

    def __len__(self) -> int:
        return len(self._outcomes)

    def name(self, task: Any) -> bytes:
        """What tells a task from all others of the same search, in 16 bytes."""
        digest = blake2b(struct.pack("<Qqq", task.key, task.level, task.budget), digest_size=16)
        digest.update(self._codes(task.policy.codes).data)
        digest.update(np.ascontiguousarray(task.policy.weights, np.float64).data)
        return digest.digest()

    def keep(self, name: bytes, outcome: Outcome) -> None:
        """Remember an outcome."""
        packed = _packed(outcome)
        self._outcomes[name] = outcome if packed is None else packed

    def find(self, name: bytes) -> Outcome | None:
        """The outcome that was kept under a name."""
        kept = self._outcomes.get(name)
        return _unpacked(kept) if isinstance(kept, bytes) else kept

    def _codes(self, codes: Any) -> npt.NDArray[Any]:
        if isinstance(codes, np.ndarray):
            return np.ascontiguousarray(codes)
        # A number for each code that was ever seen: a text of it might not tell two codes apart.
        return np.array([self._numbers.setdefault(code, len(self._numbers)) for code in codes], np.int64)


def _packed(outcome: Outcome) -> bytes | None:
    """An outcome as bytes; None if its moves or codes are not whole numbers of 64 bits."""
    sequence = outcome.sequence
    if sequence is None:
        return None
    moves, codes = _narrow(sequence.moves), _narrow(sequence.codes)
    if moves is None or codes is None:
        return None
    at = _narrow([at for at, _ in outcome.improvements])
    assert at is not None
    to = np.array([to for _, to in outcome.improvements], np.float64)
    arrays = (moves, codes, at, to)
    kinds = [array.dtype.char.encode() for array in arrays]
    head = HEAD.pack(
        *(outcome.playouts, outcome.seconds, sequence.score, outcome.finished, outcome.reached_target),
        *(len(moves), len(codes), len(at), *kinds),
    )
    return head + b"".join(array.tobytes() for array in arrays)


def _unpacked(packed: bytes) -> Outcome:
    playouts, seconds, score, finished, target, moves, codes, improvements, *kinds = HEAD.unpack_from(packed)
    at, values = HEAD.size, []
    for kind, size in zip(kinds, (moves, codes, improvements, improvements), strict=True):
        dtype = np.dtype(kind.decode())
        values.append(np.frombuffer(packed, dtype, size, at).tolist())
        at += size * dtype.itemsize
    return Outcome(
        sequence=Sequence(score, tuple(values[0]), tuple(values[1])),
        playouts=playouts,
        improvements=tuple(zip(values[2], values[3], strict=True)),
        finished=finished,
        reached_target=target,
        seconds=seconds,
    )


def _narrow(numbers: Any) -> npt.NDArray[Any] | None:
    """Whole numbers in the narrowest type that holds them all; None if they are something else."""
    if not set(map(type, numbers)) <= {int}:
        return None
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    for kind in (np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return np.array(numbers, kind)
    return None
