"""Beam search: the best states of every ply, rated by the problem or by playouts."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

import rookery as rk
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.engine.interpreted import Interpreted
from rookery.kernels.beam import new_beam, rank
from rookery.kernels.memory import FIRST_BEAM
from rookery.problem import Limits
from rookery.search.beam import WIDEST, BeamTask
from rookery.testing import check_search

Snake = rk.problems.Snake
TOUR = rk.problems.TSP.build(9, seed=2)


class Path(Snake):
    """A snake that may lose its estimate when it has some length."""

    unclear: int = -1

    def estimate(self, s):
        return 0.0 * math.inf if s.length == self.unclear else float(Snake.estimate(self, s))


class Letters(rk.PythonProblem):
    """Words of letters whose worth depends on the place; ``estimate`` is what they are worth so far."""

    worths = {"a": (1, 5, 1, 1), "b": (2, 1, 1, 9), "c": (3, 1, 4, 2)}

    def start(self):
        return ""

    def moves(self, state):
        return [] if len(state) == 4 else sorted(set("abc") - set(state[-1:]))

    def play(self, state, move):
        return state + move

    def score(self, state):
        return sum(self.worths[letter][i] for i, letter in enumerate(state))

    def estimate(self, state):
        return self.score(state)


def facts(result):
    history = [(i.playouts, i.score) for i in result.history]
    return result.score, result.moves, result.playouts, result.restarts, result.status, history


def same(problem, search, **options):
    compiled = rk.solve(problem, search, seed=5, **options)
    assert facts(compiled) == facts(rk.solve(Interpreted(problem), search, seed=5, **options))


@pytest.mark.parametrize("width", [1, 4, 40])
@pytest.mark.parametrize("problem", [TOUR, Path(dimension=5)], ids=lambda problem: type(problem).__name__)
def test_the_kernel_gives_the_sequence_of_the_twin_with_estimates(problem, width):
    same(problem, rk.BeamSearch(width=width, playouts=0))


@pytest.mark.parametrize("search", [rk.BeamSearch(width=3), rk.BeamSearch(width=8, playouts=3)], ids=str)
def test_the_kernel_gives_the_sequence_of_the_twin_with_playouts(search):
    same(TOUR, search)


@pytest.mark.parametrize("playouts", [0, 2])
@pytest.mark.parametrize("limit", [1, 7, 150])
def test_stopped_after_a_number_of_playouts(playouts, limit):
    same(TOUR, rk.BeamSearch(width=2, playouts=playouts), stop=rk.MaxPlayouts(limit))


@pytest.mark.parametrize("playouts", [0, 1])
def test_it_keeps_the_contract_of_searches(playouts):
    allow = ["seed-ignored"] if playouts == 0 else []
    search = rk.BeamSearch(width=2, playouts=playouts)
    few = {"playouts": 60} if playouts == 0 else {}  # finished states, of which there are few
    assert check_search(search, rk.problems.TSP.build(14, seed=2), processes=playouts == 1, allow=allow, **few).ok


# --- what it finds ---


def test_a_beam_as_wide_as_the_problem_finds_the_best():
    way = TOUR.distance
    best = min(sum(way[a, b] for a, b in zip((0, *p), (*p, 0), strict=True)) for p in permutations(range(1, 9)))
    assert rk.solve(TOUR, rk.BeamSearch(width=300, playouts=0)).score == pytest.approx(best)


def test_a_wide_beam_finds_the_longest_snake():
    assert rk.solve(Path(dimension=5), rk.BeamSearch(width=5000, playouts=0)).score == 13


def test_a_beam_of_one_is_greedy():
    result = rk.solve(Letters(), rk.BeamSearch(width=1, playouts=0))
    assert "".join(result.moves) == "cacb"


def test_of_states_with_one_key_the_best_rated_is_kept():
    class Merged(Letters):
        def key(self, state):
            return len(state), state[-1]

    wide = rk.solve(Letters(), rk.BeamSearch(width=100, playouts=0))
    merged = rk.solve(Merged(), rk.BeamSearch(width=3, playouts=0))
    assert (merged.score, merged.moves) == (wide.score, wide.moves)
    assert merged.playouts < wide.playouts


def test_finished_states_are_scored_and_take_no_place_in_the_beam():
    class Early(Letters):
        def moves(self, state):
            return [] if state.endswith("c") else super().moves(state)

    result = rk.solve(Early(), rk.BeamSearch(width=1, playouts=0))
    assert ("".join(result.moves), result.playouts) == ("bac", 5)  # with c, bc, baba and babc


def test_an_infeasible_estimate_comes_last():
    class Hopeless(Letters):
        def estimate(self, state):
            return rk.INFEASIBLE if state.startswith("c") else super().estimate(state)

    assert rk.solve(Hopeless(), rk.BeamSearch(width=1, playouts=0)).moves[0] == "b"


def test_a_start_can_be_given():
    result = rk.solve(TOUR, rk.BeamSearch(width=20, playouts=0), start_from=[3, 1])
    assert result.moves[:2] == (3, 1)
    assert rk.replay(TOUR, result.moves)[0] == result.score


# --- restarts ---


def test_each_restart_is_twice_as_wide():
    runs = rk.solve(TOUR, rk.BeamSearch(width=1, playouts=0), restarts=3)
    single = [rk.solve(TOUR, rk.BeamSearch(width=w, playouts=0)) for w in (1, 2, 4)]
    assert runs.playouts == sum(one.playouts for one in single)
    assert runs.score == min(one.score for one in single)
    assert [rk.BeamSearch(width=3).restarted(n).width for n in (0, 1, 5, 10**6)] == [3, 6, 96, WIDEST]


def test_with_a_limit_it_ends_when_a_wider_beam_would_be_the_same():
    limited = rk.solve(TOUR, rk.BeamSearch(width=100, playouts=0), stop=rk.MaxPlayouts(10**9), workers=2)
    assert (limited.status, limited.restarts) == ("finished", 2)  # 400 is more than there are states


def test_a_run_that_is_resumed_ends_where_it_would_have(tmp_path):
    search, path = rk.BeamSearch(width=10, playouts=0), tmp_path / "run.ckpt"
    whole = rk.solve(TOUR, search, seed=1, stop=rk.MaxPlayouts(10**9))
    rk.solve(TOUR, search, seed=1, stop=rk.MaxPlayouts(50), checkpoint=path)
    assert facts(rk.resume(path, TOUR, stop=rk.MaxPlayouts(10**9))) == facts(whole)


def test_more_states_than_there_is_room_for_at_first():
    worker = CompiledEngine(rk.problems.TSP.build(14, seed=2)).worker()
    task = BeamTask(search=rk.BeamSearch(width=4 * FIRST_BEAM, playouts=0), key=1)
    narrow = BeamTask(search=rk.BeamSearch(width=FIRST_BEAM, playouts=0), key=1)
    before = worker.run(narrow, Signal())
    assert worker.run(task, Signal()).sequence.score >= before.sequence.score  # both negated
    assert worker.run(narrow, Signal()) == before


# --- what is refused ---


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"width": 0}, "width must be at least 1, got 0"),
        ({"width": 1 << 30}, "width must be at most 16777216, got 1073741824"),
        ({"playouts": -1}, "playouts must be at least 0, got -1"),
        ({"rule": "best"}, 'rule must be "uniform", "mobility" or "own", got \'best\''),
        ({"rule": "uniform", "playouts": 0}, "rule goes with playouts that rate states, got rule='uniform'"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(rk.InputError, match=message):
        rk.BeamSearch(**parameters)


def test_a_problem_without_estimates_is_refused():
    message = "playouts must be at least 1 unless the problem defines estimate, got 0 for LeftMove"
    with pytest.raises(rk.InputError, match=message):
        rk.solve(rk.problems.LeftMove(depth=3), rk.BeamSearch(playouts=0))


class Silent(Letters):
    """It forgets to return its estimate."""

    def estimate(self, state):
        self.score(state)


@pytest.mark.parametrize(("problem", "value"), [(Path(dimension=5, unclear=3), "nan"), (Silent(), "None")])
def test_an_estimate_that_is_not_a_number_is_named_with_its_line(problem, value):
    message = rf"estimate\(\) at .*test_beam.py:\d+.* returned {value}; an estimate must be a number, or rk.INFEASIBLE"
    with pytest.raises(rk.ProblemError, match=message):
        rk.solve(problem, rk.BeamSearch(playouts=0))


def test_a_key_that_cannot_be_hashed_is_refused():
    class Listed(Letters):
        def key(self, state):
            return list(state)

    with pytest.raises(
        rk.ProblemError, match=r"key\(\) at .* returned \['.'\], which cannot be hashed; return a tuple"
    ):
        rk.solve(Listed(), rk.BeamSearch(playouts=0))


# --- its memory ---


def test_candidates_are_ranked_by_their_ratings_and_then_by_their_order():
    ratings = np.array([2.0, 5.0, 2.0, 7.0, 5.0, 2.0, 1.0])
    for n in range(len(ratings) + 1):
        order = new_beam(Limits(moves=5, length=3, codes=1), np.dtype("i8"), 1, False).order
        row = rank.py_func(ratings, n, order) if hasattr(rank, "py_func") else rank(ratings, n, order)
        assert order[row, :n].tolist() == sorted(range(n), key=lambda i: -ratings[i])
