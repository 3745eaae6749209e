"""NRPA in plain Python, after Rosin 2011, Figure 2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import islice
from typing import Any

from rookery.control import INFEASIBLE_SCORE
from rookery.reference.playout import Line, Monitor, Rules, followed, layered, weighted_playout
from rookery.reference.weighing import PLAIN, Policy, Weighing
from rookery.rng import Stream, exp_float, mix_int


@dataclass(frozen=True)
class Settings:
    """What the nested calls of a task have in common; iterations and ties by level."""

    iterations: tuple[int, ...]
    ties: tuple[float, ...]
    alpha: float
    layers: bool
    playouts_per_adapt: int = 1
    tau: float = 1.0
    bias_scale: float = 1.0
    beam: int = 1
    learn_bias: bool = False

    @property
    def weighing(self) -> Weighing:
        """How moves are weighed."""
        return Weighing(self.tau, self.bias_scale, self.learn_bias)


def nrpa(
    rules: Rules, root: Any, level: int, policy: Policy, key: int, monitor: Monitor, **settings: Any
) -> tuple[Line | None, bool]:
    """The best playout of a nested call, and whether the call was completed."""
    return _call(rules, root, level, policy, key, monitor, Settings(**settings))


def _call(
    rules: Rules, root: Any, level: int, policy: Policy, key: int, monitor: Monitor, given: Settings
) -> tuple[Line | None, bool]:
    if level == 1 and given.beam > 1:
        return _beam(rules, root, policy, key, monitor, given)
    return _nested(rules, root, level, policy, key, monitor, given)


def _nested(
    rules: Rules, root: Any, level: int, policy: Policy, key: int, monitor: Monitor, given: Settings
) -> tuple[Line | None, bool]:
    best_score = -math.inf
    best: Line | None = None
    stream = Stream(key)
    how = given.weighing
    for i in range(given.iterations[level]):
        for _ in range(given.playouts_per_adapt if level == 1 else 1):
            if level == 1:
                new = weighted_playout(rules, rules.copy(root), policy, stream, monitor, how)
                complete = new is not None
            else:
                new, complete = _call(rules, root, level - 1, policy, mix_int(key, i), monitor, given)
            if new is not None and replaces(new, best, best_score, given.ties[level]):
                best_score = new.score
                best = layered(rules, rules.copy(root), new, policy, how) if given.layers and level == 1 else new
            if not complete:
                return best, False
        assert best is not None
        policy = adapt(policy, best, given.alpha, how)
    return best, True


def _beam(
    rules: Rules, root: Any, policy: Policy, key: int, monitor: Monitor, given: Settings
) -> tuple[Line | None, bool]:
    """Cazenave and Teytaud 2012: level 1 with pairs of a sequence and a policy."""
    beam: list[tuple[Line, Policy]] = []
    stream = Stream(key)
    how, tie = given.weighing, given.ties[1]
    for i in range(given.iterations[1]):
        found: list[tuple[Line, Policy]] = []
        complete = True
        for own in [policy] * given.beam if i == 0 else [own for _, own in beam]:
            best: Line | None = None
            for _ in range(given.playouts_per_adapt):
                new = weighted_playout(rules, rules.copy(root), own, stream, monitor, how)
                complete = new is not None
                if new is None:
                    break
                if best is None or replaces(new, best, best.score, tie):
                    best = new
            if best is not None:
                found.append((layered(rules, rules.copy(root), best, own, how) if given.layers else best, own))
            if not complete:
                break
        beam = survivors([*found[::-1], *beam] if tie < 0 else [*beam, *found], given.beam)
        if not complete:
            return beam[0][0] if beam else None, False
        beam = [(line, adapt(own, line, given.alpha, how)) for line, own in beam]
    return beam[0][0], True


def survivors(pairs: list[tuple[Line, Policy]], most: int) -> list[tuple[Line, Policy]]:
    """The best pairs, no sequence twice; of equal ones the first."""
    kept: list[tuple[Line, Policy]] = []
    for pair in sorted(pairs, key=lambda pair: -pair[0].score):
        if all(pair[0].moves != other.moves for other, _ in kept):
            kept.append(pair)
    return kept[:most]


def adapt(policy: Policy, line: Line, alpha: float, how: Weighing = PLAIN) -> Policy:
    """A gradient step towards a playout: Figure 2, lines 21-29; none towards one that ends infeasible.

    If the weights of biases are learned, each changes by alpha times (the bias of the move that was played, minus the
    mean of the bias over the legal moves).
    """
    if line.score == INFEASIBLE_SCORE:
        return policy
    adapted = dict(policy)
    played = zip(line.codes, line.taken, strict=True)
    sizes = line.sizes or [1] * len(line.legal)
    for legal, factors, biases, size in zip(line.legal, line.factors, line.biases, sizes, strict=True):
        for code, taken in islice(played, size):
            adapted[code] = adapted.get(code, 0.0) + alpha
            if how.learns:
                how.learn(adapted, alpha, taken)
        if how.learns:  # those of the line are of the policy that it was played by
            factors = [how.factor(policy, each) for each in biases]
        weights = [exp_float(policy.get(c, 0.0) / how.tau) * f for c, f in zip(legal, factors, strict=True)]
        z = 0.0
        for weight in weights:
            z += weight
        step = alpha * size / z
        for c, weight, each in zip(legal, weights, biases, strict=True):
            adapted[c] = adapted.get(c, 0.0) - step * weight
            if how.learns:
                how.learn(adapted, -(step * weight), each)
    return adapted


def adapted(
    rules: Rules,
    root: Any,
    policy: Policy,
    sequence: tuple[Any, ...],
    alpha: float,
    layers: bool,
    tau: float = 1.0,
    bias_scale: float = 1.0,
    learn_bias: bool = False,
) -> Policy:
    """The policy after a step towards a sequence from a state."""
    how = Weighing(tau, bias_scale, learn_bias)
    return adapt(policy, _line(rules, root, sequence, layers, policy, how), alpha, how)


def codes(rules: Rules, root: Any, sequence: tuple[Any, ...], layers: bool) -> list[Any]:
    """The codes of a sequence from a state."""
    return list(_line(rules, root, sequence, layers, {}, PLAIN).codes)


def _line(rules: Rules, root: Any, sequence: tuple[Any, ...], layers: bool, policy: Policy, how: Weighing) -> Line:
    line = followed(rules, rules.copy(root), list(sequence), policy, how)
    return layered(rules, rules.copy(root), line, policy, how) if layers else line


def replaces(new: Line, best: Line | None, best_score: float, tie: float) -> bool:
    """Whether a result replaces the best: better, or equal and the tie rule allows it."""
    if best is None or new.score != best_score:
        return new.score > best_score
    if tie < 0:  # ">="
        return True
    codes = set(new.codes)
    return bool(codes) and len(codes - set(best.codes)) / len(codes) > tie
