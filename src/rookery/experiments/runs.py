"""Runs of a search as a task: any worker of any crew can make some of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rookery.control import HALT, INFEASIBLE_SCORE, Signal
from rookery.plans.plan import Plan
from rookery.rng import part_key
from rookery.search.protocol import Cost, Setting
from rookery.stop import NO_LIMITS
from rookery.tasks import UNLIMITED, Outcome, Task, Worker


@dataclass(frozen=True, kw_only=True)
class RunsTask(Task):
    """The runs with the seeds ``first`` to ``last - 1``, each what ``solve`` does with its seed.

    If a search has no end of its own, each of its runs has ``playouts``.
    """

    first: int
    last: int
    playouts: int = UNLIMITED

    def warm(self, worker: Any) -> None:
        """Have a worker compile a run of the search, and many of them in one call."""
        smallest = self.search.smallest_task(())
        worker.warm(smallest)
        worker.repeat(smallest, (), Signal())

    def compute(self, worker: Any, signal: Signal) -> Outcome:
        """Make the runs; a halt ends them, and those before it count.

        The first one goes by the plan of the search. If that was a single task, all others are made in one call.
        """
        began = time.thread_time()
        planner, keys = self._planner(worker), [part_key(seed, 0) for seed in range(self.first, self.last)]
        scores: list[float] = []
        playouts, together = 0, True
        while len(scores) < len(keys) and not signal.control[HALT]:
            score, played, whole = self._one(planner, keys[len(scores)], worker, signal)
            if score is None:
                break
            scores.append(score)
            playouts += played
            many = None
            if together and whole is not None:
                many = worker.repeat(whole, keys[len(scores) :], signal)
            if many is None:
                together = False
            else:
                scores += many[0]
                playouts += many[1]
        best = max(scores, default=INFEASIBLE_SCORE)
        return Outcome(
            sequence=None,
            playouts=playouts,
            improvements=((playouts, best),) if best > INFEASIBLE_SCORE else (),
            finished=len(scores) == len(keys),
            reached_target=False,
            value=(scores, time.thread_time() - began),
        )

    def _planner(self, worker: Worker) -> Callable[[int], Plan]:
        """What makes the plan of a run from its key, with as few tasks as the search allows."""
        search = self.search
        atomic = search.atomic_level(Cost(worker, ()), NO_LIMITS, search.shape[0] or None, 1)
        planner: Callable[[int], Plan] = search.planner(Setting(worker, atomic_level=atomic))
        return planner

    def _one(
        self, planner: Callable[[int], Plan], key: int, worker: Worker, signal: Signal
    ) -> tuple[float | None, int, Task | None]:
        """Make one run: its score, or None if it was halted; its playouts; its task, if it was one with this key."""
        plan, playouts, tasks = planner(key), 0, []
        while not plan.finished and playouts < self.playouts:
            job = plan.next_job()
            if job is None:
                break
            if self.playouts < UNLIMITED:
                job.task = job.task.within(self.playouts - playouts)
            tasks.append(job.task)
            plan.receive(job, job.task.compute(worker, signal))
            if signal.control[HALT]:
                return None, 0, None
            while (frontier := plan.frontier()) is not None:
                assert frontier.outcome is not None
                playouts += frontier.outcome.playouts
                plan.commit()
        assert plan.best is not None
        return plan.best.score, playouts, tasks[0] if len(tasks) == 1 and tasks[0].key == key else None
