"""A compiled problem seen as a PythonProblem: its own functions, interpreted. The oracle for the kernels."""

from __future__ import annotations

from itertools import count, takewhile
from typing import Any

import numpy as np

from rookery.compiler.constants import interpreted_constants, normalise
from rookery.compiler.hasher import functions_of
from rookery.compiler.layout import state_dtype
from rookery.game import Game, PythonGame
from rookery.kernels.memory import legal_width
from rookery.problem import Model, Problem, PythonProblem, Sense
from rookery.rng import Stream

LOOSE = ("makes", "needs", "undo", "makers", "clash")
"""The functions of a problem whose moves can be taken back."""


class _Interpreted:
    """The functions of a compiled problem or game as the Python that they are, on its records."""

    def __init__(self, of: Model) -> None:
        cls = type(of)
        self.of = of
        self._functions = functions_of(of)
        self._dtype = state_dtype(of)
        self._self = interpreted_constants(cls, normalise(cls.__name__, of.constants()))
        self._out = np.zeros(legal_width(of.limits()), np.int64)
        self._hashed = of.limits().codes == "hashed"

    def _call(self, name: str, *arguments: Any) -> Any:
        function = self._functions[name]
        assert function is not None
        with np.errstate(over="ignore"):
            return function(self._self, *arguments)

    def _listed(self, name: str, state: Any) -> list[int]:
        n = int(self._call(name, state, self._out))
        return [int(move) for move in self._out[:n]]

    def _drawn(self, name: str, stream: Stream, *arguments: Any) -> int:
        """What a function that draws from a stream returns."""
        rng = np.array(stream.words, np.uint64)
        value = int(self._call(name, *arguments, rng))
        stream.words = [int(word) for word in rng]
        return value

    def start(self) -> Any:
        state = np.zeros(1, self._dtype)[0]
        self._call("start", state)
        return state

    def copy(self, state: Any) -> Any:
        copied = np.zeros(1, self._dtype)
        copied[0] = state
        return copied[0]

    def moves(self, state: Any) -> list[int]:
        return self._listed("moves", state)

    def code(self, state: Any, move: int) -> int:
        code = int(self._call("code", state, move))
        return code % (1 << 64) if self._hashed else code

    def play(self, state: Any, move: int) -> None:
        self._call("play", state, move)


class Interpreted(_Interpreted, PythonProblem):
    """Runs the functions of a :class:`rookery.Problem` as the Python that they are.

    >>> import rookery as rk
    >>> rk.replay(Interpreted(rk.problems.LeftMove(depth=3)), [0, 1])
    (1.0, (1, 0))
    """

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem)
        self.sense: Sense = problem.sense  # type: ignore[misc]
        for name in ("bias", "biases", "begin_playout", "choose", "commute", "key", "estimate", *LOOSE):
            if self._functions[name] is not None:
                setattr(self, name, getattr(self, f"_{name}"))

    def score(self, state: Any) -> float:
        return float(self._call("score", state))

    def _bias(self, state: Any, move: int) -> float:
        return float(self._call("bias", state, move))

    def _biases(self, state: Any, move: int) -> tuple[float, ...]:
        return tuple(map(float, self._call("biases", state, move)))

    def _key(self, state: Any) -> int:
        return int(self._call("key", state)) % (1 << 64)

    def _estimate(self, state: Any) -> float:
        return float(self._call("estimate", state))

    def _begin_playout(self, state: Any) -> None:
        self._call("begin_playout", state)

    def _commute(self, a: int, b: int) -> bool:
        return bool(self._call("commute", a, b))

    def _makes(self, state: Any, move: int) -> int:
        return int(self._call("makes", state, move))

    def _needs(self, move: int) -> list[int]:
        return list(takewhile(lambda thing: thing >= 0, (int(self._call("needs", move, i)) for i in count())))

    def _undo(self, state: Any, move: int, made: int) -> None:
        self._call("undo", state, move, made)

    def _makers(self, state: Any, thing: int) -> list[int]:
        n = int(self._call("makers", state, thing, self._out))
        return [int(move) for move in self._out[:n]]

    def _clash(self, a: int, b: int) -> bool:
        return bool(self._call("clash", a, b))

    def _choose(self, state: Any, moves: list[int], stream: Stream) -> int:
        self._out[: len(moves)] = moves
        return self._drawn("choose", stream, state, self._out, len(moves))


class InterpretedGame(_Interpreted, PythonGame):
    """Runs the functions of a :class:`rookery.Game` as the Python that they are."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        for name in ("feature", "bias", "prior", "estimate"):
            if self._functions[name] is not None:
                setattr(self, name, getattr(self, f"_{name}"))

    def _feature(self, state: Any, move: int) -> int:
        return int(self._call("feature", state, move))

    def _bias(self, state: Any, move: int) -> float:
        return float(self._call("bias", state, move))

    def _prior(self, state: Any, move: int) -> float:
        return float(self._call("prior", state, move))

    def _estimate(self, state: Any) -> float:
        return float(self._call("estimate", state))

    def playout_moves(self, state: Any) -> list[int]:
        return self._listed("moves" if self._functions["playout_moves"] is None else "playout_moves", state)

    def player(self, state: Any) -> int:
        return int(self._call("player", state))

    def winner(self, state: Any) -> int:
        return int(self._call("winner", state))

    def key(self, state: Any) -> int:
        return int(self._call("key", state)) % (1 << 64)

    def sample(self, state: Any, stream: Stream) -> Any:
        """One of the moves that playouts choose from, at random; None when the game is over."""
        if self._functions["sample"] is None:
            return super().sample(state, stream)
        move = self._drawn("sample", stream, state)
        return None if move < 0 else move
