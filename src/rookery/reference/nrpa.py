"""NRPA in plain Python, after Rosin 2011, Figure 2."""

from __future__ import annotations

import math
from itertools import islice
from typing import Any

from rookery.control import INFEASIBLE_SCORE
from rookery.reference.playout import Line, Monitor, Policy, Rules, followed, layered, weighted_playout
from rookery.rng import Stream, exp_float, mix_int


def nrpa(
    rules: Rules,
    root: Any,
    level: int,
    policy: Policy,
    key: int,
    iterations: tuple[int, ...],
    ties: tuple[float, ...],
    alpha: float,
    layers: bool,
    monitor: Monitor,
) -> tuple[Line | None, bool]:
    """The best playout of a nested call, and whether the call was completed; ``iterations`` by level."""
    best_score = -math.inf
    best: Line | None = None
    stream = Stream(key)
    for i in range(iterations[level]):
        if level == 1:
            new = weighted_playout(rules, rules.copy(root), policy, stream, monitor)
            complete = new is not None
        else:
            child = mix_int(key, i)
            new, complete = nrpa(rules, root, level - 1, policy, child, iterations, ties, alpha, layers, monitor)
        if new is not None and replaces(new, best, best_score, ties[level]):
            best_score = new.score
            best = layered(rules, rules.copy(root), new) if layers and level == 1 else new
        if not complete:
            return best, False
        assert best is not None
        policy = adapt(policy, best, alpha)
    return best, True


def adapt(policy: Policy, line: Line, alpha: float) -> Policy:
    """A gradient step towards a playout: Figure 2, lines 21-29; none towards one that ends infeasible."""
    if line.score == INFEASIBLE_SCORE:
        return policy
    adapted = dict(policy)
    codes = iter(line.codes)
    sizes = line.sizes or [1] * len(line.legal)
    for legal, factors, size in zip(line.legal, line.factors, sizes, strict=True):
        for code in islice(codes, size):
            adapted[code] = adapted.get(code, 0.0) + alpha
        weights = [exp_float(policy.get(c, 0.0)) * f for c, f in zip(legal, factors, strict=True)]
        z = 0.0
        for weight in weights:
            z += weight
        step = alpha * size / z
        for c, weight in zip(legal, weights, strict=True):
            adapted[c] = adapted.get(c, 0.0) - step * weight
    return adapted


def adapted(rules: Rules, root: Any, policy: Policy, sequence: tuple[Any, ...], alpha: float, layers: bool) -> Policy:
    """The policy after a step towards a sequence from a state."""
    line = followed(rules, rules.copy(root), list(sequence))
    line = layered(rules, rules.copy(root), line) if layers else line
    return adapt(policy, line, alpha)


def replaces(new: Line, best: Line | None, best_score: float, tie: float) -> bool:
    """Whether a result replaces the best: better, or equal and the tie rule allows it."""
    if best is None or new.score != best_score:
        return new.score > best_score
    if tie < 0:  # ">="
        return True
    codes = set(new.codes)
    return bool(codes) and len(codes - set(best.codes)) / len(codes) > tie
