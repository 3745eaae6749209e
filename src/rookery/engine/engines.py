"""The engine of a problem or a game: compiled, or in plain Python."""

from __future__ import annotations

from typing import Any, Literal, overload

from rookery.arguments import shown
from rookery.engine.compiled import CompiledEngine
from rookery.engine.game_worker import GameEngine
from rookery.engine.python_worker import PythonEngine, PythonGameEngine
from rookery.errors import ProblemError
from rookery.game import Game, PythonGame
from rookery.problem import Problem, PythonProblem

ProblemEngine = CompiledEngine | PythonEngine
EngineOfGame = GameEngine | PythonGameEngine

_ENGINES: dict[str, dict[type, Any]] = {
    "problem": {Problem: CompiledEngine, PythonProblem: PythonEngine},
    "game": {Game: GameEngine, PythonGame: PythonGameEngine},
}


@overload
def make_engine(model: Any, debug: bool = False, wanted: Literal["problem"] = "problem") -> ProblemEngine: ...


@overload
def make_engine(model: Any, debug: bool = False, *, wanted: Literal["game"]) -> EngineOfGame: ...


@overload
def make_engine(model: Any, debug: bool = False, *, wanted: None) -> Any: ...


def make_engine(model: Any, debug: bool = False, wanted: Literal["problem", "game"] | None = "problem") -> Any:
    """What makes workers for a problem or a game of either kind.

    With ``wanted`` None, for whichever it is, or for anything that makes its workers itself.

    >>> import rookery as rk
    >>> make_engine(rk.problems.LeftMove(depth=3), wanted="game")
    Traceback (most recent call last):
    rookery.errors.ProblemError: a game must be a Game or a PythonGame, got LeftMove(depth=3)
    """
    for word, engines in _ENGINES.items():
        for base, engine in engines.items() if wanted in (word, None) else ():
            if isinstance(model, base):
                return engine(model, debug)
    if wanted is None and hasattr(model, "worker"):
        return model
    word = wanted or "problem"
    names = " or a ".join(base.__name__ for base in _ENGINES[word])
    raise ProblemError(f"a {word} must be a {names}, got {shown(model)}")
