"""The transposition table of UCT for games: find a position, add one, list its moves, choose one, count a result."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_MOVE, DETAIL, FULL, MOVES_MOST, OK
from rookery.kernels.coding import Coding
from rookery.kernels.playout import check_step
from rookery.kernels.policy import u
from rookery.rng import below, log
from rookery.settings import inlined_kernel

NOWHERE = -1
SEARCH, POSITIONS, MOVES, ROWS, MOST = range(5)  # cells of Positions.size
WON, LOST, DRAWN = 1, -1, 2
"""What is proven of a position for the player to move, and of a move for the player who moves; 0: nothing."""
LANES = 4
"""Moves of a position are looked at this many at a time."""
SPREAD = u(0x9E3779B97F4A7C15)


@inlined_kernel
def find(table, key):
    """The position of this key, or NOWHERE; and the slot where it is, or where it would go."""
    mask = u(table.slot_key.size - 1)
    slot = ((key * SPREAD) >> u(32)) & mask
    while table.slot_stamp[slot] == table.size[SEARCH]:
        if table.slot_key[slot] == key:
            return np.int64(table.slot_position[slot]), slot
        slot = (slot + u(1)) & mask
    return np.int64(NOWHERE), slot


@inlined_kernel
def add(table, slot, key):
    """Add a position with nothing counted. Most are never chosen from: moves are listed when they are first needed."""
    position = table.size[POSITIONS]
    table.size[POSITIONS] = position + 1
    i = u(position)
    table.first[i], table.breadth[i], table.visits[i], table.proven[i] = 0, 0, 0, 0
    table.slot_key[slot] = key
    table.slot_stamp[slot] = table.size[SEARCH]
    table.slot_position[slot] = position


@inlined_kernel
def explore(table, t):
    """sqrt(log(t))."""
    if t >= table.roots.shape[1]:
        return np.sqrt(log(np.float64(t)))
    root = table.roots[0, u(t)]
    if root == 0.0:
        root = np.sqrt(log(np.float64(t)))
        table.roots[0, u(t)] = root
    return root


@inlined_kernel
def shrink(table, t):
    """1 / sqrt(t)."""
    if t >= table.roots.shape[1]:
        return 1.0 / np.sqrt(np.float64(t))
    root = table.roots[1, u(t)]
    if root == 0.0:
        root = 1.0 / np.sqrt(np.float64(t))
        table.roots[1, u(t)] = root
    return root


@inlined_kernel
def select(table, position, width):
    """Where the move of the highest mean + width * shrink is; the first of equals. A settled move has -inf."""
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    mean, root, value = table.mean, table.shrink, table.scratch
    best_0, best_1, best_2, best_3 = -np.inf, -np.inf, -np.inf, -np.inf
    for k in range(0, n, LANES):  # rows of moves are filled up to whole lanes
        i = u(first + k)
        value_0 = mean[i] + width * root[i]
        value_1 = mean[i + u(1)] + width * root[i + u(1)]
        value_2 = mean[i + u(2)] + width * root[i + u(2)]
        value_3 = mean[i + u(3)] + width * root[i + u(3)]
        value[u(k)], value[u(k + 1)], value[u(k + 2)], value[u(k + 3)] = value_0, value_1, value_2, value_3
        best_0, best_1 = max(best_0, value_0), max(best_1, value_1)
        best_2, best_3 = max(best_2, value_2), max(best_3, value_3)
    best = max(max(best_0, best_1), max(best_2, best_3))
    k = 0
    while k < n - 1 and value[u(k)] != best:
        k += 1
    return first + k


@inlined_kernel
def select_untried(table, position, rng):
    """Where a random one of the moves never tried is; NOWHERE if there is none."""
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    chosen, untried = NOWHERE, 0
    for i in range(first, first + n):
        if table.tries[u(i)] == 0:
            untried += 1
            if below(rng, untried) == 0:
                chosen = i
    return chosen


@inlined_kernel
def count_result(table, position, move, reward):
    """Count one more playout through a move of a position."""
    table.visits[u(position)] += 1
    tries = table.tries[u(move)] + 1
    table.tries[u(move)] = tries
    table.wins[u(move)] += reward
    table.mean[u(move)] = table.wins[u(move)] / tries
    table.shrink[u(move)] = shrink(table, np.int64(tries))


@inlined_kernel
def settle(table, position, move, value):
    """Note that a move wins, loses or draws; returns what that means for its position (0: nothing)."""
    table.settled[u(move)] = value
    table.mean[u(move)], table.shrink[u(move)] = -np.inf, 0.0
    proven = np.int64(value)
    if value != WON:
        first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
        proven = LOST
        for i in range(first, first + n):
            if table.settled[u(i)] == 0:
                return 0
            if table.settled[u(i)] == DRAWN:
                proven = DRAWN
    table.proven[u(position)] = proven
    return proven


@inlined_kernel
def report(table, position, root):
    """Leave what is counted for the moves of a position in ``root``; nothing if they are not listed yet."""
    if position == NOWHERE:
        return
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    for k in range(min(n, root.tries.size)):
        i = u(first + k)
        root.tries[u(k)], root.wins[u(k)], root.settled[u(k)] = table.tries[i], table.wins[i], table.settled[i]
    root.proven[0] = table.proven[u(position)]


def make_list_moves(spec: Specialisation, coding: Coding | None, rows: bool, hint: Any) -> Any:
    """The kernel that lists the moves of a position in the table.

    With their codes if there is a ``coding``; with ``rows``, a row of AMAF values begins; ``hint`` sees to the rest.
    """
    moves, codes_too, hints = spec.functions.moves, coding is not None, hint is not None
    number_range, coded, why = (None,) * 3 if coding is None else coding

    @spec.inlined
    def list_moves(self, s, ply, table, position, unvisited, trace, control, own):
        """Returns the status and how many moves there are; FULL, with nothing done, if there is no room for them."""
        first, out = table.size[MOVES], trace.out
        if first + control[MOVES_MOST] + LANES > table.moves.size:
            return FULL, 0
        if rows and table.size[ROWS] == table.amaf.shape[0]:
            return FULL, 0
        n = np.int64(moves(self, s, out))
        status = check_step(n, ply, control)
        if status != OK:
            return status, n
        if codes_too:
            within = number_range(control, trace)
        for k in range(n):
            move = out[u(k)]
            if move < 0:
                control[DETAIL] = move
                return BAD_MOVE, n
            i = u(first + k)
            table.moves[i] = move
            if codes_too:
                c = coded(self, s, move, within)
                if c == within[2]:
                    status, control[DETAIL] = why(self, s, out, n, within)
                    return status, n
                table.codes[i] = c
            table.tries[i], table.wins[i], table.settled[i] = 0, 0.0, 0
            table.mean[i], table.shrink[i] = unvisited, 0.0
        if hints:
            status = hint(self, s, table, first, n, own)
            if status != OK:
                return status, n
        if rows:
            row = table.size[ROWS]
            table.row[u(position)] = row
            table.amaf[u(row)] = u(0)
            table.size[ROWS] = row + 1
        end = first + n
        while (end - first) % LANES != 0:
            table.mean[u(end)], table.shrink[u(end)] = -np.inf, 0.0
            end += 1
        table.first[u(position)], table.breadth[u(position)] = first, n
        table.size[MOVES] = end
        return OK, n

    return list_moves
