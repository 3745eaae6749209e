"""Tempering gives the sequence of its twin, keeps the contract of searches, and refuses bad parameters."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words, Workshop
from rookery.control import Signal
from rookery.engine.engines import make_engine
from rookery.engine.interpreted import Interpreted
from rookery.kernels.loose import REMOVE, SWAP
from rookery.kernels.turns import SINCE, TRIED
from rookery.search.tempering import BEGUN, RESTARTS, ROUND, RUNGS, TemperingTask
from rookery.tasks import Keep
from rookery.testing import check_search

TSP = rk.problems.TSP.build(14, seed=2)
SEARCH = rk.Tempering(replicas=4, proposals=10, rounds=3, patience=150)
LADDERS = rk.Tempering(replicas=4, proposals=5, rounds=3, ladders=2, patience=70)


def facts(result):
    return result.score, result.moves, result.playouts, [(i.playouts, i.score) for i in result.history]


def solved(problem, search, playouts=900, **options):
    return facts(rk.solve(problem, search, seed=5, stop=rk.MaxPlayouts(playouts), **options))


@pytest.mark.parametrize("key", [None, "move", "code"])
def test_the_kernel_gives_the_sequence_of_the_twin(key):
    search = replace(SEARCH, key=key)
    assert solved(TSP, search) == solved(Interpreted(TSP), search)


def test_a_bias_that_is_computed_once_for_each_code_is_that_of_the_twin():
    problem = rk.problems.TSPTW.build(n=9, seed=3)
    assert problem.bias_by_code
    assert solved(problem, SEARCH, 300) == solved(Interpreted(problem), SEARCH, 300)


@pytest.mark.parametrize("key", [None, "code"])
def test_hashed_codes_a_bias_and_a_pool_are_those_of_the_twin(key):
    problem, stop = Knapsack.build(), rk.MaxPlayouts(900)
    ways = (problem, Interpreted(problem))
    made, plain = (rk.solve(way, replace(SEARCH, key=key), seed=5, stop=stop, keep=5) for way in ways)
    assert facts(made) == facts(plain)
    assert made.pool == plain.pool
    assert [rk.replay(problem, found["moves"])[0] for found in made.pool] == [found["score"] for found in made.pool]
    assert len(made.pool) == 5


def test_moves_that_are_taken_back_and_replaced_are_those_of_the_twin():
    problem = Workshop()
    assert solved(problem, SEARCH, keep=3) == solved(Interpreted(problem), SEARCH, keep=3)


def test_the_lines_that_are_kept_are_legal_where_moves_are_taken_back():
    problem = Workshop()
    result = rk.solve(problem, SEARCH, seed=2, stop=rk.MaxPlayouts(600), keep=4)
    assert [rk.replay(problem, found["moves"]) for found in result.pool] == [(f["score"], ()) for f in result.pool]


@pytest.mark.parametrize("dominated", [False, True])
def test_a_board_whose_moves_can_be_taken_back_or_not_is_searched_as_by_the_twin(dominated):
    problem, search = rk.problems.Morpion("4D", dominated), replace(SEARCH, key="move")
    assert solved(problem, search, 80) == solved(Interpreted(problem), search, 80)


@pytest.mark.parametrize("key", ["move", "code"])
def test_lines_as_long_as_declared_are_those_of_the_twin_where_moves_are_not_listed(key):
    problem, search = rk.problems.JobShop.build(jobs=4, machines=3), replace(SEARCH, key=key)
    compiled, plain = solved(problem, search, 300), solved(Interpreted(problem), search, 300)
    assert compiled == plain
    assert len(compiled[1]) == problem.limits().length


@pytest.mark.parametrize("problem", [Knapsack.build(), rk.problems.JobShop.build(jobs=5, machines=4)], ids=type)
def test_moves_that_are_delayed_behind_those_they_do_not_commute_with_are_those_of_the_twin(problem):
    assert hasattr(problem, "commute")
    search = replace(SEARCH, key="move")
    assert solved(problem, search) == solved(Interpreted(problem), search)


class Unordered(rk.problems.LeftMove):
    """All moves are said to commute."""

    def commute(self, a, b):
        return True


def test_where_all_moves_commute_the_answer_is_that_without_commute():
    assert solved(Unordered(20), SEARCH, 300) == solved(rk.problems.LeftMove(20), SEARCH, 300)


def test_a_run_with_moves_that_are_taken_back_is_resumed_as_if_it_had_not_stopped(tmp_path):
    problem, path = Workshop(), tmp_path / "run.ckpt"
    solved(problem, SEARCH, 300, checkpoint=path, keep=3)
    resumed = rk.resume(path, problem, stop=rk.MaxPlayouts(900))
    assert facts(resumed) == solved(problem, SEARCH, 900, keep=3)


def test_moves_are_both_removed_and_replaced():
    problem = Workshop()
    task = TemperingTask(search=replace(SEARCH, key="move"), key=1, prefix=(), last=20, keep=Keep(3, exact=False))
    left = make_engine(problem).worker().run(task, Signal()).value
    assert left["numbers"][TRIED + REMOVE] > 0
    assert left["numbers"][TRIED + SWAP] > 0


def test_the_first_moves_can_be_fixed():
    compiled, plain = (solved(problem, LADDERS, start_from=[3, 5]) for problem in (TSP, Interpreted(TSP)))
    assert compiled == plain
    assert compiled[1][:2] == (3, 5)


def test_given_temperatures_are_those_of_the_twin():
    search = rk.Tempering(replicas=3, proposals=10, cold=0.01, hot=0.5)
    assert solved(TSP, search) == solved(Interpreted(TSP), search)


def test_it_keeps_the_contract_of_searches():
    assert check_search(LADDERS, TSP).ok


@pytest.mark.parametrize("search", [LADDERS, rk.Annealing(playouts=120, population=4)], ids=lambda search: search.name)
@pytest.mark.parametrize("playouts", [1, 50, 130, 211])
def test_a_run_on_python_objects_that_is_resumed_has_the_answer_of_one_that_was_not(search, playouts, tmp_path):
    problem, path = Words("abcdef", 4), tmp_path / "run.ckpt"
    begun = solved(problem, search, playouts, checkpoint=path)
    assert begun[2] == playouts
    resumed = rk.resume(path, problem, stop=rk.MaxPlayouts(300), workers=2, executor="threads")
    assert facts(resumed) == solved(problem, search, 300)


def test_a_target_ends_it_and_no_playout_follows():
    best = rk.solve(TSP, SEARCH, seed=5, stop=rk.MaxPlayouts(600))
    result = rk.solve(TSP, SEARCH, seed=5, stop=rk.Target(best.score))
    assert (result.status, result.moves) == ("target", best.moves)
    assert result.playouts == best.history[-1].playouts


class Dots(Words):
    def moves(self, state):
        return [[move] for move in super().moves(state)]

    def play(self, state, move):
        return super().play(state, move[0])

    def code(self, state, move):
        return move[0]


@pytest.mark.parametrize("key", ["move", None])
def test_moves_that_cannot_be_hashed_are_no_keys(key):
    told = r"""^Dots.moves\(\) .* lists \['a'\], which cannot be hashed; use tuples as moves, or key="code"$"""
    with pytest.raises(rk.ProblemError, match=told):
        rk.solve(Dots(), rk.Tempering(key=key), seed=1, stop=rk.MaxPlayouts(500))


def test_moves_that_cannot_be_hashed_can_be_named_by_their_codes():
    assert solved(Dots(), rk.Tempering(key="code"), 500)[2] == 500


def test_how_many_rounds_a_task_has_does_not_change_the_answer():
    one, many = (rk.Tempering(replicas=4, proposals=10, patience=150, rounds=n) for n in (1, 7))
    assert solved(TSP, one) == solved(TSP, many)


@pytest.mark.parametrize(
    ("patience", "made", "since", "stuck"),
    [
        (None, 500_000, 374_999, False),
        (None, 500_000, 375_000, True),
        (None, 4_000_000, 2_700_000, False),  # the best line took 1,300,000, the patience is three times as long
        (None, 4_000_000, 2_800_000, True),
        (400, 600_000, 299, False),
        (400, 600_000, 300, True),
        (0, 500_000, 375_000, True),
    ],
)
def test_a_ladder_takes_a_line_when_three_quarters_of_its_patience_are_over(patience, made, since, stuck):
    numbers = [0.0] * RUNGS
    numbers[ROUND], numbers[BEGUN], numbers[SINCE] = 7.0 + made / 2000, 7.0, since
    assert rk.Tempering(patience=patience).takes_line({"numbers": numbers}) is stuck


def test_several_ladders_search_otherwise_than_one():
    one, two = (rk.Tempering(replicas=4, proposals=10, rounds=3, ladders=n) for n in (1, 2))
    assert solved(TSP, one) != solved(TSP, two)


def test_it_finds_better_tours_than_playouts_do():
    stop, tsp = rk.MaxPlayouts(5000), TSP
    tempered, sampled = (rk.solve(tsp, search, seed=1, stop=stop) for search in (SEARCH, rk.Sampling()))
    assert tempered.score < 0.9 * sampled.score


def test_the_progress_says_the_temperatures():
    seen = []

    class Watch(rk.Callback):
        def on_best(self, progress, moves):
            seen.append(progress.details)

    rk.solve(TSP, SEARCH, seed=5, stop=rk.MaxPlayouts(1500), callbacks=[Watch()])
    assert any(text.startswith("T ") for details in seen for text in details)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"replicas": 0}, "replicas must be at least 1, got 0"),
        ({"key": "city"}, 'key must be "move", "code" or None, got \'city\''),
        ({"cold": 1.0}, "cold and hot must be given together"),
        ({"cold": 2.0, "hot": 1.0}, "cold must be at most hot, got 2 and 1"),
        ({"cold": 0.0, "hot": 1.0}, r"cold must be from 1e-200 to 1e\+200, got 0.0"),
        ({"patience": -1}, "patience must be at least 0, got -1"),
        ({"ladders": 1.5}, "ladders must be a whole number, got 1.5"),
    ],
)
def test_bad_parameters_are_refused_in_one_sentence(given, told):
    with pytest.raises(rk.InputError, match=told):
        rk.Tempering(**given)


@pytest.mark.parametrize(("patience", "fresh"), [(None, True), (0, False)])
def test_lines_that_have_stalled_start_afresh_unless_they_never_shall(patience, fresh, monkeypatch):
    seen = [0.0]
    told = rk.Tempering.told

    def listened(self, carried):
        seen.append(carried["numbers"][RESTARTS])
        return told(self, carried)

    class Look(rk.Callback):
        def on_tick(self, progress):
            assert progress.details is not None

    monkeypatch.setattr(rk.Tempering, "told", listened)
    search = rk.Tempering(replicas=4, proposals=50, rounds=100, key="move", patience=patience)
    rk.solve(TSP, search, seed=1, stop=rk.MaxPlayouts(1_500_000), callbacks=[Look()])
    assert (max(seen) > 0) == fresh
