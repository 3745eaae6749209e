"""UCT for two players, after Algorithms 3 and 4 of Cazenave 2015; with a policy that adapts, PPA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.compiler.buffers import BAD_PLAYER, BAD_WINNER, DETAIL, FULL, HALT, LENGTH_MOST, OK, PLAYOUTS, PLY, STOPPED
from rookery.compiler.specialise import Specialisation
from rookery.playout import check_step, may_begin
from rookery.policy import u
from rookery.rng import copy_stream, seed_stream
from rookery.search.budget import Unvisited, check_budget, check_tree
from rookery.search.positions import (
    NOWHERE,
    POSITIONS,
    add,
    count_result,
    find,
    make_list_moves,
    select,
    select_untried,
    settle,
)
from rookery.search.ppa import adapt, clear_policy, make_game_playout, make_policy_playout


@dataclass(frozen=True)
class GameUCT:
    """UCT for two players, with a transposition table; the move with the most playouts is played.

    A playout follows the tree by w / p + c * sqrt(log(t) / p): of p playouts of a move the player won w, of t through
    the position. The first position that is not in the table is added to it, and the playout goes on at random.

    Parameters
    ----------
    playouts
        of a move; None: as many as there is time for
    seconds
        for a move; None: as long as the playouts take. The answer then depends on the speed of the machine
    c
        the larger, the more is explored
    unvisited
        a move without playouts: ``"first"``, it comes before all others, in the order of the list; ``"random"``, the
        same in random order; a number, the value that it is taken to have
    reuse
        keep what was found for a move of the game in the search for the next
    solver
        follow proven wins and losses up the tree (MCTS-Solver), and stop when the move is decided

    >>> GameUCT(playouts=500).c
    0.4
    """

    playouts: int | None = 1000
    seconds: float | None = None
    c: float = 0.4
    unvisited: Unvisited = "first"
    reuse: bool = False
    solver: bool = False

    name = "uct"

    def __post_init__(self) -> None:
        check_budget(self)
        check_tree(self)


def make_game_uct(spec: Specialisation, learns: bool) -> Any:
    """The kernel of a search for a move: plays until the budget of ``run`` is used up."""
    functions = spec.functions
    moves, play, key_of = functions.moves, functions.play, functions.key
    player, winner = functions.player, functions.winner
    playout = make_policy_playout(spec) if learns else make_game_playout(spec)
    list_moves = make_list_moves(spec, learns)

    @spec.inlined
    def note_step(ply, table, trace, position, move, mover):
        """A step within the tree, as adapt wants it."""
        first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
        end = trace.ends[u(ply - 1)] if ply > 0 else 0
        factor = trace.factor[u(mover)]
        total = 0.0
        for k in range(n):
            c = table.codes[u(first + k)]
            trace.codes[u(end + k)] = c
            total += factor[u(c)]
        trace.movers[u(ply)] = mover
        trace.chosen[u(ply)] = table.codes[u(move)]
        trace.totals[u(ply)] = total
        trace.ends[u(ply)] = end + n

    @spec.inlined
    def simulate(self, s, table, trace, run, solver, random_unvisited, unvisited):
        """Algorithm 4: one descent of the tree and one playout.

        Returns the status, the winner, whether that is proven, how many steps were in the tree, and how many in all.
        """
        control, rng = run.control, run.rng[0]
        ply = 0
        while True:
            control[PLY] = ply
            if ply >= control[LENGTH_MOST]:  # positions may come again, but no game is longer
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
                status, n = list_moves(self, s, ply, table, position, unvisited, trace.out, control)
                if status != OK:
                    return status, 0, False, ply, ply
                if n == 0:
                    return OK, np.int64(winner(self, s)), True, ply, ply
            mover = np.int64(player(self, s))
            if mover < 0 or mover > 1:
                control[DETAIL] = mover
                return BAD_PLAYER, 0, False, ply, ply
            if solver and ply > 0 and table.proven[u(position)] != 0:
                won = mover if table.proven[u(position)] > 0 else 1 - mover
                return OK, won, True, ply, ply
            chosen = np.int64(NOWHERE)
            if random_unvisited:
                chosen = select_untried(table, position, rng)
            elif unvisited == np.inf and table.visits[u(position)] < table.breadth[u(position)]:
                chosen = np.int64(table.first[u(position)]) + table.visits[u(position)]
                if table.visits[u(position)] > 0 and table.tries[u(chosen - 1)] == 0:
                    chosen = np.int64(NOWHERE)  # a position that came twice in a playout: its visits run ahead
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

    def game_uct(key, fresh, self, states, table, trace, run, c, alpha, solver, random_unvisited, unvisited):
        """Search from ``states[0]``; ``fresh``: begin, otherwise go on. Returns the status and the root's position."""
        control = run.control
        table.c[0] = c
        if fresh:
            seed_stream(run.rng[0], key)
            if learns:
                clear_policy(trace)
        while may_begin(control):
            if table.size[POSITIONS] == table.first.size:
                return FULL, np.int64(NOWHERE)
            if solver:
                root = position_of(self, states[0], table)
                if root != NOWHERE and table.proven[u(root)] != 0:
                    return OK, root
            states[1] = states[0]
            if random_unvisited:
                copy_stream(run.rng[1], run.rng[0])
            status, won, exact, steps, end = simulate(
                self, states[1], table, trace, run, solver, random_unvisited, unvisited
            )
            if status == FULL and random_unvisited:
                copy_stream(run.rng[0], run.rng[1])  # nothing was counted: the same again when there is room
            if status != OK:
                return status, np.int64(NOWHERE)
            if won < -1 or won > 1:
                control[DETAIL] = won
                return BAD_WINNER, np.int64(NOWHERE)
            update(table, steps, won, exact, solver)
            if learns:
                adapt(won, end, trace, alpha)
            control[PLAYOUTS] += 1
        return STOPPED if control[HALT] != 0 else OK, position_of(self, states[0], table)

    return game_uct


def make_uct(spec: Specialisation) -> Any:
    """The kernel of UCT."""
    return make_game_uct(spec, learns=False)


def make_ppa(spec: Specialisation) -> Any:
    """The kernel of PPA."""
    return make_game_uct(spec, learns=True)
