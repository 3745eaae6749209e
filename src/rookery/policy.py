# mypy: disable-error-code="no-untyped-def"
"""Weights and adapt: the kernels that NRPA and its descendants share.

One array of weights serves every level. What a level changes is logged at the first touch and undone when
the level returns, so nothing is copied: a policy costs what its adapted codes cost, not what all codes do.
Beside each weight stands ``exp(weight)``, so that a playout calls no exponential.

Dense codes index the arrays. Hashed codes are interned when first adapted (a code that was never adapted
has weight 0 and id 0) and forgotten in reverse order when the level returns, so the table stays small.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.buffers import FULL, OK
from rookery.compiler.specialise import Specialisation
from rookery.rng import exp_all

u = np.uint64  # indices: unsigned, so that compiled code need not look for negative ones


class PolicyKernels(NamedTuple):
    """The functions of this module, specialised for a problem."""

    look_up: Any
    intern: Any
    adapt: Any
    undo: Any
    load: Any
    export: Any
    share_absent: Any


def make_policy(spec: Specialisation) -> PolicyKernels:
    """The policy kernels of a problem."""
    look_up, intern = (_hashed_codes if spec.hashed else _dense_codes)(spec)
    commit = _make_commit(spec)
    load, export = _make_exchange(spec, intern, commit)
    return PolicyKernels(
        look_up=look_up,
        intern=intern,
        adapt=_make_adapt(spec, intern, commit),
        undo=_make_undo(spec),
        load=load,
        export=export,
        share_absent=_make_share_absent(spec, intern),
    )


def _dense_codes(spec: Specialisation) -> tuple[Any, Any]:
    @spec.kernel
    def identity(policy, code):
        return np.uint32(code)

    return identity, identity


def _hashed_codes(spec: Specialisation) -> tuple[Any, Any]:
    @spec.kernel
    def first_slot(policy, code):
        return ((code * u(0x9E3779B97F4A7C15)) >> u(32)) & u(policy.slot_id.size - 1)

    @spec.kernel
    def look_up(policy, code):
        """The id of a code; 0 if it was never adapted."""
        slot = first_slot(policy, code)
        while True:
            found = policy.slot_id[slot]
            if found == 0 or policy.slot_code[slot] == code:
                return found
            slot = (slot + u(1)) & u(policy.slot_id.size - 1)

    @spec.kernel
    def intern(policy, code):
        """The id of a code, a new one if need be; 0 if there is no room."""
        found = look_up(policy, code)
        number = policy.clock[1] + 1
        if found != 0 or number >= policy.weight.size:
            return found
        slot = first_slot(policy, code)
        while policy.slot_id[slot] != 0:
            slot = (slot + u(1)) & u(policy.slot_id.size - 1)
        policy.slot_code[slot] = code
        policy.slot_id[slot] = np.uint32(number)
        policy.slot_of[u(number)] = np.uint32(slot)
        policy.clock[1] = number
        return np.uint32(number)

    return look_up, intern


def _make_commit(spec: Specialisation) -> Any:
    @spec.kernel
    def commit(policy, level, n):
        """The touched weights of pol' become those of pol; their old values are logged once per level."""
        bit = np.uint32(1 << level)
        logged = policy.log_size[level]
        for i in range(n):
            number = policy.touched[u(i)]
            policy.scratch[u(i)] = policy.adapted[number]
            policy.log_id[level, u(logged)] = number
            policy.log_weight[level, u(logged)] = policy.weight[number]
            policy.log_factor[level, u(logged)] = policy.factor[number]
            logged += (policy.levels[number] & bit) == 0
            policy.levels[number] |= bit
            policy.weight[number] = policy.adapted[number]
        policy.log_size[level] = logged
        exp_all(policy.scratch, policy.powers, policy.bits, n)
        for i in range(n):
            policy.factor[policy.touched[u(i)]] = policy.scratch[u(i)]

    return commit


def _make_adapt(spec: Specialisation, intern: Any, commit: Any) -> Any:
    if spec.hashed:

        @spec.kernel
        def name_row(policy, trace, row, level):
            """Give ids to the codes of a playout that this level adapts to; they hold until it returns."""
            if trace.named[row] == level:
                return OK
            length = trace.lengths[row]
            end = trace.ends[row, length - 1] if length > 0 else 0
            for k in range(end):
                number = intern(policy, trace.codes[row, u(k)])
                if number == 0:
                    return FULL
                trace.ids[row, u(k)] = number
            trace.named[row] = level
            return OK
    else:

        @spec.kernel
        def name_row(policy, trace, row, level):
            return OK

    if spec.functions.bias is not None:

        @spec.kernel
        def factor(policy, trace, row, k, number):
            return policy.factor[number] * trace.factors[row, k]
    else:

        @spec.kernel
        def factor(policy, trace, row, k, number):
            return policy.factor[number]

    @spec.kernel
    def adapt(policy, trace, row, alpha, level):
        """Rosin 2011, Figure 2, lines 21-29: a gradient step towards the playout in a row."""
        status = name_row(policy, trace, row, level)
        if status != OK:
            return status
        policy.clock[0] += 1
        now = np.uint32(policy.clock[0])
        ids = trace.ids[row]
        n = 0
        start = 0
        for ply in range(trace.lengths[row]):
            end = trace.ends[row, u(ply)]
            policy.adapted[ids[u(trace.chosen[row, u(ply)])]] += alpha
            z = 0.0
            for k in range(start, end):
                z += factor(policy, trace, row, u(k), ids[u(k)])
            step = alpha / z
            for k in range(start, end):
                number = ids[u(k)]
                policy.adapted[number] -= step * factor(policy, trace, row, u(k), number)
                policy.touched[u(n)] = number
                n += policy.stamp[number] != now
                policy.stamp[number] = now
            start = end
        commit(policy, level, n)
        return OK

    return adapt


def _make_undo(spec: Specialisation) -> Any:
    hashed = spec.hashed

    @spec.kernel
    def undo(policy, level, in_use):
        """Take back what a level has changed; ``in_use`` is the number of ids before it began."""
        keep = ~np.uint32(1 << level)
        for i in range(policy.log_size[level]):
            number = policy.log_id[level, u(i)]
            weight = policy.log_weight[level, u(i)]
            policy.weight[number] = weight
            policy.adapted[number] = weight
            policy.factor[number] = policy.log_factor[level, u(i)]
            policy.levels[number] &= keep
        policy.log_size[level] = 0
        if hashed:
            # Last in, first out: every probe chain is again what it was before the insertion.
            for number in range(policy.clock[1], in_use, -1):
                policy.slot_id[policy.slot_of[u(number)]] = 0
            policy.clock[1] = in_use

    return undo


def _make_exchange(spec: Specialisation, intern: Any, commit: Any) -> tuple[Any, Any]:
    hashed = spec.hashed

    @spec.kernel
    def load(policy, level, codes, weights):
        """Set the weights of these codes, as changes of a level."""
        for i in range(codes.size):
            number = intern(policy, codes[u(i)])
            if hashed and number == 0:
                return FULL
            policy.adapted[number] = weights[u(i)]
            policy.touched[u(i)] = number
        commit(policy, level, codes.size)
        return OK

    @spec.kernel
    def export(policy, level, codes, weights):
        """Write the codes that a level has changed and their weights; return how many."""
        n = policy.log_size[level]
        for i in range(n):
            number = policy.log_id[level, u(i)]
            weights[u(i)] = policy.weight[number]
            if hashed:
                codes[u(i)] = policy.slot_code[policy.slot_of[number]]
            else:
                codes[u(i)] = number
        return n

    return load, export


def _make_share_absent(spec: Specialisation, intern: Any) -> Any:
    hashed = spec.hashed

    @spec.kernel
    def share_absent(policy, trace, new, old):
        """The share of the codes chosen in row ``new`` that row ``old`` does not choose, as sets; -1: no room."""
        policy.clock[0] += 2
        in_old = np.uint32(policy.clock[0] - 1)
        seen = np.uint32(policy.clock[0])
        for ply in range(trace.lengths[old]):
            number = intern(policy, trace.codes[old, u(trace.chosen[old, u(ply)])])
            if hashed and number == 0:
                return -1.0
            policy.stamp[number] = in_old
        total = 0
        absent = 0
        for ply in range(trace.lengths[new]):
            number = intern(policy, trace.codes[new, u(trace.chosen[new, u(ply)])])
            if hashed and number == 0:
                return -1.0
            if policy.stamp[number] != seen:
                total += 1
                absent += policy.stamp[number] != in_old
                policy.stamp[number] = seen
        return absent / total if total > 0 else 0.0

    return share_absent
