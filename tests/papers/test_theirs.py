"""The paper's figures: how ours are compared with them."""

from __future__ import annotations

import pytest

from rookery.matches.scores import fisher
from rookery.papers.theirs import Exactly, MeanOf, MedianOf, OneRun, Probability, Share, Theirs


def ones(won: int, of: int) -> list[float]:
    return [1.0] * won + [0.0] * (of - won)


def test_a_share_is_tested_as_two_matches_that_both_vary() -> None:
    assert Share("50.0", 50.0, of=500).p(ones(280, 500)) == fisher(280, 500, 250, 500)
    # One sample against a fixed half would give 0.008.
    assert Share("50.0", 50.0, of=500).p(ones(280, 500)) == pytest.approx(0.066, abs=0.001)


def test_draws_of_a_match_count_as_halves_rounded_down() -> None:
    assert Share("50.0", 50.0, of=4).p([1.0, 0.5, 0.5, 0.5]) == fisher(2, 4, 2, 4)


def test_a_probability_may_lie_anywhere_within_its_last_digit() -> None:
    printed = Probability("0.80", 0.80, of=100_000)
    assert printed.p(ones(80_499, 100_000)) == 1.0
    # z = (0.814 - 0.805) / sqrt(0.8095 * 0.1905 * 2e-5) = 5.12
    assert printed.p(ones(81_400, 100_000)) == pytest.approx(3.0e-7, rel=0.05)


def test_a_single_run_is_a_percentile_of_ours() -> None:
    ours = [float(x) for x in range(1, 100)]
    assert OneRun("100", 100.0).p(ours) == 2 / 100 == OneRun("", 0.0).least(99)
    assert OneRun("50", 50.0).p(ours) == 1.0
    assert OneRun("2", 2.0).p(ours) == pytest.approx(2 * 3 / 100)


def test_medians_are_compared_only_with_enough_runs() -> None:
    assert MedianOf("150", 150.0, of=15).p([150.0] * 7) is None
    assert MedianOf("150", 150.0, of=15).least(7) == 1.0


def test_medians_of_runs_like_ours_rarely_differ_by_the_test() -> None:
    """At a level of 5%, a fresh sample of the same kind is called different in about 5% of 60 cases."""
    import numpy as np

    stream = np.random.default_rng(1)
    draws = [stream.normal(150, 5, (2, 15)) for _ in range(60)]
    wrong = sum(
        (MedianOf("", float(np.sort(a)[7]), of=15).p(list(b)) or 0) < 0.05 for a, b in draws
    )  # binomial(60, 0.05) exceeds 9 with probability 0.001
    assert wrong <= 9


def test_means_differ_by_their_standard_errors() -> None:
    runs = [float(x) for x in range(20)]  # mean 9.5, standard deviation 5.916
    assert MeanOf("9.5", 9.5, of=200).p(runs) == 1.0
    assert MeanOf("12.22", 9.5 + 1.96 * 5.916 * (1 / 20 + 1 / 200) ** 0.5, of=200, digits=9).p(runs) == pytest.approx(
        0.05, abs=1e-3
    )
    assert MeanOf("9", 9.0, of=200).p(runs[:7]) is None
    assert MeanOf("9", 9.0, of=200).least(7) == 1.0
    assert MeanOf("3", 3.0, of=200).p([3.0] * 9) == 1.0
    assert MeanOf("3", 3.0, of=200).p([2.0] * 9) == 0.0


def test_a_mean_may_lie_anywhere_within_its_last_digit() -> None:
    runs = [0.07, 0.08] * 30
    assert MeanOf("0.1", 0.1, of=200).p(runs) == 1.0
    assert MeanOf("0.1", 0.1, of=200, digits=2).p(runs) < 1e-6
    assert MeanOf("0.2", 0.2, of=200).p(runs) < 1e-6


def test_what_must_be_equal_agrees_only_if_it_is() -> None:
    assert Exactly("9", 9.0).p([9.0, 9.0]) == 1.0
    assert Exactly("9", 9.0).p([9.0, 8.0]) == 0.0


def test_a_figure_without_a_test_is_only_shown() -> None:
    assert Theirs("3,188 s").p([1.0]) is None
    assert Theirs("3,188 s").test == ""
