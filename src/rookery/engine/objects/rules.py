"""The functions of a PythonProblem, bound once; the checked rules say what is wrong with their answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from copy import copy
from typing import Any

from numba.core.errors import TypingError

from rookery.control import INFEASIBLE_SCORE
from rookery.engine.objects.copying import deep_copy
from rookery.engine.objects.draws import Draws
from rookery.errors import ProblemError
from rookery.problem import PythonProblem
from rookery.reference.playout import Rules
from rookery.rng import exp_float
from rookery.user_code import place_of, place_of_return

MOST_FACTORS = 1 << 16
"""How many values of ``exp(bias)`` are remembered."""


class BoundRules:
    """A problem seen as a tree: scores to be maximised, optional functions filled in.

    Loops that run at every move call ``moves_of``, ``code_of`` (None: a move is its own code), ``bias_of`` and
    ``play_of``, which are the user's own functions.
    """

    def __init__(self, problem: PythonProblem) -> None:
        self.problem = problem
        self.moves_of = problem.moves
        self.play_of = problem.play
        self._score_of = problem.score
        self.copy = deep_copy if _is_default(problem.copy, PythonProblem.copy) else problem.copy
        self.code_of = None if _is_default(problem.code, PythonProblem.code) else problem.code
        self.bias_of = getattr(problem, "bias", None)
        self._checked = Rules(problem)
        self.learns = False
        self.choose_of = getattr(problem, "choose", None)
        self._begin_of = getattr(problem, "begin_playout", None)
        self._commute_of = getattr(problem, "commute", None)
        self._sign = -1.0 if problem.sense == "min" else 1.0
        self._scale = 1.0
        self._factors: dict[float, float] = {}

    def scaled(self, bias_scale: float, learn_bias: bool = False) -> BoundRules:
        """The same rules with biases multiplied by a number, or by weights that are learned."""
        if (bias_scale, learn_bias) == (self._scale, self.learns):
            return self
        made = copy(self)
        made._scale, made._factors, made.learns = bias_scale, {}, learn_bias
        return made

    def biases(self, state: Any, moves: list[Any]) -> list[tuple[float, ...]]:
        """Each of the biases of moves."""
        return [self._checked.biases(state, move, True) for move in moves]

    def listed(self, moves: Any, state: Any) -> list[Any]:
        """What ``moves_of`` returned for a state, as a list."""
        if not isinstance(moves, (set, frozenset)):
            try:
                return list(moves)
            except TypeError:
                pass
        return Rules(self.problem).moves(state)  # says what is wrong

    def moves(self, state: Any) -> list[Any]:
        """The legal moves, in a list of their own."""
        return self.listed(self.moves_of(state), state)

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        after = self.play_of(state, move)
        return state if after is None else after

    def code(self, state: Any, move: Any) -> Hashable:
        """The code of a move."""
        return self.codes(state, [move])[0]

    def codes(self, state: Any, moves: list[Any]) -> list[Hashable]:
        """The codes of moves, each of which can be hashed."""
        code_of = self.code_of
        codes = list(moves) if code_of is None else [code_of(state, move) for move in moves]
        try:
            hash(tuple(codes))
        except TypeError:
            self.refuse_codes(state, moves)
            raise
        return codes

    def refuse_codes(self, state: Any, moves: list[Any]) -> None:
        """Raise the error of a code that cannot be hashed, or of the function that should have returned it."""
        checked = Rules(self.problem)
        for move in moves:
            checked.code(state, move)

    def value(self, state: Any) -> float:
        """The score, to be maximised."""
        returned = self._score_of(state)
        try:
            score = float(returned)
        except (TypeError, ValueError):
            score = math.nan
        if math.isfinite(score):
            return self._sign * score
        return INFEASIBLE_SCORE if math.isinf(score) else Rules(self.problem).value(state)

    def factors(self, state: Any, moves: list[Any]) -> list[float]:
        """``exp(bias)`` of moves, or ``exp(scale * bias)``."""
        bias_of = self.bias_of
        if bias_of is None:
            return [1.0] * len(moves)
        known = self._factors
        biases = [float(bias_of(state, move)) for move in moves]
        try:
            return [known[bias] for bias in biases]
        except KeyError:
            if len(known) > MOST_FACTORS:
                known.clear()
            scale = self._scale
            known.update({bias: exp_float(scale * bias) for bias in biases if bias not in known})
            return [known[bias] for bias in biases]

    def begin_playout(self, state: Any) -> Any:
        """Prepare a state for a playout."""
        after = None if self._begin_of is None else self._begin_of(state)
        return state if after is None else after

    def commute(self, a: Any, b: Any) -> bool:
        """Whether two moves commute: their order does not matter."""
        return self._commute_of is not None and bool(self._commute_of(a, b))

    def chosen(self, state: Any, moves: list[Any], draws: Draws) -> int:
        """The index of the next move by the problem's own ``choose``."""
        assert self.choose_of is not None
        before = draws.mark()
        try:
            index = int(self.choose_of(state, moves, draws))
        except (TypingError, TypeError) as error:
            if not isinstance(error, TypingError) and "'Draws' object" not in str(error):
                raise
            advice = "a PythonProblem draws with rng.below(n) and rng.uniform()"
            place = place_of(self.problem, "choose")
            raise ProblemError(place.says("calls a compiled function with rng", advice)) from None
        if not 0 <= index < len(moves):
            draws.rewind(before)
            place = place_of_return(self.problem, self.choose_of, state, moves, draws)
            reason = f"returned {index}, which is not an index of the {len(moves)} legal moves"
            raise ProblemError(place.says(reason, "return a whole number: rng.below(len(moves))"))
        return index


def _is_default(method: Callable[..., Any], default: Callable[..., Any]) -> bool:
    return getattr(method, "__func__", None) is default
