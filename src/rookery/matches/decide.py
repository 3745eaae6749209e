"""``decide``: one search for one move of a game."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from typing import Any

from rookery.arguments import whole
from rookery.control import Signal
from rookery.engine.engines import make_engine
from rookery.errors import ProblemError, RookeryWarning
from rookery.game import Game, PythonGame
from rookery.loading.kinds import GAME_SEARCH
from rookery.rng import root_key
from rookery.running.interrupts import Interrupts
from rookery.running.watched import Overstayed, Watched
from rookery.search.game_search import Decision, GameSearch

MOST_SEED = (1 << 64) - 1
GRACE = 0.5
"""Seconds that a search may overrun: it keeps its time itself."""


def decide(game: Game | PythonGame, search: GameSearch, moves: Iterable[Any] = (), seed: int = 1) -> Decision:
    """Search for a move of a game.

    Parameters
    ----------
    moves
        the moves played so far
    seed
        the same seed gives the same decision, unless the search is limited by time

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> decision = decide(Race(), rk.GameUCT(playouts=50), moves="ab")
    >>> decision.move, decision.value
    ('b', 1.0)
    """
    GAME_SEARCH.check("search", search)
    key = root_key(whole("seed", seed, 0, MOST_SEED))
    return ask(make_engine(game, wanted="game").worker(), game, search, tuple(moves), key)


def ask(worker: Any, game: Game | PythonGame, search: GameSearch, moves: tuple[Any, ...], key: int) -> Decision:
    """Have a worker search for a move, in a thread of its own: Ctrl-C is heard meanwhile, and a time limit is kept."""
    signal = Signal()
    with Interrupts() as interrupts, ExitStack() as stack:
        watched = Watched(worker, game, interrupts)
        stack.callback(watched.close)
        if search.seconds is not None:
            watched.seconds_left = partial(float, search.seconds + GRACE)
        try:
            with interrupts.compiling(isinstance(game, Game)):
                watched.warm(search)
            with interrupts.listening():
                decision = watched.decide(search, moves, key, signal)
        except Overstayed as overstayed:
            if not overstayed.asked:
                raise ProblemError(str(overstayed)) from None
            warnings.warn(str(overstayed), RookeryWarning, stacklevel=3)
            raise KeyboardInterrupt from None
        assert decision is not None  # nobody else can halt it
        return decision
