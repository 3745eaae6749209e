"""Sampling as chunks of independent playouts."""

from __future__ import annotations

from typing import Any

from rookery.parallel.plan import Commit, Discards, Job
from rookery.search.parameters import Rule
from rookery.tasks import Moves, Outcome, SamplingTask, Sequence


class Samples:
    """One endless run of sampling, in chunks of ``chunk`` playouts; the first of the best is kept."""

    iteration_is_playout = True
    keeps_best = True
    risk = 0.0  # every chunk counts
    finished = False

    def __init__(
        self,
        key: int,
        chunk: int,
        prefix: Moves = (),
        target: float = float("inf"),
        last: int | None = None,
        rule: Rule | None = None,
    ) -> None:
        self._key = key
        self._chunk = chunk
        self._prefix = prefix
        self._target = target
        self._last = last
        self._rule = rule
        self._next = 0
        self._jobs: list[Job] = []
        self.best: Sequence | None = None
        self.discards = Discards()

    def next_job(self) -> Job | None:
        """A job that waits, or the next chunk."""
        for job in self._jobs:
            if not job.started:
                job.started = True
                return job
        if self._last is not None and self._next >= self._last:
            return None
        first, last = self._next, self._next + self._chunk
        if self._last is not None:
            last = min(last, self._last)
        self._next = last
        job = self._job(first, last)
        job.started = True
        self._jobs.append(job)
        return job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a chunk."""
        job.outcome = outcome

    def frontier(self) -> Job | None:
        """The next chunk in order, once its outcome is there."""
        return self._jobs[0] if self._jobs and self._jobs[0].outcome is not None else None

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        self._jobs[0] = Job(self._jobs[0].task.within(budget))

    def commit(self) -> Commit:
        """Commit the next chunk."""
        job = self._jobs.pop(0)
        assert job.outcome is not None
        found = job.outcome.sequence
        if found is not None and (self.best is None or found.score > self.best.score):
            self.best = found
        assert isinstance(job.task, SamplingTask)
        self.finished = job.outcome.finished and job.task.last == self._last
        return Commit()

    def prune(self) -> None:
        """Forget the chunks behind the frontier."""
        self.discards.jobs.extend(self._jobs[1:])
        del self._jobs[1:]

    def state(self) -> dict[str, Any]:
        """The chunks that are not committed, with the outcomes that are there."""
        chunks = []
        for job in self._jobs:
            assert isinstance(job.task, SamplingTask)
            # An outcome that was cut short by a limit or a halt is no part of the search.
            outcome = job.outcome if job.outcome and job.outcome.finished else None
            chunks.append((job.task.first, job.task.last, outcome))
        return {
            "chunk": self._chunk,
            "next": self._next,
            "chunks": chunks,
            "best": self.best,
            "finished": self.finished,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, with chunks of its size: here playouts may take longer or shorter."""
        self._chunk, self._next = state["chunk"], state["next"]
        self.best, self.finished = state["best"], state["finished"]
        self._jobs = []
        for first, last, outcome in state["chunks"]:
            job = self._job(first, last)
            job.outcome, job.started = outcome, outcome is not None
            self._jobs.append(job)

    def _job(self, first: int, last: int) -> Job:
        key, prefix, target = self._key, self._prefix, self._target
        return Job(SamplingTask(key=key, prefix=prefix, target=target, first=first, last=last, rule=self._rule))
