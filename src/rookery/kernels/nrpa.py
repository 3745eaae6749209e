"""The kernel of NRPA (Rosin 2011, Figure 2), and the parts that it shares with its descendants."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import DETAIL, FULL, OK, STOPPED
from rookery.kernels.bias_weights import make_learning
from rookery.kernels.buffers import INTERNED, STAMPS, WEIGHTED_STREAM
from rookery.kernels.layers import make_layer
from rookery.kernels.playout import make_weighted_playout
from rookery.kernels.policy import make_policy
from rookery.rng import mix, seed_stream

SEARCH, ADAPT = 0, 1
"""What a task asks for."""


class NRPAParts(NamedTuple):
    """What the kernel of NRPA is made of, for searches that share some of it."""

    begin: Any
    """``begin(level, key, policy, run)``: a call begins; returns what ``end`` needs."""
    playout: Any
    """``playout(self, states, policy, trace, run)``: a playout by the policy; returns a status."""
    keep_better: Any
    """``keep_better(level, status, best, self, states, policy, trace, run)``: let the last result replace the best of
    a level if it is better, or equal and the tie rule of the level allows it; returns status and best score."""
    adapt: Any
    """``adapt(policy, trace, row, alpha, level)``: a step towards the playout in a row; returns a status."""
    end: Any
    """``end(level, best, begun, policy, trace)``: a call returns; its changes to the policy are undone."""
    task: Any
    """``task(nrpa)``: what Python calls, from the function that computes a nested call."""
    layer: Any
    """``layer(self, s, policy, trace, row, run)``: see a row in layers; None if moves are adapted one by one."""


def make_nrpa(spec: Specialisation, **made_for: bool) -> Any:
    """The kernel of NRPA; what it is made for are arguments of :func:`make_nrpa_parts`."""
    parts = make_nrpa_parts(spec, **made_for)
    begin, playout, keep_better, adapt, end = parts.begin, parts.playout, parts.keep_better, parts.adapt, parts.end

    @spec.kernel
    def nrpa(level, key, self, states, policy, trace, run):
        """Rosin 2011, Figure 2; the best playout of the call is left in the row of its level."""
        begun = begin(level, key, policy, run)
        best, status = -np.inf, OK
        for i in range(run.iterations[level]):
            if level == 1:
                status = playout(self, states, policy, trace, run)
            else:
                status = nrpa(level - 1, mix(key, i), self, states, policy, trace, run)
            status, best = keep_better(level, status, best, self, states, policy, trace, run)
            if status == OK and i + 1 < run.iterations[level]:  # the last policy of a call is never used
                status = adapt(policy, trace, trace.row[level], run.alpha, level)
            if status != OK:
                break
        end(level, best, begun, policy, trace)
        return status

    return parts.task(nrpa)


def make_nrpa_parts(
    spec: Specialisation, layered: bool = False, tempered: bool = False, scaled: bool = False, learned: bool = False
) -> NRPAParts:
    """What NRPA is made of, for a problem.

    ``layered``: moves that commute are adapted together; ``tempered``: weights are divided by ``policy.tau``;
    ``scaled``: biases are multiplied by ``policy.bias_scale``; ``learned``: by weights that adapt changes. A kernel
    that is not made for one of them has nothing of it.
    """
    learning = make_learning(spec) if learned else None
    begin_learning, end_learning = (learning.begin, learning.end) if learning is not None else (None, None)
    kernels = make_policy(spec, layered, tempered, learning)
    adapt, undo, share_absent = kernels.adapt, kernels.undo, kernels.share_absent
    weighted_playout, follow = make_weighted_playout(spec, kernels, scaled, learning)
    layer = make_layer(spec, kernels, scaled, learning) if layered else None

    @spec.inlined
    def begin(level, key, policy, run):
        if level == 1:
            seed_stream(run.rng[WEIGHTED_STREAM], key)
        if learned:
            begin_learning(policy.learned, level)
        return policy.clock[INTERNED]

    @spec.inlined
    def playout(self, states, policy, trace, run):
        states[1] = states[0]
        return weighted_playout(self, states[1], policy, trace, run)

    @spec.inlined
    def keep_better(level, status, best, self, states, policy, trace, run):
        new, old = trace.row[level - 1], trace.row[level]
        if status != OK and not (status == STOPPED and level > 1):  # a call that was stopped still has its best so far
            return status, best
        result, tie = trace.scores[new], run.ties[level]
        if result == -np.inf:
            return status, best
        taken = result > best or (result == best and tie < 0.0)
        if result == best and 0.0 <= tie < 1.0:
            share = share_absent(
                *(trace.codes[new], trace.chosen[new, : trace.lengths[new]]),
                *(trace.codes[old], trace.chosen[old, : trace.lengths[old]]),
                *(policy.stamp, policy.slot_code, policy.inserted, policy.clock),
            )
            if share < 0.0:  # too little room to tell
                return FULL, best
            taken = share > tie
        if taken:
            best = result
            trace.row[level] = new
            trace.row[level - 1] = old
            if layered and level == 1:
                states[1] = states[0]
                status = layer(self, states[1], policy, trace, new, run)
        return status, best

    @spec.inlined
    def end(level, best, begun, policy, trace):
        trace.scores[trace.row[level]] = best
        trace.fresh[trace.row[level]] = False
        undo(policy, level, begun)
        if learned:
            end_learning(policy.learned, level)

    def task(nrpa):
        return _make_task(nrpa, kernels, follow, layer)

    return NRPAParts(begin, playout, keep_better, adapt, end, task, layer)


def _make_task(nrpa: Any, kernels: Any, follow: Any, layer: Any) -> Any:
    """What Python calls: a nested call, or one step of adapt."""
    adapt, undo, load, export = kernels.adapt, kernels.undo, kernels.load, kernels.export
    layered = layer is not None

    def nrpa_task(operation, level, key, self, states, policy, trace, run, pairs, sequence):
        """Load a policy; search from it, or adapt it to a sequence and write it back.

        ``pairs`` are codes and weights with room for more, and how many of them are a policy. After a step of adapt,
        the number of those written is in the cell DETAIL.
        """
        codes, weights, size = pairs
        top = level + 1
        if policy.clock[STAMPS] > 1 << 31:  # stamps are 32 bits wide: start again before they wrap around
            policy.clock[STAMPS] = 0
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
                status = adapt(policy, trace, trace.row[0], run.alpha, top)
            if status == OK and policy.log_size[top] > codes.size:
                status = FULL
            if status == OK:
                run.control[DETAIL] = export(policy, top, codes, weights)
        undo(policy, top, np.int64(0))
        return status

    return nrpa_task
