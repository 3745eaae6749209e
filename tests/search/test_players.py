"""PPAF, RAVE, GRAVE, MAST and the options of UCT: the twins agree, what is kept is kept, a full tree goes on."""

from __future__ import annotations

import math

import pytest

import rookery as rk
from examples_of_games import HintedNoughts, Nim, Noughts, PythonNim
from rookery.engine.game_worker import GameEngine
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.games.breakthrough import Breakthrough
from rookery.kernels import position_memory
from rookery.kernels.positions import POSITIONS
from rookery.reference.game_playout import Played, Step, count_codes
from rookery.reference.game_uct import Entry, Table
from rookery.reference.grave import count_amaf, reference_of
from rookery.search.game_search import Counts, Decision

LEARNING = [
    rk.PPAF(playouts=200),
    rk.PPAFM(playouts=200, alpha=0.5, reuse=True, solver=True, shared=True),
    rk.PPAFM(playouts=200, nodes=30, unvisited="random"),
    rk.RAVE(playouts=200, solver=True),
    rk.GRAVE(playouts=300, ref=20),
    rk.GRAVE(playouts=300, ref=5, c=0.2, unvisited=1.1, reuse=True, solver=True),
    rk.GRAVE(playouts=200, ref=3, nodes=16),
    rk.MAST(playouts=200),
    rk.MAST(playouts=200, temperature=0.5, unvisited="random", solver=True),
]
GUIDED = [
    rk.GameUCT(playouts=200, bias=0.5),
    rk.GameUCT(playouts=200, bias=0.5, unvisited=0.8, solver=True),
    rk.GameUCT(playouts=200, prior=True, unvisited=0.5, c=1.0),
    rk.GameUCT(playouts=200, cut=2),
    rk.GameUCT(playouts=200, cut=0, prior=True, unvisited=0.5, solver=True),
    rk.GameUCT(playouts=200, nodes=20),
    rk.GameUCT(playouts=200, nodes=2),
    rk.GameUCT(playouts=200, nodes=7, reuse=True, solver=True),
]
GAMES = {"noughts": HintedNoughts(), "breakthrough": Breakthrough(5, 5)}

_workers: dict[str, object] = {}


def worker(name: str):
    """One compiled worker for each game, for all tests."""
    if name not in _workers:
        _workers[name] = GameEngine(GAMES[name]).worker()
    return _workers[name]


def plain(name: str):
    return PythonGameEngine(InterpretedGame(GAMES[name])).worker()


def found(decision: Decision | None):
    """All that a search has found but the time that it took."""
    assert decision is not None
    made = decision
    return made.move, dict(made.visits), dict(made.values), made.playouts, made.proven, made.reclaimed


@pytest.mark.parametrize(
    ("name", "search"),
    [("noughts", search) for search in LEARNING + GUIDED] + [("breakthrough", search) for search in LEARNING],
    ids=repr,
)
def test_the_compiled_search_plays_a_game_as_the_reference_does(name, search):
    ours, reference = worker(name), plain(name)
    ours.forget()
    moves: tuple[int, ...] = ()
    for key in (1, 2, 3):
        decision = ours.decide(search, moves, key)
        assert found(decision) == found(reference.decide(search, moves, key))
        moves = (*moves, decision.move)


def test_a_python_game_is_searched_as_the_compiled_one():
    for search in (rk.GRAVE(playouts=200, ref=10), rk.MAST(playouts=200), rk.GameUCT(playouts=200, nodes=12)):
        compiled = GameEngine(Nim(21)).worker().decide(search, (), 7)
        assert found(compiled) == found(PythonGameEngine(PythonNim(21)).worker().decide(search, (), 7))


# --- what is kept from move to move ---


def test_a_policy_that_is_kept_changes_the_next_search_and_is_forgotten_with_the_game():
    ours = worker("breakthrough")
    later = (ours.decide(rk.PPAF(playouts=200), (), 1).move,)
    ours.forget()
    alone = found(ours.decide(rk.PPAFM(playouts=200), later, 2))
    assert alone == found(ours.decide(rk.PPAF(playouts=200), later, 2))
    ours.forget()
    ours.decide(rk.PPAFM(playouts=200), (), 1)
    assert found(ours.decide(rk.PPAFM(playouts=200), later, 2)) != alone
    ours.forget()
    assert found(ours.decide(rk.PPAFM(playouts=200), later, 2)) == alone


def test_a_match_keeps_the_policies_of_both_sides_apart():
    game, a, b = GAMES["breakthrough"], rk.PPAFM(playouts=40), rk.PPAFM(playouts=40, alpha=0.5)
    alone = rk.match(game, a, b, games=4, seed=3, workers=1)
    assert alone.played == rk.match(game, a, b, games=4, seed=3, workers=2).played


# --- a tree that is full ---


def test_a_full_tree_drops_positions_says_so_and_goes_on():
    ours = worker("breakthrough")
    decision = ours.decide(rk.GRAVE(playouts=3000, nodes=200), (), 1)
    assert (decision.playouts, sum(decision.visits.values())) == (3000, 2999)
    assert decision.reclaimed >= 2000
    assert decision.reclaimed % 100 == 0  # half of the nodes at a time
    assert ours._positions.size[POSITIONS] <= 200
    assert f"the tree was full, and {decision.reclaimed:,} positions of it were dropped" in str(decision)


def test_nodes_that_are_never_reached_change_nothing():
    ours = worker("breakthrough")
    capped, free = (ours.decide(rk.GRAVE(playouts=3000, nodes=nodes), (), 1) for nodes in (3001, None))
    assert found(capped) == found(free)
    assert capped.reclaimed == 0


def test_the_positions_with_the_fewest_visits_go_the_younger_first_and_never_the_root():
    table = Table()
    for name, visits in (("a", 3), ("root", 0), ("b", 1), ("c", 1), ("d", 2), ("e", 1)):
        table[name] = Entry([])
        table[name].visits = visits
    table.reclaim(6, "root")
    assert list(table) == ["a", "root", "d"]
    assert table.reclaimed == 3


def test_a_tree_that_the_machine_has_no_room_for_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(position_memory.os, "sysconf", lambda name: 1 << 15)  # pages of 32 KB, as many of them: 1 GB
    message = "a tree of 10,000,000 nodes takes .* GB, but this machine has 1 GB: give fewer nodes"
    with pytest.raises(rk.InputError, match=message):
        worker("breakthrough").decide(rk.GRAVE(playouts=None, seconds=1, nodes=10_000_000), (), 1)
    assert worker("breakthrough").decide(rk.GRAVE(playouts=100, nodes=10_000_000), (), 1).playouts == 100


# --- AMAF values and means of codes ---


def test_amaf_values_count_what_was_played_after_a_position_for_whoever_played_it():
    first, second = Entry([1, 2]), Entry([3])
    played = Played([Step(0, ["a"], 0), Step(1, ["b"], 0), Step(0, ["b"], 0)], 0, exact=False)
    count_amaf([(first, 0, 0), (second, 0, 1)], played)
    assert first.amaf == {(0, "a"): [1.0, 1.0], (1, "b"): [1.0, 0.0], (0, "b"): [1.0, 1.0]}
    assert second.amaf == {(1, "b"): [1.0, 0.0], (0, "b"): [1.0, 1.0]}


def test_the_reference_is_the_deepest_position_with_enough_playouts_or_the_root():
    entries = [Entry([1]) for _ in range(3)]
    for entry, visits in zip(entries, (60, 51, 50), strict=True):
        entry.visits = visits
    path = [(entries[0], 0, 0), (entries[1], 0, 1)]
    assert reference_of(path, entries[2], 50) is entries[1]
    assert reference_of(path, entries[2], 49) is entries[2]
    assert reference_of(path, entries[2], 99) is entries[0]


def test_mast_weighs_a_code_by_its_mean():
    policy: tuple[dict, dict] = ({}, {})
    counts: tuple[dict, dict] = ({}, {})
    game = [Step(0, ["a", "b"], 1), Step(1, ["a"], 0)]
    for winner in (0, 0, -1, 1):
        count_codes(policy, counts, Played(game, winner, exact=False), temperature=0.5)
    assert policy == ({"b": 0.25}, {"a": -0.25})  # 2.5 of 4 and 1.5 of 4


# --- draws ---


def test_the_solver_proves_a_draw():
    decision = worker("noughts").decide(rk.GRAVE(playouts=50_000, solver=True, c=0.5), (4, 0), 1)
    assert decision.proven == "draw"
    assert decision.playouts < 50_000


@pytest.mark.parametrize(
    ("tries", "wins", "settled", "chosen"),
    [
        ([90, 5, 5], [40.0, 2.5, 0.0], [0, 2, -1], 1),
        ([90, 5, 5], [50.0, 2.5, 0.0], [0, 2, -1], 0),
        ([90, 5, 5], [50.0, 2.5, 5.0], [0, 2, 1], 2),
        ([90, 5, 5], [0.0, 2.5, 0.0], [-1, 2, -1], 1),
        ([5, 90, 5], [0.0, 0.0, 0.0], [-1, -1, -1], 1),
    ],
)
def test_a_proven_draw_is_played_rather_than_a_move_that_loses_more_than_it_wins(tries, wins, settled, chosen):
    assert rk.GameUCT().chosen(Counts([1, 2, 3], tries, wins, settled, 0)) == chosen


# --- bad input ---


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: rk.PPA(features=1), "features must be True or False, got 1"),
        (lambda: rk.PPA(shared=None), "shared must be True or False, got None"),
        (lambda: rk.PPAFM(keep="yes"), "keep must be True or False, got 'yes'"),
        (lambda: rk.GRAVE(ref=-1), "ref must be at least 0, got -1"),
        (lambda: rk.GRAVE(bias=-1), "bias must be at least 0, got -1.0"),
        (lambda: rk.RAVE(unvisited="random"), "unvisited must be \"first\" or a number in RAVE, got 'random'"),
        (lambda: rk.MAST(temperature=0), "temperature must be more than 0, got 0.0"),
        (lambda: rk.GameUCT(nodes=1), "nodes must be at least 2, got 1"),
        (lambda: rk.GameUCT(cut=-1), "cut must be at least 0, got -1"),
        (lambda: rk.GameUCT(bias=math.nan), "bias must be a finite number, got nan"),
        (lambda: rk.GameUCT(prior=True), "with prior, unvisited must be a number, got 'first'"),
        (lambda: rk.GameUCT(prior=True, bias=1, unvisited=0.5), "prior and bias cannot be combined, got bias=1.0"),
    ],
)
def test_a_search_with_parameters_that_mean_nothing_is_refused(make, message):
    with pytest.raises(rk.InputError) as error:
        make()
    assert str(error.value) == message


@pytest.mark.parametrize(
    ("search", "message"),
    [
        (rk.PPAF(), "PPAF needs a game with feature(self, s, move), which Noughts does not have"),
        (rk.GameUCT(bias=1.0), "GameUCT needs a game with bias(self, s, move), which Noughts does not have"),
        (rk.GameUCT(cut=3), "GameUCT needs a game with estimate(self, s), which Noughts does not have"),
    ],
    ids=repr,
)
def test_a_game_without_what_a_search_needs_is_refused(search, message):
    for player in (GameEngine(Noughts()).worker(), PythonGameEngine(InterpretedGame(Noughts())).worker()):
        with pytest.raises(rk.InputError) as error:
            player.decide(search, (), 1)
        assert str(error.value) == message
    with pytest.raises(rk.InputError, match=r"needs a game with .*\(self, state.*, which PythonNim does not have"):
        rk.decide(PythonNim(), search)
