"""Phase three for games: every function at every position of a game, and whole searches."""

from __future__ import annotations

from typing import Any

from rookery.checking.compare import Prober, compiled
from rookery.checking.game.watch import OVER, GameWatch, View
from rookery.checking.report import Broken, Log
from rookery.checking.states import record_of
from rookery.control import Signal
from rookery.engine.game_worker import GameEngine
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.game import Game
from rookery.rng import Stream, root_key
from rookery.search.game_search import Decision
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA

PLAYOUTS = 100
SECONDS = 1.0
"""For each search in plain Python; what it has done by then is compared."""
SEARCHES: dict[str, type[GameUCT] | type[PPA]] = {"UCT": GameUCT, "PPA": PPA}


class GameProber(Prober[View]):
    """Compares what a position offers."""

    watch: GameWatch

    def same_look(self, state: Any, look: View, step: int) -> None:
        """Compare every function that leaves the state as it is, and the state."""
        calls, watch = self.calls, self.watch
        self.same("moves", "", look.moves, self.listed("moves"))
        for move, code in look.coded.items():
            self.same("code", f" of the move {move}", code, self.call("code", move))
        self.same("player", "", look.player, self.call("player"))
        if look.winner is not None:
            self.same("winner", "", look.winner, self.call("winner"))
        self.same("key", "", look.key, self.call("key"))
        if calls.has("playout_moves"):
            self.same("playout_moves", "", look.playout, self.listed("playout_moves"))
        if calls.has("sample"):
            stream = Stream(step)
            move, *words = self.drawn("sample", stream)
            drawn = watch.drawn(calls.copy(state), stream)
            self.same("sample", "", (drawn, *stream.words), (OVER if move < 0 else move, *words))
        self.same_state("", state)
        if calls.has("playout"):
            stream = Stream(step)
            ended = self.drawn("playout", stream)
            self.states[0] = record_of(state)
            self.same("playout", "", (watch.played_out(state, stream), *stream.words), ended)


def compare_searches(game: Game, engine: GameEngine, seed: int, log: Log) -> None:
    """Search for the first move with both."""
    worker, plain = engine.worker(), PythonGameEngine(InterpretedGame(game)).worker()
    for name, search in SEARCHES.items():
        try:
            slow = plain.decide(search(playouts=PLAYOUTS, seconds=SECONDS), (), root_key(seed), Signal())
        except Exception:  # what plain Python cannot do here, it could not do before: see narrow-arithmetic
            return
        assert slow is not None
        same = search(playouts=slow.playouts)
        fast = compiled(log, f"{name} compiled raises", worker.decide, same, (), root_key(seed))
        assert fast is not None
        if dict(fast.visits) != dict(slow.visits) or dict(fast.values) != dict(slow.values):
            log.add("compiled-differs", "", f"{name} {_words(fast)} compiled, {_words(slow)} interpreted")
            raise Broken


def _words(decision: Decision) -> str:
    visits = ", ".join(f"{move}: {n}" for move, n in list(decision.visits.items())[:8])
    return f"played {decision.move} after {decision.playouts} playouts ({visits}...)"
