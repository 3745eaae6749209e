"""Faults in compiled code: replayed interpreted to find the line.

Compiled code knows no lines. What it leaves behind is enough: the state that the playout began from, and the
moves that it had chosen, with those of older playouts behind them. The same calls in the same order reach the
same fault, and Python knows where that is.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.compiler.constants import interpreted_constants, normalise
from rookery.compiler.hasher import functions_of
from rookery.compiler.layout import state_dtype
from rookery.kernels.memory import legal_width, poisoned
from rookery.problem import Model
from rookery.user_code import Place, place_of, place_of_error, place_of_return


@dataclass(frozen=True)
class Fault:
    """What went wrong, and where: the exception that was raised, or the value that breaks a promise."""

    place: Place
    error: Exception | None = None
    value: Any = None


class Found(Exception):
    """Ends a rerun: the fault."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault.place))
        self.fault = fault


class Rerun:
    """The functions of a problem, interpreted, each call checked.

    Parameters
    ----------
    divide
        whether a division by zero is an exception, as it is in compiled functions
    """

    def __init__(self, problem: Model, divide: bool = False) -> None:
        cls = type(problem)
        self._problem = problem
        self._limits = problem.limits()
        self._dtype = state_dtype(problem)
        self._functions = functions_of(problem)
        self._self = interpreted_constants(cls, normalise(cls.__name__, problem.constants()))
        self._out = poisoned(np.zeros(legal_width(self._limits), np.int64))
        self._errors: Any = {"over": "ignore", "divide": "raise" if divide else "warn"}

    def replay(self, moves: Sequence[int]) -> Fault | None:
        """The fault of playing moves from the start, and scoring what they lead to."""
        try:
            state = self._new()
            self._call("start", state)
            for ply, move in enumerate(moves):
                self._legal(state, ply, listed=True)
                self._call("play", state, int(move))
            self._legal(state, len(moves), listed=True)
            self._score(state)
        except Found as found:
            return found.fault
        return None

    def playout(
        self, root: Any, moves: Iterable[int], ply: int, rule: str | None, rng: npt.NDArray[np.uint64]
    ) -> Fault | None:
        """The fault of a playout from step ``ply``: by ``"weights"``, or a rule; ``choose`` draws from ``rng``."""
        try:
            self._playout(self._copy(root), moves, ply, rule, rng.copy())
        except Found as found:
            return found.fault
        return None

    def below(
        self,
        root: Any,
        moves: npt.NDArray[np.int64],
        ply: int,
        leaf: int,
        rule: str | None,
        rng: npt.NDArray[np.uint64],
    ) -> Fault | None:
        """The fault of a line that is in a tree from step ``ply`` to step ``leaf``, and a playout from there on."""
        try:
            state = self._copy(root)
            for step in range(ply, leaf):
                self._legal(state, step, listed=True)
                self._call("play", state, int(moves[step - ply]))
            if not self._legal(state, leaf, listed=True):
                self._score(state)
            self._playout(state, moves[leaf - ply :], leaf, rule, rng.copy())
        except Found as found:
            return found.fault
        return None

    def children(
        self, node: Any, moves: Iterable[int], ply: int, rule: str | None, rng: npt.NDArray[np.uint64]
    ) -> Fault | None:
        """The fault of a node of NMCS at step ``ply``: its moves, and the playout behind each of them."""
        try:
            rest = list(moves)[1:]
            legal = self._legal(node, ply, listed=True)
            if not legal:
                self._score(node)
            for move in legal:
                child = self._copy(node)
                self._call("play", child, move)
                self._playout(child, rest, ply + 1, rule, rng.copy())
        except Found as found:
            return found.fault
        return None

    def estimates(self, node: Any, ply: int) -> Fault | None:
        """The fault of a state of beam search at step ``ply``: of its moves, and of the states behind them."""
        try:
            for move in self._legal(node, ply):
                child = self._copy(node)
                self._call("play", child, move)
                if not self._legal(child, ply + 1):
                    self._score(child)
                    continue
                if math.isnan(estimate := float(self._call("estimate", child))):
                    raise self._broken("estimate", estimate, child)
                if self._functions["key"] is not None:
                    self._call("key", child)
        except Found as found:
            return found.fault
        return None

    def _playout(self, state: Any, moves: Iterable[int], ply: int, rule: str | None, rng: Any) -> None:
        if self._functions["begin_playout"] is not None:
            self._call("begin_playout", state)
        for move in map(int, moves):
            legal = self._legal(state, ply)
            if rule == "weights":
                for other in legal:
                    self._code(state, other)
            elif rule == "mobility":
                for other in legal:
                    tried = self._copy(state)
                    self._call("play", tried, other)
                    self._legal(tried, 0)
            elif legal and rule != "uniform" and self._functions["choose"] is not None:
                self._choose(state, legal, rng)
            if move not in legal:
                break  # from an older playout: this one ended here
            self._call("play", state, move)
            ply += 1
        if not self._legal(state, ply):
            self._score(state)

    # --- calls ---

    def _new(self) -> Any:
        return np.zeros(1, self._dtype)[0]

    def _copy(self, state: Any) -> Any:
        copied = np.zeros(1, self._dtype)
        copied[0] = state
        return copied[0]

    def _call(self, name: str, *arguments: Any) -> Any:
        function = self._functions[name]
        assert function is not None
        try:
            with np.errstate(**self._errors):
                return function(self._self, *arguments)
        except Exception as error:
            place = place_of_error(self._problem, error) or place_of(self._problem, name)
            raise Found(Fault(place, error)) from error

    def _broken(self, name: str, value: Any, *arguments: Any) -> Found:
        function = self._functions[name]
        assert function is not None
        with np.errstate(**self._errors):
            return Found(Fault(place_of_return(self._problem, function, self._self, *arguments), None, value))

    def _legal(self, state: Any, ply: int, listed: bool = False) -> list[int]:
        """The legal moves; as playouts read them, unless ``listed``."""
        in_state = not listed and self._functions["count"] is not None
        name, arguments = ("count", (state,)) if in_state else ("moves", (state, self._out))
        n = int(self._call(name, *arguments))
        if not 0 <= n <= self._limits.moves or (n > 0 and ply >= self._limits.length):
            raise self._broken(name, n, *arguments)
        return [int(self._call("nth", state, i)) for i in range(n)] if in_state else self._out[:n].tolist()

    def _code(self, state: Any, move: int) -> None:
        code = int(self._call("code", state, move))
        if self._limits.codes != "hashed" and not 0 <= code < self._limits.codes:
            raise self._broken("code", code, state, move)
        for name in ("bias", "biases"):
            if self._functions.get(name) is not None:
                self._call(name, state, move)
        if self._functions.get("is_legal") is not None:
            self._call("is_legal", state, move)
        if self._functions.get("needs") is not None:
            self._call("makes", state, move)
            self._call("needs", move, 0)

    def _choose(self, state: Any, legal: list[int], rng: Any) -> None:
        self._out[: len(legal)] = legal
        before = rng.copy()
        index = int(self._call("choose", state, self._out, len(legal), rng))
        if not 0 <= index < len(legal):
            raise self._broken("choose", index, state, self._out, len(legal), before)

    def _score(self, state: Any) -> None:
        score = float(self._call("score", state))
        if math.isnan(score):
            raise self._broken("score", score, state)


class GameRerun(Rerun):
    """The functions of a game, interpreted, each call checked."""

    def replay(self, moves: Sequence[int]) -> Fault | None:
        """The fault of playing moves from the start of the game."""
        try:
            state = self._new()
            self._call("start", state)
        except Found as found:
            return found.fault
        return self.game(state, moves, 0)

    def game(
        self, root: Any, moves: Iterable[int], ply: int, rng: npt.NDArray[np.uint64] | None = None
    ) -> Fault | None:
        """The fault of playing moves from a position that is ``ply`` moves from the start.

        The last of them may come from an older playout. With a stream, the game's own playout is tried before it.
        """
        sequence = [int(move) for move in moves]
        try:
            state = self._copy(root)
            for i, move in enumerate(sequence):
                if i == len(sequence) - 1 and rng is not None and self._functions["playout"] is not None:
                    self._own_playout(state, rng)
                if move not in self._look(state, ply):
                    break  # from an older playout: this one ended here
                self._call("play", state, move)
                ply += 1
            self._look(state, ply)
        except Found as found:
            return found.fault
        return None

    def _own_playout(self, state: Any, rng: npt.NDArray[np.uint64]) -> None:
        won = int(self._call("playout", self._copy(state), rng.copy()))
        if won not in (-1, 0, 1):
            raise self._broken("playout", won, self._copy(state), rng.copy())

    def _look(self, state: Any, ply: int) -> list[int]:
        """Call whatever a search may call on a position; its legal moves."""
        self._call("key", state)
        legal = self._legal(state, ply, listed=True)
        if not legal:
            self._whole("winner", (-1, 0, 1), state)
            return legal
        self._whole("player", (0, 1), state)
        for move in legal:
            if move < 0:
                raise self._broken("moves", move, state, self._out)
        if self._functions["playout_moves"] is not None:
            n = int(self._call("playout_moves", state, self._out))
            if not 0 <= n <= self._limits.moves:
                raise self._broken("playout_moves", n, state, self._out)
        for move in legal:
            self._code(state, move)
            self._optional(state, move)
        if self._functions["estimate"] is not None:
            estimate = float(self._call("estimate", state))
            if not 0 <= estimate <= 1:
                raise self._broken("estimate", estimate, state)
        return legal

    def _optional(self, state: Any, move: int) -> None:
        """Call what a game may say about a move."""
        if self._functions["feature"] is not None:
            feature = int(self._call("feature", state, move))
            if not 0 <= feature < self._limits.features:
                raise self._broken("feature", feature, state, move)
        for name, least in (("bias", -math.inf), ("prior", 0.0)):
            if self._functions[name] is not None:
                value = float(self._call(name, state, move))
                if not (math.isfinite(value) and value >= least):
                    raise self._broken(name, value, state, move)

    def _whole(self, name: str, allowed: tuple[int, ...], state: Any) -> None:
        value = int(self._call(name, state))
        if value not in allowed:
            raise self._broken(name, value, state)
