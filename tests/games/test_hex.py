"""Hex: the rules are OpenSpiel's and those of an oracle, there are no draws, small boards and ends are solved."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache

import pyspiel
import pytest

import rookery as rk
from boards_by_hand import Chains, assert_late_positions_are_proven, assert_random_games_agree, lock_step, outcome
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.errors import InputError
from rookery.games.hex import Hex
from rookery.games.hexagons import COLOURS, Hexagons
from squares_by_hand import assert_keys_tell_positions_apart


@cache
def worker(size: int) -> GameWorker:
    return GameEngine(Hex(size)).worker()


@pytest.mark.parametrize("size", [2, 3, 5, 8, 11, 14])
def test_random_games_are_those_of_openspiel(size):
    theirs = pyspiel.load_game(f"hex(board_size={size})")
    winners = lock_step(Hex(size), theirs, lambda state, action: state.action_to_string(action), games=3)
    assert -1 not in winners


@pytest.mark.parametrize("size", [2, 4, 9, 19])
def test_random_games_are_those_of_the_oracle(size):
    assert_random_games_agree(Hex(size), Chains(size), games=2, most=50)


def test_positions_have_the_same_key_if_and_only_if_they_are_the_same():
    assert_keys_tell_positions_apart(Hex(3), Chains(3), most=1000)


def test_compiled_searches_are_the_interpreted_ones():
    game, search = Hex(4), rk.GameUCT(playouts=40, solver=True)
    reference = PythonGameEngine(InterpretedGame(game)).worker().decide(search, (), 7)
    compiled = worker(4).decide(search, (), 7)
    assert compiled is not None
    assert reference is not None
    assert (compiled.visits, compiled.values) == (reference.visits, reference.values)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_whoever_begins_wins(size):
    decision = worker(size).decide(rk.GameUCT(playouts=100_000, solver=True), (), 1)
    assert decision is not None
    assert decision.proven == "win"


def test_the_solver_finds_which_first_moves_win():
    game = Hex(3)
    for cell in Chains(3).moves():
        decision = worker(3).decide(rk.GameUCT(playouts=100_000, solver=True), (game.read_move(cell),), 1)
        assert decision is not None
        assert decision.proven == outcome(Chains(3).play(cell))


def test_the_solver_proves_wins_and_losses_near_the_end():
    assert assert_late_positions_are_proven(worker(4), Hex(4), Chains(4), 5, 20) == {"win", "loss"}


def test_a_bridge_connects():
    game = Hex(4)
    moves = tuple(game.read_move(text) for text in ["b3", "d1", "c1", "d2"])  # b3 and c1 have b2 and c2 between them
    stopped = (*moves, game.read_move("d4"), game.read_move("b2"))
    for sequence in (moves, stopped):
        decision = worker(4).decide(rk.GameUCT(playouts=100_000, solver=True), sequence, 1)
        assert decision is not None
        assert decision.proven == "win"


@pytest.mark.parametrize("text", ["", "a", "a0", "a4", "d1", "pass"])
def test_what_is_no_cell_is_refused(text):
    with pytest.raises(InputError, match="a square must be one of a1 to c3, got"):
        Hex(3).read_move(text)


@pytest.mark.parametrize("move", [-1, 9])
def test_a_number_that_is_no_move_is_not_described(move):
    with pytest.raises(InputError, match=f"a move must be 0 to 8 on a board of size 3, got {move}"):
        Hex(3).describe_move(move)


def test_a_stone_on_another_or_after_the_end_is_not_drawn():
    game = Hex(2)
    with pytest.raises(InputError, match="move 2 must be legal, got a1"):
        game.draw([0, 0])
    with pytest.raises(InputError, match="move 4 must be legal, got b2"):
        game.draw([0, 1, 2, 3])


def test_rows_of_the_text_lie_half_a_cell_to_the_right_of_each_other():
    text = Hexagons(10).text({0: 0, 99: 1}, marked=[99]).splitlines()
    assert text[0] == "   a b c d e f g h i j"
    assert text[1] == " 1  ● · · · · · · · · ·"
    assert text[10] == "         10  · · · · · · · · ·[○]"


def test_the_picture_has_every_side_once_and_edges_in_colour():
    game = Hex(3)
    svg = game.picture([4, 2]).svg()
    shapes = [element.tag.rpartition("}")[2] for element in ET.fromstring(svg)]
    assert shapes.count("line") == 3 * 9 + 4 * 3 - 1
    assert shapes.count("circle") == 3  # and the mark on the last one
    # a corner cell that is sharp has a side more at the edge than the board has cells there
    assert [svg.count(f'stroke="{colour}"') for colour in COLOURS] == [2 * (2 * 3), 2 * (2 * 3 - 1)]


@pytest.mark.parametrize("size", [1, 20, 2.5])
def test_a_board_out_of_range_is_refused(size):
    with pytest.raises(InputError, match=f"size must be a whole number from 2 to 19, got {size}"):
        Hex(size)
