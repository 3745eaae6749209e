"""Elo by Bradley and Terry: closed forms, an independent optimiser, and players whom nothing bounds."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from rookery.matches.elo import ELO, ratings


def played(n: int, players: int, seed: int) -> np.ndarray:
    """The points of a round robin with draws."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(size=players)
    scored = np.zeros((players, players))
    for i in range(players):
        for j in range(i):
            share = 1 / (1 + math.exp(strength[j] - strength[i]))
            won, drawn, lost = rng.multinomial(n, [0.9 * share, 0.1, 0.9 * (1 - share)])
            scored[i, j], scored[j, i] = won + drawn / 2, lost + drawn / 2
    return scored


def deviance(scored: np.ndarray, strength: np.ndarray) -> float:
    """Twice the negative logarithm of the likelihood, one game at a time."""
    total = 0.0
    for i in range(len(scored)):
        for j in range(len(scored)):
            total += 2 * scored[i, j] * math.log1p(math.exp(strength[j] - strength[i]))
    return total


@pytest.mark.parametrize(("won", "games"), [(75, 100), (50, 100), (10.5, 30), (199, 200)])
def test_two_players_differ_by_the_logarithm_of_their_odds(won: float, games: int) -> None:
    a, b = ratings([[0, won], [games - won, 0]])
    assert a.elo - b.elo == pytest.approx(400 * math.log10(won / (games - won)), abs=1e-5)
    assert a.elo + b.elo == pytest.approx(0, abs=1e-6)


def test_the_interval_of_two_players_is_that_of_the_likelihood_ratio_of_a_binomial_share() -> None:
    won, games = 75, 100
    most = stats.binom.logpmf(won, games, won / games)

    def refused(share: float) -> float:
        return 2 * (most - stats.binom.logpmf(won, games, share)) - stats.chi2.ppf(0.95, 1)

    shares = optimize.brentq(refused, 0.5, 0.75), optimize.brentq(refused, 0.75, 0.95)
    a, _ = ratings([[0, won], [games - won, 0]])
    expected = [200 * math.log10(share / (1 - share)) for share in shares]  # half of the difference: their mean is 0
    assert [a.low, a.high] == pytest.approx(expected, abs=0.01)


def test_shares_that_fit_the_model_exactly_give_back_its_strengths() -> None:
    strength = np.array([120.0, 30.0, -40.0, -110.0])
    scored = 1000 / (1 + 10 ** ((strength[None, :] - strength[:, None]) / 400))
    assert [rating.elo for rating in ratings(scored)] == pytest.approx(list(strength), abs=1e-4)


@pytest.mark.parametrize("seed", range(3))
def test_ratings_and_bounds_are_those_of_an_independent_optimiser(seed: int) -> None:
    scored = played(40, 5, seed)
    found = ratings(scored)
    centred = lambda free: np.append(free, -free.sum())  # noqa: E731
    best = optimize.minimize(lambda free: deviance(scored, centred(free)), np.zeros(4), method="BFGS", tol=1e-8)
    assert [rating.elo for rating in found] == pytest.approx(list(ELO * centred(best.x)), abs=0.05)

    def profile(strength: float) -> float:
        """The least deviance with this strength of the first player."""
        rest = lambda free: np.array([strength, *free, -strength - free.sum()])  # noqa: E731
        return optimize.minimize(lambda free: deviance(scored, rest(free)), np.zeros(3), method="BFGS", tol=1e-8).fun

    limit = best.fun + stats.chi2.ppf(0.95, 1)
    assert profile(found[0].low / ELO) == pytest.approx(limit, abs=0.01)
    assert profile(found[0].high / ELO) == pytest.approx(limit, abs=0.01)


def test_whoever_lost_all_games_is_infinitely_weak_and_bounded_from_above() -> None:
    a, b, c = ratings([[0, 12, 10], [8, 0, 10], [0, 0, 0]])
    assert (c.elo, c.low) == (-math.inf, -math.inf)
    assert -500 < c.high < -200
    alone = ratings([[0, 12], [8, 0]])
    assert [a.elo, b.elo] == pytest.approx([rating.elo for rating in alone], abs=1e-4)


def test_whoever_won_all_games_is_infinitely_strong_and_bounded_from_below() -> None:
    _, _, c = ratings([[0, 12, 0], [8, 0, 0], [10, 10, 0]])
    assert (c.elo, c.high) == (math.inf, math.inf)
    assert 200 < c.low < 500


def test_a_player_without_games_has_no_rating() -> None:
    assert ratings([[0, 3, 0], [4, 0, 0], [0, 0, 0]])[2].elo is None


def test_draws_alone_make_equals() -> None:
    assert [rating.elo for rating in ratings([[0, 5, 5], [5, 0, 5], [5, 5, 0]])] == pytest.approx([0, 0, 0], abs=1e-6)


def test_more_games_of_the_same_shares_narrow_the_interval() -> None:
    few, many = (ratings(n * np.array([[0, 3, 2], [1, 0, 3], [2, 1, 0]]))[0] for n in (5, 500))
    assert few.elo == pytest.approx(many.elo, abs=1e-4)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(10, rel=0.05)
