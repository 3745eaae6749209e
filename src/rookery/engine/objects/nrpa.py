"""NRPA (Rosin 2011, Figure 2) on Python objects."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from itertools import accumulate, repeat
from operator import mul
from typing import Any

from rookery.control import HALT
from rookery.engine.objects.draws import uniforms
from rookery.engine.objects.layers import followed, layered
from rookery.engine.objects.meter import Meter
from rookery.engine.objects.policy import Line, Policy
from rookery.engine.objects.rules import BoundRules
from rookery.rng import mix_int

_ONES = repeat(1.0)


def nrpa(
    rules: BoundRules,
    root: Any,
    level: int,
    policy: dict[Hashable, float],
    key: int,
    monitor: Meter,
    tau: float = 1.0,
    bias_scale: float = 1.0,
    learn_bias: bool = False,
    **settings: Any,
) -> tuple[Line | None, bool]:
    """The best playout of a nested call, and whether the call was completed; ``iterations`` and ``ties`` by level."""
    begun = Policy(policy, tau, bias_scale)
    return _Nested(rules.scaled(bias_scale, learn_bias), root, begun, monitor, **settings).call(level, key)


def adapted(
    rules: BoundRules,
    root: Any,
    policy: dict[Hashable, float],
    sequence: tuple[Any, ...],
    alpha: float,
    layers: bool,
    tau: float = 1.0,
    bias_scale: float = 1.0,
    learn_bias: bool = False,
) -> dict[Hashable, float]:
    """The policy after a step towards a sequence from a state."""
    rules = rules.scaled(bias_scale, learn_bias)
    line = followed(rules, rules.copy(root), list(sequence))
    line = layered(rules, rules.copy(root), line) if layers else line
    after = Policy(policy, tau, bias_scale)
    after.adapt(line, alpha)
    return after.weights()


@dataclass(frozen=True)
class _Nested:
    """What the nested calls of a task have in common."""

    rules: BoundRules
    root: Any
    policy: Policy
    monitor: Meter
    iterations: tuple[int, ...]
    ties: tuple[float, ...]
    alpha: float
    layers: bool
    playouts_per_adapt: int = 1
    beam: int = 1

    def call(self, level: int, key: int) -> tuple[Line | None, bool]:
        """A nested call; the policy is then what it was before."""
        begun = self.policy.begin()
        best, complete = self._beam(key) if level == 1 and self.beam > 1 else self._best(level, key)
        self.policy.end(begun)
        if best is not None:
            best.numbered = None
        return best, complete

    def _best(self, level: int, key: int) -> tuple[Line | None, bool]:
        rules, last = self.rules, self.iterations[level] - 1
        best: Line | None = None
        best_score = -math.inf
        draw = uniforms(key) if level == 1 else None
        for i in range(last + 1):
            for _ in range(1 if draw is None else self.playouts_per_adapt):
                if draw is not None:
                    new = weighted_playout(rules, rules.copy(self.root), self.policy, draw, self.monitor)
                    complete = new is not None
                else:
                    new, complete = self.call(level - 1, mix_int(key, i))
                if new is not None and replaces(new, best, best_score, self.ties[level]):
                    best_score = new.score
                    best = layered(rules, rules.copy(self.root), new) if self.layers and level == 1 else new
                if not complete:
                    return best, False
            assert best is not None
            if i < last:  # the last policy of a call is never used
                self.policy.adapt(best, self.alpha)
        return best, True

    def _beam(self, key: int) -> tuple[Line | None, bool]:
        """Level 1 with pairs of a sequence and a policy (Cazenave and Teytaud 2012)."""
        last, tie, draw = self.iterations[1] - 1, self.ties[1], uniforms(key)
        beam: list[tuple[Line, Policy]] = []
        for i in range(last + 1):
            found: list[tuple[Line, Policy]] = []
            complete = True
            for own in [self.policy] * self.beam if i == 0 else [own for _, own in beam]:
                new, complete = self._expanded(own, draw)
                if new is not None:
                    found.append((new, own))
                if not complete:
                    break
            beam = _survivors([*found[::-1], *beam] if tie < 0 else [*beam, *found], self.beam)
            if not complete:
                return beam[0][0] if beam else None, False
            if i < last:
                played = {id(line) for line, _ in found}
                beam = [(line, own.copy() if id(line) in played else own) for line, own in beam]
                for line, own in beam:
                    own.adapt(line, self.alpha)
        return beam[0][0], True

    def _expanded(self, policy: Policy, draw: Callable[[], float]) -> tuple[Line | None, bool]:
        """The best of the playouts by a policy, and whether all were made."""
        rules, best, complete = self.rules, None, True
        for _ in range(self.playouts_per_adapt):
            new = weighted_playout(rules, rules.copy(self.root), policy, draw, self.monitor)
            if new is None:
                complete = False
                break
            if best is None or replaces(new, best, best.score, self.ties[1]):
                best = new
        if best is not None and self.layers:
            best = layered(rules, rules.copy(self.root), best)
        return best, complete


def _survivors(pairs: list[tuple[Line, Policy]], most: int) -> list[tuple[Line, Policy]]:
    """The best pairs, no sequence twice; of equal ones the first."""
    kept: list[tuple[Line, Policy]] = []
    for pair in sorted(pairs, key=lambda pair: -pair[0].score):
        if all(pair[0].moves != other.moves for other, _ in kept):
            kept.append(pair)
    return kept[:most]


def weighted_playout(
    rules: BoundRules, state: Any, policy: Policy, draw: Callable[[], float], monitor: Meter
) -> Line | None:
    """Rosin 2011, Figure 2, lines 2-9; None if the task must stop."""
    if not monitor.may_begin():
        return None
    moves_of, code_of, play_of, cells = rules.moves_of, rules.code_of, rules.play_of, monitor.cells
    factor_of = policy.factors.get
    biased = rules.bias_of is not None
    played: list[Any] = []
    codes: list[Hashable] = []
    legal: list[list[Hashable]] = []
    factors: list[list[float]] = []
    learns = rules.learns
    biases: list[list[tuple[float, ...]]] = []
    taken: list[tuple[float, ...]] = []
    state = rules.begin_playout(state)
    while True:
        moves = moves_of(state)
        if type(moves) is not list:
            moves = rules.listed(moves, state)
        if not moves:
            break
        if cells[HALT]:
            return None
        try:
            named = list(moves) if code_of is None else [code_of(state, move) for move in moves]
            weights = map(factor_of, named, _ONES)
            if learns:
                biases.append(rules.biases(state, moves))
                weights = map(mul, weights, policy.bias_factors(biases[-1]))
            elif biased:
                factors.append(rules.factors(state, moves))
                weights = map(mul, weights, factors[-1])
            sums = list(accumulate(weights))
        except TypeError:
            rules.refuse_codes(state, moves)
            raise
        chosen = bisect_right(sums, draw() * sums[-1])
        if chosen == len(sums):
            chosen -= 1
        move = moves[chosen]
        played.append(move)
        codes.append(named[chosen])
        legal.append(named)
        if learns:
            taken.append(biases[-1][chosen])
        after = play_of(state, move)
        if after is not None:
            state = after
    score = rules.value(state)
    monitor.finish(score)
    line = Line(score, played, codes, legal, factors if biased else None)
    line.biases, line.taken = biases, taken
    return line


def replaces(new: Line, best: Line | None, best_score: float, tie: float) -> bool:
    """Whether a result replaces the best: better, or equal and the tie rule allows it."""
    if best is None or new.score != best_score:
        return new.score > best_score
    if tie < 0:  # ">="
        return True
    codes = set(new.codes)
    return bool(codes) and len(codes.difference(best.codes)) / len(codes) > tie
