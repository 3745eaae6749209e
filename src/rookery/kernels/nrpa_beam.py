"""Beam NRPA (Cazenave and Teytaud 2012): level 1 keeps several pairs of a sequence and a policy.

There is one array of weights, as in NRPA. It holds the policy of one pair at a time; those of the others are kept as
the weights of the codes that level 1 has changed, in the order of its log. A code that was logged after a pair was put
away has, for that pair, the weight from before the level.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import OK
from rookery.kernels.buffers import Pairs
from rookery.kernels.nrpa import make_nrpa_parts
from rookery.kernels.policy import u
from rookery.rng import mix


def new_pairs(width: int, ids: int) -> Pairs:
    """Room for a beam of this width, with this many ids in a policy."""
    return Pairs(
        weight=np.empty((2 * width, ids)),
        factor=np.empty((2 * width, ids)),
        size=np.zeros(2 * width, np.int64),
        parent=np.zeros(width, np.int64),
        order=np.zeros(width, np.int64),
        rows=np.zeros(2 * width, np.int64),
    )


def make_beam_nrpa(spec: Specialisation, **made_for: bool) -> Any:
    """The kernel: NRPA, in which level 1 keeps a beam."""
    parts = make_nrpa_parts(spec, **made_for)
    begin, keep_better, adapt, end = parts.begin, parts.keep_better, parts.adapt, parts.end
    take_out, put_away = _make_exchange(spec, made_for.get("learned", False))
    expand, select = _make_expand(spec, parts.playout, parts.layer), _make_select(spec)

    @spec.kernel
    def adapt_pairs(count, half, policy, trace, run):
        """Adapt the policy of each pair to its sequence; new ones begin with the policy that they were played by."""
        pairs = run.pairs
        width = pairs.order.size
        first = trace.row.size - 2 * width
        for b in range(count):
            take_out(policy, pairs, half + pairs.parent[b])
            status = adapt(policy, trace, trace.row[first + b], run.alpha, 1)
            if status != OK:
                return status
            put_away(policy, pairs, width - half + b)
        return OK

    @spec.kernel
    def search_pairs(key, self, states, policy, trace, run):
        """A call of level 1: expand all pairs, let the best survive, adapt each; the policies change halves."""
        begun = begin(1, key, policy, run)
        pairs = run.pairs
        width = pairs.order.size
        first = trace.row.size - 2 * width
        pairs.size[:] = 0
        count, half, status = 0, 0, OK
        for i in range(run.iterations[1]):
            expanded = 0
            for b in range(width if i == 0 else count):
                take_out(policy, pairs, half + b)
                status, score = expand(first + width + b, self, states, policy, trace, run)
                expanded += score > -np.inf
                if status != OK:
                    break
            count = select(count, expanded, first, run.ties[1], pairs, trace)
            if status == OK and i + 1 < run.iterations[1]:
                status = adapt_pairs(count, half, policy, trace, run)
                half = width - half
            if status != OK:
                break
        best = trace.scores[trace.row[first]] if count > 0 else -np.inf
        trace.row[1], trace.row[first] = trace.row[first], trace.row[1]
        end(1, best, begun, policy, trace)
        return status

    @spec.kernel
    def nrpa(level, key, self, states, policy, trace, run):
        """As in NRPA above level 1."""
        if level == 1:
            return search_pairs(key, self, states, policy, trace, run)
        begun = begin(level, key, policy, run)
        best, status = -np.inf, OK
        for i in range(run.iterations[level]):
            status = nrpa(level - 1, mix(key, i), self, states, policy, trace, run)
            status, best = keep_better(level, status, best, self, states, policy, trace, run)
            if status == OK and i + 1 < run.iterations[level]:
                status = adapt(policy, trace, trace.row[level], run.alpha, level)
            if status != OK:
                break
        end(level, best, begun, policy, trace)
        return status

    return parts.task(nrpa)


def _make_exchange(spec: Specialisation, learned: bool) -> tuple[Any, Any]:
    @spec.kernel
    def take_out(policy, pairs, at):
        """The policy that is kept at a place becomes the current one."""
        for i in range(policy.log_size[1]):
            number = policy.log_id[1, u(i)]
            if i < pairs.size[at]:
                policy.weight[number] = pairs.weight[at, u(i)]
                policy.factor[number] = pairs.factor[at, u(i)]
            else:
                policy.weight[number] = policy.log_weight[1, u(i)]
                policy.factor[number] = policy.log_factor[1, u(i)]
        if learned:  # before anything is logged, nothing is learned
            source = policy.learned.kept[at] if pairs.size[at] > 0 else policy.learned.before[1]
            for f in range(source.size):
                policy.learned.weight[u(f)] = source[u(f)]

    @spec.kernel
    def put_away(policy, pairs, at):
        """Keep the current policy at a place."""
        pairs.size[at] = policy.log_size[1]
        for i in range(policy.log_size[1]):
            number = policy.log_id[1, u(i)]
            pairs.weight[at, u(i)] = policy.weight[number]
            pairs.factor[at, u(i)] = policy.factor[number]
        if learned:
            for f in range(policy.learned.weight.size):
                policy.learned.kept[at, u(f)] = policy.learned.weight[u(f)]

    return take_out, put_away


def _make_expand(spec: Specialisation, playout: Any, layer: Any) -> Any:
    layered = layer is not None

    @spec.inlined
    def expand(place, self, states, policy, trace, run):
        """Playouts by the current policy, the best of them into a place; returns status and score."""
        best, status = -np.inf, OK
        for _ in range(run.playouts_per_adapt):
            status = playout(self, states, policy, trace, run)
            if status != OK:
                break
            score = trace.scores[trace.row[0]]
            if score > best or (score == best and run.ties[1] < 0.0):
                best = score
                trace.row[0], trace.row[place] = trace.row[place], trace.row[0]
        if layered and best > -np.inf:
            states[1] = states[0]
            seen = layer(self, states[1], policy, trace, trace.row[place], run)
            status = status if seen == OK else seen
        return status, best

    return expand


def _make_select(spec: Specialisation) -> Any:
    @spec.kernel
    def same(trace, a, b):
        """Whether two rows are one sequence."""
        length, ply = trace.lengths[a], 0
        if trace.lengths[b] != length:
            return False
        while ply < length and trace.moves[a, u(ply)] == trace.moves[b, u(ply)]:
            ply += 1
        return ply == length

    @spec.kernel
    def rank(count, expanded, first, tie, pairs, trace):
        """The places of the best pairs, each sequence once; of equal ones the newest, or by the tie rule the oldest."""
        kept, width = 0, pairs.order.size
        for i in range(count + expanded):
            if tie < 0.0:
                place = width + expanded - 1 - i if i < expanded else i - expanded
            else:
                place = i if i < count else width + i - count
            row, at, distinct = trace.row[first + place], 0, True
            for j in range(kept):
                other = trace.row[first + pairs.order[j]]
                at += trace.scores[other] >= trace.scores[row]
                distinct = distinct and not same(trace, other, row)
            if distinct and at < width:
                kept = min(kept + 1, width)
                for j in range(kept - 1, at, -1):
                    pairs.order[j] = pairs.order[j - 1]
                pairs.order[at] = place
        return kept

    @spec.kernel
    def select(count, expanded, first, tie, pairs, trace):
        """Bring the best pairs to the front, and note whose policy each has; returns how many."""
        kept, width = rank(count, expanded, first, tie, pairs, trace), pairs.order.size
        for place in range(2 * width):
            pairs.rows[place] = trace.row[first + place]
        for b in range(kept):
            place = pairs.order[b]
            trace.row[first + b] = pairs.rows[place]
            pairs.parent[b] = place if place < width else place - width
            pairs.rows[place] = -1
        free = kept
        for place in range(2 * width):
            if pairs.rows[place] >= 0:
                trace.row[first + free] = pairs.rows[place]
                free += 1
        return kept

    return select
