"""Sampling in chunks: a run that is saved after any chunk goes on elsewhere with the same chunks."""

from __future__ import annotations

import json
import random

from hypothesis import given
from hypothesis import strategies as st

from examples_of_problems import Words
from rookery.control import Signal
from rookery.engine.python_worker import PythonEngine
from rookery.plans.samples import Samples
from rookery.running.encoding import decode, encode
from rookery.search.sampling import Sampling, SamplingTask

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
