"""Playout Policy Adaptation (Cazenave 2015): UCT whose playouts learn from the winners, afresh in each search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.arguments import finite
from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_MOVE, CODE_RANGE, CODES_MOST, DETAIL, OK, PLY
from rookery.kernels.buffers import Positions
from rookery.kernels.game_playout import check_winner
from rookery.kernels.playout import check_step, draw
from rookery.kernels.policy import u
from rookery.rng import exp, uniform
from rookery.search.game_uct import GameTreeSearch, Learning, Unvisited, make_game_tree
from rookery.settings import inlined_kernel

LANES = 8
"""This many exponentials in a row take about as long as one alone."""


@dataclass(frozen=True)
class PPA(GameTreeSearch):
    """Playout Policy Adaptation (Cazenave 2015): UCT whose playouts learn from the winner of each playout.

    Each player has a weight for every code, 0 at the beginning of a search. A playout chooses moves in proportion to
    exp(weight); after it, the weights of the winner's moves, from the root on, rise by alpha, and those of all
    moves that were possible instead fall by alpha times their probability.

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
        super().__post_init__()
        object.__setattr__(self, "alpha", finite("alpha", self.alpha))

    @staticmethod
    def kernel(spec: Specialisation) -> Any:
        """Playouts from the leaves of the tree, by a policy that learns from each."""
        return make_game_tree(spec, Learning(make_policy_playout(spec), clear_policy, note_step, adapt))

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, how it is followed, and how fast the policy learns."""
        return *super().arguments(table), self.alpha


def make_policy_playout(spec: Specialisation) -> Any:
    """Algorithm 1: a playout in which each player chooses by weights; the trace keeps what there was to choose from."""
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
            chosen = draw(cumulative, n, uniform(rng) * total)
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
