"""Quantiles, the Mann-Whitney test, Holm's correction."""

import sys

import numpy as np
import pytest
from scipy import stats

from rookery.errors import InputError
from rookery.experiments.statistics import Comparison, holm, mann_whitney
from rookery.experiments.timeline import median, quantile


@pytest.mark.parametrize(
    ("scores", "best_is_most", "best_is_least"),
    [
        ([5], 5, 5),
        ([1, 2], 2, 1),
        ([3, 1, 2], 2, 2),
        ([4, 1, 3, 2], 3, 2),
        ([1, 1, 9, 9], 9, 1),
        ([9, 7, 8, 1, 2], 7, 7),
    ],
)
def test_median_is_the_middle_score_or_the_better_of_the_two(scores, best_is_most, best_is_least):
    assert median(scores, "max") == best_is_most
    assert median(scores, "min") == best_is_least


def test_minimising_mirrors_maximising():
    scores = np.random.default_rng(1).normal(size=12)
    for q in np.linspace(0, 1, 21):
        assert quantile(scores, q, "min") == -quantile(-scores, q, "max")


def test_quantiles_go_from_the_worst_run_to_the_best():
    scores = [10, 40, 20, 30]
    assert [float(quantile(scores, q)) for q in (0, 0.25, 0.5, 0.75, 1)] == [10, 20, 30, 40, 40]
    assert [float(quantile(scores, q, "min")) for q in (0, 0.25, 0.5, 0.75, 1)] == [40, 30, 20, 10, 10]


def test_quartiles_of_fifteen_runs_are_the_fourth_from_both_ends():
    scores = list(range(1, 16))
    assert (quantile(scores, 0.25), quantile(scores, 0.75)) == (4, 12)


def test_a_share_that_floating_point_misses_still_finds_its_rank():
    assert 0.29 * 100 < 29
    assert quantile(list(range(100)), 0.29) == 29


def test_no_score_yet_is_worse_than_any():
    assert np.isnan(median([np.nan, np.nan, 1.0]))
    assert np.isnan(median([np.nan, np.nan, 1.0], "min"))
    assert median([np.nan, 1.0, 2.0]) == 1
    assert median([np.nan, 1.0, 2.0], "min") == 2


def test_quantiles_are_taken_along_the_first_axis():
    assert median([[1, 6], [2, 5], [3, 4]]).tolist() == [2, 5]


@pytest.mark.parametrize("q", [-0.1, 1.1])
def test_a_share_out_of_range_is_refused(q):
    with pytest.raises(InputError, match=f"q must be between 0 and 1, got {q}"):
        quantile([1, 2], q)


def test_a_quantile_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least one score, got none"):
        quantile([], 0.5)


def test_mann_whitney_agrees_with_a_count_by_hand():
    # a = 3, 5 against b = 1, 2, 4: pairs won 2 + 3 = 5 of 6. Of the 10 ways to choose two ranks of five,
    # two give U >= 5 (U = 6 and 5), so p = 2 * 2 / 10.
    u, p = mann_whitney([3, 5], [1, 2, 4])
    assert u == 5
    assert p == pytest.approx(0.4)


def test_mann_whitney_counts_ties_as_a_half_and_corrects_their_variance():
    # pairs: 1 beats none and ties one; 2 beats 1 and ties 2; 3 beats 1, 2, 2 -> U = 0.5 + 2 + 3 = 5.5
    a, b = [1, 2, 3], [1, 2, 2]
    u, p = mann_whitney(a, b)
    assert u == 5.5
    n, ties = 6, (2**3 - 2) + (3**3 - 3)
    deviation = np.sqrt(9 / 12 * ((n + 1) - ties / (n * (n - 1))))
    z = (5.5 - 4.5 - 0.5) / deviation  # with the correction for continuity
    assert p == pytest.approx(2 * stats.norm.sf(z))


@pytest.mark.parametrize("size", [5, 40])
def test_mann_whitney_agrees_with_scipy(size):
    rng = np.random.default_rng(size)
    a, b = rng.integers(0, 30, size), rng.integers(5, 35, size + 2)
    expected = stats.mannwhitneyu(a, b, alternative="two-sided")
    assert mann_whitney(a, b) == (expected.statistic, expected.pvalue)


def test_mann_whitney_of_two_swapped_samples_has_the_same_p():
    a, b = [1, 4, 6, 7], [2, 3, 5, 9, 9]
    (u, p), (v, q) = mann_whitney(a, b), mann_whitney(b, a)
    assert u + v == len(a) * len(b)
    assert p == pytest.approx(q)


def test_mann_whitney_counts_smaller_scores_as_better_when_minimising():
    assert mann_whitney([1, 2], [3, 4, 5], "min")[0] == 6
    assert mann_whitney([1, 2], [3, 4, 5], "max")[0] == 0


def test_mann_whitney_of_equal_scores_says_nothing():
    assert mann_whitney([7, 7], [7, 7, 7]) == (3.0, 1.0)


def test_mann_whitney_ranks_no_score_yet_last():
    assert mann_whitney([np.nan, 1], [2, 3], "min")[0] == 2


def test_mann_whitney_of_nothing_is_refused():
    with pytest.raises(InputError, match="at least one score on each side, got 0 and 1"):
        mann_whitney([], [1])


def test_without_scipy_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(InputError, match=r'needs SciPy: pip install "rookery\[experiment\]"'):
        mann_whitney([1], [2])


def test_holm_multiplies_the_smallest_p_most_and_keeps_the_order():
    assert holm([0.04, 0.01, 0.03]) == pytest.approx([0.06, 0.03, 0.06])
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([0.2]) == [0.2]
    assert holm([]) == []


def test_a_comparison_prints_as_one_line():
    text = str(Comparison("a", "b", u=17.0, p=0.011, effect=0.85, p_holm=0.033))
    assert text == "a against b: U = 17, effect 0.85, p = 0.011 (0.033 by Holm)"
