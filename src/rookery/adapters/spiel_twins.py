"""Games of OpenSpiel that this library has too, with the same rules and compiled: their actions in its words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.games.breakthrough import Breakthrough
from rookery.games.connectfour import ConnectFour
from rookery.games.gomoku import Gomoku
from rookery.games.hex import Hex
from rookery.games.othello import Othello


class Twin(NamedTuple):
    """A game with the rules of one of OpenSpiel's, and how it numbers its actions: by a state of it, and a player."""

    game: Game | PythonGame
    move: Callable[[Any, int, int], int]


def _same(state: Any, player: int, action: int) -> int:
    return action


def _breakthrough(given: Mapping[str, Any]) -> Twin | None:
    if given["rows"] < 6:  # they begin with one row of pieces there
        return None
    game = Breakthrough(given["columns"], given["rows"])

    def move(state: Any, player: int, action: int) -> int:
        """Their first player begins at the top; a square is a letter and a character, from 1 on."""
        name = state.action_to_string(player, action)
        squares = (f"{name[i]}{game.height - (ord(name[i + 1]) - ord('1'))}" for i in (0, 2))
        return game.read_move("-".join(squares))

    return Twin(game, move)


def _hex(given: Mapping[str, Any]) -> Twin | None:
    usual = given["num_cols"] == given["num_rows"] and not given["swap"]
    return Twin(Hex(given["num_cols"]), _same) if usual else None


def _gomoku(given: Mapping[str, Any]) -> Twin | None:
    usual = given["dims"] == 2 and not given["anti"] and not given["wrap"]
    return Twin(Gomoku(given["size"], given["connect"]), _same) if usual else None


TWINS: Mapping[str, Callable[[Mapping[str, Any]], Twin | None]] = {
    "breakthrough": _breakthrough,
    "connect_four": lambda given: Twin(ConnectFour(given["columns"], given["rows"], given["x_in_row"]), _same),
    "gomoku": _gomoku,
    "hex": _hex,
    "othello": lambda given: Twin(Othello(), _same),
}
"""By the names of OpenSpiel: what makes a twin from its parameters; None if they change the rules."""


def twin_of(spiel: Any) -> Twin | None:
    """The twin of a game of OpenSpiel; None if there is none."""
    make = TWINS.get(spiel.get_type().short_name)
    try:
        return None if make is None else make(spiel.get_parameters())
    except InputError:  # a board that is too large or too small
        return None
