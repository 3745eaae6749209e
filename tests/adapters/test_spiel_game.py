"""Games of OpenSpiel as games of the library: the same positions, moves and winners; others are refused."""

from __future__ import annotations

import builtins
import pickle
import random

import pyspiel
import pytest

import rookery as rk
from rookery.adapters import openspiel
from rookery.testing import check_game

GAMES = [
    "breakthrough(rows=6,columns=5)",
    "clobber(rows=4,columns=5)",
    "dots_and_boxes(num_rows=2,num_cols=2)",
    "othello",
    "tic_tac_toe",
]
"""With captures, without a turn's end, with several moves in a row, with passes, with draws."""


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_those_of_openspiel(name):
    game, theirs, chance = openspiel(name), pyspiel.load_game(name), random.Random(1)
    for _ in range(5):
        state, other, moves = game.start(), theirs.new_initial_state(), []
        while not other.is_terminal():
            assert list(game.moves(state)) == other.legal_actions()
            assert game.player(state) == other.current_player()
            move = chance.choice(other.legal_actions())
            tried = game.copy(state)
            game.play(tried, chance.choice(other.legal_actions()))  # what is played on a copy does not matter
            moves.append(move)
            game.play(state, move)
            other.apply_action(move)
        assert list(game.moves(state)) == []
        assert game.winner(state) == {1: 0, 0: -1, -1: 1}[other.returns()[0]]
        assert game.draw(moves) == str(other).rstrip("\n")


def test_moves_are_called_what_they_are_where_they_are_played():
    assert openspiel("connect_four").describe_moves([3, 3, 2]) == ["x3", "o3", "x2"]


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim(pile_sizes=1;2)"])
def test_a_game_keeps_the_contract(name):
    report = check_game(openspiel(name), playouts=20, measure=False)
    assert report.findings == ()


@pytest.mark.parametrize(
    ("name", "proven"),
    [("nim(pile_sizes=1;2)", "win"), ("nim(pile_sizes=1;2;3)", "loss"), ("connect_four(rows=3,columns=3)", "draw")],
)
def test_searches_solve_small_games(name, proven):
    assert rk.decide(openspiel(name), rk.GameUCT(playouts=30_000, solver=True)).proven == proven


def test_a_game_with_several_moves_in_a_row_is_searched():
    game = openspiel("dots_and_boxes(num_rows=1,num_cols=2)")
    assert rk.decide(game, rk.GRAVE(playouts=200)).playouts == 200


def test_a_game_is_packed_and_named_by_its_parameters():
    game = pickle.loads(pickle.dumps(openspiel("hex(board_size=4)")))
    assert game.parameters() == {"game": "hex(board_size=4)"}
    assert len(game.moves(game.start())) == 16


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hexx", "OpenSpiel has no game 'hexx'; did you mean hex?"),
        ("", "OpenSpiel has no game ''"),
        (3, "game must be the name of a game of OpenSpiel, got 3"),
        ("hex(board_size=4", r"OpenSpiel cannot load 'hex\(board_size=4': Missing closing bracket"),
        ("hex(sides=4)", r"OpenSpiel cannot load 'hex\(sides=4\)': Unknown parameter 'sides'"),
        ("amazons(board_size=4)", r"OpenSpiel cannot load 'amazons\(board_size=4\)': CHECK_TRUE"),
        (
            "backgammon",
            "backgammon cannot be searched: there must be no chance, and OpenSpiel says explicit stochastic",
        ),
        ("goofspiel", "goofspiel cannot be searched: players must move one after the other, and OpenSpiel says simul"),
        ("phantom_ttt", "phantom_ttt cannot be searched: both players must know everything, and OpenSpiel says imperf"),
        ("chinese_checkers(players=3)", "chinese_checkers cannot be searched: there must be two players, and it has 3"),
        ("morpion_solitaire", "morpion_solitaire cannot be searched: one player must win what the other loses"),
    ],
)
def test_what_cannot_be_searched_is_refused_in_one_sentence(name, message, capfd):
    with pytest.raises(rk.InputError, match=message) as caught:
        openspiel(name)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_without_openspiel_the_extra_is_named(monkeypatch):
    real = builtins.__import__

    def missing(name, *rest):
        if name == "pyspiel":
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with pytest.raises(rk.InputError, match=r'OpenSpiel is not installed: pip install "rookery\[openspiel\]"'):
        openspiel("tic_tac_toe")


@pytest.mark.parametrize("name", ["openspiel:tic_tac_toe", "openspiel"])
def test_a_game_is_loaded_by_the_name_of_its_library(name):
    game = rk.load_game(name, {"game": "tic_tac_toe"})
    assert (game.parameters(), len(game.moves(game.start()))) == ({"game": "tic_tac_toe"}, 9)


@pytest.mark.parametrize(
    ("name", "given", "message"),
    [
        ("openspiel", {}, "openspiel needs game, a text: -p game=..."),
        ("openspiel:chess", {"game": "go"}, "openspiel:chess names its game: -p game cannot be another, got 'go'"),
        ("openspiel:tic_tac_toe", {"size": "3"}, "openspiel:tic_tac_toe has no parameter 'size'; it has game"),
        ("openspiel:poker", {}, "OpenSpiel has no game 'poker'"),
    ],
)
def test_a_mistake_in_a_name_is_one_sentence(name, given, message):
    with pytest.raises(rk.InputError, match=message):
        rk.load_game(name, given)
