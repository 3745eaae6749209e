"""Othello: the rules are OpenSpiel's and those of an oracle, counts are the published ones, ends are solved."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache

import pyspiel
import pytest

import rookery as rk
from boards_by_hand import (
    Turned,
    assert_late_positions_are_proven,
    assert_random_games_agree,
    compiled_perft,
    lock_step,
)
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.errors import InputError
from rookery.games.othello import Othello
from rookery.rng import Stream
from rookery.testing import examine
from squares_by_hand import assert_keys_tell_positions_apart

SHORTEST = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
"""Nine moves after which white has no disc left: the shortest game."""


@cache
def worker(width: int, height: int) -> GameWorker:
    return GameEngine(Othello(width, height)).worker()


def test_random_games_are_those_of_openspiel():
    lock_step(Othello(), pyspiel.load_game("othello"), lambda state, action: state.action_to_string(action), games=8)


@pytest.mark.parametrize("size", [(4, 4), (4, 8), (8, 4), (6, 6), (8, 8)], ids=str)
def test_random_games_are_those_of_the_oracle(size):
    assert_random_games_agree(Othello(*size), Turned.start(*size), games=4)


def test_players_pass_and_games_are_drawn():
    game, passes = Othello(4, 4), 0
    ours, stream = InterpretedGame(game), Stream(1)
    winners = set()
    for _ in range(60):
        state = ours.start()
        while (move := ours.sample(state, stream)) is not None:
            passes += ours.moves(state) == [16]
            ours.play(state, move)
        winners.add(ours.winner(state))
    assert passes > 10
    assert winners == {-1, 0, 1}


def test_the_games_of_the_first_moves_are_as_many_as_published():
    assert compiled_perft(Othello(), 9) == [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]


def test_a_player_without_discs_has_lost():
    game = Othello()
    ours = InterpretedGame(game)
    state = ours.start()
    for text in SHORTEST.split():
        assert game.read_move(text) in ours.moves(state)
        ours.play(state, game.read_move(text))
    assert (ours.moves(state), ours.winner(state)) == ([], 0)
    assert "○" not in game.draw([game.read_move(text) for text in SHORTEST.split()])


def test_positions_have_the_same_key_if_and_only_if_they_are_the_same():
    assert_keys_tell_positions_apart(Othello(4, 4), Turned.start(4, 4), most=1000)


class Impatient(Othello):
    """A key that takes the position after a pass for the one before it."""

    def key(self, s):
        return s.discs[0] ^ (s.discs[1] << 1) * 0x9E3779B97F4A7C15


def test_a_check_finds_a_key_that_does_not_change_with_a_pass():
    report = examine(Impatient(4, 4), playouts=60, measure=False)
    assert {finding.name for finding in report.errors} & {"key-ignores-player", "key-inconsistent"}


@pytest.mark.parametrize("search", [rk.GameUCT(playouts=40, solver=True), rk.FlatMC(playouts=20)], ids=str)
def test_compiled_searches_are_the_interpreted_ones(search):
    reference = PythonGameEngine(InterpretedGame(Othello(4, 4))).worker().decide(search, (), 7)
    compiled = worker(4, 4).decide(search, (), 7)
    assert compiled is not None
    assert reference is not None
    assert (compiled.visits, compiled.values) == (reference.visits, reference.values)


def test_white_wins_on_four_by_four():
    # 11 to 3, says the literature
    decision = worker(4, 4).decide(rk.GameUCT(playouts=200_000, solver=True), (), 1)
    assert decision is not None
    assert decision.proven == "loss"


def test_the_solver_proves_wins_losses_and_draws_near_the_end():
    found = assert_late_positions_are_proven(worker(4, 4), Othello(4, 4), Turned.start(4, 4), 2, 60)
    found |= assert_late_positions_are_proven(worker(8, 8), Othello(), Turned.start(8, 8), 5, 4)
    assert found == {"win", "draw", "loss"}


def test_a_move_is_a_square_or_a_pass():
    game = Othello()
    assert [game.read_move(text) for text in ("a1", "F5", " Pass ")] == [0, 37, 64]
    assert [game.describe_move(move) for move in (0, 37, 64)] == ["a1", "f5", "pass"]


@pytest.mark.parametrize("text", ["", "i1", "a9", "f5f6", "passes"])
def test_what_is_no_square_is_refused(text):
    with pytest.raises(InputError, match="a square must be one of a1 to h8, got"):
        Othello().read_move(text)


@pytest.mark.parametrize("move", [-1, 65])
def test_a_number_that_is_no_move_is_not_described(move):
    with pytest.raises(InputError, match=f"a move must be 0 to 64, got {move}"):
        Othello().describe_move(move)


@pytest.mark.parametrize("text", ["a1", "d4", "pass", "e3"])
def test_a_disc_that_turns_nothing_and_a_needless_pass_are_not_drawn(text):
    game = Othello()
    with pytest.raises(InputError, match=f"move 1 must be legal, got {text}"):
        game.draw([game.read_move(text)])


def test_the_top_row_of_text_and_picture_is_row_one():
    game = Othello(4, 4)
    text = game.draw([game.read_move("b1")]).splitlines()
    assert text == [" 1  ·[●]· ·", " 2  · ● ● ·", " 3  · ● ○ ·", " 4  · · · ·", "    a b c d"]
    circles = [e for e in ET.fromstring(game.picture([1]).svg()) if e.tag.endswith("circle")]
    assert len(circles) == 5
    assert min(float(circle.get("cy")) for circle in circles) == game.board.centre(1)[1]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 5}, "size must be an even number, got 5"),
        ({"size": 10}, "size must be a whole number from 4 to 8, got 10"),
        ({"size": 2}, "size must be a whole number from 4 to 8, got 2"),
        ({"width": 7}, "width must be an even number, got 7"),
    ],
)
def test_a_board_out_of_range_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        Othello.build(**given)
