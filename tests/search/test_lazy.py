"""Lazy NMCS: nested calls for the moves that a few playouts rate best, and for no others."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.control import Signal
from rookery.engine.interpreted import Interpreted
from rookery.reference.nmcs import rated
from rookery.reference.playout import Monitor, Rules

PROBLEMS = {"leftmove": rk.problems.LeftMove(depth=12), "tsp": rk.problems.TSP.build(9, seed=2)}
SEARCHES = [
    rk.LazyNMCS(level=2),
    rk.LazyNMCS(level=2, memorise=False, ties="random", playouts=1, share=0.5),
    rk.LazyNMCS(level=2, sample=4, ties="random", playouts=2, share=0.5),
    rk.LazyNMCS(level=3, playouts=1, share=0.1),
]


def facts(result):
    return result.score, result.moves, result.playouts, [(i.playouts, i.score) for i in result.history]


@pytest.mark.parametrize("search", SEARCHES, ids=str)
@pytest.mark.parametrize("name", PROBLEMS)
def test_the_kernel_gives_the_sequence_of_the_twin(name, search):
    compiled = rk.solve(PROBLEMS[name], search, seed=5)
    assert facts(compiled) == facts(rk.solve(Interpreted(PROBLEMS[name]), search, seed=5))


@pytest.mark.parametrize("search", SEARCHES, ids=str)
def test_workers_and_the_atomic_level_do_not_matter(search):
    runs = [
        facts(rk.solve(PROBLEMS["tsp"], search, seed=5, atomic_level=a, workers=w))
        for a, w in ((search.level, 1), (1, 1), (1, 3), (search.level - 1, 2))
    ]
    assert runs[1:] == runs[:1] * 3


@pytest.mark.parametrize("search", [{"level": 1}, {"level": 2, "share": 1.0}, {"level": 2, "share": 1.0, "sample": 3}])
def test_without_a_choice_to_make_it_is_nmcs(search):
    lazy = rk.solve(PROBLEMS["tsp"], rk.LazyNMCS(**search), seed=5)
    search.pop("share", None)
    assert facts(lazy) == facts(rk.solve(PROBLEMS["tsp"], rk.NMCS(**search), seed=5))


def test_a_smaller_share_needs_fewer_playouts():
    playouts = [rk.solve(PROBLEMS["tsp"], rk.LazyNMCS(level=2, share=x), seed=5).playouts for x in (0.2, 0.5, 0.9)]
    assert playouts == sorted(set(playouts))


def test_the_share_is_rounded_and_is_never_nothing():
    assert [rk.LazyNMCS(share=0.3).kept(n) for n in (1, 2, 4, 5, 10, 15)] == [1, 1, 1, 2, 3, 5]


def test_the_best_rated_moves_are_kept_in_their_order_and_the_first_of_equals():
    class Given(rk.PythonProblem):
        """One move decides: its score is given."""

        def start(self):
            return []

        def moves(self, state):
            return [] if state else list(range(6))

        def play(self, state, move):
            state.append(move)

        def score(self, state):
            return (5, 2, 9, 5, 9, 5)[state[0]]

    rules = Rules(Given())
    best, complete, kept = rated(rules, [], 1, range(6), 4, 2, None, Monitor(Signal(), 100, 1e9))
    assert (best.score, best.moves, complete, kept) == (9, [2], True, [0, 2, 3, 4])


def test_the_answer_is_the_best_playout_also_if_it_was_one_of_the_ratings():
    result = rk.solve(rk.problems.LeftMove(depth=4), rk.LazyNMCS(level=2, playouts=100), seed=1)
    assert result.history[-1].playouts <= 100 * 2  # in the first step
    assert (result.score, result.status) == (4, "finished")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"playouts": 0}, "playouts must be at least 1, got 0"),
        ({"playouts": 1.5}, "playouts must be a whole number, got 1.5"),
        ({"share": 0}, "share must be above 0 and at most 1, got 0.0"),
        ({"share": 1.1}, "share must be above 0 and at most 1, got 1.1"),
        ({"share": "half"}, "share must be a finite number, got 'half'"),
        ({"level": 0}, "level must be at least 1, got 0"),
    ],
)
def test_bad_parameters_are_refused(parameters, message):
    with pytest.raises(rk.InputError, match=message):
        rk.LazyNMCS(**parameters)
