"""Playout Policy Adaptation (Cazenave 2015): UCT whose playouts learn, in each search anew, from who has won."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.compiler.buffers import (
    BAD_MOVE,
    BAD_WINNER,
    CODE_RANGE,
    CODES_MOST,
    DETAIL,
    HALT,
    LENGTH_MOST,
    OK,
    PLY,
    STOPPED,
    TOO_LONG,
)
from rookery.compiler.settings import inlined_kernel
from rookery.compiler.specialise import Specialisation
from rookery.playout import check_step
from rookery.policy import u
from rookery.rng import copy_stream, exp, uniform
from rookery.search.budget import Unvisited, check_budget, check_tree
from rookery.search.parameters import finite

LANES = 8
"""So many exponentials in a row take as long as one alone, about."""


@dataclass(frozen=True)
class PPA:
    """Playout Policy Adaptation (Cazenave 2015): UCT whose playouts learn from the winner of each of them.

    Each player has a weight for every code, 0 at the beginning of a search. A playout chooses moves in proportion to
    exp(weight); after it, the weights of the winner's moves, from the root on, rise by alpha, and those of all moves
    that he could have played fall by alpha times their probability.

    Parameters
    ----------
    alpha
        the step of adapt
    playouts, seconds, c, unvisited, reuse, solver
        as in :class:`rookery.GameUCT`

    >>> PPA(playouts=500).alpha
    1.0
    """

    playouts: int | None = 1000
    seconds: float | None = None
    c: float = 0.4
    alpha: float = 1.0
    unvisited: Unvisited = "first"
    reuse: bool = False
    solver: bool = False

    name = "ppa"

    def __post_init__(self) -> None:
        check_budget(self)
        check_tree(self)
        object.__setattr__(self, "alpha", finite("alpha", self.alpha))


def make_game_playout(spec: Specialisation) -> Any:
    """A playout by moves at random; returns (status, winner, step at which it ended)."""
    functions = spec.functions
    sample, play, winner, own = functions.sample, functions.play, functions.winner, functions.playout

    if own is not None:

        @spec.inlined
        def own_playout(self, s, ply, trace, control, rng):
            if control[HALT] != 0:
                return STOPPED, 0, ply
            copy_stream(trace.rng, rng)
            won = np.int64(own(self, s, rng))
            if won < -1 or won > 1:
                control[DETAIL] = won
                return BAD_WINNER, won, ply
            return OK, won, ply

        return own_playout

    @spec.inlined
    def game_playout(self, s, ply, trace, control, rng):
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
            play(self, s, move)
            ply += 1
        won = np.int64(winner(self, s))
        if won < -1 or won > 1:
            control[DETAIL] = won
            return BAD_WINNER, won, ply
        return OK, won, ply

    return game_playout


def make_policy_playout(spec: Specialisation) -> Any:
    """Algorithm 1: a playout in which each player chooses by his weights; the trace keeps what he chose from."""
    functions = spec.functions
    list_moves, code, play = functions.playout_moves, functions.code, functions.play
    player, winner = functions.player, functions.winner

    @spec.kernel
    def out_of_range(self, s, out, n, most):
        """What is wrong with the first move whose code is out of range: the move, or the code."""
        for k in range(n):
            if out[u(k)] < 0:
                return BAD_MOVE, out[u(k)]
            c = np.int64(code(self, s, out[u(k)]))
            if u(c) >= most:
                return CODE_RANGE, c
        return CODE_RANGE, np.int64(0)

    @spec.inlined
    def policy_playout(self, s, ply, trace, control, rng):
        codes, out, cumulative = trace.codes, trace.out, trace.cumulative
        most = u(control[CODES_MOST])
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
                c = min(u(np.int64(code(self, s, out[u(k)]))), most)
                highest = max(highest, c)
                codes[u(end + k)] = c
                total += factor[c]
                cumulative[u(k)] = total
            if highest == most:
                status, control[DETAIL] = out_of_range(self, s, out, n, most)
                return status, 0, ply
            limit = uniform(rng) * total
            for k in range(n, n + 3):
                cumulative[u(k)] = np.inf  # whole blocks of four below: no ragged end
            chosen = 0
            for k in range(0, n, 4):
                for j in range(4):
                    chosen += cumulative[u(k + j)] <= limit
            chosen = min(chosen, n - 1)
            move = out[u(chosen)]
            trace.moves[u(ply)] = move
            trace.movers[u(ply)] = mover
            trace.chosen[u(ply)] = codes[u(end + chosen)]
            trace.totals[u(ply)] = total
            end += n
            trace.ends[u(ply)] = end
            play(self, s, move)
            ply += 1
        won = np.int64(winner(self, s))
        if won < -1 or won > 1:
            control[DETAIL] = won
            return BAD_WINNER, won, ply
        return OK, won, ply

    return policy_playout


@inlined_kernel
def clear_policy(trace):
    """Algorithm 3, line 1: weights of zero for both players."""
    trace.weight[:] = 0.0
    trace.factor[:] = 1.0


@inlined_kernel
def adapt(won, length, trace, alpha):
    """Algorithm 2: towards the moves of the winner, all by the policy as it was."""
    if won < 0:
        return
    weight, factor, codes = trace.weight[u(won)], trace.factor[u(won)], trace.codes
    begin, seen = 0, 0
    for ply in range(length):
        end = trace.ends[u(ply)]
        if trace.movers[u(ply)] == won:
            weight[u(trace.chosen[u(ply)])] += alpha
            share = alpha / trace.totals[u(ply)]
            for k in range(begin, end):
                c = u(codes[u(k)])
                weight[c] -= share * factor[c]
            seen += end - begin
        begin = end
    if LANES * seen >= weight.size:  # all of them, many at a time
        for c in range(weight.size):
            factor[c] = exp(weight[c])
        return
    begin = 0
    for ply in range(length):
        end = trace.ends[u(ply)]
        if trace.movers[u(ply)] == won:
            for k in range(begin, end):
                c = u(codes[u(k)])
                factor[c] = exp(weight[c])
        begin = end
