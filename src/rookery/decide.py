"""``decide``: one search for one move of a game."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor, wait
from typing import Any

from rookery.compiler.gameworker import GameEngine, GameWorker
from rookery.decision import Decision
from rookery.errors import InputError, ProblemError
from rookery.game import Game, PythonGame
from rookery.game_searches import GAME_SEARCHES, GameSearch
from rookery.interrupts import Interrupts
from rookery.reference.game_engine import PythonGameEngine, PythonGameWorker
from rookery.rng import root_key
from rookery.search.parameters import shown, whole
from rookery.tasks import Signal

Engine = GameEngine | PythonGameEngine
Player = GameWorker | PythonGameWorker

MOST_SEED = (1 << 64) - 1
TICK = 0.1
"""Seconds that one waits at most before Ctrl-C is heard: not everywhere does it end a wait."""


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
    check_search("search", search)
    key = root_key(whole("seed", seed, 0, MOST_SEED))
    played, signal = tuple(moves), Signal()
    with Interrupts() as interrupts:
        interrupts.listen()
        interrupts.hold()  # a compiler that was interrupted may crash the next time that it is used
        worker = make_game_engine(game).worker()
        worker.warm(search)
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


def make_game_engine(game: Any) -> Engine:
    """What makes workers for a game of either kind."""
    if isinstance(game, Game):
        return GameEngine(game)
    if isinstance(game, PythonGame):
        return PythonGameEngine(game)
    raise ProblemError(f"a game must be a Game or a PythonGame, got {shown(game)}")


def check_search(name: str, search: Any) -> None:
    """Refuse what is no search for a move."""
    if not isinstance(search, tuple(GAME_SEARCHES.values())):
        raise InputError(f"{name} must be a search for games, PPA, GameUCT or FlatMC, got {shown(search)}")
