"""Annealing gives the sequence of its twin, keeps the contract of searches, and refuses bad parameters."""

from __future__ import annotations

import time

import pytest

import rookery as rk
from examples_of_problems import Words
from rookery.engine.interpreted import Interpreted
from rookery.search.protocol import Setting
from rookery.tasks import Outcome
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
    ("stop", "playouts"),
    [(None, 100_000), (rk.MaxPlayouts(700), 700), (rk.MaxPlayouts(700) | rk.MaxTime(60), 700), (rk.Target(9), 100_000)],
)
def test_without_a_number_of_its_own_a_run_takes_what_the_limits_allow(stop, playouts):
    result = rk.solve(TSP, rk.Annealing(), stop=stop, seed=1)
    assert result.search["playouts"] == playouts
    if stop is not None and stop.target is None:
        again = rk.solve(TSP, rk.Annealing(playouts=playouts), stop=stop, seed=1)
        assert (again.score, again.moves, again.history[-1].playouts) == (
            result.score,
            result.moves,
            result.history[-1].playouts,
        )


def test_time_is_turned_into_playouts_by_measuring():
    class Measured:
        def run(self, task, signal):
            playouts = task.playouts_to({})
            time.sleep(0.001 * playouts)
            return Outcome(None, playouts, (), finished=True, reached_target=False, value={})

    search = rk.Annealing().fitted(Setting(Measured(), stop=rk.MaxTime(10)))
    assert 1 < search.playouts <= 9500  # a sleep may take longer than asked for, not shorter


def test_a_run_that_is_resumed_keeps_the_length_it_began_with(tmp_path):
    file = tmp_path / "run.ckpt"
    rk.solve(TSP, rk.Annealing(), stop=rk.MaxPlayouts(700), seed=1, checkpoint=file)
    assert rk.resume(file, stop=rk.MaxPlayouts(900)).search["playouts"] == 700


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
