"""``decide``: one search for one move of a game."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from rookery.arguments import whole
from rookery.control import Signal
from rookery.engine.engines import make_engine
from rookery.game import Game, PythonGame
from rookery.loading.kinds import GAME_SEARCH
from rookery.rng import root_key
from rookery.running.driver import TICK
from rookery.running.interrupts import Interrupts
from rookery.search.game_search import Decision, GameSearch

MOST_SEED = (1 << 64) - 1


def decide(game: Game | PythonGame, search: GameSearch, moves: Iterable[Any] = (), seed: int = 1) -> Decision:
    """Search for a move of a game.

    Parameters
    ----------
    moves
        played so far
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
    played, signal = tuple(moves), Signal()
    with Interrupts() as interrupts:
        with interrupts.compiling(isinstance(game, Game)):
            worker = make_engine(game, wanted="game").worker()
            worker.warm(search)
        interrupts.hold()
        with ThreadPoolExecutor(1) as pool:
            future = pool.submit(worker.decide, search, played, key, signal)
            try:
                with interrupts.listening():
                    while not future.done():
                        wait([future], TICK)
            except KeyboardInterrupt:
                interrupts.answer()
                signal.halt()
                raise
        decision = future.result()
        assert decision is not None  # nobody else can halt it
        return decision
