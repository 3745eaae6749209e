"""Searches as bots of OpenSpiel."""

from __future__ import annotations

from functools import cache
from typing import Any

from rookery.adapters.spiel_game import OpenSpielGame, load_spiel, pyspiel
from rookery.adapters.spiel_twins import Twin, twin_of
from rookery.arguments import whole
from rookery.errors import InputError
from rookery.loading.kinds import GAME_SEARCH
from rookery.matches.decide import MOST_SEED
from rookery.matches.sitting import Sitting
from rookery.rng import mix_int
from rookery.search.game_search import GameSearch


def openspiel_bot(game: str, search: GameSearch, *, seed: int = 1, compiled: bool = True) -> Any:
    """A search as a bot of OpenSpiel, a ``pyspiel.Bot``, which plays either side; it takes the extra ``openspiel``.

    Parameters
    ----------
    game
        the name of the game in OpenSpiel, with its parameters, as for :func:`rookery.adapters.openspiel`
    search
        a search for games, such as ``rk.GRAVE(seconds=0.1, playouts=None)``
    seed
        the same seed gives the same games against the same bot, each game with a stream of its own
    compiled
        whether a compiled game of the library is searched where it has the same rules (Breakthrough, Connect Four,
        Gomoku, Hex and Othello); else OpenSpiel's own states are

    >>> import pyspiel
    >>> import rookery as rk
    >>> bots = [openspiel_bot("tic_tac_toe", rk.GameUCT(playouts=500)), pyspiel.make_uniform_random_bot(1, 7)]
    >>> pyspiel.evaluate_bots(pyspiel.load_game("tic_tac_toe").new_initial_state(), bots, 1)
    [1.0, -1.0]
    """
    GAME_SEARCH.check("search", search)
    whole("seed", seed, 0, MOST_SEED)
    spiel = load_spiel(game)
    twin = twin_of(spiel) if compiled else None
    if twin is None:
        twin = Twin(OpenSpielGame(game), lambda state, player, action: action)
    return _bot_class()(str(spiel), twin, search, seed)


@cache
def _bot_class() -> Any:
    """The class of bots; its base is OpenSpiel's."""

    class SearchBot(pyspiel().Bot):  # type: ignore[misc]
        """A search that is asked for the actions of games, each from its beginning."""

        def __init__(self, name: str, twin: Twin, search: GameSearch, seed: int) -> None:
            super().__init__()
            self._name, self._twin, self._search, self._seed = name, twin, search, seed
            self._sitting: Sitting | None = None
            self._begun = 0

        def restart(self) -> None:
            """Forget the game that was played."""
            self._sitting = None

        def restart_at(self, state: Any) -> None:
            """Forget the game that was played; the next one is looked at when a move is asked for."""
            self.restart()

        def step(self, state: Any) -> int:
            """The action to play in a position."""
            if self._sitting is None:
                self._sitting = Sitting(self._twin.game, self._search, mix_int(self._seed, self._begun))
                self._begun += 1
            sitting, number = self._sitting, self._twin.move
            played = [(one.player, one.action) for one in state.full_history()]
            legal = {number(state, state.current_player(), action): action for action in state.legal_actions()}
            if str(state.get_game()) == self._name:
                sitting.go_to(number(state, *one) for one in played)
            if set(sitting.legal) != set(legal):
                raise InputError(f"the bot plays {self._name} from its beginning, got a state of {state.get_game()}")
            return int(legal[sitting.think().move])

    return SearchBot
