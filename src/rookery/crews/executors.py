"""Any ``concurrent.futures.Executor`` as a crew."""

from __future__ import annotations

import itertools
import time
import uuid
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future
from dataclasses import dataclass, field, replace

from rookery.crews import remote
from rookery.crews.remote import Answer, Failed, Missing, Order
from rookery.crews.shipping import Parcel, pack_value, unpack_reply
from rookery.crews.threads import Ended, EndedJobs
from rookery.errors import ExecutorError
from rookery.plans.plan import Job
from rookery.tasks import Outcome
from rookery.user_code import describe_exception

SMALL = 1 << 14
"""A parcel of at most this many bytes goes with every task: that costs less than being asked for it."""

UNTOUCHED = Outcome(sequence=None, playouts=0, improvements=(), finished=False, reached_target=False)
"""The outcome of a job that was withdrawn before it began."""


def cannot_be_sent(error: Exception) -> ExecutorError:
    """The error for a task that cannot be packed."""
    return ExecutorError(f"a task cannot be sent: {describe_exception(error)}")


@dataclass(eq=False)
class Sent:
    """A job on its way: what was sent, its future, whether its answer is still wanted."""

    order: Order
    future: Future[Answer] | None = None
    halted: bool = False
    began: float = field(default_factory=time.monotonic)

    def ends_soon(self) -> bool:
        """Whether it halts by itself within a second: what it has found is then worth waiting for."""
        return self.order.seconds is not None and self.began + self.order.seconds - time.monotonic() < 1.0


class ExecutorCrew:
    """Computes tasks on an executor that somebody else has made, and will shut down.

    Parameters
    ----------
    executor
        carries :func:`rookery.crews.remote.compute` to its workers
    workers
        how many tasks it is given at a time
    parcel
        the problem, which is sent to each worker once
    """

    patience = 2.0

    def __init__(
        self,
        executor: Executor,
        workers: int,
        parcel: Parcel,
        debug: bool,
        name: str = "executor",
    ) -> None:
        self.name = name
        self.size = workers
        self._executor = executor
        self._parcel = parcel
        self._debug = debug
        self._sent: dict[Job, Sent] = {}
        self._arrived = EndedJobs()
        self._prefix = uuid.uuid4().hex
        self._numbers = itertools.count()

    # --- as the driver sees it ---

    def assemble(self) -> None:
        """Return at once: whoever made the executor has seen to that."""

    def submit(self, job: Job, seconds: float | None) -> None:
        """Send a job; if that fails, the job ends with an error."""
        try:
            task = pack_value(job.task)
        except Exception as error:
            self._arrived.add(Ended(job, error=cannot_be_sent(error)))
            return
        content = self._parcel.content if len(self._parcel.content) <= SMALL else None
        token = f"{self._prefix}-{next(self._numbers)}"
        order = Order(token, self._parcel.digest, content, self._debug, task, seconds)
        self._sent[job] = Sent(order)
        self._send(job)

    def wait(self, seconds: float) -> None:
        """Return when there is an answer, or after this many seconds."""
        self._arrived.wait(seconds)

    def collect(self) -> list[Ended]:
        """The jobs that have ended since the last call; those that were lost on the way are sent again."""
        ended = []
        for item in self._arrived.collect():
            result = item if item.error is not None else self._answered(item.job)
            if result is not None:
                self._sent.pop(item.job, None)
                ended.append(result)
        return ended

    def halt(self, job: Job) -> None:
        """Withdraw a job that has not begun; one that is running can be halted only in this process."""
        sent = self._sent.get(job)
        if sent is not None and sent.future is not None:
            sent.halted = True
            if not sent.future.cancel():
                remote.halt(sent.order.token)

    def playouts(self) -> int:
        """Playouts of the jobs that are being computed in this process; nothing is known of others."""
        return sum(remote.playouts(sent.order.token) for sent in self._sent.values())

    def left(self, job: Job) -> str | None:
        """The function that a job does not come back from in this process; nothing is known of others."""
        sent = self._sent.get(job)
        return None if sent is None else remote.left(sent.order.token)

    def close(self, wait: bool) -> None:
        """Withdraw what has not begun; the executor itself is not ours to shut down."""
        for sent in self._sent.values():
            if sent.future is not None:
                sent.future.cancel()

    # --- orders and answers ---

    def _send(self, job: Job) -> None:
        sent = self._sent[job]
        try:
            sent.future = self._executor.submit(remote.compute, sent.order)
        except Exception as error:  # whatever executor this is
            self._arrived.add(Ended(job, error=self._explained(error)))
            return
        sent.future.add_done_callback(lambda _: self._arrived.add(Ended(job)))

    def _answered(self, job: Job) -> Ended | None:
        """What a job's answer means; None if the job was sent again."""
        sent = self._sent[job]
        assert sent.future is not None
        try:
            answer = sent.future.result(timeout=0)
        except CancelledError as error:
            return Ended(job, UNTOUCHED) if sent.halted else Ended(job, error=self._explained(error))
        except Exception as error:
            return Ended(job, error=self._explained(error))
        if isinstance(answer, Failed):
            return Ended(job, error=answer.error)
        if isinstance(answer, Missing):
            if sent.halted:
                return Ended(job, UNTOUCHED)
            sent.order = replace(sent.order, content=self._parcel.content)
            self._send(job)
            return None
        try:
            return Ended(job, unpack_reply(answer))
        except Exception as error:
            return Ended(job, error=self._explained(error))

    def _explained(self, error: BaseException) -> ExecutorError:
        explained = ExecutorError(self._sentence(error))
        explained.__cause__ = error
        return explained

    def _sentence(self, error: BaseException) -> str:
        if isinstance(error, CancelledError):
            return "the executor has cancelled a task of the run"
        if isinstance(error, BrokenExecutor):
            return f"the executor is broken: {describe_exception(error)}"
        return f"the executor cannot compute a task: {describe_exception(error)}"
