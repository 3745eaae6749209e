"""UCT, PPA and flat Monte Carlo for games: the twins agree, budgets hold, known games are solved."""

from __future__ import annotations

import math

import pytest

import rookery as rk
from examples_of_games import Nim, Noughts, PythonNim
from rookery.control import Signal
from rookery.engine.game_worker import GameEngine
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.games.breakthrough import Breakthrough
from rookery.reference.game_playout import Played, Step, adapt
from rookery.search.game_search import Decision

SEARCHES = [
    rk.GameUCT(playouts=300),
    rk.GameUCT(playouts=300, c=0.0),
    rk.GameUCT(playouts=300, unvisited="random"),
    rk.GameUCT(playouts=300, unvisited=0.6),
    rk.GameUCT(playouts=300, solver=True),
    rk.PPA(playouts=300),
    rk.PPA(playouts=300, alpha=0.2, unvisited="random", solver=True),
    rk.FlatMC(playouts=300),
]
GAMES = {
    "nim": (Nim(21), (1, 2)),
    "noughts": (Noughts(), (4, 0, 8)),
    "breakthrough": (Breakthrough(5, 5), ()),
}

_workers: dict[str, object] = {}


def worker(name: str):
    """One compiled worker for each game, for all tests."""
    if name not in _workers:
        _workers[name] = GameEngine(GAMES[name][0]).worker()
    return _workers[name]


def found(decision: Decision | None):
    """All that a search has found but the time that it took."""
    assert decision is not None
    return decision.move, dict(decision.visits), dict(decision.values), decision.playouts, decision.proven


@pytest.mark.parametrize("search", SEARCHES, ids=repr)
@pytest.mark.parametrize("name", GAMES)
def test_the_compiled_search_has_the_visits_of_the_reference(name, search):
    game, later = GAMES[name]
    reference = PythonGameEngine(InterpretedGame(game)).worker()
    for moves, key in (((), 1), ((), 2), (later, 3)):
        assert found(worker(name).decide(search, moves, key)) == found(reference.decide(search, moves, key))


def test_a_position_that_comes_twice_in_a_playout_is_counted_as_in_the_reference():
    game = rk.games.Go(size=2, suicide=True, eyes="none", longest=40)
    for search in (rk.GameUCT(playouts=1000), rk.GameUCT(playouts=1000, solver=True)):
        ours, reference = GameEngine(game).worker(), PythonGameEngine(InterpretedGame(game)).worker()
        assert found(ours.decide(search, (), 0)) == found(reference.decide(search, (), 0))


@pytest.mark.parametrize("search", [rk.GameUCT(playouts=200), rk.PPA(playouts=200)], ids=repr)
def test_a_search_that_reuses_its_tree_has_the_visits_of_the_reference(search):
    search = type(search)(playouts=200, reuse=True)
    ours, reference = worker("noughts"), PythonGameEngine(InterpretedGame(Noughts())).worker()
    ours.forget()
    for moves in ((), (4, 0), (4, 0, 2, 6)):
        decision = ours.decide(search, moves, 5)
        assert found(decision) == found(reference.decide(search, moves, 5))
    assert sum(decision.visits.values()) > 200


def test_a_python_game_is_searched_as_the_compiled_one():
    for search in SEARCHES:
        ours = found(worker("nim").decide(search, (), 7))
        assert ours == found(PythonGameEngine(PythonNim(21)).worker().decide(search, (), 7))


def test_positions_without_a_key_are_told_apart_by_the_moves_that_led_to_them():
    search = rk.GameUCT(playouts=300)
    keyed = PythonGameEngine(PythonNim(21)).worker().decide(search, (), 1)
    by_moves = PythonGameEngine(PythonNim(21, keyed=False)).worker().decide(search, (), 1)
    assert keyed.visits != by_moves.visits
    assert sum(keyed.visits.values()) == sum(by_moves.visits.values()) == 299


def test_positions_without_a_key_are_told_apart_when_a_tree_is_reused():
    player = PythonGameEngine(PythonNim(6, keyed=False)).worker()
    search = rk.GameUCT(playouts=100, reuse=True)
    first, later = player.decide(search, (), 1), player.decide(search, (3, 1), 1)
    assert (list(first.visits), list(later.visits)) == ([1, 2, 3], [1, 2])


def test_a_table_that_grows_changes_nothing():
    search = rk.GameUCT(playouts=5000, c=1.0)
    fresh = GameEngine(Breakthrough(5, 5)).worker()
    first = found(fresh.decide(search, (), 3))
    assert fresh._positions.first.size > 1 << 10  # it did grow
    assert found(fresh.decide(search, (), 3)) == first


def test_all_playouts_but_the_first_go_through_a_move_of_the_root():
    decision = worker("breakthrough").decide(rk.GameUCT(playouts=777), (), 1)
    assert (decision.playouts, sum(decision.visits.values())) == (777, 776)


def test_flat_monte_carlo_gives_each_move_as_many_playouts():
    visits = worker("breakthrough").decide(rk.FlatMC(playouts=1000), (), 1).visits
    assert sum(visits.values()) == 1000
    assert max(visits.values()) - min(visits.values()) <= 1


def test_the_move_with_the_most_playouts_is_played():
    decision = worker("noughts").decide(rk.GameUCT(playouts=500), (0,), 1)
    assert decision.visits[decision.move] == max(decision.visits.values())


def test_unvisited_moves_come_first_in_the_order_of_the_list():
    decision = worker("noughts").decide(rk.GameUCT(playouts=5), (), 1)
    assert list(decision.visits.values()) == [1, 1, 1, 1, 0, 0, 0, 0, 0]


def test_unvisited_moves_come_first_in_random_order_if_asked_for():
    tried = {
        tuple(worker("noughts").decide(rk.GameUCT(playouts=5, unvisited="random"), (), key).visits.values())
        for key in range(20)
    }
    assert all(sum(visits) == 4 and max(visits) == 1 for visits in tried)
    assert len(tried) > 5


@pytest.mark.timing
def test_a_limit_of_time_ends_a_search():
    for search in (rk.GameUCT(None, seconds=0.05), rk.PPA(None, seconds=0.05), rk.FlatMC(None, seconds=0.05)):
        decision = worker("breakthrough").decide(search, (), 1)
        assert decision.playouts > 16
        assert PythonGameEngine(PythonNim(50)).worker().decide(search, (), 1).playouts > 1


@pytest.mark.timing
def test_the_time_to_compile_is_not_that_of_a_search():
    """It would leave none after the first 16 playouts, which come before the first look at the clock."""
    fresh = GameEngine(Nim(37)).worker()
    assert fresh.decide(rk.GameUCT(None, seconds=0.2), (), 1).playouts > 16


@pytest.mark.timing
def test_a_signal_stops_a_search_without_a_decision():
    signal = Signal()
    signal.halt()
    assert worker("nim").decide(rk.GameUCT(), (), 1, signal) is None
    assert PythonGameEngine(PythonNim(21)).worker().decide(rk.GameUCT(), (), 1, signal) is None


# --- known games ---


@pytest.mark.parametrize("taken", range(1, 13))
def test_the_solver_proves_nim(taken):
    """Who is to move loses exactly if the stones left are a multiple of four."""
    moves = tuple([1] * taken)
    decision = worker("nim").decide(rk.GameUCT(playouts=100_000, solver=True), moves, 1)
    assert decision.playouts < 100_000
    assert decision.proven == ("loss" if (21 - taken) % 4 == 0 else "win")
    if decision.proven == "win":
        assert (21 - taken - decision.move) % 4 == 0


@pytest.mark.parametrize("search", [rk.GameUCT(playouts=3000), rk.PPA(playouts=3000)], ids=repr)
def test_a_search_takes_the_row_of_three_and_stops_that_of_the_other(search):
    assert worker("noughts").decide(search, (0, 3, 1, 4), 1).move == 2
    assert worker("noughts").decide(search, (0, 4, 1), 1).move == 2


def test_between_perfect_players_noughts_and_crosses_is_a_draw():
    moves: tuple[int, ...] = ()
    while worker("noughts").replay(moves)[0]:
        moves = (*moves, worker("noughts").decide(rk.GameUCT(playouts=5000, c=0.7), moves, len(moves)).move)
    assert worker("noughts").replay(moves)[2] == -1


# --- adapt ---


def test_adapt_moves_the_policy_of_the_winner_alone_as_algorithm_2_says():
    policy: tuple[dict, dict] = ({"a": math.log(3.0)}, {"a": 5.0})
    steps = [Step(0, ["a", "b"], 1), Step(1, ["a"], 0), Step(0, ["a", "b", "c"], 0)]
    adapt(policy, Played(steps, 0, exact=False), alpha=1.0)
    # first step: p(a) = 3/4, p(b) = 1/4; third, by the same policy: 3/5, 1/5, 1/5
    assert policy[0]["a"] == pytest.approx(math.log(3.0) - 3 / 4 + 1 - 3 / 5)
    assert policy[0]["b"] == pytest.approx(1 - 1 / 4 - 1 / 5)
    assert policy[0]["c"] == pytest.approx(-1 / 5)
    assert policy[1] == {"a": 5.0}


def test_nobody_learns_from_a_draw():
    policy: tuple[dict, dict] = ({}, {})
    adapt(policy, Played([Step(0, ["a", "b"], 0)], -1, exact=False), alpha=1.0)
    assert policy == ({}, {})


# --- bad input ---


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rk.GameUCT(playouts=0), "playouts must be at least 1, got 0"),
        (lambda: rk.PPA(playouts=2.5), "playouts must be a whole number, got 2.5"),
        (lambda: rk.GameUCT(playouts=None), "give playouts or seconds for a move, or both"),
        (lambda: rk.FlatMC(seconds=0), "seconds must be more than 0, got 0"),
        (lambda: rk.FlatMC(seconds=math.nan), "seconds must be a finite number, got nan"),
        (lambda: rk.GameUCT(c=-1), "c must be at least 0, got -1.0"),
        (lambda: rk.PPA(alpha=math.inf), "alpha must be a finite number, got inf"),
        (lambda: rk.GameUCT(unvisited="last"), 'unvisited must be "first", "random" or a number, got \'last\''),
        (lambda: rk.GameUCT(reuse=1), "reuse must be True or False, got 1"),
    ],
)
def test_a_search_with_parameters_that_mean_nothing_is_refused(make, message):
    with pytest.raises(rk.InputError) as error:
        make()
    assert str(error.value) == message


def test_a_finished_game_has_no_move_to_search_for():
    for player in (worker("nim"), PythonGameEngine(PythonNim(21)).worker()):
        with pytest.raises(rk.InputError, match="the game is over after 7 moves"):
            player.decide(rk.GameUCT(), (3,) * 7, 1)


def test_an_illegal_move_is_named_with_its_number():
    for player in (worker("nim"), PythonGameEngine(PythonNim(21)).worker()):
        with pytest.raises(rk.InputError, match="move 2 must be legal in .*Nim, got 4"):
            player.replay((1, 4))
