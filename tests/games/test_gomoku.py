"""Gomoku: the rules are OpenSpiel's and those of an oracle, small boards and ends are solved."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache

import pyspiel
import pytest

import rookery as rk
from boards_by_hand import Rows, assert_late_positions_are_proven, assert_random_games_agree, lock_step
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.errors import InputError
from rookery.games.gomoku import Gomoku
from squares_by_hand import assert_keys_tell_positions_apart

SOLVED = {(3, 3): "draw", (4, 3): "win", (2, 2): "win"}
"""Who wins, by size and row: noughts and crosses is a draw, and with room for a double threat the first wins."""


@cache
def worker(size: int, row: int) -> GameWorker:
    return GameEngine(Gomoku(size, row)).worker()


def oracle(size: int, row: int) -> Rows:
    return Rows.start(size, size, row, falls=False)


@pytest.mark.parametrize("size", [(3, 3), (5, 4), (9, 5), (15, 5)], ids=str)
def test_random_games_are_those_of_openspiel(size):
    theirs = pyspiel.load_game(f"gomoku(size={size[0]},connect={size[1]})")
    game = Gomoku(*size)
    lock_step(game, theirs, lambda state, action: game.describe_move(action), games=4)


@pytest.mark.parametrize("size", [(2, 2), (4, 4), (9, 5), (19, 5)], ids=str)
def test_random_games_are_those_of_the_oracle(size):
    assert_random_games_agree(Gomoku(*size), oracle(*size), games=2, most=60)


def test_a_full_board_without_a_row_is_a_draw():
    assert -1 in assert_random_games_agree(Gomoku(4, 4), oracle(4, 4), games=12)


def test_six_in_a_row_win_too():
    game = Gomoku(15)
    ours = InterpretedGame(game)
    state = ours.start()
    for text in ["A1", "A9", "B1", "B9", "C1", "C9", "E1", "E9", "F1", "F9", "D1"]:
        assert ours.moves(state)
        ours.play(state, game.read_move(text))
    assert (ours.moves(state), ours.winner(state)) == ([], 0)


def test_positions_have_the_same_key_if_and_only_if_they_are_the_same():
    assert_keys_tell_positions_apart(Gomoku(3, 3), oracle(3, 3), most=1000)


def test_compiled_searches_are_the_interpreted_ones():
    game, search = Gomoku(4, 3), rk.GameUCT(playouts=40, solver=True)
    reference = PythonGameEngine(InterpretedGame(game)).worker().decide(search, (), 7)
    compiled = worker(4, 3).decide(search, (), 7)
    assert compiled is not None
    assert reference is not None
    assert (compiled.visits, compiled.values) == (reference.visits, reference.values)


@pytest.mark.parametrize("size", SOLVED, ids=str)
def test_the_solver_finds_who_wins_a_small_board(size):
    decision = worker(*size).decide(rk.GameUCT(playouts=100_000, solver=True), (), 1)
    assert decision is not None
    assert decision.proven == SOLVED[size]


def test_the_solver_proves_wins_losses_and_draws_near_the_end():
    found = assert_late_positions_are_proven(worker(4, 4), Gomoku(4, 4), oracle(4, 4), 6, 10)
    found |= assert_late_positions_are_proven(worker(4, 3), Gomoku(4, 3), oracle(4, 3), 3, 12)
    assert found == {"win", "draw", "loss"}


def test_an_open_four_cannot_be_stopped():
    game = Gomoku(8, 5)
    moves = tuple(game.read_move(text) for text in ["C4", "A1", "D4", "A8", "E4", "H1", "F4"])
    decision = worker(8, 5).decide(rk.GameUCT(playouts=100_000, solver=True), moves, 1)
    assert decision is not None
    assert decision.proven == "loss"


@pytest.mark.parametrize("text", ["", "pass", "I5", "A16", "Q1", "11"])
def test_what_is_no_point_is_refused(text):
    with pytest.raises(InputError, match=r"a move must be a point from A1 to P15 \(there is no I\), got"):
        Gomoku(15).read_move(text)


@pytest.mark.parametrize("move", [-1, 225])
def test_a_number_that_is_no_move_is_not_described(move):
    with pytest.raises(InputError, match=f"a move must be 0 to 224 on a board of size 15, got {move}"):
        Gomoku(15).describe_move(move)


def test_a_stone_on_another_or_after_the_end_is_not_drawn():
    game = Gomoku(3, 2)
    with pytest.raises(InputError, match="move 2 must be legal, got A1"):
        game.draw([0, 0])
    with pytest.raises(InputError, match="move 4 must be legal, got C3"):
        game.draw([0, 5, 1, 8])


def test_the_board_is_drawn_as_text_and_as_a_picture():
    game = Gomoku(3, 3)
    assert game.draw([4, 0]).splitlines() == [" 3  . . .", " 2  . X .", " 1 (O). .", "    A B C"]
    svg = game.picture([4, 0]).svg()
    assert sum(element.tag.endswith("circle") for element in ET.fromstring(svg)) == 3  # and the mark on the last one


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 20}, "size must be a whole number from 2 to 19, got 20"),
        ({"size": 4}, "row must be a whole number from 2 to 4, got 5"),
        ({"size": 9, "row": 1}, "row must be a whole number from 2 to 9, got 1"),
        ({"size": 9, "row": 2.5}, "row must be a whole number from 2 to 9, got 2.5"),
    ],
)
def test_a_board_or_a_row_out_of_range_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        Gomoku(**given)
