"""A run that is one task: UCT, whose every playout depends on all before it."""

from __future__ import annotations

from typing import Any

from rookery.plans.plan import Commit, Job
from rookery.tasks import Outcome, Sequence, Task


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
        """There is nothing behind the frontier."""

    def state(self) -> dict[str, Any]:
        """The outcome, if it is there and whole; what is being computed is computed again."""
        outcome = self._job.outcome if self._job is not None else None
        whole = outcome if outcome is not None and outcome.finished else None
        return {"outcome": whole, "best": self.best, "finished": self.finished}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self.best, self.finished = state["best"], state["finished"]
        outcome = state["outcome"]
        self._job = None if self.finished else Job(self._task, outcome, outcome is not None)
