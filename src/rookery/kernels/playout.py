"""Playouts: by weights (NRPA), or along a given sequence (replay); what every playout checks and counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import (
    BAD_SCORE,
    BUDGET,
    CODE_RANGE,
    CODES_MOST,
    DETAIL,
    FULL,
    HALT,
    HALT_TARGET,
    ILLEGAL_MOVE,
    IMPROVEMENTS,
    LENGTH_MOST,
    MOVES_MOST,
    NEGATIVE_MOVES,
    OK,
    PLAYOUTS,
    STOPPED,
    TOO_LONG,
    TOO_MANY_MOVES,
)
from rookery.kernels.bias_weights import Learning
from rookery.kernels.buffers import WEIGHTED_STREAM
from rookery.kernels.policy import PolicyKernels, u
from rookery.kernels.pool import make_offer
from rookery.rng import exp, uniform
from rookery.settings import inlined_kernel


@inlined_kernel
def check_step(n, ply, control):
    """The promises of ``limits`` that hold at every step, and the halt flag."""
    if n > control[MOVES_MOST]:
        control[DETAIL] = n
        return TOO_MANY_MOVES
    if n < 0:
        control[DETAIL] = n
        return NEGATIVE_MOVES
    if n > 0 and ply >= control[LENGTH_MOST]:
        return TOO_LONG
    if control[HALT] != 0:
        return STOPPED
    return OK


@inlined_kernel
def may_begin(control):
    """Whether one more playout may be played."""
    return control[HALT] == 0 and control[PLAYOUTS] < control[BUDGET]


@inlined_kernel
def finish_playout(score, run):
    """Count a playout, note an improvement, halt at the target."""
    if not np.isfinite(score):
        return BAD_SCORE
    control = run.control
    control[PLAYOUTS] += 1
    m = control[IMPROVEMENTS]
    if m == 0 or score > run.improved_to[u(m - 1)]:
        m -= m == run.improved_at.size  # no room: the last one is replaced
        run.improved_at[u(m)] = control[PLAYOUTS]
        run.improved_to[u(m)] = score
        control[IMPROVEMENTS] = m + 1
        if score >= run.target:
            control[HALT] = HALT_TARGET
    return OK


@inlined_kernel
def draw(cumulative, n, limit):
    """The first of ``n`` moves whose weight, added to those before it, is more than ``limit``."""
    for k in range(n, n + 3):
        cumulative[u(k)] = np.inf  # whole blocks of four below: no ragged end
    chosen = 0
    for k in range(0, n, 4):
        for j in range(4):
            chosen += cumulative[u(k + j)] <= limit
    return chosen - (chosen == n)


def make_name(spec: Specialisation) -> Any:
    """A code as the trace keeps it; a dense one out of range becomes ``most``."""
    if spec.hashed:

        @spec.inlined
        def name(code, most):
            return u(code)
    else:

        @spec.inlined
        def name(code, most):
            whole = u(np.int64(code))
            return whole if whole < most else most

    return name


def make_weigh(spec: Specialisation, scaled: bool = False, learning: Learning | None = None) -> tuple[Any, Any]:
    """A factor times ``exp(bias)``, which is kept for adapt; the factor alone for a problem without bias.

    ``scaled``: the bias is multiplied by ``scale``; ``learning``: by weights, and in place of ``scale`` are these with
    the row that keeps the biases. The second function says what ``scale`` is for a row.
    """
    bias = spec.functions.bias
    if learning is not None:

        @spec.inlined
        def terms(policy, row):
            return policy.learned.weight, policy.learned.values[row]

        return learning.weigh, terms

    @spec.inlined
    def scale_of(policy, row):
        return policy.bias_scale

    if bias is not None and scaled:

        @spec.inlined
        def weigh(factor, self, s, move, scale, bias_factors, k):
            bias_factors[k] = exp(scale * np.float64(bias(self, s, move)))
            return factor * bias_factors[k]
    elif bias is not None:

        @spec.inlined
        def weigh(factor, self, s, move, scale, bias_factors, k):
            bias_factors[k] = exp(np.float64(bias(self, s, move)))
            return factor * bias_factors[k]
    else:

        @spec.inlined
        def weigh(factor, self, s, move, scale, bias_factors, k):
            return factor

    return weigh, scale_of


def make_weighted_playout(
    spec: Specialisation, policy_kernels: PolicyKernels, scaled: bool = False, learning: Learning | None = None
) -> tuple[Any, Any]:
    """A playout by weights, and a given sequence as a playout; both with the codes that adapt needs.

    ``scaled``, ``learning``: for the options bias_scale and learn_bias of NRPA.
    """
    functions, hashed, keeps = spec.functions, spec.hashed, spec.keeps
    list_moves, move_at, code = functions.list_moves, functions.move_at, functions.code
    play, value = functions.play, functions.value
    begin_playout, locate = functions.begin_playout, policy_kernels.locate
    name, offer = make_name(spec), make_offer(spec)
    weigh, scale_of = make_weigh(spec, scaled, learning)

    @spec.inlined
    def playout(self, s, policy, trace, run):
        """Rosin 2011, Figure 2, lines 2-9: into the row ``trace.row[0]``."""
        control = run.control
        if not may_begin(control):
            return STOPPED
        begin_playout(self, s)
        row = trace.row[0]
        codes, ids, bias_factors = trace.codes[row], trace.ids[row], trace.factors[row]
        played, chosen_at, ends, totals = trace.moves[row], trace.chosen[row], trace.ends[row], trace.totals[row]
        out, cumulative, rng = trace.out, trace.cumulative, run.rng[WEIGHTED_STREAM]
        factor, slot_code, scale = policy.factor, policy.slot_code, scale_of(policy, row)
        room, most = codes.size - control[MOVES_MOST], u(control[CODES_MOST])
        ply = np.int64(0)
        end = 0
        while True:
            n = list_moves(self, s, out)
            status = check_step(n, ply, control)
            if status != OK:
                return status
            if n == 0:
                break
            if end > room:
                return FULL
            total = 0.0
            for k in range(n):
                move = move_at(self, s, out, k)
                c = name(code(self, s, move), most)
                if not hashed and c == most:
                    control[DETAIL] = np.int64(code(self, s, move))
                    return CODE_RANGE
                number = locate(slot_code, c)
                if hashed:
                    codes[u(end + k)] = c
                ids[u(end + k)] = number
                total += weigh(factor[number], self, s, move, scale, bias_factors, u(end + k))
                cumulative[u(k)] = total
            chosen = draw(cumulative, n, uniform(rng) * total)
            move = move_at(self, s, out, chosen)
            played[u(ply)] = move
            chosen_at[u(ply)] = end + chosen
            totals[u(ply)] = total
            end += n
            ends[u(ply)] = end
            play(self, s, move)
            ply += 1
        trace.lengths[row] = ply
        trace.named[row] = 0
        trace.fresh[row] = True
        score = value(self, s)
        trace.scores[row] = score
        if keeps:
            offer(self, played, 0, ply, score, run)
        return finish_playout(score, run)

    @spec.kernel
    def follow(self, s, sequence, policy, trace, run):
        """Play a given sequence into the row ``trace.row[0]``."""
        control = run.control
        begin_playout(self, s)
        row = trace.row[0]
        codes, ids, bias_factors, out = trace.codes[row], trace.ids[row], trace.factors[row], trace.out
        most = u(control[CODES_MOST])
        end = 0
        for ply in range(sequence.size):
            n = list_moves(self, s, out)
            status = check_step(n, ply, control)
            if status != OK:
                return status
            if end > codes.size - control[MOVES_MOST]:
                return FULL
            chosen = -1
            for k in range(n):
                move = move_at(self, s, out, k)
                c = name(code(self, s, move), most)
                if not hashed and c == most:
                    control[DETAIL] = np.int64(code(self, s, move))
                    return CODE_RANGE
                if hashed:
                    codes[u(end + k)] = c
                ids[u(end + k)] = locate(policy.slot_code, c)
                weigh(1.0, self, s, move, scale_of(policy, row), bias_factors, u(end + k))
                if move == sequence[u(ply)]:
                    chosen = k
            if chosen < 0:
                control[DETAIL] = ply
                return ILLEGAL_MOVE
            trace.moves[row, u(ply)] = sequence[u(ply)]
            trace.chosen[row, u(ply)] = end + chosen
            end += n
            trace.ends[row, u(ply)] = end
            play(self, s, sequence[u(ply)])
        trace.lengths[row] = sequence.size
        trace.named[row] = 0
        trace.fresh[row] = False
        trace.scores[row] = value(self, s)
        return OK

    return playout, follow


def make_replay(spec: Specialisation) -> Any:
    """Play a sequence from the start of the problem, every move checked against the legal ones."""
    functions = spec.functions
    start, moves, play, value = functions.start, functions.moves, functions.play, functions.value

    def replay(self, states, sequence, out, control, scored):
        """Leave the state in ``states[0]`` and its legal moves in ``out``; return (status, moves, score).

        Unless ``scored``, the score of an unfinished state is not asked for: it need not have one.
        """
        s = states[0]
        start(self, s)
        ply = np.int64(0)
        while True:
            n = np.int64(moves(self, s, out))
            status = check_step(n, ply, control)
            if status != OK:
                return status, n, 0.0
            if ply == sequence.size:
                score = value(self, s) if scored or n == 0 else 0.0
                return OK, n, score
            found = False
            for k in range(n):
                if out[u(k)] == sequence[u(ply)]:
                    found = True
            if not found:
                control[DETAIL] = ply
                return ILLEGAL_MOVE, n, 0.0
            play(self, s, sequence[u(ply)])
            ply += 1

    return replay
