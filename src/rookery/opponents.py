"""Two searches that play games against each other, on one thread."""

from __future__ import annotations

from typing import Any

from rookery.compiler.buffers import HALT
from rookery.decide import Engine
from rookery.game_searches import GameSearch
from rookery.match_record import winner_by_side
from rookery.match_result import PlayedGame, side_that_begins
from rookery.rng import mix_int
from rookery.tasks import Signal


class Opponents:
    """The two sides of a match, with memory of their own; ``signal`` halts the game that they play.

    A side that reuses its tree keeps it during a game, not beyond: what it finds in a game depends on nothing else.
    """

    def __init__(self, engine: Engine, a: GameSearch, b: GameSearch) -> None:
        reuse = any(getattr(search, "reuse", False) for search in (a, b))
        self._searches = {"a": a, "b": b}
        self._workers = {"a": (worker := engine.worker()), "b": engine.worker() if reuse else worker}
        self.signal = Signal()

    def play(self, number: int, key: int) -> PlayedGame | None:
        """Play a game of a match; None if it was halted. The search at each ply has a key of its own."""
        for worker in self._workers.values():
            worker.forget()
        first = side_that_begins(number)
        sides = (first, "b" if first == "a" else "a")
        moves: tuple[Any, ...] = ()
        playouts = 0
        _, player, winner = self._workers["a"].replay(moves)
        while winner is None and not self.signal.control[HALT]:
            side = sides[player]
            decision = self._workers[side].decide(self._searches[side], moves, mix_int(key, len(moves)), self.signal)
            if decision is None:
                return None
            moves = (*moves, decision.move)
            playouts += decision.playouts
            _, player, winner = self._workers["a"].replay(moves)
        if winner is None:
            return None
        return PlayedGame(number, winner_by_side(number, winner), moves, playouts)
