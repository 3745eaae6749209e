"""Independent restarts: so many side by side, or as many as fit in; the answer is that of one after the other."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from examples_of_problems import Words
from rookery.control import Signal
from rookery.engine.python_worker import PythonEngine
from rookery.plans.nested_steps import NestedSteps
from rookery.plans.restarts import AHEAD, Restarts
from rookery.plans.speculation_tree import SpeculationTree
from rookery.rng import mix_int
from rookery.running.encoding import decode, encode

WORKER = PythonEngine(Words("abcdef", 4)).worker()


def nrpa(number, seed=1):
    return SpeculationTree(rk.NRPA(level=2, iterations=4).nesting(WORKER), mix_int(seed, number), 1)


def nmcs(number, seed=1):
    return NestedSteps(rk.NMCS(level=2).steps(), WORKER, mix_int(seed, number), 1, ("b",))


MAKERS = {"nrpa": nrpa, "nmcs": nmcs}


def drive(plan, generator, workers, commits=10**9):
    """Drive a plan with outcomes in random order; returns the keys of the jobs in the order of their commits."""
    running, keys = [], []
    while not plan.finished and len(keys) < commits:
        while len(running) < workers and (job := plan.next_job()) is not None:
            running.append((job, job.task.key))
        if running:
            job, _ = running.pop(generator.randrange(len(running)))
            plan.receive(job, WORKER.run(job.task, Signal()))
        while len(keys) < commits and (job := plan.frontier()) is not None:
            keys.append(job.task.key)
            plan.commit()
        unwanted, plan.discards = plan.discards, []
        running = [item for item in running if item[0] not in unwanted]
    return keys


def through_a_file(state):
    return decode(json.loads(json.dumps(encode(state))))


@pytest.mark.parametrize("name", MAKERS)
def test_the_best_of_all_runs_is_the_best_of_each_alone(name):
    bests = []
    for number in range(5):
        plan = MAKERS[name](number)
        drive(plan, random.Random(0), 1)
        bests.append(plan.best)
    together = Restarts(MAKERS[name], 5)
    drive(together, random.Random(0), 3)
    assert together.best == max(bests, key=lambda best: best.score)
    assert len({best.score for best in bests}) > 1
    assert (together.finished, together.number) == (True, 4)


@given(
    name=st.sampled_from(list(MAKERS)),
    seed=st.integers(0, 10**6),
    count=st.integers(1, 5),
    workers=st.integers(1, 7),
    ahead=st.integers(1, 5),
    order=st.integers(0, 10**6),
)
def test_any_number_of_workers_commits_the_same_in_the_same_order(name, seed, count, workers, ahead, order):
    alone, together = (Restarts(lambda number: MAKERS[name](number, seed), count, most) for most in (1, ahead))
    keys = drive(alone, random.Random(0), 1)
    assert drive(together, random.Random(order), workers) == keys
    assert (together.best, together.number) == (alone.best, count - 1)


def test_a_number_of_runs_is_begun_rather_than_speculated_on():
    plan = Restarts(nrpa, 3)
    keys = [plan.next_job().task.key for _ in range(3)]
    assert keys == [mix_int(mix_int(1, number), 0) for number in range(3)]
    assert plan.next_job() is None  # in each of them nothing is known yet


def test_another_run_is_begun_when_the_first_one_has_only_speculation_left():
    plan = Restarts(nrpa, 3)
    first = plan.next_job()
    plan.receive(first, WORKER.run(first.task, Signal()))
    keys = [plan.next_job().task.key for _ in range(4)]
    certain = [mix_int(mix_int(1, 0), 1), mix_int(mix_int(1, 1), 0), mix_int(mix_int(1, 2), 0)]
    assert keys == [*certain, mix_int(mix_int(1, 0), 2)]


class Flat(Words):
    """All words are as good as one another."""

    def score(self, state):
        return 1.0


def test_the_first_of_equals_is_kept():
    worker = PythonEngine(Flat("abcdef", 4)).worker()
    made = [
        SpeculationTree(rk.NRPA(level=1, iterations=1).nesting(worker), mix_int(1, number), 1) for number in range(3)
    ]
    plan = Restarts(lambda number: made[number], 3)
    found = []
    while (job := plan.next_job()) is not None:
        outcome = worker.run(job.task, Signal())
        found.append(outcome.sequence)
        plan.receive(job, outcome)
        plan.commit()
    assert len({sequence.moves for sequence in found}) == 3
    assert plan.best == found[0]


def test_a_later_one_of_endless_runs_waits_until_the_first_has_no_job():
    plan = Restarts(nrpa, None)
    first = plan.next_job()
    plan.receive(first, WORKER.run(first.task, Signal()))
    keys = [plan.next_job().task.key for _ in range(4)]
    assert keys == [mix_int(mix_int(1, 0), i) for i in (1, 2, 3)] + [mix_int(mix_int(1, 1), 0)]


@pytest.mark.parametrize(("count", "ahead"), [(None, AHEAD), (9, 2), (9, 6)])
def test_only_so_many_runs_are_under_way_at_once(count, ahead):
    plan = Restarts(nrpa, count, ahead)
    jobs = 0
    while plan.next_job() is not None:
        jobs += 1
    assert (jobs, len(plan._live)) == (ahead, ahead)


def test_endless_runs_have_no_end():
    plan = Restarts(nrpa, None)
    drive(plan, random.Random(0), 2, commits=21)
    assert (plan.finished, plan.number) == (False, 5)


@given(
    name=st.sampled_from(list(MAKERS)),
    count=st.sampled_from([None, 1, 3]),
    workers=st.tuples(st.integers(1, 7), st.integers(1, 7)),
    share=st.floats(0, 1),
    order=st.integers(0, 10**6),
)
def test_runs_that_are_saved_anywhere_go_on_as_if_undisturbed(name, count, workers, share, order):
    whole, first, second = (Restarts(MAKERS[name], count) for _ in range(3))
    keys = drive(whole, random.Random(0), 1, commits=10**9 if count else 40)
    generator = random.Random(order)
    done = drive(first, generator, workers[0], round(share * len(keys)))
    second.restore(through_a_file(first.state()))
    assert (second.best, second.number, second.finished) == (first.best, first.number, first.finished)
    done += drive(second, generator, workers[1], len(keys) - len(done))
    assert done == keys
    assert (second.best, second.number, second.finished) == (whole.best, whole.number, whole.finished)


def test_the_run_that_a_limit_ends_is_counted_and_none_that_was_begun_ahead():
    plan = Restarts(nrpa, None)
    jobs = [plan.next_job() for _ in range(4)]
    plan.receive(jobs[0], WORKER.run(jobs[0].task.within(2), Signal()))
    plan.prune()
    plan.commit()
    assert plan.number == 0


def test_an_outcome_of_a_run_that_was_pruned_is_of_no_consequence():
    plan = Restarts(nrpa, None)
    jobs = [plan.next_job() for _ in range(2)]
    plan.prune()
    plan.receive(jobs[1], WORKER.run(jobs[1].task, Signal()))
    assert (plan.frontier(), plan.best) == (None, None)


@pytest.mark.parametrize("workers", [1, 2, 4])
@pytest.mark.parametrize("playouts", [40, 103, 150])
def test_the_number_of_restarts_does_not_depend_on_the_workers(playouts, workers):
    search = rk.NRPA(level=2, iterations=8)
    result = rk.solve(
        rk.problems.LeftMove(20), search, seed=1, stop=rk.MaxPlayouts(playouts), workers=workers, atomic_level=1
    )
    assert result.restarts == playouts // 64
