"""``decide``: one search for one move, of games of both kinds."""

from __future__ import annotations

import pytest

import rookery as rk
from examples_of_games import Nim, PythonNim


@pytest.mark.parametrize("game", [PythonNim(7), Nim(7)], ids=["python", "compiled"])
def test_the_winning_move_of_nim_is_found(game: rk.Game | rk.PythonGame) -> None:
    decision = rk.decide(game, rk.GameUCT(playouts=500))
    assert decision.move == 3
    assert decision.playouts == sum(decision.visits.values()) + 1  # the first one made the root


@pytest.mark.parametrize("game", [PythonNim(7), Nim(7)], ids=["python", "compiled"])
def test_the_search_begins_after_the_moves_that_were_played(game: rk.Game | rk.PythonGame) -> None:
    assert list(rk.decide(game, rk.GameUCT(playouts=20), moves=[3, 3]).visits) == [1]


def test_the_seed_decides() -> None:
    search = rk.GameUCT(playouts=30)
    visits = [rk.decide(PythonNim(15), search, seed=seed).visits for seed in (1, 1, 2)]
    assert visits[0] == visits[1] != visits[2]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"search": rk.NRPA()}, "search must be PPA, PPAF, PPAFM, GameUCT, RAVE, GRAVE, MAST or FlatMC, got NRPA"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"moves": [9]}, "move 1 must be legal in PythonNim, got 9"),
        ({"moves": [3, 3, 1]}, "the game is over after 3 moves"),
    ],
)
def test_a_mistake_is_one_sentence(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(rk.InputError, match=message):
        rk.decide(PythonNim(7), **{"search": rk.GameUCT(playouts=5), **arguments})  # type: ignore[arg-type]


def test_what_is_no_game_is_refused() -> None:
    with pytest.raises(rk.ProblemError, match="a game must be a Game or a PythonGame, got LeftMove"):
        rk.decide(rk.problems.LeftMove(depth=3), rk.GameUCT())  # type: ignore[arg-type]


def test_a_set_of_moves_is_refused():
    class Unordered(PythonNim):
        def moves(self, state):
            return set(super().moves(state))

    with pytest.raises(rk.ProblemError, match=r"Unordered.moves\(\) at .*: returned a set, whose order"):
        rk.decide(Unordered(7), rk.FlatMC(playouts=5))
