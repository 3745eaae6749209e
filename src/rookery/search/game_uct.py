"""UCT for two players, after Algorithms 3 and 4 of Cazenave 2015; with a policy that learns, PPA."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from rookery.arguments import finite, flag, shown
from rookery.compiler.specialise import Specialisation
from rookery.control import FULL, HALT, LENGTH_MOST, OK, PLAYOUTS, PLY, STOPPED
from rookery.errors import InputError
from rookery.kernels.buffers import Positions
from rookery.kernels.game_playout import check_player, check_winner, make_game_playout
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
from rookery.search.game_search import Counts, GameSearch

Unvisited = Literal["first", "random"] | float
"""What a move that has never been tried is worth."""


class GameTreeSearch(GameSearch):
    """Base of searches in a tree of positions; a subclass has these parameters, in an order of its own."""

    c: float
    unvisited: Unvisited
    reuse: bool
    solver: bool

    twin = "rookery.reference.game_uct:search"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "c", finite("c", self.c))
        if self.c < 0:
            raise InputError(f"c must be at least 0, got {shown(self.c)}")
        if isinstance(self.unvisited, str):
            if self.unvisited not in ("first", "random"):
                raise InputError(f'unvisited must be "first", "random" or a number, got {shown(self.unvisited)}')
        else:
            object.__setattr__(self, "unvisited", finite("unvisited", self.unvisited))
        for name in ("reuse", "solver"):
            flag(name, getattr(self, name))

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, and how it is followed."""
        unvisited = np.inf if isinstance(self.unvisited, str) else float(self.unvisited)
        return table, self.c, self.solver, self.unvisited == "random", unvisited

    def twin_parameters(self) -> dict[str, Any]:
        """All but the budget and ``reuse``: whoever holds the table decides whether it is kept."""
        values = super().twin_parameters()
        del values["reuse"]
        return values

    def reuses(self) -> bool:
        """Whether it keeps its tree for the next move of the game."""
        return self.reuse

    def chosen(self, counts: Counts) -> int:
        """A move that is proven to win; else the first of those with the most playouts, proven losses last."""
        return max(range(len(counts.moves)), key=lambda i: (counts.settled[i], counts.tries[i]))


@dataclass(frozen=True)
class GameUCT(GameTreeSearch):
    """UCT for two players, with a transposition table; the move with the most playouts is played.

    A playout follows the tree by w / p + c * sqrt(log(t) / p): t playouts came through the position, p of them with
    this move, and the player won w of these. The first position that is not in the table is added to it, and the
    playout continues at random.

    Parameters
    ----------
    playouts
        playouts for a move; None: as many as there is time for
    seconds
        time for a move; None: as long as the playouts take. With a time limit the answer depends on the speed of the
        machine
    c
        weight of exploration: the larger it is, the more is explored
    unvisited
        what a move without playouts is worth. ``"first"``: it comes before all others, in the order of the list;
        ``"random"``: the same in random order; a number: this value
    reuse
        keep what was found for one move of a game when searching for the next
    solver
        follow proven wins and losses up the tree (MCTS-Solver), and stop when the result is proven

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

    @staticmethod
    def kernel(spec: Specialisation) -> Any:
        """Random playouts from the leaves of the tree."""
        return make_game_tree(spec, None)

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, and how it is followed; nothing is learnt."""
        return *super().arguments(table), 0.0


class Learning(NamedTuple):
    """What a search whose playouts learn adds to the tree; all compiled."""

    playout: Any
    """As that of :func:`rookery.kernels.game_playout.make_game_playout`."""
    clear: Any
    """``clear(trace)`` forgets what was learnt in an earlier search."""
    note_step: Any
    """``note_step(ply, table, trace, position, chosen, mover)``: a step within the tree, as ``adapt`` wants it."""
    adapt: Any
    """``adapt(won, length, trace, alpha)`` learns from a playout."""


def make_game_tree(spec: Specialisation, learning: Learning | None) -> Any:
    """The kernel of a search in a tree, whose playouts may learn."""
    functions = spec.functions
    moves, play, key_of = functions.moves, functions.play, functions.key
    player, winner = functions.player, functions.winner
    learns = learning is not None
    playout = make_game_playout(spec) if learning is None else learning.playout
    clear, note_step, adapt = (None,) * 3 if learning is None else learning[1:]
    list_moves = make_list_moves(spec, coded=learns)

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
                status, n = list_moves(self, s, ply, table, position, unvisited, trace.out, control)
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

    def game_tree(key, fresh, self, states, root, trace, run, table, c, solver, random_unvisited, unvisited, alpha):
        """Algorithm 3: search from ``states[0]``; starts afresh if ``fresh``, otherwise continues."""
        control = run.control
        table.c[0] = c
        if fresh:
            seed_stream(run.rng[0], key)
            if learns:
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
                adapt(won, end, trace, alpha)
            control[PLAYOUTS] += 1
        report(table, position_of(self, states[0], table), root)
        return STOPPED if control[HALT] != 0 else OK

    return game_tree
