"""The sample run of Nagorko 2019, Figure 1: how many steps it takes, with the real scheduler."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rookery.plans.plan import Job
from rookery.plans.speculation_tree import Nesting, SpeculationTree
from rookery.rng import mix_int
from rookery.tasks import Moves, Outcome, Task, Weights
from rookery.tasks import Sequence as Found

ITERATIONS = 3
SCORES = (75, 81, 79, 85, 76, 83, 93, 98, 92)
"""What the simulations from the policies p1 to p9 give: level 2, with three iterations at each level."""


@dataclass(frozen=True)
class Steps:
    """Time steps of a run: one simulation after the other, side by side in calls of level 1, and at both levels.

    >>> figure_1()
    Steps(sequential=9, at_level_1=8, at_both_levels=6)
    """

    sequential: int
    at_level_1: int
    at_both_levels: int


def figure_1() -> Steps:
    """The steps of the sample run, as section IV of the paper counts them."""
    calls = [SCORES[i : i + ITERATIONS] for i in range(0, len(SCORES), ITERATIONS)]
    return Steps(
        sequential=time_steps(SCORES, workers=1),
        at_level_1=sum(time_steps(call, workers=ITERATIONS) for call in calls),
        at_both_levels=time_steps(SCORES, workers=len(SCORES)),
    )


def time_steps(scores: Sequence[float], workers: int) -> int:
    """Steps of a run whose simulations give these scores, in the order of the sequential search; each takes one step.

    >>> time_steps([75, 85, 76], workers=3), time_steps([85, 75, 76], workers=3)
    (3, 2)
    """
    keys, height = [0], 0
    while len(keys) < len(scores):
        keys, height = [mix_int(key, i) for key in keys for i in range(ITERATIONS)], height + 1
    found = {key: Found(float(score), (place,)) for place, (key, score) in enumerate(zip(keys, scores, strict=True))}
    by_level = (ITERATIONS,) * (height + 1)
    tree = SpeculationTree(Nesting(height, by_level, (1.0,) * (height + 1), _simulation, _adapted), 0, atomic_level=0)
    steps = 0
    while not tree.finished:
        jobs: list[Job] = []
        while len(jobs) < workers and (job := tree.next_job()) is not None:
            jobs.append(job)
        steps += 1
        for job in jobs:
            tree.receive(job, Outcome(found[job.task.key], 1, (), True, False))
        while tree.frontier() is not None:
            tree.commit()
    return steps


def _simulation(level: int, key: int, policy: Weights) -> Task:
    return Task(search=None, key=key)


def _adapted(policy: Weights, moves: Moves) -> Weights:
    return policy  # the scores are given: no policy is needed
