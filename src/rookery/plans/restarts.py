"""Independent restarts: the best of all is kept.

Either a limit is filled with them (Rosin 2011, section 4.1), or their number is given. In the first case a later one
counts only if the run gets there, so workers begin it when the earlier ones have no job for them. In the second all
of them are certain to be needed: workers begin another one rather than speculate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rookery.plans.plan import Commit, Job, Plan
from rookery.plans.stored import AHEAD as MOST_AHEAD
from rookery.plans.stored import MOST, Part
from rookery.rng import part_key
from rookery.tasks import Outcome, Sequence

AHEAD = 4
"""Restarts of an endless run that may be under way at once, for workers that the first one has no job for."""


class Restarts:
    """Runs ``make(0)``, ``make(1)``, ... one after the other, committed in that order.

    Parameters
    ----------
    make
        the plan of a restart, by its number
    count
        how many runs; None: endless
    ahead
        how many of them may be under way at once
    """

    def __init__(self, make: Callable[[int], Plan], count: int | None, ahead: int = AHEAD) -> None:
        self._make = make
        self._count = count
        self._ahead = ahead
        self._live = [make(0)]
        self._of: dict[Job, Plan] = {}
        self._best: Sequence | None = None  # of the restarts that are finished
        self._made = 1
        self.best: Sequence | None = None  # of these and of the current one; the first of equals
        self.finished = False
        self.number = 0  # of the last restart that has committed anything
        self.iteration_is_playout = self._live[0].iteration_is_playout
        self.keeps_best = self._live[0].keeps_best
        self.discards: list[Job] = []

    @property
    def risk(self) -> float:
        """The risk of the first restart under way."""
        return self._live[0].risk if self._live else float("inf")

    def next_job(self) -> Job | None:
        """A job that is certain to be needed, of the first restart that has one; else one that may be."""
        if self._count is not None:
            for plan in self._live:
                if plan.risk == 0.0 and (job := self._job_of(plan)) is not None:
                    return job
            if self._may_add():
                return self._job_of(self._add())
        for plan in sorted(self._live, key=lambda plan: plan.risk) if self._count is not None else self._live:
            job = self._job_of(plan)
            if job is not None:
                return job
        return self._job_of(self._add()) if self._may_add() else None

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
        self.best = self._better(self._best, plan.best)
        if plan.finished:
            self._best = self.best
            self._live.pop(0)
            if getattr(plan, "last", False):
                self._end()
            elif not self._live and self._may_add():
                self._add()
            self.finished = not self._live
        return commit

    def prune(self) -> None:
        """Forget every job behind the frontier."""
        self._made -= len(self._live[1:])
        del self._live[1:]
        if self._live:
            self._live[0].prune()
            self._collect(self._live[0])

    def state(self) -> dict[str, Any]:
        """The best of the finished restarts, and the states of those under way."""
        live = [plan.state() for plan in self._live]
        return {"made": self._made, "number": self.number, "best": self._best, "live": live}

    def check(self, state: Part) -> None:
        """As many plans as are under way, each with a state that fits it; there is a best once one is finished."""
        state.has("made", "number", "best", "live")
        live = state["live"].parts(list, 0, MOST_AHEAD)
        made = state["made"].whole(max(1, len(live)), MOST)
        first = made - len(live)
        state["number"].whole(max(0, first - 1), first)
        if first == 0:
            state["best"].need(state["best"].is_none, "None before a run is finished")
        else:
            state["best"].sequence()
        for i, item in enumerate(live):
            self._make(first + i).check(item)

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        live = state["live"]
        self._made, self.number, self._best = state["made"], state["number"], state["best"]
        first = self._made - len(live)
        if self._count is not None and live:  # what was begun ahead of a limit that is gone is not wanted
            live = live[: max(1, self._count - first)]
            self._made = first + len(live)
        self._live = [self._make(first + i) for i in range(len(live))]
        for plan, item in zip(self._live, live, strict=True):
            plan.restore(item)
        self.best = self._better(self._best, self._live[0].best if self._live else None)
        self.finished = not self._live

    def _end(self) -> None:
        """Forget what was begun ahead: it would find nothing new."""
        self.discards += [job for job, plan in self._of.items() if plan in self._live]
        self._made -= len(self._live)
        self._live.clear()

    def _may_add(self) -> bool:
        return len(self._live) < self._ahead and (self._count is None or self._made < self._count)

    def _add(self) -> Plan:
        self._live.append(self._make(self._made))
        self._made += 1
        return self._live[-1]

    def _job_of(self, plan: Plan) -> Job | None:
        job = plan.next_job()
        if job is not None:
            self._of[job] = plan
        return job

    def _collect(self, plan: Plan) -> None:
        self.discards += plan.discards
        plan.discards.clear()

    @staticmethod
    def _better(a: Sequence | None, b: Sequence | None) -> Sequence | None:
        if a is None or b is None:
            return a or b
        return b if b.score > a.score else a


def make_plan(planner: Callable[[int, int], Plan], seed: int, restarts: bool | int, workers: int) -> Plan:
    """The plan of a run: of restarts, each with a key of its own.

    Parameters
    ----------
    planner
        what makes the plan of one of them from its number and its key
    restarts
        False: one; a number: that many; True: without end; 0: one that is itself endless
    """

    def make(number: int) -> Plan:
        return planner(number, part_key(seed, number))

    if isinstance(restarts, bool):
        return Restarts(make, None if restarts else 1)
    return Restarts(make, restarts, max(AHEAD, workers)) if restarts else make(0)
