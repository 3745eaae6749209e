"""Weights and adapt: the kernels that NRPA and its descendants share.

One array of weights serves every level. What a level changes is logged at the first touch and undone when
the level returns, so nothing is copied: a policy costs what its adapted codes cost, not what all codes do.
Beside each weight stands ``exp(weight)``, so that a playout calls no exponential.

Dense codes index the arrays: a code is its own id. Hashed codes stand in an open-addressed table, and the id
of a code is its slot. They are interned when first adapted (an empty slot has weight 0, as a code that was
never adapted should) and forgotten in reverse order when the level returns, so the table stays small.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import FULL, INFEASIBLE_SCORE, OK
from rookery.kernels.bias_weights import Learning
from rookery.kernels.buffers import INTERNED, STAMPS
from rookery.rng import exp_all

u = np.uint64  # indices: unsigned, so that compiled code need not look for negative ones


class PolicyKernels(NamedTuple):
    """The functions of this module, specialised for a problem."""

    locate: Any
    adapt: Any
    undo: Any
    load: Any
    export: Any
    share_absent: Any


def make_policy(
    spec: Specialisation, layered: bool = False, tempered: bool = False, learning: Learning | None = None
) -> PolicyKernels:
    """The policy kernels of a problem; ``layered``, ``tempered``, ``learning``: for options of NRPA."""
    locate, intern = (_hashed_codes if spec.hashed else _dense_codes)(spec)
    remember, refresh = _make_touch(spec, tempered)
    load, export = _make_exchange(spec, intern, remember, refresh)
    return PolicyKernels(
        locate=locate,
        adapt=_make_adapt(spec, intern, remember, refresh, layered, learning),
        undo=_make_undo(spec),
        load=load,
        export=export,
        share_absent=_make_share_absent(spec, intern),
    )


# Small functions take the arrays they need, not the whole bundle: that halves the time to compile.


NO_ROOM = np.uint32(0xFFFFFFFF)


def _dense_codes(spec: Specialisation) -> tuple[Any, Any]:
    @spec.inlined
    def locate(slot_code, code):
        return np.uint32(code)

    @spec.kernel
    def intern(slot_code, inserted, clock, code):
        return np.uint32(code)

    return locate, intern


def _hashed_codes(spec: Specialisation) -> tuple[Any, Any]:
    @spec.inlined
    def locate(slot_code, code):
        """The slot of a code, or the empty one where it belongs. Code 0 marks empty slots and has the last one."""
        mask = u(slot_code.size - 2)
        slot = ((code * u(0x9E3779B97F4A7C15)) >> u(32)) & mask
        if code == u(0):
            return np.uint32(slot_code.size - 1)
        while slot_code[slot] != code and slot_code[slot] != u(0):
            slot = (slot + u(1)) & mask
        return np.uint32(slot)

    @spec.kernel
    def intern(slot_code, inserted, clock, code):
        """The slot of a code, which now holds it; NO_ROOM if the table is half full."""
        slot = locate(slot_code, code)
        if slot_code[slot] != code:
            if clock[INTERNED] >= inserted.size:
                return NO_ROOM
            slot_code[slot] = code
            inserted[u(clock[INTERNED])] = slot
            clock[INTERNED] += 1
        return slot

    return locate, intern


def _make_touch(spec: Specialisation, tempered: bool) -> tuple[Any, Any]:
    @spec.kernel
    def remember(policy, touched, level):
        """Log the weights of these ids before a level first changes them."""
        bit = np.uint32(1 << level)
        logged = policy.log_size[level]
        log_id, log_weight, log_factor = policy.log_id[level], policy.log_weight[level], policy.log_factor[level]
        for number in touched:
            log_id[u(logged)] = number
            log_weight[u(logged)] = policy.weight[number]
            log_factor[u(logged)] = policy.factor[number]
            logged += (policy.levels[number] & bit) == 0
            policy.levels[number] |= bit
        policy.log_size[level] = logged

    if tempered:

        @spec.inlined
        def cooled(weight, tau):
            return weight / tau
    else:

        @spec.inlined
        def cooled(weight, tau):
            return weight

    @spec.kernel
    def refresh(weight, factor, touched, scratch, tau):
        """``factor = exp(weight)`` for these ids, or ``exp(weight / tau)``."""
        for i in range(touched.size):
            scratch[i] = cooled(weight[touched[i]], tau)
        exp_all(scratch, touched.size)
        for i in range(touched.size):
            factor[touched[i]] = scratch[i]

    return remember, refresh


def _make_step(spec: Specialisation, weigh: Any) -> Any:
    @spec.kernel
    def step_towards(ids, ends, chosen, totals, weight, factor, bias_factors, alpha):
        """Rosin 2011, Figure 2, lines 23-28; ``factor`` is still that of the old policy."""
        start = 0
        for ply in range(ends.size):
            weight[ids[u(chosen[u(ply)])]] += alpha
            step = alpha / totals[u(ply)]
            for k in range(start, ends[u(ply)]):
                number = ids[u(k)]
                weight[number] -= step * weigh(factor[number], bias_factors, u(k))
            start = ends[u(ply)]

    return step_towards


def _make_layered_step(spec: Specialisation, weigh: Any) -> Any:
    @spec.kernel
    def step_towards(ids, ends, chosen, totals, weight, factor, bias_factors, alpha):
        """The same for layers: the steps of a layer end at the same code, and have one list of codes together."""
        start = 0
        ply = 0
        while ply < ends.size:
            first = ply
            while ply < ends.size and ends[u(ply)] == ends[u(first)]:
                weight[ids[u(chosen[u(ply)])]] += alpha
                ply += 1
            step = alpha * (ply - first) / totals[u(first)]
            for k in range(start, ends[u(first)]):
                number = ids[u(k)]
                weight[number] -= step * weigh(factor[number], bias_factors, u(k))
            start = ends[u(first)]

    return step_towards


def _make_adapt(
    spec: Specialisation, intern: Any, remember: Any, refresh: Any, layered: bool, learning: Learning | None
) -> Any:
    if spec.hashed:

        @spec.kernel
        def name_codes(codes, ids, slot_code, inserted, clock):
            """Give ids to the codes of a playout; most still are where the playout found them."""
            for k in range(codes.size):
                if slot_code[ids[u(k)]] != codes[u(k)]:
                    ids[u(k)] = intern(slot_code, inserted, clock, codes[u(k)])
                    if ids[u(k)] == NO_ROOM:
                        return FULL
            return OK
    else:

        @spec.kernel
        def name_codes(codes, ids, slot_code, inserted, clock):
            return OK

    if spec.functions.bias is not None:

        @spec.inlined
        def weigh(factor, bias_factors, k):
            return factor * bias_factors[k]
    else:

        @spec.inlined
        def weigh(factor, bias_factors, k):
            return factor

    @spec.kernel
    def distinct(ids, touched, stamp, now):
        """Write each id once, in the order of its first appearance; return how many."""
        n = 0
        for number in ids:
            touched[u(n)] = number
            n += stamp[number] != now
            stamp[number] = now
        return n

    @spec.kernel
    def sum_up(ids, ends, totals, factor, bias_factors):
        """The sum of the weights of each step under the current policy."""
        start = 0
        for ply in range(ends.size):
            z = 0.0
            for k in range(start, ends[u(ply)]):
                z += weigh(factor[ids[u(k)]], bias_factors, u(k))
            totals[u(ply)] = z
            start = ends[u(ply)]

    step_towards = _make_layered_step(spec, weigh) if layered else _make_step(spec, weigh)
    learns = learning is not None
    weigh_again, learn = (learning.weigh_again, learning.learn) if learning is not None else (None, None)

    @spec.inlined
    def adapt(policy, trace, row, alpha, level):
        """A gradient step towards the playout in a row: Rosin 2011, Figure 2, lines 21-29; none if it is infeasible."""
        length = trace.lengths[row]
        if length == 0 or trace.scores[row] == INFEASIBLE_SCORE:
            return OK
        size = trace.ends[row, length - 1]
        ids, ends = trace.ids[row], trace.ends[row, :length]
        totals, bias_factors = trace.totals[row], trace.factors[row]
        if trace.named[row] != level:  # ids and log hold until the level returns
            if name_codes(trace.codes[row, :size], ids, policy.slot_code, policy.inserted, policy.clock) != OK:
                return FULL
            policy.clock[STAMPS] += 1
            now = np.uint32(policy.clock[STAMPS])
            trace.distinct[row] = distinct(ids[:size], trace.touched[row], policy.stamp, now)
            remember(policy, trace.touched[row, : trace.distinct[row]], level)
            trace.named[row] = level
        touched = trace.touched[row, : trace.distinct[row]]
        if not trace.fresh[row]:
            if learns:
                weigh_again(policy.learned, row, size, bias_factors)
            sum_up(ids, ends, totals, policy.factor, bias_factors)
        trace.fresh[row] = False
        step_towards(ids, ends, trace.chosen[row], totals, policy.weight, policy.factor, bias_factors, alpha)
        if learns:
            learn(policy.learned, row, ids, ends, trace.chosen[row], totals, policy.factor, bias_factors, alpha)
        refresh(policy.weight, policy.factor, touched, policy.scratch, policy.tau)
        return OK

    return adapt


def _make_undo(spec: Specialisation) -> Any:
    hashed = spec.hashed

    @spec.kernel
    def undo(policy, level, in_use):
        """Undo what a level has changed; ``in_use`` is the number of ids before it began."""
        keep = ~np.uint32(1 << level)
        for i in range(policy.log_size[level]):
            number = policy.log_id[level, u(i)]
            policy.weight[number] = policy.log_weight[level, u(i)]
            policy.factor[number] = policy.log_factor[level, u(i)]
            policy.levels[number] &= keep
        policy.log_size[level] = 0
        if hashed:
            # Last in, first out: every probe chain is restored to what it was before the insertion.
            for i in range(policy.clock[INTERNED] - 1, in_use - 1, -1):
                policy.slot_code[policy.inserted[u(i)]] = 0
            policy.clock[INTERNED] = in_use

    return undo


def _make_exchange(spec: Specialisation, intern: Any, remember: Any, refresh: Any) -> tuple[Any, Any]:
    hashed = spec.hashed

    @spec.kernel
    def load(policy, level, codes, weights):
        """Set the weights of these codes, as changes of a level."""
        touched = policy.touched[: codes.size]
        for i in range(codes.size):
            touched[u(i)] = intern(policy.slot_code, policy.inserted, policy.clock, codes[u(i)])
            if hashed and touched[u(i)] == NO_ROOM:
                return FULL
        remember(policy, touched, level)
        for i in range(codes.size):
            policy.weight[touched[u(i)]] = weights[u(i)]
        refresh(policy.weight, policy.factor, touched, policy.scratch, policy.tau)
        return OK

    @spec.kernel
    def export(policy, level, codes, weights):
        """Write the codes that a level has changed and their weights; return how many."""
        n = policy.log_size[level]
        for i in range(n):
            number = policy.log_id[level, u(i)]
            weights[u(i)] = policy.weight[number]
            if hashed:
                codes[u(i)] = policy.slot_code[number]
            else:
                codes[u(i)] = number
        return n

    return load, export


def _make_share_absent(spec: Specialisation, intern: Any) -> Any:
    hashed = spec.hashed

    @spec.kernel
    def share_absent(new_codes, new_chosen, old_codes, old_chosen, stamp, slot_code, inserted, clock):
        """The share of the codes chosen in one playout that another does not choose, as sets; -1: no room."""
        clock[STAMPS] += 2
        in_old, seen = np.uint32(clock[STAMPS] - 1), np.uint32(clock[STAMPS])
        if hashed and clock[INTERNED] + new_chosen.size + old_chosen.size > inserted.size:
            return -1.0
        for place in old_chosen:
            stamp[intern(slot_code, inserted, clock, u(old_codes[u(place)]))] = in_old
        total = 0
        absent = 0
        for place in new_chosen:
            number = intern(slot_code, inserted, clock, u(new_codes[u(place)]))
            if stamp[number] != seen:
                total += 1
                absent += stamp[number] != in_old
                stamp[number] = seen
        return absent / total if total > 0 else 0.0

    return share_absent
