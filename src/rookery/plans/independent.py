"""Plans whose tasks are all certain to count: the games of a match, chunks of playouts, or one task alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from rookery.plans.plan import Commit, Job
from rookery.plans.stored import MOST, Part
from rookery.tasks import Outcome, Sequence, Task


class Independent:
    """Tasks that do not depend on each other, such as the games of a match: whichever ends first counts first.

    They are handed out in order and committed in the order in which they end.

    A task that was halted does not count: half of it is worth nothing.

    >>> plan = Independent([Task(search=None, key=1), Task(search=None, key=2)])
    >>> first, second = plan.next_job(), plan.next_job()
    >>> plan.receive(second, Outcome(None, 5, (), finished=True, reached_target=False))
    >>> plan.frontier() is second
    True
    """

    iteration_is_playout = False
    keeps_best = True
    risk = 0.0  # every task counts
    best: Sequence | None = None

    def __init__(self, tasks: Iterable[Task]) -> None:
        self._tasks = list(tasks)
        self._waiting = deque((number, Job(task)) for number, task in enumerate(self._tasks))
        self._numbers: dict[Job, int] = {}
        self._ended: deque[Job] = deque()
        self._committed: set[int] = set()
        self.discards: list[Job] = []

    @property
    def finished(self) -> bool:
        """Whether all tasks are committed."""
        return len(self._committed) == len(self._tasks)

    def next_job(self) -> Job | None:
        """The next task."""
        if not self._waiting:
            return None
        number, job = self._waiting.popleft()
        self._numbers[job] = number
        job.started = True
        return job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a task."""
        job.outcome = outcome
        if outcome.finished:
            self._ended.append(job)

    def frontier(self) -> Job | None:
        """The task that ended first of those that are not committed."""
        return self._ended[0] if self._ended else None

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        job = self._ended.popleft()
        self._waiting.appendleft((self._numbers.pop(job), Job(job.task.within(budget))))

    def commit(self) -> Commit:
        """Commit the frontier."""
        self._committed.add(self._numbers.pop(self._ended.popleft()))
        return Commit(1)

    def prune(self) -> None:
        """Do nothing: there is nothing behind the frontier that could be in vain."""

    def state(self) -> dict[str, Any]:
        """Which tasks are committed; all others are computed again."""
        return {"committed": sorted(self._committed)}

    def check(self, state: Part) -> None:
        """Check that they are numbers of tasks."""
        state.has("committed")
        for number in state["committed"].parts(list, 0, len(self._tasks)):
            number.whole(0, len(self._tasks) - 1)

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self._committed = set(state["committed"])
        left = (number for number in range(len(self._tasks)) if number not in self._committed)
        self._waiting = deque((number, Job(self._tasks[number])) for number in left)


class OneTask:
    """One run that a worker computes from its beginning to its end; the best playout is the answer."""

    iteration_is_playout = False
    keeps_best = True
    risk = 0.0

    def __init__(self, task: Task) -> None:
        self._task = task
        self._job: Job | None = Job(task)
        self.best: Sequence | None = None
        self.finished = False
        self.discards: list[Job] = []

    def next_job(self) -> Job | None:
        """The job, once."""
        if self._job is None or self._job.started:
            return None
        self._job.started = True
        return self._job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome."""
        job.outcome = outcome

    def frontier(self) -> Job | None:
        """The job, once its outcome is there."""
        return self._job if self._job is not None and self._job.outcome is not None else None

    def retry(self, budget: int) -> None:
        """Compute the job again with this budget."""
        self._job = Job(self._task.within(budget))

    def commit(self) -> Commit:
        """Commit the run, or as much of it as there is."""
        assert self._job is not None
        outcome, self._job = self._job.outcome, None
        assert outcome is not None
        self.best, self.finished = outcome.sequence, outcome.finished
        return Commit(int(self.finished))

    def prune(self) -> None:
        """Do nothing: there is nothing behind the frontier."""

    def state(self) -> dict[str, Any]:
        """The outcome, if it is there and whole; what is being computed is computed again."""
        outcome = self._job.outcome if self._job is not None else None
        whole = outcome if outcome is not None and outcome.whole else None
        return {"outcome": whole, "best": self.best, "finished": self.finished}

    def check(self, state: Part) -> None:
        """Check that either it is finished and there is a best, or there may be an outcome that is not committed."""
        state.has("outcome", "best", "finished")
        if state["finished"].flag():
            state["best"].sequence(self._task.prefix)
            state["outcome"].need(state["outcome"].is_none, "None in a run that is finished")
        else:
            state["best"].need(state["best"].is_none, "None in a run that is not finished")
            if not state["outcome"].is_none:
                state["outcome"].outcome(self._task.prefix)

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self.best, self.finished = state["best"], state["finished"]
        outcome = state["outcome"]
        self._job = None if self.finished else Job(self._task, outcome, outcome is not None)


class LastTask(OneTask):
    """The same; the value of its outcome says whether further runs would find nothing new."""

    last = False

    def commit(self) -> Commit:
        """Commit the run, and note whether it is the last."""
        outcome = None if self._job is None else self._job.outcome
        self.last = outcome is not None and outcome.finished and bool(outcome.value)
        return super().commit()

    def state(self) -> dict[str, Any]:
        """What is committed; an outcome that waits is computed again, since its value would not be kept."""
        return {**super().state(), "outcome": None}


@dataclass
class Chunk:
    """The playouts ``first`` to ``last - 1``, as a job."""

    first: int
    last: int
    job: Job


class Samples:
    """One endless run, in chunks of ``size`` playouts; the first of the best is kept.

    Parameters
    ----------
    task
        makes the task of the playouts ``first`` to ``last - 1``
    last
        how many playouts there are; None: endless
    """

    iteration_is_playout = True
    keeps_best = True
    risk = 0.0  # every chunk counts
    finished = False

    def __init__(self, task: Callable[[int, int], Task], size: int, last: int | None = None) -> None:
        self._task = task
        self._size = size
        self._last = last
        self._next = 0
        self._chunks: list[Chunk] = []
        self.best: Sequence | None = None
        self.discards: list[Job] = []

    def next_job(self) -> Job | None:
        """A job that waits, or the next chunk."""
        job = next((chunk.job for chunk in self._chunks if not chunk.job.started), None)
        if job is None and (self._last is None or self._next < self._last):
            first, self._next = self._next, self._next + self._size
            if self._last is not None:
                self._next = min(self._next, self._last)
            job = self._add(first, self._next)
        if job is not None:
            job.started = True
        return job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a chunk."""
        job.outcome = outcome

    def frontier(self) -> Job | None:
        """The next chunk in order, once its outcome is there."""
        return self._chunks[0].job if self._chunks and self._chunks[0].job.outcome is not None else None

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        self._chunks[0].job = Job(self._chunks[0].job.task.within(budget))

    def commit(self) -> Commit:
        """Commit the next chunk."""
        chunk = self._chunks.pop(0)
        outcome = chunk.job.outcome
        assert outcome is not None
        found = outcome.sequence
        if found is not None and (self.best is None or found.score > self.best.score):
            self.best = found
        self.finished = outcome.finished and chunk.last == self._last
        return Commit()

    def prune(self) -> None:
        """Forget the chunks behind the frontier."""
        self.discards.extend(chunk.job for chunk in self._chunks[1:])
        del self._chunks[1:]

    def state(self) -> dict[str, Any]:
        """The chunks that are not committed, with the outcomes that are there."""
        # An outcome that was cut short by a limit or a halt is not part of the search.
        outcomes = [o if (o := chunk.job.outcome) and o.whole else None for chunk in self._chunks]
        return {
            "chunk": self._size,
            "next": self._next,
            "chunks": [(c.first, c.last, outcome) for c, outcome in zip(self._chunks, outcomes, strict=True)],
            "best": self.best,
            "finished": self.finished,
        }

    def check(self, state: Part) -> None:
        """Check that chunks follow each other up to the next, and outcomes have as many playouts as their chunks."""
        state.has("chunk", "next", "chunks", "best", "finished")
        most = MOST if self._last is None else self._last
        state["chunk"].whole(1)
        end = state["next"].whole(0, most)
        chunks = [item.parts(tuple, 3, 3) for item in state["chunks"].parts()]
        for i, (first, last, outcome) in enumerate(chunks):
            begin = first.whole(0)
            size = last.whole(begin + 1, end) - begin
            following = chunks[i + 1][0].whole(0) if i + 1 < len(chunks) else end
            last.need(last.value == following, f"{following}, where the next chunk begins")
            if not outcome.is_none:
                found = outcome.outcome(self._task(0, 1).prefix)
                outcome.need(found.playouts == size, f"of {size} playouts")
        begun = chunks[0][0].value if chunks else end
        best = state["best"]
        if begun == 0:
            best.need(best.is_none, "None before the first playout")
        else:
            best.sequence(self._task(0, 1).prefix)
        done = state["finished"].flag()
        state["finished"].need(done == (begun == self._last), "True at the end alone")

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state, with chunks of its size: here playouts may be slower or faster."""
        self._size, self._next = state["chunk"], state["next"]
        self.best, self.finished = state["best"], state["finished"]
        self._chunks = []
        for first, last, outcome in state["chunks"]:
            job = self._add(first, last)
            job.outcome, job.started = outcome, outcome is not None

    def _add(self, first: int, last: int) -> Job:
        job = Job(self._task(first, last))
        self._chunks.append(Chunk(first, last, job))
        return job
