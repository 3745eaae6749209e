"""UCT and SP-MCTS follow their formulas, try every move before they choose, and remember the best playout."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

import rookery as rk
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.reference.uct import TreeNode, value
from rookery.rng import log, log_float
from rookery.search.uct import SPMCTS, UCT, UCTTask

PARENT, CHILD = TreeNode(visits=10), TreeNode(visits=4, total=12.0, squares=44.0)


def test_the_value_of_uct_is_that_of_the_paper():
    assert value(PARENT, CHILD, 0.1, 0.0, False) == pytest.approx(3 + math.sqrt(math.log(10) / (0.1 * 4)))


def test_the_value_of_sp_mcts_is_that_of_the_paper():
    expected = 3 + 0.5 * math.sqrt(math.log(10) / 4) + math.sqrt((44 - 4 * 3**2 + 32) / 4)
    assert value(PARENT, CHILD, 0.5, 32.0, True) == pytest.approx(expected)


def test_a_child_without_deviation_is_not_the_root_of_a_negative_number():
    third = TreeNode(visits=3, total=0.3, squares=0.03)
    assert value(PARENT, third, 0.5, 0.0, True) == pytest.approx(0.1 + 0.5 * math.sqrt(math.log(10) / 3))


@pytest.mark.parametrize("x", [1, 2, 3, 10, 1234, 10**6, 2**28])
def test_the_logarithm_is_one(x):
    assert log(float(x)) == log_float(float(x)) == pytest.approx(math.log(x), rel=1e-15)


class Ways(rk.Problem):
    """One step: the score of a move is its number; ten of them."""

    def limits(self):
        return rk.Limits(moves=10, length=1, codes=10)

    def layout(self):
        return {"gone": "i8"}

    def start(self, s):
        s.gone = -1

    def moves(self, s, out):
        for i in range(10):
            out[i] = i
        return 10 if s.gone < 0 else 0

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.gone = move

    def score(self, s):
        return s.gone


def tree(playouts, deviates=False):
    return SPMCTS(playouts=playouts, c=0.1, d=1.0) if deviates else UCT(playouts=playouts, c=0.1)


@pytest.mark.parametrize("deviates", [False, True])
@pytest.mark.parametrize("key", range(10))
def test_every_move_is_tried_before_any_is_tried_again(key, deviates):
    worker = CompiledEngine(Ways()).worker()
    found = [worker.run(UCTTask(search=tree(n, deviates), key=key), Signal()).improvements[-1] for n in (9, 10, 30)]
    assert found[1] == found[2]
    assert found[1][1] == 9.0
    assert found[0][1] >= 8.0


def test_moves_are_tried_in_random_order():
    worker = CompiledEngine(Ways()).worker()
    task = UCTTask(search=tree(1), key=0)
    firsts = {worker.run(replace(task, key=key), Signal()).sequence.moves for key in range(100)}
    assert firsts == {(i,) for i in range(10)}


@pytest.mark.parametrize("search", [rk.UCT(playouts=500), rk.SPMCTS(playouts=500, c=1.0, d=100.0)], ids=str)
def test_a_small_tree_is_searched_to_its_best_leaf(search):
    assert {rk.solve(rk.problems.LeftMove(5), search, seed=seed).score for seed in range(20)} == {5.0}


def test_it_finds_more_than_sampling_does():
    problem, stop = rk.problems.LeftMove(20), rk.MaxPlayouts(1000)
    sampled = [rk.solve(problem, rk.Sampling(), stop=stop, seed=seed).score for seed in range(20)]
    for search in (rk.UCT(playouts=1000), rk.SPMCTS(playouts=1000, c=0.5, d=32)):
        found = [rk.solve(problem, search, seed=seed).score for seed in range(20)]
        assert sum(found) > sum(sampled) + 20, search


def test_each_parameter_changes_the_search():
    problem = rk.problems.LeftMove(20)
    searches = [rk.UCT(500), rk.UCT(500, c=10), rk.SPMCTS(500, d=0), rk.SPMCTS(500, d=9), rk.SPMCTS(500, c=5, d=9)]
    histories = {tuple(i.playouts for i in rk.solve(problem, search, seed=1).history) for search in searches}
    assert len(histories) == len(searches)


def test_a_larger_tree_gives_a_smaller_one_its_memory():
    worker = CompiledEngine(rk.problems.LeftMove(20)).worker()
    task = UCTTask(search=tree(50), key=1)
    before = worker.run(task, Signal())
    worker.run(UCTTask(search=tree(3000), key=2), Signal())
    assert worker.run(task, Signal()) == before


@pytest.mark.parametrize("search", [rk.UCT(playouts=100), rk.SPMCTS(playouts=100)], ids=str)
def test_restarts_begin_new_trees(search):
    problem = rk.problems.LeftMove(30)
    whole = rk.solve(problem, search, stop=rk.MaxPlayouts(250), seed=1)
    assert (whole.restarts, whole.playouts, whole.iterations) == (2, 250, 2)
    assert whole.score >= rk.solve(problem, search, seed=1).score


@pytest.mark.parametrize(
    ("search", "options", "message"),
    [
        (rk.UCT, {"playouts": 0}, "playouts must be at least 1, got 0"),
        (rk.UCT, {"c": 0}, "c must be more than 0, got 0"),
        (rk.UCT, {"c": float("nan")}, "c must be a finite number, got nan"),
        (rk.SPMCTS, {"c": -1}, "c must be at least 0, got -1"),
        (rk.SPMCTS, {"d": -0.5}, "d must be at least 0, got -0.5"),
        (rk.SPMCTS, {"rule": 1}, "rule must be .*, got 1"),
    ],
)
def test_bad_parameters_are_one_sentence(search, options, message):
    with pytest.raises(rk.InputError, match=message):
        search(**options)
