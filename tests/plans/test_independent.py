"""Games, chunks of playouts, or one task: handed out in order, committed, saved and restored."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from examples_of_problems import Words
from rookery.control import Signal
from rookery.engine.python_worker import PythonEngine
from rookery.plans.independent import Independent, OneTask, Samples
from rookery.running.encoding import decode, encode
from rookery.search.sampling import Sampling, SamplingTask
from rookery.search.uct import UCT, UCTTask
from rookery.tasks import Outcome, Task


def tasks(n: int) -> list[Task]:
    return [Task(search=None, key=key) for key in range(n)]


def outcome(finished: bool = True) -> Outcome:
    return Outcome(sequence=None, playouts=1, improvements=(), finished=finished, reached_target=False)


def test_tasks_are_handed_out_in_order_and_each_once() -> None:
    plan = Independent(tasks(3))
    jobs = [plan.next_job() for _ in range(4)]
    assert [job and job.task.key for job in jobs] == [0, 1, 2, None]


def test_whatever_ends_first_is_committed_first() -> None:
    plan = Independent(tasks(3))
    first, second, third = (plan.next_job() for _ in range(3))
    for job in (third, first, second):
        assert job is not None
        assert not plan.finished
        plan.receive(job, outcome())
        assert plan.frontier() is job
        assert plan.commit().iterations == 1
    assert plan.finished
    assert plan.frontier() is None


def test_what_was_halted_does_not_count() -> None:
    plan = Independent(tasks(1))
    job = plan.next_job()
    assert job is not None
    plan.receive(job, outcome(finished=False))
    assert plan.frontier() is None
    assert not plan.finished


def test_a_task_that_had_too_many_playouts_is_handed_out_again_with_a_budget() -> None:
    plan = Independent(tasks(2))
    job = plan.next_job()
    assert job is not None
    plan.receive(job, outcome())
    plan.retry(7)
    again = plan.next_job()
    assert again is not None
    assert (again.task.key, again.task.budget) == (0, 7)


def test_a_restored_plan_hands_out_what_is_not_committed() -> None:
    plan = Independent(tasks(3))
    first, second = plan.next_job(), plan.next_job()
    assert first is not None
    assert second is not None
    plan.receive(second, outcome())
    plan.commit()
    plan.receive(first, outcome())
    other = Independent(tasks(3))
    other.restore(plan.state())
    assert [job.task.key for job in iter(other.next_job, None)] == [0, 2]
    assert not other.finished


def test_no_tasks_are_finished_at_once() -> None:
    assert Independent([]).finished


WORKER = PythonEngine(Words("abcd", 3)).worker()


def through_a_file(state):
    return decode(json.loads(json.dumps(encode(state))))


def chunk_of(key):
    return lambda first, last: SamplingTask(search=Sampling(), key=key, first=first, last=last)


def drive(plan, generator, workers, commits=10**9):
    """Drive a plan with outcomes in random order; returns the bounds of the chunks in the order of their commits."""
    running, bounds = [], []
    while not plan.finished and len(bounds) < commits:
        while len(running) < workers and (job := plan.next_job()) is not None:
            running.append(job)
        if running:
            job = running.pop(generator.randrange(len(running)))
            plan.receive(job, WORKER.run(job.task, Signal()))
        while len(bounds) < commits and (job := plan.frontier()) is not None:
            bounds.append((job.task.first, job.task.last))
            plan.commit()
    return bounds


@given(
    chunk=st.integers(1, 9),
    last=st.integers(1, 40),
    workers=st.integers(1, 5),
    share=st.floats(0, 1),
    order=st.integers(0, 10**6),
)
def test_a_run_that_is_saved_anywhere_ends_as_if_undisturbed(chunk, last, workers, share, order):
    whole, first, second = (Samples(chunk_of(order), chunk, last=last) for _ in range(3))
    bounds = drive(whole, random.Random(0), 1)
    generator = random.Random(order)
    done = drive(first, generator, workers, round(share * len(bounds)))
    second.restore(through_a_file(first.state()))
    assert (second.best, second.finished) == (first.best, first.finished)
    done += drive(second, generator, workers)
    assert (second.best, second.finished, done) == (whole.best, True, bounds)


def two_chunks():
    plan = Samples(chunk_of(1), 10)
    return plan, [plan.next_job(), plan.next_job()]


def test_an_outcome_that_came_early_is_not_computed_again():
    plan, jobs = two_chunks()
    plan.receive(jobs[1], WORKER.run(jobs[1].task, Signal()))
    again = Samples(chunk_of(1), 10)
    again.restore(through_a_file(plan.state()))
    tasks = [again.next_job().task for _ in range(2)]
    assert tasks[0] == jobs[0].task
    assert tasks[1].first == 20


def test_an_outcome_that_was_cut_short_is_computed_again():
    plan, jobs = two_chunks()
    plan.receive(jobs[0], WORKER.run(jobs[0].task.within(3), Signal()))
    assert not plan.frontier().outcome.finished
    again = Samples(chunk_of(1), 10)
    again.restore(through_a_file(plan.state()))
    assert again.frontier() is None
    assert again.next_job().task == jobs[0].task


def test_a_restored_run_keeps_the_size_of_its_chunks():
    plan, _ = two_chunks()
    again = Samples(chunk_of(1), 99)
    again.restore(through_a_file(plan.state()))
    tasks = [again.next_job().task for _ in range(3)]
    assert [(task.first, task.last) for task in tasks] == [(0, 10), (10, 20), (20, 30)]


def test_a_state_stays_as_it_is_when_the_plan_goes_on():
    plan, jobs = two_chunks()
    plan.receive(jobs[0], WORKER.run(jobs[0].task, Signal()))
    state = plan.state()
    before = encode(state)
    plan.commit()
    plan.receive(jobs[1], WORKER.run(jobs[1].task, Signal()))
    assert encode(state) == before


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


def test_a_run_that_was_cut_short_is_computed_again():
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
