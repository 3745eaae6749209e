"""A compiled game seen as a PythonGame: its own functions, interpreted. The oracle of the kernels."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.constants import normalise
from rookery.compiler.functions import method_of
from rookery.compiler.specialise import interpreted_constants
from rookery.compiler.workspace import legal_width
from rookery.game import Game, PythonGame
from rookery.problem import state_dtype
from rookery.rng import Stream


class InterpretedGame(PythonGame):
    """Runs the functions of a :class:`rookery.Game` as the Python that they are."""

    def __init__(self, game: Game) -> None:
        cls = type(game)
        self.of = game
        self._functions = {name: method_of(cls, name) for name in cls.PARAMETERS}
        self._dtype = state_dtype(game)
        self._self = interpreted_constants(cls, normalise(cls.__name__, game.constants()))
        self._out = np.zeros(legal_width(game.limits()), np.int64)

    def _call(self, name: str, *arguments: Any) -> Any:
        function = self._functions[name]
        assert function is not None
        with np.errstate(over="ignore"):
            return function(self._self, *arguments)

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

    def playout_moves(self, state: Any) -> list[int]:
        return self._listed("moves" if self._functions["playout_moves"] is None else "playout_moves", state)

    def _listed(self, name: str, state: Any) -> list[int]:
        n = int(self._call(name, state, self._out))
        return [int(move) for move in self._out[:n]]

    def code(self, state: Any, move: int) -> int:
        return int(self._call("code", state, move))

    def play(self, state: Any, move: int) -> None:
        self._call("play", state, move)

    def player(self, state: Any) -> int:
        return int(self._call("player", state))

    def winner(self, state: Any) -> int:
        return int(self._call("winner", state))

    def key(self, state: Any) -> int:
        return int(self._call("key", state)) % (1 << 64)

    def sample(self, state: Any, stream: Stream) -> Any:
        """A move at random of those that playouts choose from; None when the game is over."""
        if self._functions["sample"] is None:
            return super().sample(state, stream)
        rng = np.array(stream.words, np.uint64)
        move = int(self._call("sample", state, rng))
        stream.words = [int(word) for word in rng]
        return None if move < 0 else move
