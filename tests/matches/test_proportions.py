"""Intervals and tests of shares, against published values and against counting."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.matches.scores import fisher, wilson


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_that_of_newcombe_1998_table_1(won: int, games: int, low: float, high: float) -> None:
    assert wilson(won, games) == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 300).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_turns_round_with_it(match: tuple[int, int]) -> None:
    won, games = match
    low, high = wilson(won, games)
    assert 0 <= low <= won / games <= high <= 1
    assert wilson(games - won, games) == pytest.approx((1 - high, 1 - low), abs=1e-12)


def test_the_test_gives_the_p_value_of_fishers_twins() -> None:
    assert fisher(2, 17, 10, 13) == pytest.approx(0.0005367, rel=1e-4)


def test_the_test_gives_the_p_value_of_the_lady_tasting_tea() -> None:
    assert fisher(3, 4, 1, 4) == pytest.approx(34 / 70)
    assert fisher(4, 4, 0, 4) == pytest.approx(2 / 70)


def by_counting(won: int, games: int, other_won: int, other_games: int) -> float:
    """The share of all ways to deal the wins to the games that are no more likely than what was seen."""
    everybody = range(games + other_games)
    counts: dict[int, int] = {}
    for winners in combinations(everybody, won + other_won):
        k = sum(winner < games for winner in winners)
        counts[k] = counts.get(k, 0) + 1
    return sum(n for n in counts.values() if n <= counts[won]) / sum(counts.values())


@given(st.integers(1, 6), st.integers(1, 6), st.data())
def test_the_test_agrees_with_counting_all_ways(games: int, other_games: int, data: st.DataObject) -> None:
    won, other_won = data.draw(st.integers(0, games)), data.draw(st.integers(0, other_games))
    table = (won, games, other_won, other_games)
    assert fisher(*table) == pytest.approx(by_counting(*table))


@given(st.integers(0, 500), st.integers(0, 500))
def test_the_test_does_not_care_which_match_is_ours(one: int, other: int) -> None:
    assert fisher(one, 500, other, 500) == fisher(other, 500, one, 500)
