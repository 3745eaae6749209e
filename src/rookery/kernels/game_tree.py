"""The search in a tree of positions, after Algorithms 3 and 4 of Cazenave 2015; searches differ in their parts."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import FULL, HALT, LENGTH_MOST, OK, PLAYOUTS, PLY, STOPPED
from rookery.kernels.amaf import count_amaf, select_amaf
from rookery.kernels.coding import Coding
from rookery.kernels.game_playout import ESTIMATED, check_player, check_winner
from rookery.kernels.hints import make_bias_hint, make_prior_hint
from rookery.kernels.playout import check_step, may_begin
from rookery.kernels.policy import u
from rookery.kernels.positions import (
    DRAWN,
    LOST,
    MOST,
    NOWHERE,
    POSITIONS,
    WON,
    add,
    count_result,
    explore,
    find,
    make_list_moves,
    report,
    select,
    select_untried,
    settle,
)
from rookery.rng import copy_stream, seed_stream

Hints = Literal["bias", "prior"]


class Parts(NamedTuple):
    """What a search puts into the tree.

    The number or numbers that a search calls its ``own`` reach the parts that need them: the weight of a bias and the
    length of a playout (UCT), ``alpha`` (PPA), the temperature (MAST), ``ref`` and ``bias`` (GRAVE).
    """

    playout: Any
    """As that of :func:`rookery.kernels.game_playout.make_game_playout`."""
    coding: Coding | None = None
    """What names a move, if something is learnt of it."""
    note_step: Any = None
    """``note_step(ply, table, trace, position, chosen, mover)``: a step within the tree, as ``adapt`` wants it."""
    clear: Any = None
    """``clear(trace)`` forgets what was learnt in an earlier search."""
    adapt: Any = None
    """``adapt(won, length, trace, own)`` learns from a playout."""
    amaf: bool = False
    """Whether moves are chosen by their AMAF values."""
    hints: Hints | None = None
    """Whether the game says what it thinks of moves."""
    cuts: bool = False
    """Whether playouts are cut and estimated."""


def make_game_tree(spec: Specialisation, parts: Parts) -> Any:
    """The kernel of a search in a tree."""
    functions = spec.functions
    moves, play, key_of = functions.moves, functions.play, functions.key
    player, winner = functions.player, functions.winner
    playout, coding, note_step, clear, adapt, amaf, hints, cuts = parts
    notes, learns, biased, primed = note_step is not None, adapt is not None, hints == "bias", hints == "prior"
    hint = make_bias_hint(spec) if biased else make_prior_hint(spec) if primed else None
    list_moves = make_list_moves(spec, coding, amaf, hint)

    @spec.inlined
    def best_move(table, position, mover, ply, unvisited, own):
        """Where the move to follow is: those never tried first, if they are worth most, in their order."""
        visits = np.int64(table.visits[u(position)])
        if amaf:
            return select_amaf(table, position, mover, ply, own[0], own[1])
        if unvisited == np.inf and visits < table.breadth[u(position)]:
            chosen = np.int64(table.first[u(position)]) + visits
            if visits == 0 or table.tries[u(chosen - 1)] != 0:
                return chosen
            # else a position that occurred twice in a playout: its visits run ahead
        if primed:
            return select(table, position, table.c[0] * np.sqrt(np.float64(visits)))
        return select(table, position, table.c[0] * explore(table, max(visits, 1)))

    @spec.inlined
    def simulate(self, s, table, trace, run, solver, random_unvisited, unvisited, own):
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
                status, n = list_moves(self, s, ply, table, position, unvisited, trace, control, own)
                if status != OK:
                    return status, 0, False, ply, ply
                if n == 0:
                    return OK, np.int64(winner(self, s)), True, ply, ply
            mover = np.int64(player(self, s))
            status = check_player(mover, control)
            if status != OK:
                return status, 0, False, ply, ply
            if solver and ply > 0 and table.proven[u(position)] != 0:
                return OK, winner_if(np.int64(table.proven[u(position)]), mover), True, ply, ply
            chosen = np.int64(NOWHERE)
            if random_unvisited:
                chosen = select_untried(table, position, rng)
            if chosen == NOWHERE:
                chosen = best_move(table, position, mover, ply, unvisited, own)
            move = table.moves[u(chosen)]
            table.path[0, u(ply)] = position
            table.path[1, u(ply)] = chosen
            table.movers[u(ply)] = mover
            if notes:
                note_step(ply, table, trace, position, chosen, mover)
            trace.moves[u(ply)] = move
            play(self, s, move)
            ply += 1

    @spec.inlined
    def winner_if(proven, mover):
        """Who wins a position of which something is proven for the player to move."""
        return mover if proven == WON else 1 - mover if proven == LOST else np.int64(-1)

    @spec.inlined
    def update(table, trace, steps, won, exact, solver, own):
        """Count the result along the path; with ``solver``, follow what is proven upwards."""
        proven, result = solver and exact, won
        for step in range(steps - 1, -1, -1):
            position, chosen = np.int64(table.path[0, u(step)]), np.int64(table.path[1, u(step)])
            mover = np.int64(table.movers[u(step)])
            reward = 0.5 if won < 0 else 1.0 if won == mover else 0.0
            if cuts and won == ESTIMATED:
                reward = trace.value[0] if mover == 0 else 1.0 - trace.value[0]
            count_result(table, position, chosen, reward)
            if biased:
                table.mean[u(chosen)] += own[0] * table.hint[u(chosen)] / (table.tries[u(chosen)] + 1)
            if primed:
                table.shrink[u(chosen)] = table.hint[u(chosen)] / (table.tries[u(chosen)] + 1)
            if solver and table.settled[u(chosen)] != 0:  # chosen twice in a playout, and settled in between
                table.mean[u(chosen)], table.shrink[u(chosen)] = -np.inf, 0.0
            if proven:
                means = settle(table, position, chosen, DRAWN if result < 0 else WON if result == mover else LOST)
                proven, result = means != 0, winner_if(means, mover)

    @spec.inlined
    def position_of(self, s, table):
        position, _ = find(table, u(key_of(self, s)))
        return position

    def game_tree(key, fresh, self, states, root, trace, run, table, how, own):
        """Algorithm 3: search from ``states[0]``; starts afresh if ``fresh``, otherwise continues.

        With ``keeps``, what was learnt for the last move of the game is not cleared.
        """
        control = run.control
        table.c[0], solver, random_unvisited, unvisited, keeps = how
        if cuts:
            trace.cut[0] = own[1]
        if fresh:
            seed_stream(run.rng[0], key)
            if learns and not keeps:
                clear(trace)
        while may_begin(control):
            if table.size[POSITIONS] == table.size[MOST]:
                root.at[0] = position_of(self, states[0], table)
                return FULL
            if solver:
                position = position_of(self, states[0], table)
                if position != NOWHERE and table.proven[u(position)] != 0:
                    break
            states[1] = states[0]
            if random_unvisited:
                copy_stream(run.rng[1], run.rng[0])
            status, won, exact, steps, end = simulate(
                self, states[1], table, trace, run, solver, random_unvisited, unvisited, own
            )
            if status == FULL and random_unvisited:
                copy_stream(run.rng[0], run.rng[1])  # nothing was counted: it is repeated when there is room
            if status == OK and not (cuts and won == ESTIMATED):
                status = check_winner(won, control)
            if status != OK:
                return status
            update(table, trace, steps, won, exact, solver, own)
            if learns:
                adapt(won, end, trace, own)
            if amaf:
                count_amaf(won, steps, end, table, trace)
            control[PLAYOUTS] += 1
        report(table, position_of(self, states[0], table), root)
        return STOPPED if control[HALT] != 0 else OK

    return game_tree
