"""Searches as bots of OpenSpiel: they play whole games, either side, the same with the same seed."""

from __future__ import annotations

import pyspiel
import pytest

import rookery as rk
from rookery.adapters import openspiel_bot

SEARCH = rk.GameUCT(playouts=60, solver=True)


def evaluated(name, bots, games=1):
    theirs = pyspiel.load_game(name)
    return [pyspiel.evaluate_bots(theirs.new_initial_state(), bots, seed) for seed in range(games)]


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("side", [0, 1])
def test_a_bot_wins_whole_games_on_either_side(side, compiled):
    name = "connect_four(rows=4,columns=5,x_in_row=3)"
    bots = [pyspiel.make_uniform_random_bot(1 - side, 3)]
    bots.insert(side, openspiel_bot(name, SEARCH, compiled=compiled))
    gained = [returns[side] for returns in evaluated(name, bots, games=4)]
    assert sum(gained) >= 2


def test_two_bots_play_each_other():
    bots = [openspiel_bot("tic_tac_toe", rk.GameUCT(playouts=2000, solver=True)) for _ in range(2)]
    assert evaluated("tic_tac_toe", bots) == [[0.0, 0.0]]


def actions(bot, name, games):
    """The first actions of games that are played against the lowest action."""
    theirs, played = pyspiel.load_game(name), []
    for _ in range(games):
        state = theirs.new_initial_state()
        bot.restart()
        for ply in range(4):
            state.apply_action(bot.step(state) if ply % 2 == 0 else state.legal_actions()[0])
        played.append(state.history())
    return played


def test_the_same_seed_gives_the_same_games_and_every_game_has_its_own():
    name, search = "hex(board_size=5)", rk.FlatMC(playouts=30)
    first, again = (actions(openspiel_bot(name, search, seed=5, compiled=False), name, 4) for _ in range(2))
    assert first == again
    assert len({tuple(one) for one in first}) > 1
    assert first != actions(openspiel_bot(name, search, seed=6, compiled=False), name, 4)


def test_a_bot_begins_in_the_middle_of_a_game():
    name = "connect_four"
    state = pyspiel.load_game(name).new_initial_state()
    for action in (2, 0, 3, 0, 4, 0):  # three in the lowest row
        state.apply_action(action)
    bot = openspiel_bot(name, SEARCH)
    bot.restart_at(state)
    assert bot.step(state) in (1, 5)


def test_a_state_of_another_game_is_refused():
    bot = openspiel_bot("hex(board_size=4)", SEARCH, compiled=False)
    other = pyspiel.load_game("hex(board_size=5)").new_initial_state()
    with pytest.raises(
        rk.InputError, match=r"the bot plays hex\(board_size=4\) from its beginning, got a state of hex"
    ):
        bot.step(other)


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        (("hexx", SEARCH), {}, "OpenSpiel has no game 'hexx'"),
        (("hex", "uct"), {}, "search must be PPA, PPAF, PPAFM, GameUCT"),
        (("hex", SEARCH), {"seed": -1}, "seed must be at least 0, got -1"),
    ],
)
def test_what_cannot_be_a_bot_is_refused(arguments, options, message):
    with pytest.raises(rk.InputError, match=message):
        openspiel_bot(*arguments, **options)
