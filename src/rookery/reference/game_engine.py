"""Searches for moves of a game in plain Python."""

from __future__ import annotations

import time
from typing import Any

from rookery.compiler.buffers import HALT, PLAYOUTS
from rookery.decision import Decision
from rookery.errors import InputError
from rookery.game import PythonGame
from rookery.reference.game_rules import GameRules
from rookery.reference.game_uct import Entry, Following, Table, flat, search
from rookery.rng import Stream
from rookery.search.flat import FlatMC
from rookery.search.game_uct import GameUCT
from rookery.search.parameters import shown
from rookery.search.ppa import PPA
from rookery.tasks import Moves, Signal


class PythonGameEngine:
    """Workers for a game whose state is a Python object."""

    def __init__(self, game: PythonGame) -> None:
        self.game = game

    def worker(self) -> PythonGameWorker:
        """A worker of its own."""
        return PythonGameWorker(self.game)


class _Budget:
    """Playouts and seconds of a search, and the signal that may stop it."""

    def __init__(self, search: GameUCT | PPA | FlatMC, signal: Signal, began: float) -> None:
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
    """Searches for moves in plain Python; what a :class:`rookery.compiler.gameworker.GameWorker` does on records."""

    def __init__(self, game: PythonGame) -> None:
        self._game = game
        self._rules = GameRules(game)
        self._table: Table = {}
        self._filled_by: GameUCT | PPA | None = None  # the search whose positions the table has

    def warm(self, search: GameUCT | PPA | FlatMC) -> None:
        """Nothing to compile; a game without a move is refused."""
        if not self._rules.moves(self._rules.start()):
            raise InputError("the game is over after 0 moves")

    def forget(self) -> None:
        """Empty the table, as every search does unless it reuses what was found before."""
        self._table = {}
        self._filled_by = None

    def decide(
        self, search: GameUCT | PPA | FlatMC, moves: Moves, key: int, signal: Signal | None = None
    ) -> Decision | None:
        """Search for a move after these moves; None if the signal stopped it."""
        began = time.perf_counter()
        signal = Signal() if signal is None else signal
        signal.control[PLAYOUTS] = 0
        root = self._state_after(moves)
        legal = self._rules.moves(root)
        if not legal:
            raise InputError(f"the game is over after {len(moves)} moves")
        rules = self._rules_from(moves)
        budget = _Budget(search, signal, began)
        if isinstance(search, FlatMC):
            tries, wins = flat(rules, root, legal, Stream(key), budget)
            settled, proven = [0] * len(legal), 0
            means = [w / t if t else None for w, t in zip(wins, tries, strict=True)]
            best = max(range(len(legal)), key=lambda i: wins[i] / tries[i] if tries[i] else -1.0)
        else:
            tries, wins, settled, proven = self._tree(search, rules, root, key, budget)
            means = [w / t if t else None for w, t in zip(wins, tries, strict=True)]
            best = max(range(len(legal)), key=lambda i: (settled[i], tries[i]))
        if signal.control[HALT]:
            return None
        return Decision(
            move=legal[best],
            visits=dict(zip(legal, tries, strict=True)),
            values=dict(zip(legal, means, strict=True)),
            playouts=signal.playouts,
            seconds=time.perf_counter() - began,
            proven=None if proven == 0 else "win" if proven > 0 else "loss",
        )

    def _tree(
        self, how: GameUCT | PPA, rules: GameRules, root: Any, key: int, budget: _Budget
    ) -> tuple[list[int], list[float], list[int], int]:
        if not how.reuse or how != self._filled_by:
            self.forget()
        self._filled_by = how
        alpha = how.alpha if isinstance(how, PPA) else None
        search(rules, root, self._table, Following(how.c, how.unvisited, how.solver), alpha, Stream(key), budget)
        entry = self._table.get(rules.key(root, ())) or Entry(rules.moves(root))  # it was stopped at once
        return entry.tries, entry.wins, entry.settled, entry.proven

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
