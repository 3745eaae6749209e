"""Perfect prediction: how long a run takes if nothing is ever computed in vain."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.plans.speculation_tree import SpeculationTree
from rookery.search.nrpa import NRPA
from rookery.simulation.oracle import Trajectory, oracle_seconds
from rookery.tasks import Outcome, Sequence, Weights


class FakeWorker:
    """Adapt without a problem."""

    def value(self, task):
        return Weights((*task.policy.codes, task.sequence), np.zeros(len(task.policy) + 1))


def trajectory(scores, search, seconds=None):
    """The run in which the tasks have these scores, in the order of the sequential search."""
    tree = SpeculationTree(search.nesting(FakeWorker()), 0, 1)
    run = Trajectory(search.iterations_by_level[2:])
    for place, score in enumerate(scores):
        job = tree.next_job()
        found = Sequence(float(score), (score, place), (score, place))
        tree.receive(job, Outcome(found, 1, (), True, False))
        commit = tree.commit()
        run.add(1.0 if seconds is None else seconds[place], [r.level - 2 for r in commit.replacements])
    assert tree.finished
    return run


FIGURE_1 = trajectory([75, 81, 79, 85, 76, 83, 93, 98, 92], NRPA(level=3, iterations=3, ties=">"))
"""The sample run of Nagorko 2019, Figure 1."""


def test_the_papers_example_takes_nine_steps_with_one_worker():
    assert oracle_seconds(FIGURE_1, 1) == 9


@pytest.mark.parametrize("workers", [3, 9, 1000])
def test_the_papers_example_takes_six_steps_with_perfect_prediction(workers):
    assert oracle_seconds(FIGURE_1, workers) == 6


def test_two_workers_are_not_enough_for_the_papers_example():
    assert oracle_seconds(FIGURE_1, 2) == 7


def test_the_supplier_of_a_best_is_the_leaf_that_found_it():
    leaves, calls = FIGURE_1.suppliers
    assert leaves.tolist() == [0, 1, 1, 3, 3, 3, 6, 7, 7]
    assert calls.tolist() == [1, 3, 7]


def test_a_run_that_never_replaces_its_first_result_takes_two_steps():
    run = trajectory([5] + [1] * 15, NRPA(level=2, iterations=16))
    assert oracle_seconds(run, 15) == 2


def test_a_run_that_always_replaces_is_sequential():
    run = trajectory(range(16), NRPA(level=3, iterations=4))
    assert oracle_seconds(run, 16) == 16


def test_a_message_takes_its_time_both_ways():
    run = trajectory(range(4), NRPA(level=2, iterations=4))
    assert oracle_seconds(run, 1, delay=0.25) == 4 * 1.5


def test_a_search_that_is_one_task_takes_as_long_as_it():
    run = Trajectory(())
    run.add(7.0, ())
    assert oracle_seconds(run, 5) == 7.0


RUNS = st.tuples(st.integers(0, 10**6), st.sampled_from([1, 3, 100]), st.sampled_from([">=", ">", 0.3]))


def drawn(seed, spread, ties):
    generator = random.Random(seed)
    search = NRPA(level=4, iterations={2: 3, 3: 4, 4: 2}, ties=ties)
    scores = [generator.randint(0, spread) for _ in range(24)]
    return trajectory(scores, search, [generator.choice([1.0, 2.0, 3.5]) for _ in range(24)])


@given(RUNS)
def test_one_worker_takes_the_sum_of_all_tasks(run):
    made = drawn(*run)
    assert oracle_seconds(made, 1) == sum(made.seconds)


@given(RUNS, st.integers(2, 30))
def test_workers_neither_do_more_than_they_can_nor_outrun_the_longest_chain(run, workers):
    made = drawn(*run)
    seconds = oracle_seconds(made, workers)
    assert sum(made.seconds) / workers <= seconds <= sum(made.seconds)
    assert seconds >= oracle_seconds(made, 24)
