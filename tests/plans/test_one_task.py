"""A run that is one task: computed once, or again with a budget; saved and restored whole."""

from __future__ import annotations

import json

import pytest

from examples_of_problems import Words
from rookery.control import Signal
from rookery.engine.python_worker import PythonEngine
from rookery.plans.one_task import OneTask
from rookery.running.encoding import decode, encode
from rookery.search.uct import UCT, UCTTask

WORKER = PythonEngine(Words("abcd", 3)).worker()
TASK = UCTTask(search=UCT(playouts=9), key=3)


def restored(plan):
    again = OneTask(TASK)
    again.restore(decode(json.loads(json.dumps(encode(plan.state())))))
    return again


def computed(plan):
    job = plan.next_job()
    plan.receive(job, WORKER.run(job.task, Signal()))
    return plan


def test_there_is_one_job():
    plan = OneTask(TASK)
    assert plan.next_job().task == TASK
    assert plan.next_job() is None


def test_its_outcome_is_the_answer():
    plan = computed(OneTask(TASK))
    assert plan.commit().iterations == 1
    assert plan.finished
    assert plan.best == WORKER.run(TASK, Signal()).sequence
    assert plan.frontier() is None


def test_what_a_budget_cut_short_is_not_finished():
    plan = OneTask(TASK)
    plan.next_job()
    plan.retry(4)
    computed(plan)
    assert plan.frontier().outcome.playouts == 4
    assert plan.commit().iterations == 0
    assert not plan.finished
    assert plan.best is not None


def test_a_plan_that_has_not_begun_is_restored_with_its_job():
    assert restored(OneTask(TASK)).next_job().task == TASK


def test_an_outcome_that_waits_is_not_computed_again():
    plan = restored(computed(OneTask(TASK)))
    assert plan.next_job() is None
    assert plan.frontier().outcome.finished


def test_an_outcome_that_was_cut_short_is_computed_again():
    plan = OneTask(TASK)
    plan.retry(4)
    assert restored(computed(plan)).next_job().task == TASK


@pytest.mark.parametrize("times", [1, 2])
def test_a_finished_run_is_restored_as_finished(times):
    plan = computed(OneTask(TASK))
    plan.commit()
    best = plan.best
    for _ in range(times):
        plan = restored(plan)
    assert (plan.finished, plan.best, plan.next_job()) == (True, best, None)
