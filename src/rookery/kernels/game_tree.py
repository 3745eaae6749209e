"""The search in a tree of positions, after Algorithms 3 and 4 of Cazenave 2015; what differs between searches is parts."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import FULL, HALT, LENGTH_MOST, OK, PLAYOUTS, PLY, STOPPED
from rookery.kernels.coding import Coding
from rookery.kernels.game_playout import check_player, check_winner
from rookery.kernels.playout import check_step, may_begin
from rookery.kernels.policy import u
from rookery.kernels.positions import (
    NOWHERE,
    POSITIONS,
    add,
    count_result,
    find,
    make_list_moves,
    report,
    select,
    select_untried,
    settle,
)
from rookery.rng import copy_stream, seed_stream


class Learning(NamedTuple):
    """What a search whose playouts learn adds to the tree; all compiled."""

    coding: Coding
    """What names a move."""
    clear: Any
    """``clear(trace)`` forgets what was learnt in an earlier search."""
    note_step: Any
    """``note_step(ply, table, trace, position, chosen, mover)``: a step within the tree, as ``adapt`` wants it."""
    adapt: Any
    """``adapt(won, length, trace, own)`` learns from a playout."""


def make_game_tree(spec: Specialisation, playout: Any, learning: Learning | None = None) -> Any:
    """The kernel of a search in a tree.

    ``playout`` is as that of :func:`rookery.kernels.game_playout.make_game_playout`, and may learn.
    """
    functions = spec.functions
    moves, play, key_of = functions.moves, functions.play, functions.key
    player, winner = functions.player, functions.winner
    learns = learning is not None
    coding, clear, note_step, adapt = (None,) * 4 if learning is None else learning
    list_moves = make_list_moves(spec, coding)

    @spec.inlined
    def simulate(self, s, table, trace, run, solver, random_unvisited, unvisited):
        """Algorithm 4: one descent of the tree and one playout.

        Returns the status, the winner, whether that is proven, how many steps were in the tree, and how many in all.
        """
        control, rng = run.control, run.rng[0]
        ply = 0
        while True:
            control[PLY] = ply
            if ply >= control[LENGTH_MOST]:  # positions may recur, but no game is longer
                status = check_step(np.int64(moves(self, s, trace.out)), ply, control)
                return status, np.int64(winner(self, s)), False, ply, ply
            key = u(key_of(self, s))
            position, slot = find(table, key)
            if position == NOWHERE:
                if solver and moves(self, s, trace.out) == 0:
                    return OK, np.int64(winner(self, s)), True, ply, ply
                add(table, slot, key)
                status, won, end = playout(self, s, ply, trace, control, rng)
                return status, won, False, ply, end
            if table.breadth[u(position)] == 0:
                status, n = list_moves(self, s, ply, table, position, unvisited, trace, control)
                if status != OK:
                    return status, 0, False, ply, ply
                if n == 0:
                    return OK, np.int64(winner(self, s)), True, ply, ply
            mover = np.int64(player(self, s))
            status = check_player(mover, control)
            if status != OK:
                return status, 0, False, ply, ply
            if solver and ply > 0 and table.proven[u(position)] != 0:
                won = mover if table.proven[u(position)] > 0 else 1 - mover
                return OK, won, True, ply, ply
            chosen = np.int64(NOWHERE)
            if random_unvisited:
                chosen = select_untried(table, position, rng)
            elif unvisited == np.inf and table.visits[u(position)] < table.breadth[u(position)]:
                chosen = np.int64(table.first[u(position)]) + table.visits[u(position)]
                if table.visits[u(position)] > 0 and table.tries[u(chosen - 1)] == 0:
                    chosen = np.int64(NOWHERE)  # a position that occurred twice in a playout: its visits run ahead
            if chosen == NOWHERE:
                chosen = select(table, position)
            move = table.moves[u(chosen)]
            table.path[0, u(ply)] = position
            table.path[1, u(ply)] = chosen
            table.movers[u(ply)] = mover
            if learns:
                note_step(ply, table, trace, position, chosen, mover)
            trace.moves[u(ply)] = move
            play(self, s, move)
            ply += 1

    @spec.inlined
    def update(table, steps, won, exact, solver):
        """Count the result along the path; with ``solver``, follow what is proven upwards."""
        proven = solver and exact and won >= 0
        for step in range(steps - 1, -1, -1):
            position, chosen = np.int64(table.path[0, u(step)]), np.int64(table.path[1, u(step)])
            mover = np.int64(table.movers[u(step)])
            reward = 0.5 if won < 0 else 1.0 if won == mover else 0.0
            count_result(table, position, chosen, reward)
            if solver and table.settled[u(chosen)] != 0:  # chosen twice in a playout, and settled in between
                table.mean[u(chosen)], table.shrink[u(chosen)] = -np.inf, 0.0
            if proven:
                proven = settle(table, position, chosen, 1 if won == mover else -1) != 0

    @spec.inlined
    def position_of(self, s, table):
        position, _ = find(table, u(key_of(self, s)))
        return position

    def game_tree(
        key, fresh, self, states, root, trace, run, table, c, solver, random_unvisited, unvisited, keeps, own
    ):
        """Algorithm 3: search from ``states[0]``; starts afresh if ``fresh``, otherwise continues.

        ``keeps``: what was learnt for the last move of the game is not cleared; ``own``: what else the parts need.
        """
        control = run.control
        table.c[0] = c
        if fresh:
            seed_stream(run.rng[0], key)
            if learns and not keeps:
                clear(trace)
        while may_begin(control):
            if table.size[POSITIONS] == table.first.size:
                return FULL
            if solver:
                position = position_of(self, states[0], table)
                if position != NOWHERE and table.proven[u(position)] != 0:
                    break
            states[1] = states[0]
            if random_unvisited:
                copy_stream(run.rng[1], run.rng[0])
            status, won, exact, steps, end = simulate(
                self, states[1], table, trace, run, solver, random_unvisited, unvisited
            )
            if status == FULL and random_unvisited:
                copy_stream(run.rng[0], run.rng[1])  # nothing was counted: it is repeated when there is room
            if status == OK:
                status = check_winner(won, control)
            if status != OK:
                return status
            update(table, steps, won, exact, solver)
            if learns:
                adapt(won, end, trace, own)
            control[PLAYOUTS] += 1
        report(table, position_of(self, states[0], table), root)
        return STOPPED if control[HALT] != 0 else OK

    return game_tree
