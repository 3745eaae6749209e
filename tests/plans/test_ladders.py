"""Chains of tasks side by side: committed in order, exchanged after each stage, saved and restored."""

from __future__ import annotations

import json
from itertools import permutations

import pytest

from rookery.plans.ladders import Ladders, exchanged
from rookery.running.encoding import decode, encode
from rookery.tasks import Outcome, Sequence, Task


def made() -> Ladders:
    return Ladders(lambda key, stage, carried: Task(search=(stage, carried), key=key), key=1, count=3, stages=2)


def outcome(job) -> Outcome:
    score = float(job.task.key % 97)
    carried = {"lines": [[job.task.key % 7], [0]], "scores": [score, 0.0]}
    return Outcome(Sequence(score, (1,)), 5, ((5, score),), finished=True, reached_target=False, value=carried)


def driven(plan: Ladders, order) -> tuple:
    while not plan.finished:
        jobs = []
        while (job := plan.next_job()) is not None:
            jobs.append(job)
        for i in order:
            plan.receive(jobs[i], outcome(jobs[i]))
            while plan.frontier() is not None:
                plan.commit()
    return plan.best, plan.state()["carried"]


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_outcomes_in_any_order_come_to_the_same(order):
    assert driven(made(), order) == driven(made(), (0, 1, 2))


def test_no_task_of_the_next_stage_begins_before_the_last_is_committed():
    plan = made()
    jobs = [plan.next_job() for _ in range(3)]
    plan.receive(jobs[0], outcome(jobs[0]))
    plan.commit()
    assert plan.next_job() is None


def test_a_restored_plan_goes_on_with_what_was_there():
    plan, again = made(), made()
    jobs = [plan.next_job() for _ in range(3)]
    for i in (2, 0):
        plan.receive(jobs[i], outcome(jobs[i]))
    plan.commit()
    again.restore(decode(json.loads(json.dumps(encode(plan.state())))))
    job = again.next_job()
    assert job.task.key == jobs[1].task.key
    assert again.next_job() is None
    again.receive(job, outcome(job))
    plan.receive(jobs[1], outcome(jobs[1]))
    for each in (plan, again):
        while each.frontier() is not None:
            each.commit()
    assert again.state() == plan.state()


def test_a_ladder_that_begins_anew_neither_gives_nor_takes():
    empty, full = {"lines": [], "scores": []}, {"lines": [[1], [2]], "scores": [1.0, 2.0]}
    assert exchanged([empty, full]) == [empty, full]
