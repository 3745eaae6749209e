"""A game of OpenSpiel as a game in plain Python: its state is OpenSpiel's, its moves are OpenSpiel's actions."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from rookery.arguments import shown
from rookery.errors import InputError
from rookery.game import PythonGame

NEEDED = {
    "dynamics": ("SEQUENTIAL", "players must move one after the other"),
    "chance_mode": ("DETERMINISTIC", "there must be no chance"),
    "information": ("PERFECT_INFORMATION", "both players must know everything"),
    "utility": ("ZERO_SUM", "one player must win what the other loses"),
}
"""What a search for two players needs of a game: its type in OpenSpiel's words, and in ours."""


def pyspiel() -> Any:
    """OpenSpiel's module."""
    try:
        import pyspiel as module
    except ImportError:
        raise InputError('OpenSpiel is not installed: pip install "rookery[openspiel]"') from None
    return module


@contextmanager
def _silenced() -> Iterator[None]:
    """OpenSpiel writes what it raises to standard error as well, from C++."""
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


def load_spiel(name: str) -> Any:
    """OpenSpiel's game of a name such as ``hex(board_size=5)``; refused if it is not one for two players to search."""
    if not isinstance(name, str):
        raise InputError(f"game must be the name of a game of OpenSpiel, got {shown(name)}")
    module = pyspiel()
    short, known = name.partition("(")[0].strip(), module.registered_names()
    if short not in known:
        close = difflib.get_close_matches(short, known, n=1)
        meant = f"; did you mean {close[0]}?" if close else ""
        raise InputError(f"OpenSpiel has no game {shown(short)}{meant}")
    try:
        with _silenced():
            game = module.load_game(name)
    except module.SpielError as error:
        words = str(error).split(maxsplit=1)
        why = words[-1] if words and words[0].startswith("/") else str(error)  # without the place in its sources
        raise InputError(f"OpenSpiel cannot load {shown(name)}: {' '.join(why.split())}") from None
    for field, (wanted, rule) in NEEDED.items():
        there = getattr(game.get_type(), field).name
        if there != wanted:
            raise InputError(
                f"{short} cannot be searched: {rule}, and OpenSpiel says {there.lower().replace('_', ' ')}"
            )
    if game.num_players() != 2:
        raise InputError(f"{short} cannot be searched: there must be two players, and it has {game.num_players()}")
    return game


class OpenSpielGame(PythonGame):
    """A game of OpenSpiel for two players, without chance, in which both know everything.

    A move is an action of OpenSpiel; ``describe_moves`` has what it is called where it is played. No two positions
    count as the same, since OpenSpiel does not say which are.

    Parameters
    ----------
    game
        the name of the game in OpenSpiel, with its parameters

    >>> game = OpenSpielGame("tic_tac_toe")
    >>> game.describe_moves([4, 0])
    ['x(1,1)', 'o(0,0)']
    >>> print(game.draw([4, 0]))
    o..
    .x.
    ...
    """

    def __init__(self, game: str) -> None:
        self._spiel = load_spiel(game)

    def start(self) -> Any:
        """The first position."""
        return self._spiel.new_initial_state()

    def moves(self, state: Any) -> Sequence[int]:
        """The legal actions; none at the end."""
        return [] if state.is_terminal() else state.legal_actions()

    def play(self, state: Any, move: int) -> None:
        """Apply an action to the state."""
        state.apply_action(move)

    def player(self, state: Any) -> int:
        """Who is to move."""
        return int(state.current_player())

    def winner(self, state: Any) -> int:
        """Who has gained something."""
        gained = state.player_return(0)
        return -1 if gained == 0 else int(gained < 0)

    def copy(self, state: Any) -> Any:
        """A clone."""
        return state.clone()

    def describe_moves(self, moves: Sequence[int]) -> list[str]:
        """What each action is called where it is played."""
        state, words = self.start(), []
        for move in moves:
            words.append(state.action_to_string(state.current_player(), move))
            state.apply_action(move)
        return words

    def draw(self, moves: Sequence[int]) -> str:
        """The position as OpenSpiel writes it."""
        state = self.start()
        for move in moves:
            state.apply_action(move)
        return str(state).rstrip("\n")


def openspiel(game: str) -> OpenSpielGame:
    """A game of OpenSpiel, to be searched and played like any other; it takes the extra ``openspiel``.

    It may be any game for two players that is deterministic and sequential, in which both know everything and one wins
    what the other loses; others are refused. Moves are OpenSpiel's actions.

    Parameters
    ----------
    game
        its name in OpenSpiel, with its parameters

    >>> import rookery as rk
    >>> game = openspiel("connect_four(rows=4,columns=5,x_in_row=3)")
    >>> decision = rk.decide(game, rk.GameUCT(playouts=300, solver=True), moves=[2, 0])
    >>> decision.move, decision.proven
    (3, 'win')
    """
    return OpenSpielGame(game)
