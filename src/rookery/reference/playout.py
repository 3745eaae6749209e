"""Playouts in plain Python, what a task may spend on them, and the search that is nothing but playouts."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from numba.core.errors import TypingError

from rookery.control import BUDGET, HALT, HALT_TARGET, INFEASIBLE_SCORE, PLAYOUTS, Signal
from rookery.errors import ProblemError
from rookery.problem import PythonProblem
from rookery.reference.weighing import PLAIN, Biases, Policy, Weighing
from rookery.rng import Stream, exp_float, mix_int
from rookery.user_code import place_of, place_of_return


@dataclass
class Line:
    """A finished playout: its moves and their codes, and the codes (and factors of the bias) that were legal.

    There is a list of legal codes for each step; in layers, one for each layer, which has ``sizes`` moves. ``biases``
    are of the legal moves, and ``taken`` of those that were played.
    """

    score: float
    moves: list[Any]
    codes: list[Hashable] = field(default_factory=list)
    legal: list[list[Hashable]] = field(default_factory=list)
    factors: list[list[float]] = field(default_factory=list)
    sizes: list[int] | None = None
    biases: list[list[Biases]] = field(default_factory=list)
    taken: list[Biases] = field(default_factory=list)


def not_a_list(moves: Any) -> tuple[str, str]:
    """What is wrong with moves that are not a list, and what to do about it.

    >>> not_a_list(frozenset())
    ('returned a set, whose order no seed controls', 'return a list of moves, as sorted(...) does')
    """
    if isinstance(moves, (set, frozenset)):
        return "returned a set, whose order no seed controls", "return a list of moves, as sorted(...) does"
    return f"returned {moves!r}", "return a list of moves, empty at the end"


class Monitor:
    """Counts the playouts of a task, notes improvements, says when to stop."""

    def __init__(self, signal: Signal, budget: int, target: float) -> None:
        self.control = signal.control
        self.control[PLAYOUTS] = 0
        self.control[BUDGET] = budget
        self.target = target
        self.best = -math.inf
        self.improvements: list[tuple[int, float]] = []

    def may_begin(self) -> bool:
        """Whether one more playout may be played."""
        return not self.halted() and bool(self.control[PLAYOUTS] < self.control[BUDGET])

    def halted(self) -> bool:
        """Whether the task must return."""
        return bool(self.control[HALT] != 0)

    def count(self) -> int:
        """Playouts so far."""
        return int(self.control[PLAYOUTS])

    def finish(self, score: float) -> None:
        """Count a finished playout."""
        self.control[PLAYOUTS] += 1
        if score > self.best:
            self.best = score
            self.improvements.append((int(self.control[PLAYOUTS]), score))
            if score >= self.target:
                self.control[HALT] = HALT_TARGET


class Rules:
    """A problem seen as a tree: scores to be maximised, optional functions filled in."""

    def __init__(self, problem: PythonProblem) -> None:
        self.problem = problem
        self._loose: Any = problem  # asked for optional functions only if it has them
        self._sign = -1.0 if problem.sense == "min" else 1.0
        self._bias = getattr(problem, "bias", None)
        self.biased = self._bias is not None
        self._biases = getattr(problem, "biases", None)
        self._number_of_biases = 0
        self._begin = getattr(problem, "begin_playout", None)
        self._choose = getattr(problem, "choose", None)
        self._commute = getattr(problem, "commute", None)
        self.commutes = self._commute is not None
        self._estimate, self._key = getattr(problem, "estimate", None), getattr(problem, "key", None)
        self.loose = all(hasattr(problem, name) for name in ("makes", "needs", "undo"))
        self.swaps = all(hasattr(problem, name) for name in ("makers", "clash"))

    def copy(self, state: Any) -> Any:
        """A copy to play on."""
        return self.problem.copy(state)

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        after = self.problem.play(state, move)
        return state if after is None else after

    def moves(self, state: Any) -> list[Any]:
        """The legal moves."""
        moves = self.problem.moves(state)
        try:
            if isinstance(moves, (set, frozenset)):
                raise TypeError
            return list(moves)
        except TypeError:
            raise self._broken(*not_a_list(moves), self.problem.moves, state) from None

    def named(self, state: Any, move: Any) -> Hashable:
        """The move itself, used as its name."""
        try:
            hash(move)
        except TypeError:
            reason, advice = f"lists {move!r}, which cannot be hashed", 'use tuples as moves, or key="code"'
            raise self._broken(reason, advice, self.problem.moves, state) from None
        named: Hashable = move
        return named

    def code(self, state: Any, move: Any) -> Hashable:
        """The code of a move."""
        code = self.problem.code(state, move)
        try:
            hash(code)
        except TypeError:
            raise self._broken(
                f"returned {code!r}, which cannot be hashed",
                "return a tuple or a number",
                self.problem.code,
                state,
                move,
            ) from None
        return code

    def value(self, state: Any) -> float:
        """The score, to be maximised."""
        return self._maximised("a score", self.problem.score, state)

    def estimate(self, state: Any) -> float:
        """How good the problem thinks that a state is, to be maximised."""
        return self._maximised("an estimate", self._estimate, state)

    def _maximised(self, name: str, function: Any, state: Any) -> float:
        returned = function(state)
        try:
            score = float(returned)
        except (TypeError, ValueError):
            score = math.nan
        if math.isnan(score):
            advice = f"{name} must be a number, or rk.INFEASIBLE"
            raise self._broken(f"returned {returned!r}", advice, function, state) from None
        return INFEASIBLE_SCORE if math.isinf(score) else self._sign * score

    def key(self, state: Any) -> Hashable | None:
        """What is equal for states that are the same; None if the problem does not say."""
        if self._key is None:
            return None
        key: Hashable = self._key(state)
        try:
            hash(key)
        except TypeError:
            reason = f"returned {key!r}, which cannot be hashed"
            raise self._broken(reason, "return a tuple or a number", self._key, state) from None
        return key

    def factor(self, state: Any, move: Any) -> float:
        """``exp(bias)``."""
        return 1.0 if self._bias is None else exp_float(float(self._bias(state, move)))

    def biases(self, state: Any, move: Any, each: bool) -> Biases:
        """The bias of a move, if there is one; or each of several."""
        if self._bias is None:
            return ()
        if not each or self._biases is None:
            return (float(self._bias(state, move)),)
        found = tuple(map(float, self._biases(state, move)))
        self._number_of_biases = self._number_of_biases or len(found)
        if len(found) != self._number_of_biases:
            reason = f"returned {len(found)} biases after {self._number_of_biases} for another move"
            raise self._broken(reason, "return as many for every move", self._biases, state, move)
        return found

    def begin_playout(self, state: Any) -> Any:
        """Prepare a state for a playout."""
        if self._begin is None:
            return state
        after = self._begin(state)
        return state if after is None else after

    def commute(self, a: Any, b: Any) -> bool:
        """Whether two moves commute: their order does not matter."""
        return self._commute is not None and bool(self._commute(a, b))

    def makes(self, state: Any, move: Any) -> Hashable:
        """What a move makes."""
        made: Hashable = self._loose.makes(state, move)
        return made

    def needs(self, move: Any) -> list[Hashable]:
        """What a move needs."""
        return list(self._loose.needs(move))

    def undo(self, state: Any, move: Any, made: Hashable) -> Any:
        """The state without a move."""
        before = self._loose.undo(state, move, made)
        return state if before is None else before

    def makers(self, state: Any, thing: Hashable) -> list[Any]:
        """The moves that make a thing, whose other needs are there."""
        return list(self._loose.makers(state, thing))

    def arranged(self, state: Any, moves: list[Any]) -> Any:
        """The same state, reached by these moves."""
        return state

    def clash(self, a: Any, b: Any) -> bool:
        """Whether two moves cannot both be in a line."""
        return bool(self._loose.clash(a, b))

    def choose(self, state: Any, moves: list[Any], stream: Stream) -> int:
        """The index of the next move of a random playout."""
        if self._choose is None:
            return stream.below(len(moves))
        before = list(stream.words)
        try:
            index = int(self._choose(state, moves, stream))
        except (TypingError, TypeError) as error:
            if not isinstance(error, TypingError) and "'Stream' object" not in str(error):
                raise
            advice = "a PythonProblem draws with rng.below(n) and rng.uniform()"
            place = place_of(self.problem, "choose")
            raise ProblemError(place.says("calls a compiled function with rng", advice)) from None
        if not 0 <= index < len(moves):
            stream.words = before
            reason = f"returned {index}, which is not an index of the {len(moves)} legal moves"
            raise self._broken(
                reason, "return a whole number: rng.below(len(moves))", self._choose, state, moves, stream
            )
        return index

    def _broken(self, reason: str, advice: str, function: Any, *arguments: Any) -> ProblemError:
        """The error of a promise that was broken, at the line that broke it."""
        return ProblemError(place_of_return(self.problem, function, *arguments).says(reason, advice))


def weighted_playout(
    rules: Rules,
    state: Any,
    policy: Policy,
    stream: Stream,
    monitor: Monitor,
    how: Weighing = PLAIN,
) -> Line | None:
    """Rosin 2011, Figure 2, lines 2-9, with a temperature and weights of biases; None if the task must stop."""
    if not monitor.may_begin():
        return None
    line = Line(0.0, [])
    state = rules.begin_playout(state)
    while moves := rules.moves(state):
        if monitor.halted():
            return None
        codes = [rules.code(state, move) for move in moves]
        biases = [rules.biases(state, move, how.learns) for move in moves]
        factors = [how.factor(policy, each) for each in biases]
        total, cumulative = 0.0, []
        for code, factor in zip(codes, factors, strict=True):
            total += exp_float(policy.get(code, 0.0) / how.tau) * factor
            cumulative.append(total)
        limit = stream.uniform() * total
        chosen = min(sum(c <= limit for c in cumulative), len(moves) - 1)
        line.moves.append(moves[chosen])
        line.codes.append(codes[chosen])
        line.legal.append(codes)
        line.factors.append(factors)
        line.biases.append(biases)
        line.taken.append(biases[chosen])
        state = rules.play(state, moves[chosen])
    line.score = rules.value(state)
    monitor.finish(line.score)
    return line


def random_playout(rules: Rules, state: Any, rule: str | None, stream: Stream, monitor: Monitor) -> Line | None:
    """A playout by a rule; None if the task must stop."""
    if not monitor.may_begin():
        return None
    line = Line(0.0, [])
    state = rules.begin_playout(state)
    while moves := rules.moves(state):
        if monitor.halted():
            return None
        move = moves[picked(rules, state, moves, rule, stream)]
        line.moves.append(move)
        state = rules.play(state, move)
    line.score = rules.value(state)
    monitor.finish(line.score)
    return line


def picked(rules: Rules, state: Any, moves: list[Any], rule: str | None, stream: Stream) -> int:
    """The index of the next move of a playout by a rule; None: the problem's own ``choose``, or else at random."""
    if rule == "mobility":
        return most_mobile(rules, state, moves, stream)
    return stream.below(len(moves)) if rule == "uniform" else rules.choose(state, moves, stream)


def most_mobile(rules: Rules, state: Any, moves: list[Any], stream: Stream) -> int:
    """Cazenave 2007, section 2.3: the index of one of the moves that lead to the most possible moves."""
    most, equal, chosen = -1, 0, 0
    for i, move in enumerate(moves):
        mobility = len(rules.moves(rules.play(rules.copy(state), move)))
        if mobility > most:
            most, equal, chosen = mobility, 1, i
        elif mobility == most:
            equal += 1
            if stream.below(equal) == 0:
                chosen = i
    return chosen


def followed(rules: Rules, state: Any, moves: list[Any], policy: Policy, how: Weighing = PLAIN) -> Line:
    """A given sequence as a playout."""
    line = Line(0.0, list(moves))
    state = rules.begin_playout(state)
    for move in moves:
        legal = rules.moves(state)
        line.codes.append(rules.code(state, move))
        line.legal.append([rules.code(state, other) for other in legal])
        biases = [rules.biases(state, other, how.learns) for other in legal]
        line.factors.append([how.factor(policy, each) for each in biases])
        line.biases.append(biases)
        line.taken.append(biases[legal.index(move)])
        state = rules.play(state, move)
    line.score = rules.value(state)
    return line


def layered(rules: Rules, state: Any, line: Line, policy: Policy, how: Weighing = PLAIN) -> Line:
    """A playout seen in layers: each move with what was legal when its layer began.

    A layer takes all moves left that are legal now and may change places with those before them.
    """
    sizes: list[int] = []
    seen = Line(line.score, line.moves, sizes=sizes)
    state = rules.begin_playout(state)
    left = list(line.moves)
    while left:
        legal = rules.moves(state)
        codes = [rules.code(state, move) for move in legal]
        biases = [rules.biases(state, move, how.learns) for move in legal]
        members: list[Any] = []
        kept: list[Any] = []
        for move in left:
            free = move in legal and all(rules.commute(other, move) for other in (*members, *kept))
            (members if free else kept).append(move)
        if not members:
            place = place_of(rules.problem, "commute")
            advice = "return False for them; rookery check finds such moves"
            raise ProblemError(place.says("let moves change places that may not", advice))
        seen.codes += [codes[legal.index(move)] for move in members]
        seen.taken += [biases[legal.index(move)] for move in members]
        seen.legal.append(codes)
        seen.factors.append([how.factor(policy, each) for each in biases])
        seen.biases.append(biases)
        sizes.append(len(members))
        for move in members:
            state = rules.play(state, move)
        left = kept
    return seen


def sampled(
    rules: Rules, root: Any, first: int, last: int, key: int, rule: str | None, monitor: Monitor
) -> tuple[Line | None, bool]:
    """The first of the best of the playouts ``first`` to ``last - 1``, and whether all were played."""
    best: Line | None = None
    for i in range(first, last):
        line = random_playout(rules, rules.copy(root), rule, Stream(mix_int(key, i)), monitor)
        if line is None:
            return best, False
        if best is None or line.score > best.score:
            best = line
    return best, True
