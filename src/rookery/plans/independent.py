"""Tasks that do not depend on each other, such as the games of a match: whichever ends first counts first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Any

from rookery.plans.plan import Commit, Job
from rookery.tasks import Outcome, Sequence, Task


class Independent:
    """Tasks that are handed out in order and committed in the order in which they end.

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
        """There is nothing behind the frontier that could be in vain."""

    def state(self) -> dict[str, Any]:
        """Which tasks are committed; all others are computed again."""
        return {"committed": sorted(self._committed)}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._committed = set(state["committed"])
        left = (number for number in range(len(self._tasks)) if number not in self._committed)
        self._waiting = deque((number, Job(self._tasks[number])) for number in left)
