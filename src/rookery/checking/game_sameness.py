"""Phase three, last part: whole searches, compiled as users run them, against the same in plain Python."""

from __future__ import annotations

from rookery.checking.game_catalogue import GameLog
from rookery.compiler.gameworker import GameEngine
from rookery.decision import Decision
from rookery.errors import CompileError
from rookery.game import Game
from rookery.reference.game_engine import PythonGameEngine
from rookery.reference.interpreted_game import InterpretedGame
from rookery.rng import root_key
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA
from rookery.tasks import Signal

PLAYOUTS = 100
SECONDS = 1.0
"""For each search in plain Python; what it has done by then is compared."""
SEARCHES: dict[str, type[GameUCT] | type[PPA]] = {"UCT": GameUCT, "PPA": PPA}


def compare_game_searches(game: Game, engine: GameEngine, seed: int, log: GameLog) -> bool:
    """Search for the first move with both; whether all was well."""
    worker, plain = engine.worker(), PythonGameEngine(InterpretedGame(game)).worker()
    for name, search in SEARCHES.items():
        try:
            slow = plain.decide(search(playouts=PLAYOUTS, seconds=SECONDS), (), root_key(seed), Signal())
        except Exception:  # what plain Python cannot do here, it could not do before: see narrow-arithmetic
            return True
        assert slow is not None
        try:
            fast = worker.decide(search(playouts=slow.playouts), (), root_key(seed))
        except CompileError as error:
            log.add("compile-error", "", str(error))
            return False
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            log.add("compiled-exception", "", f"{name} compiled raises {text}")
            return False
        assert fast is not None
        if dict(fast.visits) != dict(slow.visits) or dict(fast.values) != dict(slow.values):
            log.add("compiled-differs", "", f"{name} {_words(fast)} compiled, {_words(slow)} interpreted")
            return False
    return True


def _words(decision: Decision) -> str:
    visits = ", ".join(f"{move}: {n}" for move, n in list(decision.visits.items())[:8])
    return f"played {decision.move} after {decision.playouts} playouts ({visits}...)"
