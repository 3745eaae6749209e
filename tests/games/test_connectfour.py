"""Connect Four: the rules are OpenSpiel's and those of an oracle, counts are the published ones, ends are solved."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache

import pyspiel
import pytest

import rookery as rk
from boards_by_hand import Rows, assert_late_positions_are_proven, assert_random_games_agree, compiled_perft, lock_step
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.errors import InputError
from rookery.games.connectfour import ConnectFour
from squares_by_hand import assert_keys_tell_positions_apart


@cache
def worker(width: int = 7, height: int = 6, row: int = 4) -> GameWorker:
    return GameEngine(ConnectFour(width, height, row)).worker()


def played(game: ConnectFour, columns: str) -> tuple[int, ...]:
    return tuple(game.read_move(column) for column in columns)


@pytest.mark.parametrize("size", [(7, 6, 4), (5, 4, 3), (4, 4, 4), (9, 8, 5)], ids=str)
def test_random_games_are_those_of_openspiel(size):
    width, height, row = size
    theirs = pyspiel.load_game(f"connect_four(rows={height},columns={width},x_in_row={row})")
    lock_step(ConnectFour(*size), theirs, lambda state, action: "abcdefghi"[action], games=8)


@pytest.mark.parametrize("size", [(2, 2, 2), (4, 4, 4), (16, 3, 4), (7, 6, 4), (16, 16, 5)], ids=str)
def test_random_games_are_those_of_the_oracle(size):
    assert_random_games_agree(ConnectFour(*size), Rows.start(*size, falls=True), games=3, most=60)


def test_a_full_board_without_a_row_is_a_draw():
    assert -1 in assert_random_games_agree(ConnectFour(4, 4), Rows.start(4, 4, 4, falls=True), games=12)


def test_the_games_of_the_first_moves_are_as_many_as_published():
    # seven in one column do not fit
    assert compiled_perft(ConnectFour(), 7) == [7, 49, 343, 2401, 16807, 117649, 823536]


def test_positions_have_the_same_key_if_and_only_if_they_are_the_same():
    assert_keys_tell_positions_apart(ConnectFour(3, 3, 3), Rows.start(3, 3, 3, falls=True))


def test_compiled_searches_are_the_interpreted_ones():
    game, search = ConnectFour(5, 4, 3), rk.GameUCT(playouts=60, solver=True)
    reference = PythonGameEngine(InterpretedGame(game)).worker().decide(search, (), 7)
    compiled = worker(5, 4, 3).decide(search, (), 7)
    assert compiled is not None
    assert reference is not None
    assert (compiled.visits, compiled.values) == (reference.visits, reference.values)


def test_the_solver_proves_wins_losses_and_draws_near_the_end():
    game, start = ConnectFour(4, 4), Rows.start(4, 4, 4, falls=True)
    assert assert_late_positions_are_proven(worker(4, 4), game, start, 8, 20) == {"win", "draw", "loss"}


@pytest.mark.parametrize(
    ("columns", "proven"),
    [
        ("cadae", "loss"),  # three in the lowest row, open at both ends
        ("cada", "win"),  # the same, one move before
    ],
)
def test_threats_are_proven(columns, proven):
    game = ConnectFour()
    decision = worker().decide(rk.GameUCT(playouts=300_000, solver=True), played(game, columns), 1)
    assert decision is not None
    assert decision.proven == proven


def test_a_move_is_the_letter_of_a_column():
    game = ConnectFour(5, 4)
    assert [game.describe_move(move) for move in range(5)] == list("abcde")
    assert [game.read_move(text) for text in ("a", " E ")] == [0, 4]


@pytest.mark.parametrize("text", ["", " ", "h", "aa", "ab", "a1", "1", "ä"])
def test_what_is_no_column_is_refused(text):
    with pytest.raises(InputError, match="a move must be a column from a to g, got"):
        ConnectFour().read_move(text)


@pytest.mark.parametrize("move", [-1, 7])
def test_a_number_that_is_no_move_is_not_described(move):
    with pytest.raises(InputError, match=f"a move must be a column from 0 to 6, got {move}"):
        ConnectFour().describe_move(move)


def test_moves_into_a_full_column_or_after_the_end_are_not_drawn():
    game = ConnectFour(4, 4)
    with pytest.raises(InputError, match="move 5 must be legal, got a"):
        game.draw(played(game, "aaaaa"))
    with pytest.raises(InputError, match="move 8 must be legal, got d"):
        game.draw(played(game, "abababad"))


def test_the_picture_has_a_disc_or_a_hole_on_each_square():
    game = ConnectFour()
    svg = game.picture(played(game, "dde")).svg()
    assert sum(element.tag.endswith("circle") for element in ET.fromstring(svg)) == 42


def test_a_board_is_seven_by_six_unless_told_otherwise():
    assert rk.load_game("connectfour").parameters() == {"size": 0, "width": 7, "height": 6, "row": 4}
    assert repr(ConnectFour.build(size=5, width=6)) == "ConnectFour(width=6, height=5, row=4)"
    assert ConnectFour(5, 4, 3).parameters() == {"width": 5, "height": 4, "row": 3}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 1}, "size must be a whole number from 2 to 16, got 1"),
        ({"size": -1}, "size must be a whole number from 2 to 16, got -1"),
        ({"width": 17}, "width must be a whole number from 2 to 16, got 17"),
        ({"row": 8}, "row must be a whole number from 2 to 7, got 8"),
        ({"row": 1}, "row must be a whole number from 2 to 7, got 1"),
    ],
)
def test_a_board_or_a_row_out_of_range_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        ConnectFour.build(**given)
