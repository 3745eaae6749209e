"""Playouts of a game in which each player chooses by weights; the trace keeps what there was to choose from."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import DETAIL, OK, PLY
from rookery.kernels.coding import Coding
from rookery.kernels.game_playout import check_winner
from rookery.kernels.playout import check_step, draw
from rookery.kernels.policy import u
from rookery.rng import uniform
from rookery.settings import inlined_kernel


def make_policy_playout(spec: Specialisation, coding: Coding) -> Any:
    """Algorithm 1 of Cazenave 2015: moves in proportion to their factors."""
    functions = spec.functions
    list_moves, play = functions.playout_moves, functions.play
    player, winner = functions.player, functions.winner
    number_range, coded, why = coding

    @spec.inlined
    def policy_playout(self, s, ply, trace, control, rng):
        numbers, out, cumulative = trace.codes, trace.out, trace.cumulative
        within = number_range(control, trace)
        end = trace.ends[u(ply - 1)] if ply > 0 else 0
        while True:
            control[PLY] = ply
            n = np.int64(list_moves(self, s, out))
            status = check_step(n, ply, control)
            if status != OK:
                return status, 0, ply
            if n == 0:
                break
            mover = np.int64(player(self, s))
            factor = trace.factor[u(mover & 1)]
            total, highest = 0.0, u(0)
            for k in range(n):
                c = coded(self, s, out[u(k)], within)
                highest = max(highest, c)
                numbers[u(end + k)] = c
                total += factor[c]
                cumulative[u(k)] = total
            if highest == within[2]:
                status, control[DETAIL] = why(self, s, out, n, within)
                return status, 0, ply
            chosen = draw(cumulative, n, uniform(rng) * total)
            move = out[u(chosen)]
            trace.moves[u(ply)] = move
            trace.movers[u(ply)] = mover
            trace.chosen[u(ply)] = numbers[u(end + chosen)]
            trace.totals[u(ply)] = total
            end += n
            trace.ends[u(ply)] = end
            play(self, s, move)
            ply += 1
        won = np.int64(winner(self, s))
        return check_winner(won, control), won, ply

    return policy_playout


@inlined_kernel
def clear_policy(trace):
    """Algorithm 3, line 1: weights of zero for both players."""
    trace.weight[:] = 0.0
    trace.factor[:] = 1.0


@inlined_kernel
def note_step(ply, table, trace, position, chosen, mover):
    """A step within the tree, as adapt needs it: the codes to choose from, and the one that was chosen."""
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    end = trace.ends[u(ply - 1)] if ply > 0 else 0
    factor = trace.factor[u(mover)]
    total = 0.0
    for k in range(n):
        c = table.codes[u(first + k)]
        trace.codes[u(end + k)] = c
        total += factor[u(c)]
    trace.movers[u(ply)] = mover
    trace.chosen[u(ply)] = table.codes[u(chosen)]
    trace.totals[u(ply)] = total
    trace.ends[u(ply)] = end + n
