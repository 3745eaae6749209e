"""A game in progress: what is legal, who is to move, and what a search expects to follow."""

from __future__ import annotations

from typing import Any

import pytest

import rookery as rk
from examples_of_games import Nim, PythonNim

SEARCH = rk.GameUCT(playouts=200)


@pytest.mark.parametrize("search", [SEARCH, rk.GameUCT(playouts=500, solver=True)])
def test_compiled_and_in_plain_python_the_same_is_expected(search: Any) -> None:
    lines = []
    for game in (Nim(stones=13), PythonNim(stones=13)):
        sitting = rk.tools.Sitting(game, search, seed=3)
        sitting.play(2)
        decision = sitting.think()
        lines.append((decision.move, sitting.line(), [sitting.line(move) for move in sitting.legal]))
    assert lines[0] == lines[1]
    assert lines[0][1][0] == lines[0][0]


def test_what_is_expected_is_legal_and_begins_as_asked() -> None:
    sitting = rk.tools.Sitting(Nim(stones=13), SEARCH)
    sitting.think()
    for move in sitting.legal:
        line = sitting.line(move, most=4)
        assert line[0] == move
        assert len(line) <= 4
        rk.tools.Sitting(Nim(stones=13), SEARCH).go_to(line)


def test_nothing_is_expected_before_a_search_and_by_one_without_positions() -> None:
    for game in (Nim(stones=13), PythonNim(stones=13)):
        sitting = rk.tools.Sitting(game, SEARCH)
        assert sitting.line() == ()
        sitting.think(rk.FlatMC(playouts=20))
        assert sitting.line() == ()
        assert sitting.line(2) == (2,)


def test_the_state_follows_the_moves_and_stays_if_one_is_not_legal() -> None:
    sitting = rk.tools.Sitting(PythonNim(stones=4), SEARCH)
    assert (sitting.legal, sitting.player, sitting.winner) == ((1, 2, 3), 0, None)
    sitting.play(3)
    for wrong in (2, 0, "1", None):
        with pytest.raises(rk.InputError, match="a move must be legal, got "):
            sitting.play(wrong)
    with pytest.raises(rk.InputError, match="move 2 must be legal in PythonNim, got 3"):
        sitting.go_to((3, 3))
    assert (sitting.moves, sitting.legal, sitting.player) == ((3,), (1,), 1)
    sitting.play(1)
    assert (sitting.legal, sitting.winner) == ((), 1)
    with pytest.raises(rk.InputError, match="the game is over after 2 moves"):
        sitting.play(1)
    with pytest.raises(rk.InputError, match="the game is over after 2 moves"):
        sitting.think()
    sitting.go_to(())
    assert sitting.legal == (1, 2, 3)


def test_the_same_seed_thinks_the_same_and_asked_again_differently() -> None:
    first, second = (rk.tools.Sitting(PythonNim(stones=13), rk.FlatMC(playouts=30), seed=5) for _ in range(2))
    values = [first.think().values, first.think().values, first.think(again=1).values]
    assert values[0] == values[1] == second.think().values
    assert values[0] != values[2]


def test_a_position_needs_no_search_and_refuses_moves_that_are_not_legal() -> None:
    for game in (Nim(stones=4), PythonNim(stones=4)):
        position = rk.tools.Position(game, [3])
        assert (position.legal, position.player, position.winner, position.is_over) == ((1,), 1, None, False)
        position.play(1)
        assert (position.moves, position.legal, position.winner, position.is_over) == ((3, 1), (), 1, True)
        with pytest.raises(rk.InputError, match="move 2 must be legal in .*Nim, got 3"):
            rk.tools.Position(game, [3, 3])
