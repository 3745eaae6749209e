"""Amazons: the rules are OpenSpiel's and those of an oracle, counts are the published ones, ends are solved."""

from __future__ import annotations

import random
import xml.etree.ElementTree as ET
from functools import cache

import pyspiel
import pytest

import rookery as rk
from boards_by_hand import (
    Queens,
    assert_late_positions_are_proven,
    assert_random_games_agree,
    compiled_perft,
    name,
)
from rookery.engine.game_worker import GameEngine, GameWorker
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.errors import InputError
from rookery.games.amazons import Amazons
from rookery.games.squares import DARK_MARKED, LIGHT_MARKED

COUNTS = {6: [544, 238532], 8: [1232, 1331198], 10: [2176, 4307152]}
"""Games of one and of two moves: on ten by ten as published, on the others as OpenSpiel counts them."""


@cache
def worker(width: int, height: int) -> GameWorker:
    return GameEngine(Amazons(width, height)).worker()


def whole_moves(state, size):
    """The legal moves of a position of OpenSpiel, where choosing a queen, moving it and shooting are three actions."""
    for first in state.legal_actions():
        moved = state.child(first)
        for second in moved.legal_actions():
            shot = moved.child(second)
            for third in shot.legal_actions():
                at, to, arrow = (name((a % size, size - 1 - a // size)) for a in (first, second, third))
                yield f"{at}-{to}/{arrow}", (first, second, third)


@pytest.mark.parametrize("size", [6, 8])
def test_random_games_are_those_of_openspiel(size):
    game, chance = Amazons(size, size), random.Random(size)
    theirs, ours = pyspiel.load_game(f"amazons(board_size={size})"), InterpretedGame(game)
    state, other, plies = ours.start(), theirs.new_initial_state(), 0
    while not other.is_terminal():
        legal = {game.describe_move(move): move for move in ours.moves(state)}
        actions = dict(whole_moves(other, size)) if plies % 4 == 0 or len(legal) < 30 else None
        assert actions is None or actions.keys() == legal.keys()
        assert ours.player(state) == other.current_player()
        move = legal[chance.choice(sorted(legal))]
        ours.play(state, move)
        for square in game._parts(move):
            other.apply_action((size - 1 - square // size) * size + square % size)
        plies += 1
    assert ours.moves(state) == []
    assert ours.winner(state) == (0 if other.returns()[0] > 0 else 1)


@pytest.mark.parametrize("size", [(4, 4), (5, 4), (4, 7), (6, 6)], ids=str)
def test_random_games_are_those_of_the_oracle(size):
    assert_random_games_agree(Amazons(*size), Queens.start(*size), games=2)


def test_first_moves_on_the_largest_board_are_those_of_the_oracle():
    assert_random_games_agree(Amazons(16, 16), Queens.start(16, 16), games=1, most=1)


@pytest.mark.parametrize("size", COUNTS)
def test_the_games_of_the_first_moves_are_as_many_as_published(size):
    assert compiled_perft(Amazons(size, size), 2) == COUNTS[size]


def test_codes_of_legal_moves_differ_and_do_not_depend_on_the_way():
    game = Amazons(5, 5)
    ours = InterpretedGame(game)
    codes = []
    for order in (0, 1):  # two queens of white swap their squares, or go there the straight way
        state = ours.start()
        first = ("b1-b2/a1", "d1-d2/e1") if order == 0 else ("b1-b2/e1", "d1-d2/a1")
        for white, black in zip(first, ("b5-c5/b5", "d5-d4/d5"), strict=True):
            ours.play(state, game.read_move(white))
            ours.play(state, game.read_move(black))
        codes.append({move: ours.code(state, move) for move in ours.moves(state)})
        assert len(set(codes[-1].values())) == len(codes[-1]) > 0
    assert codes[0] == codes[1]


def test_compiled_searches_are_the_interpreted_ones():
    game, search = Amazons(4, 4), rk.GameUCT(playouts=40, solver=True)
    reference = PythonGameEngine(InterpretedGame(game)).worker().decide(search, (), 7)
    compiled = worker(4, 4).decide(search, (), 7)
    assert compiled is not None
    assert reference is not None
    assert (compiled.visits, compiled.values) == (reference.visits, reference.values)


def test_the_solver_proves_wins_and_losses_near_the_end():
    found = assert_late_positions_are_proven(worker(4, 4), Amazons(4, 4), Queens.start(4, 4), 3, 10)
    found |= assert_late_positions_are_proven(worker(6, 6), Amazons(6, 6), Queens.start(6, 6), 4, 6)
    assert found == {"win", "loss"}


def test_a_search_by_features_refuses_a_game_without_them():
    with pytest.raises(InputError, match="feature"):
        rk.decide(Amazons(4, 4), rk.PPAF(playouts=10), seed=1)


@pytest.mark.parametrize("text", ["d1-d7/g7", "D1-D7/G7", " d1 - d7 / g7 ", "d1-d7(g7)", "d1d7/g7", "d1-d7 g7"])
def test_a_move_is_read_however_players_write_it(text):
    game = Amazons()
    assert game.describe_move(game.read_move(text)) == "d1-d7/g7"


@pytest.mark.parametrize("text", ["", "d1-d7", "d1-d7/", "d1/d7/g7/g8", "pass"])
def test_what_is_no_move_is_refused(text):
    with pytest.raises(InputError, match="a move must be three squares, as in d1-d7/g7, got"):
        Amazons().read_move(text)


def test_a_square_off_the_board_is_refused():
    with pytest.raises(InputError, match='a square must be one of a1 to f6, got "d7"'):
        Amazons(6, 6).read_move("d1-d7/d6")


@pytest.mark.parametrize("move", [-1, 36**3])
def test_a_number_that_is_no_move_is_not_described(move):
    with pytest.raises(InputError, match=f"a move of Amazons must be 0 to 46655, got {move}"):
        Amazons(6, 6).describe_move(move)


@pytest.mark.parametrize("text", ["c1-c2/c3", "b6-b5/b4", "b1-b6/a6", "b1-c3/c4", "b1-b4/a2", "a2-a5/a4"])
def test_an_illegal_move_is_not_drawn(text):
    game = Amazons(6, 6)
    with pytest.raises(InputError, match=f"move 1 must be legal, got {text}"):
        game.draw([game.read_move(text)])


def test_an_arrow_may_hit_the_square_that_the_queen_has_left():
    game = Amazons(6, 6)
    assert "[■]" in game.draw([game.read_move("b1-b3/b1")]).splitlines()[5]


def test_the_picture_marks_all_three_squares_of_the_last_move():
    game = Amazons(6, 6)
    svg = game.picture([game.read_move("b1-b4/e4")]).svg()
    assert sum(element.tag.endswith("circle") for element in ET.fromstring(svg)) == 8
    assert svg.count(DARK_MARKED) + svg.count(LIGHT_MARKED) == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"size": 3}, "size must be a whole number from 4 to 16, got 3"),
        ({"height": 17}, "height must be a whole number from 4 to 16, got 17"),
    ],
)
def test_a_board_out_of_range_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        Amazons.build(**given)
