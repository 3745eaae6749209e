"""Searches for moves of a game in plain Python."""

from __future__ import annotations

import time
from typing import Any

from rookery.arguments import shown
from rookery.control import HALT, PLAYOUTS, Signal
from rookery.engine.python_worker import load_twin
from rookery.errors import InputError
from rookery.game import PythonGame
from rookery.reference.game_playout import GameRules
from rookery.reference.game_uct import Entry, Table
from rookery.rng import Stream
from rookery.search.game_search import Counts, Decision, GameSearch
from rookery.tasks import Moves


class PythonGameEngine:
    """Workers for a game whose state is a Python object."""

    def __init__(self, game: PythonGame, debug: bool = False) -> None:
        self.problem = game

    def worker(self) -> PythonGameWorker:
        """A worker of its own."""
        return PythonGameWorker(self.problem)


class _Budget:
    """Playouts and seconds of a search, and the signal that may stop it."""

    def __init__(self, search: GameSearch, signal: Signal, began: float) -> None:
        self._search, self._signal, self._began = search, signal, began

    def lasts(self) -> bool:
        """Whether one more playout may be played."""
        done, search = self._signal.playouts, self._search
        if self._signal.control[HALT] or (search.playouts is not None and done >= search.playouts):
            return False
        return search.seconds is None or done == 0 or time.perf_counter() - self._began < search.seconds

    def count(self) -> None:
        """One more was played."""
        self._signal.control[PLAYOUTS] += 1


class PythonGameWorker:
    """Searches for moves in plain Python; what a :class:`rookery.engine.game_worker.GameWorker` does on records."""

    def __init__(self, game: PythonGame) -> None:
        self._game = game
        self._rules = GameRules(game)
        self._table: Table = {}
        self._filled_by: GameSearch | None = None  # the search whose positions the table has
        self._partner: PythonGameWorker | None = None

    def partner(self) -> PythonGameWorker:
        """A second worker, always the same: for the other side of a game, with a table of its own."""
        if self._partner is None:
            self._partner = PythonGameWorker(self._game)
        return self._partner

    def warm(self, search: GameSearch) -> None:
        """Nothing to compile; a game without a move is refused, and a search without a twin."""
        load_twin(search.twin, search)
        if not self._rules.moves(self._rules.start()):
            raise InputError("the game is over after 0 moves")

    def forget(self) -> None:
        """Empty the table, as every search does unless it reuses what was found before."""
        self._table = {}
        self._filled_by = None

    def decide(self, search: GameSearch, moves: Moves, key: int, signal: Signal | None = None) -> Decision | None:
        """Search for a move after these moves; None if the signal stopped it."""
        began = time.perf_counter()
        signal = Signal() if signal is None else signal
        signal.control[PLAYOUTS] = 0
        root = self._state_after(moves)
        if not self._rules.moves(root):
            raise InputError(f"the game is over after {len(moves)} moves")
        if not search.reuses() or search != self._filled_by:
            self.forget()
        self._filled_by = search
        budget = _Budget(search, signal, began)
        memory = (self._rules_from(moves), root, self._table, Stream(key), budget)
        found: Entry = load_twin(search.twin, search)(*memory, **search.twin_parameters())
        if signal.control[HALT]:
            return None
        counts = Counts(found.moves, found.tries, found.wins, found.settled, found.proven)
        return search.decision(counts, signal.playouts, time.perf_counter() - began)

    def replay(self, moves: Moves) -> tuple[Moves, int, int | None]:
        """The legal moves after these moves, who is to move, and who has won if the game is over (-1: nobody)."""
        state = self._state_after(moves)
        legal = tuple(self._rules.moves(state))
        if legal:
            return legal, self._rules.player(state), None
        return legal, -1, self._rules.winner(state)

    def _rules_from(self, moves: Moves) -> GameRules:
        """The rules, for a search that begins after these moves."""
        of = getattr(self._game, "of", None)  # a compiled game, interpreted: its limits hold
        return GameRules(self._game, None if of is None else of.limits().length - len(moves), tuple(moves))

    def _state_after(self, moves: Moves) -> Any:
        state = self._rules.start()
        for ply, move in enumerate(moves):
            if move not in self._rules.moves(state):
                name = type(self._game).__name__
                raise InputError(f"move {ply + 1} must be legal in {name}, got {shown(move)}")
            state = self._rules.play(state, move)
        return state
