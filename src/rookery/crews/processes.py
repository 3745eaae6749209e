"""Processes of this machine: tasks halt at once, and workers that die, or give no sign of life, are replaced."""

from __future__ import annotations

import itertools
import queue
import sys
import time
from collections import deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from rookery.control import Signal
from rookery.crews.executors import UNTOUCHED, cannot_be_sent
from rookery.crews.process_main import Answered, Beat, Begin, Halt, Ready
from rookery.crews.remote import Failed, Missing, Order
from rookery.crews.shipping import Parcel, pack_value, unpack_reply
from rookery.crews.threads import PATIENCE, Ended
from rookery.crews.worker_process import JOIN, Gone, WorkerProcess
from rookery.errors import ExecutorError, RemoteError
from rookery.plans.plan import Job
from rookery.tasks import Task
from rookery.user_code import describe_exception

MOST_LOST = 3
"""A job during which workers died this often is not sent again."""
MOST_STARTS = 5
"""This many processes in a row may die before they are ready."""
SILENCE = 3.0
"""Seconds without a sign of life after which a task is given to another worker as well."""
START_SILENCE = 20.0
"""The same for a process that starts: it may have to wait for a busy disk."""
BY_FAR, AT_LEAST = 10.0, 5.0
"""A task that takes this many times as long as the longest of its kind, and this many seconds, is given away too."""
MOST_ATTEMPTS = 3
"""The most workers that compute the same task."""
TICK = 0.1
MOST_ABSENT = 0.5
"""The most seconds between two looks that count: what was said meanwhile is not known yet."""


@dataclass(eq=False)
class Sent:
    """A job on its way: its order, who computes it, when the last of them began, how often it was lost."""

    order: Order
    kind: Hashable
    workers: list[WorkerProcess] = field(default_factory=list)
    began: float = 0.0
    halted: float | None = None  # when
    lost: int = 0


class ProcessCrew:
    """Worker processes, which are made here and end with the crew, or with this process whatever ends it.

    What they say is heard in other threads; all that is done about it is done in :meth:`collect`.

    Parameters
    ----------
    warm
        a task of the kind that will come: each process gets ready for it when it starts
    again
        makes a worker of this process. A task in which user code raised an error is computed again by it, so that the
        error is what it would be without processes: the exception itself, not a sentence about it
    """

    name = "processes"
    patience = PATIENCE

    def __init__(
        self,
        workers: int,
        parcel: Parcel,
        debug: bool,
        warm: Task | None = None,
        again: Callable[[], Any] | None = None,
    ) -> None:
        self.size, self._again = workers, again
        self._parcel, self._debug = parcel, debug
        self._begin = Begin(sys.argv, parcel, debug, None if warm is None else pack_value(warm))
        self._said: deque[tuple[WorkerProcess, Any]] = deque()
        self._wake: queue.SimpleQueue[None] = queue.SimpleQueue()
        self._staff: list[WorkerProcess] = []
        self._dead: list[WorkerProcess] = []
        self._deaths = 0  # of processes that started, in a row
        self._failed: ExecutorError | None = None
        self._sent: dict[Job, Sent] = {}
        self._queue: deque[Job] = deque()  # sent, but not to a worker yet
        self._ended: list[Ended] = []
        self._tokens = itertools.count()
        self._longest: dict[Hashable, float] = {}  # seconds of a task, by its kind
        self._now = 0.0  # seconds that somebody has waited: if all processes are stopped, none is late
        self._looked = time.monotonic()
        for _ in range(workers):
            self._hire()

    # --- as the driver sees it ---

    def assemble(self) -> None:
        """Return when all processes are ready."""
        try:
            while not all(worker.ready for worker in self._staff) and self._failed is None:
                self.wait(TICK)
                self._attend()
            if self._failed is not None:
                raise self._failed
        except BaseException:
            self.close(wait=False)
            raise

    def submit(self, job: Job, seconds: float | None) -> None:
        """Send a job to a worker that is idle."""
        if self._failed is not None:
            self._ended.append(Ended(job, error=self._failed))
            return
        try:
            task = pack_value(job.task)
        except Exception as error:
            self._ended.append(Ended(job, error=cannot_be_sent(error)))
            return
        order = Order(str(next(self._tokens)), self._parcel.digest, None, self._debug, task, seconds)
        self._sent[job] = Sent(order, job.task.kind)
        self._queue.append(job)
        self._dispatch()

    def wait(self, seconds: float) -> None:
        """Return when there is an answer, or after this many seconds."""
        with suppress(queue.Empty):
            if not self._ended:
                self._wake.get(timeout=seconds)
            while True:
                self._wake.get_nowait()

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call."""
        self._attend()
        ended, self._ended = self._ended, []
        return [self._with_own_error(one) for one in ended]

    def _with_own_error(self, ended: Ended) -> Ended:
        if self._again is not None and isinstance(ended.error, RemoteError):
            try:
                ended.job.task.compute(self._again(), Signal())
            except Exception as error:
                return Ended(ended.job, error=error)
        return ended

    def halt(self, job: Job) -> None:
        """Make a job return within a move; one that no worker has begun has ended."""
        sent = self._sent.get(job)
        if sent is None or sent.halted is not None:
            return
        sent.halted = self._now
        if job in self._queue:
            self._queue.remove(job)
            self._end(job, Ended(job, UNTOUCHED))
            return
        for worker in sent.workers:
            worker.send(Halt(sent.order.token))
        if not any(worker.ready for worker in sent.workers):
            del self._sent[job]  # they will answer, but nobody has to wait for that
            self._ended.append(Ended(job, UNTOUCHED))

    def playouts(self) -> int:
        """Playouts of the jobs that are being computed."""
        return sum(max((worker.playouts for worker in sent.workers), default=0) for sent in self._sent.values())

    def left(self, job: Job) -> str | None:
        """A sentence about the function that a job is stuck in, or that its process is silent; empty if it moves."""
        until = time.monotonic() + PATIENCE
        while job in self._sent and self._sent[job].workers:
            worker = self._sent[job].workers[-1]
            if worker.left is not None:
                return worker.left
            if time.monotonic() > until:
                if self._now - worker.heard < PATIENCE:
                    return ""
                return f"the worker process {worker.pid} did not answer when the run had to end, and was killed"
            time.sleep(TICK / 5)
            self._attend()
        return None

    def close(self, wait: bool) -> None:
        """End the processes; those that would not end are killed, even if they were stopped."""
        staff, self._staff = self._staff, []
        if wait:
            for worker in staff:
                worker.send(None)
            until = time.monotonic() + PATIENCE
            staff = [worker for worker in staff if not worker.join(max(0.0, until - time.monotonic()))]
        for worker in staff:
            worker.kill()
        for worker in (*staff, *self._dead):
            worker.join(JOIN)
        self._dead = []

    # --- workers ---

    def _hire(self) -> WorkerProcess:
        worker = WorkerProcess(self._begin, self._note)
        worker.heard = self._now
        self._staff.append(worker)
        return worker

    def _dismiss(self, worker: WorkerProcess) -> None:
        """Kill a worker that is no longer of use."""
        self._staff.remove(worker)
        self._dead.append(worker)
        worker.kill()

    def _dispatch(self) -> None:
        """Give jobs to workers that are idle, if possible to those that are ready."""
        idle = sorted((w for w in self._staff if w.token is None), key=lambda worker: not worker.ready)
        for worker in idle:
            if not self._queue:
                return
            self._give(self._queue.popleft(), worker)

    def _give(self, job: Job, worker: WorkerProcess) -> None:
        sent = self._sent[job]
        sent.workers.append(worker)
        sent.began = self._now
        worker.token, worker.playouts, worker.left, worker.heard = sent.order.token, 0, None, self._now
        worker.send(sent.order)

    # --- what they say ---

    def _note(self, worker: WorkerProcess, message: Any) -> None:
        """In other threads: a message has come."""
        self._said.append((worker, message))
        if not isinstance(message, Beat):
            self._wake.put(None)

    def _attend(self) -> None:
        """Act on everything that was said, and on those who say nothing."""
        while self._said:
            self._hear(*self._said.popleft())
        now = time.monotonic()
        self._now, self._looked = self._now + min(now - self._looked, MOST_ABSENT), now
        for worker in [worker for worker in self._staff if worker.token is None and not worker.ready]:
            if self._is_silent(worker):
                worker.kill()
                self._dead.append(worker)
                self._gone(worker, "it gives no sign of life")
        for job in list(self._sent):
            self._look(job, self._sent[job])

    def _look(self, job: Job, sent: Sent) -> None:
        """Give up a job that does not halt; give one that takes far too long to another worker too."""
        if not sent.workers:
            return
        worker = sent.workers[-1]
        silent = self._is_silent(worker)
        if sent.halted is not None:
            if silent or self._now - sent.halted > BY_FAR * PATIENCE:
                self._end(job, Ended(job, UNTOUCHED))
            return
        usual = self._longest.get(sent.kind)
        late = usual is not None and worker.ready and self._now - sent.began > max(AT_LEAST, BY_FAR * usual)
        if (silent or late) and len(sent.workers) < MOST_ATTEMPTS:
            self._give(job, self._hire())

    def _is_silent(self, worker: WorkerProcess) -> bool:
        return self._now - worker.heard > (SILENCE if worker.ready else START_SILENCE)

    def _hear(self, worker: WorkerProcess, message: Any) -> None:
        if worker not in self._staff:
            return
        worker.heard = self._now
        if isinstance(message, Ready):
            self._deaths = 0
            for sent in self._sent.values():
                if sent.workers and sent.workers[-1] is worker:
                    sent.began = self._now
        elif isinstance(message, Beat) and message.token == worker.token:
            worker.playouts, worker.left = message.playouts, message.left
        elif isinstance(message, Answered):
            self._answered(worker, message)
        elif isinstance(message, Gone):
            self._gone(worker, message.cause)

    def _answered(self, worker: WorkerProcess, message: Answered) -> None:
        job = next((job for job, sent in self._sent.items() if sent.order.token == message.token), None)
        if job is None:  # nobody waits for it
            worker.token = None
            self._dispatch()
            return
        answer = message.answer
        if isinstance(answer, Missing):  # the problem could not be rebuilt: let the task report the error
            worker.send(replace(self._sent[job].order, content=self._parcel.content))
            return
        worker.token, worker.playouts = None, 0
        if isinstance(answer, Failed):
            ended = Ended(job, error=answer.error)
        else:
            try:
                outcome = unpack_reply(answer)
            except Exception as error:
                reason = f"the answer of a worker process cannot be read: {describe_exception(error)}"
                ended = Ended(job, error=ExecutorError(reason))
            else:
                ended = Ended(job, outcome)
                kind = self._sent[job].kind
                if job.task.alike:
                    self._longest[kind] = max(outcome.seconds, self._longest.get(kind, 0.0))
        self._end(job, ended)

    def _end(self, job: Job, ended: Ended) -> None:
        """A job is over: a worker still at it can go, since another has taken its place."""
        sent = self._sent.pop(job)
        for worker in sent.workers:
            if worker.token == sent.order.token:
                self._dismiss(worker)
        while len(self._staff) < self.size:
            self._hire()
        self._ended.append(ended)
        self._dispatch()

    def _gone(self, worker: WorkerProcess, cause: str) -> None:
        """A process has died: its task can be repeated by another one."""
        self._staff.remove(worker)
        if not worker.ready:
            self._deaths += 1
            if self._deaths >= MOST_STARTS:
                self._failed = ExecutorError(f"the worker processes cannot be started: {cause}")
                self._ended += [Ended(job, error=self._failed) for job in self._sent]
                self._sent.clear()
                return
        for job, sent in list(self._sent.items()):
            if worker in sent.workers:
                self._lost(job, sent, worker)
        while len(self._staff) < self.size:
            self._hire()
        self._dispatch()

    def _lost(self, job: Job, sent: Sent, worker: WorkerProcess) -> None:
        sent.workers.remove(worker)
        if sent.workers:
            return  # another one is at it
        sent.lost += worker.ready
        if sent.halted is not None:
            self._end(job, Ended(job, UNTOUCHED))
        elif sent.lost == MOST_LOST:
            lost = "worker processes died three times while they computed the same task; perhaps memory has run out"
            self._end(job, Ended(job, error=ExecutorError(lost)))
        else:
            self._queue.appendleft(job)
