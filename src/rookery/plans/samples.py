"""Independent playouts in chunks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rookery.plans.plan import Commit, Job
from rookery.tasks import Outcome, Sequence, Task


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
        # An outcome that was cut short by a limit or a halt is no part of the search.
        outcomes = [o if (o := chunk.job.outcome) and o.finished else None for chunk in self._chunks]
        return {
            "chunk": self._size,
            "next": self._next,
            "chunks": [(c.first, c.last, outcome) for c, outcome in zip(self._chunks, outcomes, strict=True)],
            "best": self.best,
            "finished": self.finished,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state, with chunks of its size: here playouts may take longer or shorter."""
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
