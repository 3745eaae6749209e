"""Annealing gives the sequence of its twin, keeps the contract of searches, and refuses bad parameters."""

from __future__ import annotations

import pytest

import rookery as rk
from examples_of_problems import Words
from rookery.engine.interpreted import Interpreted
from rookery.testing import check_search

TSP = rk.problems.TSP.build(14, seed=2)


def solved(problem, search, playouts=900):
    result = rk.solve(problem, search, seed=5, stop=rk.MaxPlayouts(playouts))
    return result.score, result.moves, result.playouts, [(i.playouts, i.score) for i in result.history]


@pytest.mark.parametrize("options", [{}, {"key": "move"}, {"key": "code"}, {"population": 1}, {"cold": 0.01, "hot": 1}])
def test_the_kernel_gives_the_sequence_of_the_twin(options):
    search = rk.Annealing(**{"playouts": 700, "population": 4, **options})
    assert solved(TSP, search) == solved(Interpreted(TSP), search)


def test_it_keeps_the_contract_of_searches():
    assert check_search(rk.Annealing(playouts=120, population=4), TSP).ok


def test_a_pool_has_whole_sequences():
    result = rk.solve(Words("abcdef", 4), rk.Annealing(playouts=200), seed=1, keep=4, differ=0.0)
    assert len(result.pool) == 4
    for found in result.pool:
        assert rk.replay(Words("abcdef", 4), found["moves"]) == (found["score"], ())


def test_a_run_has_about_as_many_playouts_as_asked_for():
    result = rk.solve(TSP, rk.Annealing(playouts=2000, population=4), seed=1)
    assert result.status == "finished"
    assert 1900 <= result.playouts <= 2000


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"population": 6}, "population must be a power of two, got 6"),
        ({"playouts": 0}, "playouts must be at least 1, got 0"),
        ({"key": 1}, 'key must be "move", "code" or None, got 1'),
        ({"hot": 1.0}, "cold and hot must be given together"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(given, told):
    with pytest.raises(rk.InputError, match=told):
        rk.Annealing(**given)
