"""A playout in layers: moves that were legal at the same time, and may change places, are adapted together.

A layer of m moves is one step of adapt: each of its codes gains alpha, and every code that was legal loses alpha
times m times its probability.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_LAYERS, CODES_MOST, FULL, MOVES_MOST, OK
from rookery.kernels.bias_weights import Learning
from rookery.kernels.playout import check_step, make_name, make_weigh
from rookery.kernels.policy import PolicyKernels, u

SPREAD = np.uint64(0x9E3779B97F4A7C15)


def make_layer(
    spec: Specialisation, policy_kernels: PolicyKernels, scaled: bool = False, learning: Learning | None = None
) -> Any:
    """A playout seen in layers: each move with what was legal when its layer began.

    ``scaled``, ``learning``: as for the playout.
    """
    functions, hashed = spec.functions, spec.hashed
    list_moves, move_at, code = functions.list_moves, functions.move_at, functions.code
    play, begin_playout, commute = functions.play, functions.begin_playout, functions.commute
    locate = policy_kernels.locate
    name, (weigh, scale_of) = make_name(spec), make_weigh(spec, scaled, learning)

    @spec.kernel
    def joins(self, move, moves, size):
        """Whether a move may change places with all of these."""
        for i in range(size):  # noqa: SIM110
            if not commute(self, moves[u(i)], move):
                return False
        return True

    @spec.kernel
    def enter(table, moves, count):
        """Note where each move of a sequence is in it."""
        mask = u(table.size - 1)
        table[:] = 0
        for i in range(count):
            slot = u(moves[u(i)]) * SPREAD >> u(32) & mask
            while table[slot] != 0:
                slot = slot + u(1) & mask
            table[slot] = i + 1

    @spec.kernel
    def find(table, moves, left, move):
        """Where a move is among those left of a sequence; -1 if it is not among them."""
        mask = u(table.size - 1)
        slot = u(move) * SPREAD >> u(32) & mask
        while table[slot] != 0:
            i = table[slot] - 1
            if moves[u(i)] == move and left[u(i)] != 0:
                return i
            slot = slot + u(1) & mask
        return -1

    @spec.kernel
    def layer(self, s, policy, trace, row, run):
        """Rewrite a row. A layer takes all moves left that are legal now and may change places with those before."""
        control = run.control
        begin_playout(self, s)
        codes, ids, bias_factors, out = trace.codes[row], trace.ids[row], trace.factors[row], trace.out
        moves, length = trace.moves[row], trace.lengths[row]
        left, legal_in, places, members, kept = (
            trace.layers[0],
            trace.layers[1],
            trace.layers[2],
            trace.layers[3],
            trace.layers[4],
        )
        most = u(control[CODES_MOST])
        enter(trace.table, moves, length)
        left[:length] = 1
        legal_in[:length] = -1
        ply = 0
        end = 0
        while ply < length:
            n = list_moves(self, s, out)
            status = check_step(n, ply, control)
            if status != OK:
                return status
            if end > codes.size - control[MOVES_MOST]:
                return FULL
            for k in range(n):
                move = move_at(self, s, out, k)
                c = name(code(self, s, move), most)
                if hashed:
                    codes[u(end + k)] = c
                ids[u(end + k)] = locate(policy.slot_code, c)
                weigh(1.0, self, s, move, scale_of(policy, row), bias_factors, u(end + k))
                i = find(trace.table, moves, left, move)
                if i >= 0:
                    legal_in[u(i)] = end  # every layer ends elsewhere
                    places[u(i)] = k
            size = 0
            waiting = 0
            for i in range(length):
                if left[u(i)] != 0:
                    move = moves[u(i)]
                    legal = legal_in[u(i)] == end
                    if legal and joins(self, move, members, size) and joins(self, move, kept, waiting):
                        trace.chosen[row, u(ply + size)] = end + places[u(i)]
                        trace.ends[row, u(ply + size)] = end + n
                        left[u(i)] = 0
                        members[u(size)] = move
                        size += 1
                    else:
                        kept[u(waiting)] = move
                        waiting += 1
            if size == 0:
                return BAD_LAYERS
            for j in range(size):
                play(self, s, members[u(j)])
            ply += size
            end += n
        trace.named[row] = 0
        trace.fresh[row] = False  # the totals of the playout are of other steps
        return OK

    return layer
