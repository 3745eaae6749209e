"""Compiled games with the rules of OpenSpiel's: actions are numbered as moves, in lock-step."""

from __future__ import annotations

import random

import pyspiel
import pytest

from rookery.adapters.spiel_twins import TWINS, twin_of
from rookery.engine.interpreted import InterpretedGame

GAMES = [
    "breakthrough(rows=6,columns=5)",
    "breakthrough(rows=12,columns=3)",
    "connect_four(rows=5,columns=6,x_in_row=3)",
    "gomoku(size=6,connect=4)",
    "hex(board_size=4)",
    "othello",
]


def test_every_twin_is_tested():
    assert {name.partition("(")[0] for name in GAMES} == set(TWINS)


@pytest.mark.parametrize("name", GAMES)
def test_random_games_are_the_same_in_both(name):
    theirs, chance = pyspiel.load_game(name), random.Random(1)
    twin = twin_of(theirs)
    assert twin is not None
    ours = InterpretedGame(twin.game)
    for _ in range(3):
        state, other = ours.start(), theirs.new_initial_state()
        while not other.is_terminal():
            player = other.current_player()
            moves = {action: twin.move(other, player, action) for action in other.legal_actions()}
            assert sorted(moves.values()) == sorted(ours.moves(state))
            assert ours.player(state) == player
            action = chance.choice(other.legal_actions())
            ours.play(state, moves[action])
            other.apply_action(action)
        assert ours.moves(state) == []
        assert ours.winner(state) == {1: 0, 0: -1, -1: 1}[other.returns()[0]]


@pytest.mark.parametrize(
    "name",
    [
        "breakthrough(rows=5,columns=5)",  # one row of pieces
        "hex(num_cols=4,num_rows=5)",
        "hex(board_size=4,swap=True)",
        "hex(board_size=25)",
        "gomoku(size=6,connect=4,wrap=True)",
        "tic_tac_toe",
    ],
)
def test_a_game_with_other_rules_has_no_twin(name):
    assert twin_of(pyspiel.load_game(name)) is None
