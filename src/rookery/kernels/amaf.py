"""All moves as first: what a move was worth wherever it was played later on; RAVE and GRAVE choose by it.

After Gelly and Silver, Combining Online and Offline Knowledge in UCT, 2007, and Cazenave, Generalized Rapid Action
Value Estimation, 2015. A position has a number for each player and code: how many playouts through it played the
code after it, in the lower 32 bits, and above them twice how many of these the player won, so that one addition
counts both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_MOVE, DETAIL, LENGTH_MOST, OK, PLY, TOO_LONG
from rookery.kernels.coding import Coding
from rookery.kernels.game_playout import check_winner
from rookery.kernels.playout import check_step
from rookery.kernels.policy import u
from rookery.kernels.positions import explore
from rookery.settings import inlined_kernel

LOWER, UPPER = u(0xFFFFFFFF), u(32)


def make_coded_playout(spec: Specialisation, coding: Coding) -> Any:
    """A playout by random moves that keeps the code and the player of each."""
    functions = spec.functions
    sample, play, player, winner = functions.sample, functions.play, functions.player, functions.winner
    number_range, coded, why = coding

    @spec.inlined
    def coded_playout(self, s, ply, trace, control, rng):
        within = number_range(control, trace)
        most = within[2]
        while True:
            control[PLY] = ply
            n, move = sample(self, s, trace.out, rng)
            status = check_step(n, ply, control)
            if status != OK:
                return status, 0, ply
            if move < 0:
                if n > 0:
                    control[DETAIL] = move
                    return BAD_MOVE, 0, ply
                break
            if ply >= control[LENGTH_MOST]:
                return TOO_LONG, 0, ply
            trace.moves[u(ply)] = move
            c = coded(self, s, move, within)
            if c == most:
                trace.out[0] = move
                status, control[DETAIL] = why(self, s, trace.out, 1, within)
                return status, 0, ply
            trace.chosen[u(ply)] = c + most * u(player(self, s) & 1)
            play(self, s, move)
            ply += 1
        won = np.int64(winner(self, s))
        return check_winner(won, control), won, ply

    return coded_playout


@inlined_kernel
def note_code(ply, table, trace, position, chosen, mover):
    """A step within the tree: the player and the code."""
    trace.chosen[u(ply)] = table.codes[u(chosen)] + u(trace.weight.shape[1] - 1) * u(mover)


@inlined_kernel
def count_amaf(won, steps, length, table, trace):
    """Count a playout for every position on its path: each code played from there on, for its player."""
    half = u(trace.weight.shape[1] - 1)
    first = u(1) + (u(1 if won < 0 else 2 if won == 0 else 0) << UPPER)
    second = u(1) + (u(1 if won < 0 else 2 if won == 1 else 0) << UPPER)
    for step in range(steps):
        row = table.amaf[u(table.row[u(table.path[0, u(step)])])]
        for ply in range(step, length):
            c = u(trace.chosen[u(ply)])
            row[c] += first if c < half else second


@inlined_kernel
def select_amaf(table, position, mover, ply, ref, bias):
    """Where the move of the highest value is, the first of equals.

    The value is (1 - beta) * mean + beta * amaf with beta = pa / (pa + p + bias * pa * p): p playouts of the move, pa
    of its code in the deepest position on the path that had more than ``ref`` playouts, or else in the root.
    """
    at, step = position, ply
    while step > 0 and table.visits[u(at)] <= ref:
        step -= 1
        at = np.int64(table.path[0, u(step)])
    row = table.amaf[u(table.row[u(at)])]
    side = u(row.size // 2) * u(mover)
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    width = table.c[0] * explore(table, max(np.int64(table.visits[u(position)]), 1))
    best, chosen = -np.inf, first
    for k in range(first, first + n):
        i = u(k)
        value = table.mean[i]
        count = row[side + table.codes[i]]
        played = np.float64(count & LOWER)
        if played > 0.0 and value != -np.inf:
            weight = 1.0 + bias * played
            value = (table.wins[i] * weight + 0.5 * np.float64(count >> UPPER)) / (table.tries[i] * weight + played)
        value += width * table.shrink[i]
        if value > best:
            best, chosen = value, k
    return chosen
