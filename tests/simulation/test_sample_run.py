"""The sample run of Nagorko 2019, Figure 1, takes the steps that the paper counts."""

from __future__ import annotations

import pytest

from rookery.simulation.sample_run import SCORES, figure_1, time_steps


def test_the_papers_example_takes_nine_steps_eight_or_six():
    steps = figure_1()
    assert (steps.sequential, steps.at_level_1, steps.at_both_levels) == (9, 8, 6)


@pytest.mark.parametrize(("workers", "steps"), [(1, 9), (2, 7), (3, 6), (1000, 6)])
def test_three_workers_are_enough_for_the_papers_example(workers, steps):
    assert time_steps(SCORES, workers) == steps


def test_if_the_first_result_is_never_replaced_each_level_takes_one_step_more():
    assert [time_steps([9] * 3**level, workers=27) for level in range(4)] == [1, 2, 3, 4]


def test_results_that_always_replace_are_sequential():
    assert time_steps(range(27), workers=27) == 27
