"""Tempering gives the sequence of its twin, keeps the contract of searches, and refuses bad parameters."""

from __future__ import annotations

import pytest

import rookery as rk
from examples_of_problems import Knapsack
from rookery.engine.interpreted import Interpreted
from rookery.testing import check_search

SMALL = {"tsp": rk.problems.TSP.build(14, seed=2), "knapsack": Knapsack.build()}
"""Dense codes and hashed ones."""
SEARCH = rk.Tempering(replicas=4, proposals=10, rounds=3, patience=150)


def facts(result):
    return result.score, result.moves, result.playouts, [(i.playouts, i.score) for i in result.history]


def solved(problem, search, playouts=1500, **options):
    return facts(rk.solve(problem, search, seed=5, stop=rk.MaxPlayouts(playouts), **options))


@pytest.mark.parametrize("key", [None, "move", "code"])
@pytest.mark.parametrize("name", SMALL)
def test_the_kernel_gives_the_sequence_of_the_twin(name, key):
    search = rk.Tempering(replicas=4, proposals=10, rounds=3, patience=150, key=key)
    assert solved(SMALL[name], search) == solved(Interpreted(SMALL[name]), search)


def test_given_temperatures_are_those_of_the_twin():
    search = rk.Tempering(replicas=3, proposals=10, cold=0.01, hot=0.5)
    assert solved(SMALL["tsp"], search) == solved(Interpreted(SMALL["tsp"]), search)


def test_it_keeps_the_contract_of_searches():
    search = rk.Tempering(replicas=4, proposals=5, rounds=3, ladders=2, patience=70)
    assert check_search(search, SMALL["tsp"]).ok


def test_how_many_rounds_a_task_has_does_not_change_the_answer():
    one, many = (rk.Tempering(replicas=4, proposals=10, patience=150, rounds=n) for n in (1, 7))
    assert solved(SMALL["tsp"], one) == solved(SMALL["tsp"], many)


def test_several_ladders_search_otherwise_than_one():
    one, two = (rk.Tempering(replicas=4, proposals=10, rounds=3, ladders=n) for n in (1, 2))
    assert solved(SMALL["tsp"], one) != solved(SMALL["tsp"], two)


def test_it_finds_better_tours_than_playouts_do():
    stop, tsp = rk.MaxPlayouts(5000), SMALL["tsp"]
    tempered, sampled = (rk.solve(tsp, search, seed=1, stop=stop) for search in (SEARCH, rk.Sampling()))
    assert tempered.score < 0.9 * sampled.score


def test_the_progress_says_the_temperatures():
    seen = []

    class Watch(rk.Callback):
        def on_best(self, progress, moves):
            seen.append(progress.details)

    rk.solve(SMALL["tsp"], SEARCH, seed=5, stop=rk.MaxPlayouts(1500), callbacks=[Watch()])
    assert any(text.startswith("T ") for details in seen for text in details)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"replicas": 0}, "replicas must be at least 1, got 0"),
        ({"key": "city"}, 'key must be "move", "code" or None, got \'city\''),
        ({"cold": 1.0}, "cold and hot must be given together"),
        ({"cold": 2.0, "hot": 1.0}, "cold must be at most hot, got 2 and 1"),
        ({"cold": 0.0, "hot": 1.0}, r"cold must be from 1e-200 to 1e\+200, got 0.0"),
        ({"patience": 0}, "patience must be at least 1, got 0"),
        ({"ladders": 1.5}, "ladders must be a whole number, got 1.5"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(given, told):
    with pytest.raises(rk.InputError, match=told):
        rk.Tempering(**given)
