"""Ladders: chains of tasks, each of which goes on where the one before it has ended; neighbours exchange lines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from rookery.plans.plan import Commit, Job
from rookery.rng import mix_int
from rookery.tasks import Outcome, Sequence, Task

Carried = dict[str, Any]
"""What a task leaves to the next one, as plain values: among them ``lines`` and their ``scores``."""


class Ladders:
    """Stages of ``count`` tasks each, committed in order; after each stage neighbours exchange their best lines.

    Parameters
    ----------
    task
        makes a task from the key of its ladder, the number of the stage, and what the stage before has left
    count
        how many ladders
    stages
        how many stages; None: endless
    tell
        what a ladder has to say of itself, from what it has left
    """

    iteration_is_playout = True
    keeps_best = True
    risk = 0.0  # every task counts
    finished = False

    def __init__(
        self,
        task: Callable[[int, int, Carried | None], Task],
        key: int,
        count: int,
        stages: int | None = None,
        tell: Callable[[Carried], tuple[str, ...]] | None = None,
    ) -> None:
        self._task = task
        self._keys = [mix_int(key, i) for i in range(count)]
        self._stages = stages
        self._tell = tell
        self._stage = 0
        self._carried: list[Carried | None] = [None] * count
        self.best: Sequence | None = None
        self.discards: list[Job] = []
        self._begin_stage()

    @property
    def details(self) -> tuple[str, ...]:
        """What the first ladder has to say of itself."""
        carried = self._carried[0]
        return () if carried is None or self._tell is None else self._tell(carried)

    def next_job(self) -> Job | None:
        """The next task of this stage."""
        job = next((job for job in self._jobs if not job.started), None)
        if job is not None:
            job.started = True
        return job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a task."""
        job.outcome = outcome

    def frontier(self) -> Job | None:
        """The next task in order, once its outcome is there."""
        job = self._jobs[self._committed] if self._committed < len(self._jobs) else None
        return job if job is not None and job.outcome is not None else None

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        self._jobs[self._committed] = Job(self._jobs[self._committed].task.within(budget))

    def commit(self) -> Commit:
        """Commit the frontier; after the last task of a stage, go on to the next."""
        outcome = self._jobs[self._committed].outcome
        assert outcome is not None
        self._committed += 1
        found = outcome.sequence
        if found is not None and (self.best is None or found.score > self.best.score):
            self.best = found
        if outcome.finished and self._committed == len(self._jobs):
            self._carried = [*exchanged([_carried(job) for job in self._jobs])]
            self._stage += 1
            self.finished = self._stage == self._stages
            self._begin_stage()
        return Commit()

    def prune(self) -> None:
        """Forget the tasks behind the frontier."""
        self.discards.extend(self._jobs[self._committed + 1 :])
        del self._jobs[self._committed + 1 :]

    def state(self) -> dict[str, Any]:
        """What the last stage has left, and the outcomes of this one that are there."""
        outcomes = [o if (o := job.outcome) and o.finished else None for job in self._jobs]
        outcomes += [None] * (len(self._keys) - len(outcomes))
        return {
            "stage": self._stage,
            "carried": self._carried,
            "outcomes": [(outcome, outcome.value if outcome else None) for outcome in outcomes],
            "committed": self._committed,
            "best": self.best,
            "finished": self.finished,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from a state."""
        self._stage, self._carried = state["stage"], state["carried"]
        self.best, self.finished = state["best"], state["finished"]
        self._begin_stage()
        self._committed = state["committed"]
        for job, (outcome, value) in zip(self._jobs, state["outcomes"], strict=True):
            if outcome is not None:
                job.outcome, job.started = replace(outcome, value=value), True

    def _begin_stage(self) -> None:
        self._committed = 0
        self._jobs: list[Job] = []
        if not self.finished:
            pairs = zip(self._keys, self._carried, strict=True)
            self._jobs = [Job(self._task(key, self._stage, carried)) for key, carried in pairs]


def _carried(job: Job) -> Carried:
    assert job.outcome is not None
    carried: Carried = job.outcome.value
    return carried


def exchanged(carried: list[Carried]) -> list[Carried]:
    """The worst line of each ladder gives way to the best one of the ladder before it, if that is better and new.

    >>> first, second = ({"lines": [[1], [i]], "scores": [1.0, i]} for i in (2.0, 3.0))
    >>> [ladder["scores"] for ladder in exchanged([first, second])]
    [[3.0, 2.0], [2.0, 3.0]]
    """
    if len(carried) == 1:
        return carried
    given = []
    for ladder in carried:
        scores = ladder["scores"]
        best = scores.index(max(scores)) if scores else None
        given.append(None if best is None else (scores[best], ladder["lines"][best]))
    after = []
    for i, ladder in enumerate(carried):
        lines, scores = list(ladder["lines"]), list(ladder["scores"])
        gift = given[i - 1]
        if gift is not None and scores and gift[0] > min(scores) and gift[1] not in lines:
            worst = scores.index(min(scores))
            scores[worst], lines[worst] = gift
        after.append({**ladder, "lines": lines, "scores": scores})
    return after
