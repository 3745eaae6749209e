"""Ladders: chains of tasks, each of which continues where the one before it ended; those that are stuck take a line of
their neighbour."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rookery.plans.plan import Commit, Job
from rookery.plans.stored import Part
from rookery.rng import mix_int
from rookery.tasks import Moves, Outcome, Sequence, Task, Weights

Carried = dict[str, Any]
"""What a task leaves for the next one: ``numbers``, ``lines`` behind the fixed moves and their ``scores``, and common
``codes`` with their ``weights``."""

MOST_STAGES = 1 << 32


@dataclass(frozen=True, kw_only=True)
class LadderTask(Task):
    """A task that continues from what another has left; None: it is the first."""

    carried: Carried | None = field(default=None, repr=False, compare=False)

    def check_left(self, left: Part) -> None:
        """Refuse numbers, and a number of lines, that such a task cannot leave for the next."""
        raise NotImplementedError

    def playouts_to(self, left: Carried) -> int:
        """The playouts of the task, if this is what it has left."""
        raise NotImplementedError


class Ladders:
    """Stages of ``count`` tasks each, committed in order; after each a ladder may take the best line of its neighbour.

    Parameters
    ----------
    task
        makes a task from the key of its ladder, the number of the stage, and what the stage before has left
    count
        how many ladders
    stages
        how many stages; None: endless
    takes
        whether a ladder that has left this takes a line of its neighbour; None: no ladder does
    tell
        what a ladder has to say of itself, from what it has left
    measure
        the same as lists of numbers
    """

    iteration_is_playout = True
    keeps_best = True
    risk = 0.0  # every task counts
    finished = False

    def __init__(
        self,
        task: Callable[[int, int, Carried | None], LadderTask],
        key: int,
        count: int,
        stages: int | None = None,
        takes: Callable[[Carried], bool] | None = None,
        tell: Callable[[Carried], tuple[str, ...]] | None = None,
        measure: Callable[[Carried], dict[str, list[float]]] | None = None,
    ) -> None:
        self._task = task
        self._keys = [mix_int(key, i) for i in range(count)]
        self._stages = stages
        self._prefix = task(key, 0, None).prefix
        self._takes, self._tell, self._measure = takes, tell, measure
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

    @property
    def figures(self) -> dict[str, list[float]]:
        """The same as lists of numbers."""
        carried = self._carried[0]
        return {} if carried is None or self._measure is None else self._measure(carried)

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
            carried = [_carried(job) for job in self._jobs]
            self._carried = [*(carried if self._takes is None else exchanged(carried, self._takes))]
            self._stage += 1
            self.finished = self._stage == self._stages
            self._begin_stage()
        return Commit()

    @property
    def between_stages(self) -> bool:
        """Whether a stage has ended, and nothing of the next one is committed."""
        return bool(self._committed == 0)

    def welcome(self, line: Sequence) -> None:
        """Let a line that somebody else has found take the place of the worst one, if it is better and new.

        Before the first task of a stage is handed out.
        """
        first = self._carried[0]
        if first is None or not first["scores"]:
            return
        lines, scores, moves = list(first["lines"]), list(first["scores"]), list(line.moves[len(self._prefix) :])
        worst = scores.index(min(scores))
        if line.score > scores[worst] and moves not in lines:
            lines[worst], scores[worst] = moves, line.score
            self._carried[0] = {**first, "lines": lines, "scores": scores}
            self._begin_stage()

    def prune(self) -> None:
        """Forget the tasks behind the frontier."""
        self.discards.extend(self._jobs[self._committed + 1 :])
        del self._jobs[self._committed + 1 :]

    def state(self) -> dict[str, Any]:
        """What the last stage has left, and the outcomes of this one that are there."""
        jobs = self._jobs + [None] * (0 if self.finished else len(self._keys) - len(self._jobs))
        outcomes = [job.outcome if job and job.outcome and job.outcome.whole else None for job in jobs]
        return {
            "stage": self._stage,
            "carried": [None if item is None else stored(item, self._prefix) for item in self._carried],
            "waiting": [o and {"outcome": o, "left": stored(o.value, self._prefix)} for o in outcomes],
            "committed": self._committed,
            "best": self.best,
        }

    def check(self, state: Part) -> None:
        """Every ladder has left what it can have left at this stage, and its outcome if it is committed."""
        state.has("stage", "carried", "waiting", "committed", "best")
        count, most = len(self._keys), MOST_STAGES if self._stages is None else self._stages
        stage, committed = state["stage"].whole(0, most), state["committed"].whole(0, count - 1)
        finished, best, top = stage == self._stages, state["best"], -math.inf
        if stage + committed == 0:
            best.need(best.is_none, "None before the first task")
        else:
            top = best.sequence(self._prefix).score
        carried = state["carried"].parts(list, count, count)
        for key, item in zip(self._keys, carried, strict=True):
            if stage == 0:
                item.need(item.is_none, "None in the first stage")
            else:
                self._check_left(item, self._task(key, stage - 1, None), top)
        jobs = 0 if finished else count
        for i, waiting in enumerate(state["waiting"].parts(list, jobs, jobs)):
            if waiting.is_none:
                waiting.need(i >= committed, "there, for it is committed")
                continue
            task = self._task(self._keys[i], stage, None if stage == 0 else unstored(carried[i].value, self._prefix))
            waiting.has("outcome", "left")
            outcome = waiting["outcome"].outcome(self._prefix)
            assert outcome.sequence is not None
            score = outcome.sequence.score
            best.need(i >= committed or score <= top, f"of at least {score:g}")
            self._check_left(waiting["left"], task, max(top, score))
            playouts = task.playouts_to(unstored(waiting["left"].value, self._prefix))
            waiting["outcome"].need(outcome.playouts == playouts, f"of {playouts} playouts")
        state["committed"].need(committed == 0 or not finished, "0 at the end")

    def _check_left(self, left: Part, task: LadderTask, top: float) -> None:
        """What a task has left: lines of at most this score, and codes with weights from 0 to 1."""
        left.has("numbers", "lines", "common")
        for line in left["lines"].parts():
            score = line.sequence(self._prefix).score
            line.need(score <= top, f"of at most {top:g}, the best score")
        weights = left["common"].policy().weights
        left["common"].need(bool(np.all((weights >= 0.0) & (weights <= 1.0))), "codes with weights from 0 to 1")
        task.check_left(left)

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        self._stage, self.best = state["stage"], state["best"]
        self._carried = [None if item is None else unstored(item, self._prefix) for item in state["carried"]]
        self.finished = self._stage == self._stages
        self._begin_stage()
        self._committed = state["committed"]
        for job, waiting in zip(self._jobs, state["waiting"], strict=True):
            if waiting is not None:
                value = unstored(waiting["left"], self._prefix)
                job.outcome, job.started = replace(waiting["outcome"], value=value), True

    def _begin_stage(self) -> None:
        self._committed = 0
        self._jobs: list[Job] = []
        if not self.finished:
            pairs = zip(self._keys, self._carried, strict=True)
            self._jobs = [Job(self._task(key, self._stage, carried)) for key, carried in pairs]


def stored(carried: Carried, prefix: Moves) -> dict[str, Any]:
    """What a task has left, as a checkpoint holds it: in sequences and a policy, which can be checked against the
    problem.

    >>> left = {"numbers": [1.0], "lines": [[7]], "scores": [2.0], "codes": [], "weights": []}
    >>> stored(left, (3,))["lines"]
    [Sequence(score=2.0, moves=(3, 7), codes=())]
    """
    lines = zip(carried["scores"], carried["lines"], strict=True)
    return {
        "numbers": list(carried["numbers"]),
        "lines": [Sequence(score, (*prefix, *moves)) for score, moves in lines],
        "common": Weights(carried["codes"], np.array(carried["weights"], np.float64)),
    }


def unstored(left: dict[str, Any], prefix: Moves) -> Carried:
    """What :func:`stored` was made from."""
    return {
        "numbers": [float(number) for number in left["numbers"]],
        "lines": [list(line.moves[len(prefix) :]) for line in left["lines"]],
        "scores": [float(line.score) for line in left["lines"]],
        "codes": left["common"].codes,
        "weights": left["common"].weights,
    }


def _carried(job: Job) -> Carried:
    assert job.outcome is not None
    carried: Carried = job.outcome.value
    return carried


def exchanged(carried: list[Carried], takes: Callable[[Carried], bool]) -> list[Carried]:
    """The worst line of a ladder that ``takes`` one gives way to the best of the ladder before it, if none is as good.

    >>> first, second = ({"lines": [[1], [i]], "scores": [1.0, i]} for i in (2.0, 3.0))
    >>> [ladder["scores"] for ladder in exchanged([first, second], lambda ladder: True)]
    [[3.0, 2.0], [1.0, 3.0]]
    """
    after = list(carried)
    for i, ladder in enumerate(carried):
        lines, scores, before = list(ladder["lines"]), list(ladder["scores"]), carried[i - 1]
        gift = max(before["scores"], default=-math.inf)
        if scores and gift > max(scores) and takes(ladder):
            worst = scores.index(min(scores))
            scores[worst], lines[worst] = gift, before["lines"][before["scores"].index(gift)]
            after[i] = {**ladder, "lines": lines, "scores": scores}
    return after
