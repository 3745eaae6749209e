"""Nested Rollout Policy Adaptation (Rosin 2011)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rookery.compiler.buffers import FULL, OK, STOPPED
from rookery.compiler.specialise import Specialisation
from rookery.errors import InputError
from rookery.layers import make_layer
from rookery.playout import make_weighted_playout
from rookery.policy import make_policy
from rookery.rng import mix, seed_stream
from rookery.search.parameters import MOST_LEVEL, Tie, finite, per_level, shown, tie_number, whole

SEARCH, ADAPT = 0, 1


@dataclass(frozen=True)
class NRPA:
    """Nested Rollout Policy Adaptation (Rosin 2011, Figure 2).

    Parameters
    ----------
    level
        depth of the nesting; each level costs ``iterations`` times the one below
    iterations
        N: nested calls per level; one number, or ``{level: number}`` (100 for levels left out)
    alpha
        step of adapt
    ties
        when an equal score replaces the best: ``">="`` always, ``">"`` never, a fraction f only if more
        than that share of its codes is not in the old sequence; one rule, or ``{level: rule}`` (``">="``
        for levels left out)
    layers
        adapt all moves of the best sequence that were legal at the same time together, for a problem that says
        with ``commute`` that their order does not matter

    >>> NRPA(level=2, iterations=50).iterations
    50
    >>> NRPA(level=4, ties={4: 0.3, 3: 0.3}).ties_by_level[3:]
    (0.3, 0.3)
    """

    level: int = 3
    iterations: int | Mapping[int, int] = 100
    alpha: float = 1.0
    ties: Tie | Mapping[int, Tie] = ">="
    layers: bool = False
    iterations_by_level: tuple[int, ...] = field(init=False, repr=False, compare=False)
    ties_by_level: tuple[float, ...] = field(init=False, repr=False, compare=False)

    name = "nrpa"

    def __post_init__(self) -> None:
        level = whole("level", self.level, 1, MOST_LEVEL)
        iterations = per_level("iterations", self.iterations, level, 100)
        ties = per_level("ties", self.ties, level, ">=")
        if not isinstance(self.layers, bool):
            raise InputError(f"layers must be True or False, got {shown(self.layers)}")
        object.__setattr__(self, "alpha", finite("alpha", self.alpha))
        object.__setattr__(self, "iterations_by_level", tuple(whole("iterations", n, 1, 1 << 40) for n in iterations))
        object.__setattr__(self, "ties_by_level", tuple(tie_number(rule) for rule in ties))

    @classmethod
    def rosin(cls, level: int = 3) -> NRPA:
        """The settings of Rosin 2011: N = 100, alpha = 1, ties replace.

        >>> NRPA.rosin(4).iterations
        100
        """
        return cls(level=level, iterations=100, alpha=1.0, ties=">=")

    @classmethod
    def nagorko(cls, level: int = 6, iterations: int = 80) -> NRPA:
        """The settings of Nagorko 2019: at the top three levels a tie must differ in more than 30% of its moves.

        >>> NRPA.nagorko(4).ties_by_level
        (-1.0, -1.0, 0.3, 0.3, 0.3)
        """
        top = {i: 0.3 for i in range(max(1, level - 2), level + 1)}
        return cls(level=level, iterations=iterations, ties=top)


def make_layered_nrpa(spec: Specialisation) -> Any:
    """The kernel of NRPA tasks that adapt in layers."""
    return make_nrpa(spec, layered=True)


def make_nrpa(spec: Specialisation, layered: bool = False) -> Any:
    """The kernel of NRPA tasks: a nested call of some level, or one step of adapt."""
    kernels = make_policy(spec, layered)
    adapt, undo, share_absent = kernels.adapt, kernels.undo, kernels.share_absent
    load, export = kernels.load, kernels.export
    playout, follow = make_weighted_playout(spec, kernels)
    layer = make_layer(spec, kernels) if layered else None

    @spec.kernel
    def accepts(policy, trace, new, old, score, best, tie):
        """Whether a result replaces the best: 1 yes, 0 no, -1 no room to tell."""
        if score > best:
            return 1
        if score < best or tie >= 1.0:
            return 0
        if tie < 0.0:
            return 1
        share = share_absent(
            *(trace.codes[new], trace.chosen[new, : trace.lengths[new]]),
            *(trace.codes[old], trace.chosen[old, : trace.lengths[old]]),
            *(policy.stamp, policy.slot_code, policy.inserted, policy.clock),
        )
        if share < 0.0:
            return -1
        return 1 if share > tie else 0

    @spec.kernel
    def nrpa(level, key, self, states, policy, trace, run):
        """Rosin 2011, Figure 2; the best playout of the call is left in the row of its level."""
        if level == 1:
            seed_stream(run.rng[1], key)
        in_use = policy.clock[1]
        best = -np.inf
        status = OK
        for i in range(run.iterations[level]):
            if level == 1:
                states[1] = states[0]
                status = playout(self, states[1], policy, trace, run)
            else:
                status = nrpa(level - 1, mix(key, i), self, states, policy, trace, run)
            new, old = trace.row[level - 1], trace.row[level]
            fresh = False
            result = trace.scores[new] if status == OK or (status == STOPPED and level > 1) else -np.inf
            if result > -np.inf:
                taken = accepts(policy, trace, new, old, result, best, run.ties[level])
                if taken < 0:
                    status = FULL
                elif taken > 0:
                    best = result
                    trace.row[level] = new
                    trace.row[level - 1] = old
                    fresh = level == 1
                    if layered and level == 1:
                        states[1] = states[0]
                        status = layer(self, states[1], policy, trace, trace.row[1], run)
                        fresh = False  # the sums of the playout are of other steps
            if status != OK:
                break
            if i + 1 < run.iterations[level]:  # the last policy of a call is never used
                status = adapt(policy, trace, trace.row[level], run.alpha, level, fresh)
                if status != OK:
                    break
        trace.scores[trace.row[level]] = best
        undo(policy, level, in_use)
        return status

    def nrpa_task(operation, level, key, self, states, policy, trace, run, codes, weights, size, sequence):
        """Load a policy; search from it, or adapt it to a sequence and write it back.

        Returns the status and the number of (code, weight) pairs written.
        """
        top = level + 1
        written = 0
        if policy.clock[0] > 1 << 31:  # stamps are 32 bits wide: begin again before they wrap around
            policy.clock[0] = 0
            policy.stamp[:] = 0
        status = load(policy, top, codes[:size], weights[:size])
        if status == OK and operation == SEARCH:
            status = nrpa(level, key, self, states, policy, trace, run)
        elif status == OK:
            states[1] = states[0]
            status = follow(self, states[1], sequence, policy, trace, run)
            if layered and status == OK:
                states[1] = states[0]
                status = layer(self, states[1], policy, trace, trace.row[0], run)
            if status == OK:
                fresh = operation == SEARCH  # False: the sequence was given, not played by this policy
                status = adapt(policy, trace, trace.row[0], run.alpha, top, fresh)
            if status == OK:
                if policy.log_size[top] > codes.size:
                    status = FULL
                else:
                    written = export(policy, top, codes, weights)
        undo(policy, top, np.int64(0))
        return status, written

    return nrpa_task
