"""NMCS on the left move problem against the exact distribution of Cazenave 2009: a test of the whole engine."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from scipy.stats import chi2

import rookery as rk
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.problems.leftmove import exact_distribution, leftmost_distribution
from rookery.rng import mix_int, root_key
from rookery.search.nmcs import NMCS, NMCSTask
from rookery.search.sampling import Sampling, SamplingTask

ERROR_RATE = 1e-4
"""Probability that a right engine fails one of these tests; the seeds are fixed, so it fails always or never."""


def scores(depth, level, memorise, runs, problem=None):
    worker = CompiledEngine(problem or rk.problems.LeftMove(depth)).worker()
    root = root_key(depth + level)
    found = Counter()
    for i in range(runs):
        key = mix_int(root, i)
        if level == 0:
            task = SamplingTask(search=Sampling(), key=key, first=0, last=1)
        else:
            task = NMCSTask(search=NMCS(level=level, memorise=memorise, ties="random"), key=key, level=level)
        found[int(worker.run(task, Signal()).sequence.score)] += 1
    return found


def assert_distributed(found, exact):
    """Chi-square over scores, neighbouring ones pooled until at least 5 are expected of each."""
    runs = found.total()
    observed, expected, o, e = [], [], 0, 0.0
    for score, probability in enumerate(exact):
        o += found[score]
        e += probability * runs
        if e >= 5:
            observed.append(o)
            expected.append(e)
            o, e = 0, 0.0
    observed[-1] += o
    expected[-1] += e
    observed, expected = np.array(observed), np.array(expected)
    statistic = ((observed - expected) ** 2 / expected).sum()
    assert statistic < chi2.isf(ERROR_RATE, len(expected) - 1)


@pytest.mark.parametrize(
    ("depth", "level", "runs"),
    [(9, 0, 20_000), (9, 1, 20_000), (9, 2, 10_000), (9, 3, 5_000), (60, 1, 5_000), (60, 2, 500), (60, 3, 40)],
)
def test_scores_without_memorisation_have_the_exact_distribution(depth, level, runs):
    assert_distributed(scores(depth, level, False, runs), exact_distribution(depth, level))


def test_the_exact_distribution_has_the_papers_figure():
    assert round(exact_distribution(9, 3)[9], 2) == 0.41


def test_memorisation_finds_the_best_score_about_twice_as_often():
    # The paper has 0.80 of 100,000 searches; four standard errors of 5,000.
    share = scores(9, 3, True, 5000)[9] / 5000
    assert abs(share - 0.80) < 4 * (0.8 * 0.2 / 5000) ** 0.5 + 0.01


@pytest.mark.parametrize("depth", [1, 2, 9, 60])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_the_exact_probabilities_sum_to_one(depth, level):
    assert abs(sum(exact_distribution(depth, level)) - 1) < 1e-9


def test_a_playout_of_the_leftmost_path_has_the_exact_distribution():
    found = scores(8, 0, False, 20_000, rk.problems.LeftmostPath(8))
    assert_distributed(found, leftmost_distribution(8))


def test_level_one_always_finds_the_leftmost_path():
    assert set(scores(30, 1, True, 100, rk.problems.LeftmostPath(30))) == {30}


def test_depth_must_be_positive():
    with pytest.raises(rk.InputError, match="depth must be at least 1, got 0"):
        rk.problems.LeftMove(0)
