"""The speculation tree gives the sequential answer, whatever the order in which results arrive."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.parallel.tree import SpeculationTree
from rookery.rng import mix_int
from rookery.search.nrpa import NRPA
from rookery.tasks import Outcome, Sequence, Weights


class FakeWorker:
    """Adapt without a problem: a policy is the history of what it was adapted to."""

    def adapt(self, policy, sequence, alpha, prefix, layers):
        return Weights((*policy.codes, sequence), np.zeros(len(policy) + 1))


def fake_result(task, spread):
    """A result that depends on the task's key and policy alone, as real ones do."""
    generator = random.Random(f"{task.key}{task.policy.codes}")
    score = generator.randint(0, spread)
    moves = (score, generator.randint(0, 3))
    return Outcome(Sequence(float(score), moves, moves), 1, ((1, float(score)),), True, False)


def sequential(search, level, policy, key, atomic, spread):
    """Algorithm 3 of Nagorko 2019 on the fake problem."""
    if level == atomic:

        class Task:
            pass

        task = Task()
        task.key, task.policy = key, policy
        return fake_result(task, spread).sequence
    best = None
    for i in range(search.iterations_by_level[level]):
        new = sequential(search, level - 1, policy, mix_int(key, i), atomic, spread)
        tie = search.ties_by_level[level]
        codes = set(new.codes)
        if (
            best is None
            or new.score > best.score
            or (new.score == best.score and (tie < 0 or len(codes - set(best.codes)) / len(codes) > tie))
        ):
            best = new
        policy = FakeWorker().adapt(policy, best.moves, 1.0, (), False)
    return best


def run(tree, workers, generator, spread):
    """Drive a tree with results in random order; returns the number of rounds and of jobs."""
    running, rounds, jobs = [], 0, 0
    while not tree.finished:
        while len(running) < workers:
            job = tree.next_job()
            if job is None:
                break
            running.append(job)
            jobs += 1
        rounds += 1
        job = running.pop(generator.randrange(len(running)))
        tree.receive(job, fake_result(job.task, spread))
        while tree.frontier() is not None:
            tree.commit()
        for unwanted in tree.discards.drain():
            if unwanted in running:
                running.remove(unwanted)
    return rounds, jobs


TIES = st.sampled_from([">=", ">", 0.3, 0.6])


@given(
    order=st.integers(0, 10**6),
    workers=st.integers(1, 9),
    key=st.integers(0, 10**6),
    ties=st.tuples(TIES, TIES, TIES),
    spread=st.sampled_from([1, 4, 1000]),
    atomic=st.integers(1, 3),
)
def test_any_order_of_completion_gives_the_sequential_result(order, workers, key, ties, spread, atomic):
    search = NRPA(level=4, iterations=3, ties={2: ties[0], 3: ties[1], 4: ties[2]})
    tree = SpeculationTree(search, FakeWorker(), key, atomic)
    run(tree, workers, random.Random(order), spread)
    assert tree.best == sequential(search, 4, Weights(), key, atomic, spread)


@given(key=st.integers(0, 10**6))
def test_one_worker_computes_every_leaf_once(key):
    search = NRPA(level=3, iterations=4)
    tree = SpeculationTree(search, FakeWorker(), key, 1)
    assert run(tree, 1, random.Random(0), 5) == (16, 16)


def scripted(scores):
    """Results by the place of a leaf in the tree, as in the paper's Figure 1."""

    def result(place):
        score = float(scores[place])
        return Outcome(Sequence(score, (score, place), (score, place)), 1, ((1, score),), True, False)

    return result


def steps_of_figure_1b(workers):
    """Time steps that the run of Nagorko 2019, Figure 1, takes when every running job ends in the same step."""
    scores = [75, 81, 79, 85, 76, 83, 93, 98, 92]
    search = NRPA(level=3, iterations=3, ties=">")
    tree = SpeculationTree(search, FakeWorker(), 0, 1)
    places = {mix_int(mix_int(0, i), j): 3 * i + j for i in range(3) for j in range(3)}
    result = scripted(scores)
    steps = 0
    while not tree.finished:
        jobs = []
        while len(jobs) < workers and (job := tree.next_job()) is not None:
            jobs.append(job)
        steps += 1
        for job in jobs:
            tree.receive(job, result(places[job.task.key]))
        while tree.frontier() is not None:
            tree.commit()
    assert tree.best.score == 98
    return steps


def test_the_papers_example_takes_nine_steps_with_one_worker():
    assert steps_of_figure_1b(1) == 9


def test_the_papers_example_takes_six_steps_in_parallel():
    assert steps_of_figure_1b(9) == 6


def test_an_identical_sequence_discards_nothing():
    search = NRPA(level=2, iterations=4, ties=">=")
    tree = SpeculationTree(search, FakeWorker(), 0, 1)
    same = Outcome(Sequence(5.0, (1,), (1,)), 1, ((1, 5.0),), True, False)
    first = tree.next_job()
    assert tree.next_job() is None  # nothing is known that a policy could be adapted to
    tree.receive(first, same)
    later = [tree.next_job() for _ in range(3)]
    assert None not in later
    tree.receive(later[0], same)
    assert tree.discards.drain() == []


def test_a_better_result_discards_what_was_built_on_the_old_best():
    search = NRPA(level=2, iterations=4)
    tree = SpeculationTree(search, FakeWorker(), 0, 1)
    first = tree.next_job()
    tree.receive(first, Outcome(Sequence(5.0, (1,), (1,)), 1, (), True, False))
    later = [tree.next_job() for _ in range(3)]
    tree.receive(later[0], Outcome(Sequence(6.0, (2,), (2,)), 1, (), True, False))
    assert tree.discards.drain() == later[1:]


def test_memory_does_not_grow_with_the_iterations():
    search = NRPA(level=2, iterations=500)
    tree = SpeculationTree(search, FakeWorker(), 0, 1)
    most = 0
    while not tree.finished:
        tree.receive(job := tree.next_job(), fake_result(job.task, 5))
        tree.commit()
        most = max(most, len(tree._root.children))
    assert most <= 2


def test_a_stopped_job_is_the_end_of_the_prefix():
    search = NRPA(level=2, iterations=4)
    tree = SpeculationTree(search, FakeWorker(), 0, 1)
    tree.receive(tree.next_job(), Outcome(Sequence(5.0, (1,), (1,)), 1, (), True, False))
    tree.commit()
    running = [tree.next_job(), tree.next_job()]
    tree.receive(running[1], Outcome(Sequence(9.0, (3,), (3,)), 1, (), True, False))
    tree.receive(running[0], Outcome(Sequence(4.0, (2,), (2,)), 1, (), False, False))
    tree.prune()
    tree.commit()
    assert tree.best.score == 5.0  # not 9: the sequential search had not come that far
    assert not tree.finished


@pytest.mark.parametrize("budget", [1, 5])
def test_a_retried_job_has_the_new_budget(budget):
    tree = SpeculationTree(NRPA(level=2, iterations=4), FakeWorker(), 0, 1)
    tree.receive(tree.next_job(), Outcome(Sequence(5.0, (1,), (1,)), 10, (), True, False))
    tree.retry(budget)
    assert tree.frontier() is None
    assert tree.next_job().task.budget == budget
    assert math.isinf(tree._target)
