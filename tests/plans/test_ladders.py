"""Chains of tasks side by side: committed in order, exchanged after each stage, saved, looked at and restored."""

from __future__ import annotations

import copy
import json
from dataclasses import dataclass, replace
from itertools import permutations

import numpy as np
import pytest

from rookery.errors import InputError
from rookery.plans.ladders import Ladders, LadderTask, exchanged
from rookery.plans.stored import Part
from rookery.running.encoding import decode, encode
from rookery.tasks import Outcome, Sequence, Weights


@dataclass(frozen=True, kw_only=True)
class Step(LadderTask):
    stage: int

    def check_left(self, left):
        left["numbers"].parts(list, 1, 1)[0].number(self.stage + 1, self.stage + 1)
        left["lines"].parts(list, 2, 2)

    def playouts_to(self, left):
        return 5


def made() -> Ladders:
    def task(key, stage, carried):
        return Step(search=None, key=key, prefix=(8,), stage=stage, carried=carried)

    return Ladders(task, key=1, count=3, stages=2, takes=lambda carried: True)


def outcome(job) -> Outcome:
    score = float(job.task.key % 97)
    carried = {
        "numbers": [job.task.stage + 1.0],
        "lines": [[job.task.key % 7], [0]],
        "scores": [score, 0.0],
        "codes": [job.task.key % 5],
        "weights": [0.5],
    }
    return Outcome(Sequence(score, (8, 1)), 5, ((5, score),), finished=True, reached_target=False, value=carried)


def written(plan: Ladders) -> str:
    return json.dumps(encode(plan.state()))


def driven(plan: Ladders, order) -> tuple:
    while not plan.finished:
        jobs = []
        while (job := plan.next_job()) is not None:
            jobs.append(job)
        for i in order:
            plan.receive(jobs[i], outcome(jobs[i]))
            while plan.frontier() is not None:
                plan.commit()
    return plan.best, written(plan)


def halfway() -> Ladders:
    """In the second stage, the first ladder committed, and the outcome of the last one there."""
    plan = made()
    for order in ((0, 1, 2), (2, 0)):
        jobs = [plan.next_job() for _ in range(3)]
        for i in order:
            plan.receive(jobs[i], outcome(jobs[i]))
            while plan.frontier() is not None:
                plan.commit()
    return plan


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
    plan, again = halfway(), made()
    state = decode(json.loads(written(plan)))
    again.check(Part("state", state))
    again.restore(state)
    assert written(again) == written(plan)
    job = again.next_job()
    assert again.next_job() is None
    again.receive(job, outcome(job))
    while again.frontier() is not None:
        again.commit()
    assert (again.best, written(again)) == driven(made(), (0, 1, 2))


def test_the_state_of_a_plan_that_is_finished_is_one_that_it_can_have():
    plan, again = made(), made()
    driven(plan, (0, 1, 2))
    again.check(Part("state", plan.state()))
    again.restore(plan.state())
    assert again.finished
    assert again.next_job() is None


LATER = ("waiting", 2, "outcome")


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("stage",), 3, "stage must be from 0 to 2, got 3"),
        (("stage",), 0, r"carried\[0\] must be None in the first stage"),
        (("stage",), 2, r"numbers\[0\] must be 2, got 1"),
        (("committed",), 3, "committed must be from 0 to 2, got 3"),
        (("committed",), 2, r"waiting\[1\] must be there, for it is committed, got None"),
        (("best",), None, "best must be a sequence"),
        (("best",), Sequence(0.0, (8,)), "must be of at most 0, the best score"),
        (("carried",), [None] * 3, r"carried\[0\] must be an object"),
        (("carried", 1, "numbers"), [2.0], r"numbers\[0\] must be 1, got 2"),
        (("carried", 1, "numbers"), [10**400], r"numbers\[0\] must be a finite number"),
        (("carried", 1, "lines"), [], "lines must have 2 parts, got 0"),
        (("carried", 1, "lines", 0), Sequence(0.0, (1,)), "moves must begin with the moves"),
        (("carried", 1, "common"), Weights([1], np.array([1.5])), "must be codes with weights from 0 to 1"),
        (("carried", 1, "common"), Weights([1], np.array([np.nan])), "must be codes with weights from 0 to 1"),
        (("waiting",), [], "waiting must have 3 parts, got 0"),
        (LATER, None, "outcome must be an outcome, got None"),
        (LATER, Outcome(Sequence(0.0, (8,)), 6, (), True, False), "outcome must be of 5 playouts"),
        (LATER, Outcome(Sequence(0.0, (8,)), 5, (), False, False), "nothing has cut short"),
    ],
)
def test_a_state_that_no_plan_can_have_had_is_refused(place, value, words):
    state = copy.deepcopy(halfway().state())
    inner = state
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(InputError, match=words):
        made().check(Part("state", state))


def test_an_outcome_that_a_target_has_cut_short_is_not_kept():
    plan = halfway()
    plan._jobs[2].outcome = replace(plan._jobs[2].outcome, reached_target=True)
    assert plan.state()["waiting"][2] is None


def test_a_ladder_that_begins_anew_neither_gives_nor_takes():
    empty, full = {"lines": [], "scores": []}, {"lines": [[1], [2]], "scores": [1.0, 2.0]}
    assert exchanged([empty, full], lambda ladder: True) == [empty, full]


def test_a_ladder_takes_a_line_only_when_it_asks_for_one():
    worse, better = ({"lines": [[i], [i + 1]], "scores": [float(i), i + 1.0]} for i in (1, 5))
    assert exchanged([worse, better], lambda ladder: ladder is better) == [worse, better]
    taken, same = exchanged([worse, better], lambda ladder: True)
    assert (taken["lines"], taken["scores"], same) == ([[6], [2]], [6.0, 2.0], better)
