# mypy: disable-error-code="no-untyped-def"
"""Nested Rollout Policy Adaptation (Rosin 2011)."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.buffers import FULL, OK, STOPPED
from rookery.compiler.specialise import Specialisation
from rookery.playout import make_weighted_playout
from rookery.policy import make_policy
from rookery.rng import mix, seed_stream

SEARCH, ADAPT = 0, 1


def make_nrpa(spec: Specialisation) -> Any:
    """The kernel of NRPA tasks: a nested call of some level, or one step of adapt."""
    kernels = make_policy(spec)
    adapt, undo, share_absent = kernels.adapt, kernels.undo, kernels.share_absent
    load, export = kernels.load, kernels.export
    playout, follow = make_weighted_playout(spec, kernels)

    @spec.kernel
    def accepts(score, best, tie, policy, trace, new, old):
        """Whether a result replaces the best: 1 yes, 0 no, -1 no room to tell."""
        if score > best:
            return 1
        if score < best or tie >= 1.0:
            return 0
        if tie < 0.0:
            return 1
        share = share_absent(policy, trace, new, old)
        if share < 0.0:
            return -1
        return 1 if share > tie else 0

    @spec.kernel
    def nrpa(level, key, self, states, policy, trace, run):
        """Rosin 2011, Figure 2; the best playout of the call is left in the row of its level."""
        if level == 0:
            states[1] = states[0]
            return playout(self, states[1], policy, trace, run)
        if level == 1:
            seed_stream(run.rng[1], key)
        in_use = policy.clock[1]
        best = -np.inf
        status = OK
        for i in range(run.iterations[level]):
            status = nrpa(level - 1, mix(key, i), self, states, policy, trace, run)
            new, old = trace.row[level - 1], trace.row[level]
            result = trace.scores[new] if status == OK or (status == STOPPED and level > 1) else -np.inf
            if result > -np.inf:
                taken = accepts(result, best, run.ties[level], policy, trace, new, old)
                if taken < 0:
                    status = FULL
                elif taken > 0:
                    best = result
                    trace.row[level] = new
                    trace.row[level - 1] = old
            if status != OK:
                break
            if i + 1 < run.iterations[level]:  # the last policy of a call is never used
                status = adapt(policy, trace, trace.row[level], run.alpha, level)
                if status != OK:
                    break
        trace.scores[trace.row[level]] = best
        undo(policy, level, in_use)
        return status

    @spec.kernel
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
            status = follow(self, states[1], sequence, trace, run)
            if status == OK:
                status = adapt(policy, trace, trace.row[0], run.alpha, top)
            if status == OK:
                if policy.log_size[top] > codes.size:
                    status = FULL
                else:
                    written = export(policy, top, codes, weights)
        undo(policy, top, 0)
        return status, written

    return nrpa_task
