"""A run filled with independent restarts (Rosin 2011, section 4.1): the best of all is kept."""

from __future__ import annotations

from collections.abc import Callable

from rookery.parallel.plan import Commit, Discards, Job, Plan
from rookery.tasks import Outcome, Sequence

MOST_AHEAD = 4
"""Restarts that may be under way at once, for workers that the first one has no job for."""


class Restarts:
    """Runs ``make(0)``, ``make(1)``, ... one after the other, committed in that order.

    Parameters
    ----------
    make
        the plan of a restart, by its number
    endless
        False: a single run
    """

    def __init__(self, make: Callable[[int], Plan], endless: bool) -> None:
        self._make = make
        self._endless = endless
        self._live = [make(0)]
        self._of: dict[Job, Plan] = {}
        self._best: Sequence | None = None
        self._made = 1
        self.number = 0  # of the last restart that has committed anything
        self.iteration_is_playout = self._live[0].iteration_is_playout
        self.keeps_best = self._live[0].keeps_best
        self.discards = Discards()

    @property
    def best(self) -> Sequence | None:
        """The best of the finished restarts and of the current one; the first of equals."""
        current = self._live[0].best if self._live else None
        return self._better(self._best, current)

    @property
    def finished(self) -> bool:
        """Whether the single run is finished; endless ones never are."""
        return not self._live

    def next_job(self) -> Job | None:
        """A job of the first restart that has one; a new restart if none has."""
        for plan in self._live:
            job = self._job_of(plan)
            if job is not None:
                return job
        if not self._live or not self._endless or len(self._live) >= MOST_AHEAD:
            return None
        self._add()
        return self._job_of(self._live[-1])

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Pass an outcome on to the restart that the job belongs to."""
        plan = self._of.pop(job, None)
        if plan is not None and plan in self._live:
            plan.receive(job, outcome)
            self._collect(plan)

    def frontier(self) -> Job | None:
        """The frontier of the current restart."""
        return self._live[0].frontier() if self._live else None

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        self._live[0].retry(budget)
        self._collect(self._live[0])

    def commit(self) -> Commit:
        """Commit the frontier; after the last job of a restart, go on to the next."""
        plan = self._live[0]
        self.number = self._made - len(self._live)
        commit = plan.commit()
        if plan.finished:
            self._best = self._better(self._best, plan.best)
            self._live.pop(0)
            if self._endless and not self._live:
                self._add()
        return commit

    def prune(self) -> None:
        """Forget every job behind the frontier."""
        del self._live[1:]
        if self._live:
            self._live[0].prune()
            self._collect(self._live[0])

    def _add(self) -> None:
        self._live.append(self._make(self._made))
        self._made += 1

    def _job_of(self, plan: Plan) -> Job | None:
        job = plan.next_job()
        if job is not None:
            self._of[job] = plan
        return job

    def _collect(self, plan: Plan) -> None:
        self.discards.jobs.extend(plan.discards.drain())

    @staticmethod
    def _better(a: Sequence | None, b: Sequence | None) -> Sequence | None:
        if a is None or b is None:
            return a or b
        return b if b.score > a.score else a
