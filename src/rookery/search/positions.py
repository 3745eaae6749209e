"""The transposition table of UCT for games: find a position, add one, choose a move, count a result."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.buffers import BAD_MOVE, CODE_RANGE, CODES_MOST, DETAIL, MOVES_MOST, OK
from rookery.compiler.settings import inlined_kernel, inner_kernel
from rookery.compiler.specialise import Specialisation
from rookery.playout import check_step
from rookery.policy import u
from rookery.rng import below, log

NOWHERE = -1
SEARCH, POSITIONS, MOVES = 0, 1, 2  # cells of Positions.size
_SPREAD = u(0x9E3779B97F4A7C15)


@inlined_kernel
def find(table, key):
    """The position of this key, or NOWHERE; and the slot where it is, or where it would go."""
    mask = u(table.slot_key.size - 1)
    slot = ((key * _SPREAD) >> u(32)) & mask
    while table.slot_stamp[slot] == table.size[SEARCH]:
        if table.slot_key[slot] == key:
            return np.int64(table.slot_position[slot]), slot
        slot = (slot + u(1)) & mask
    return np.int64(NOWHERE), slot


@inlined_kernel
def has_room(table, control):
    """Whether one more position fits."""
    return table.size[POSITIONS] < table.first.size and table.size[MOVES] + control[MOVES_MOST] <= table.moves.size


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


@inner_kernel
def select(table, position, c, solver, random_unvisited, rng):
    """Where the move of the highest value stands; the first of equals. One never tried may be infinitely good."""
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    mean, root = table.mean, table.shrink
    width = c * explore(table, max(np.int64(table.visits[u(position)]), 1))
    best, chosen, untried = -np.inf, first, 0
    for i in range(first, first + n):
        if solver and table.settled[u(i)] != 0:
            continue
        value = mean[u(i)] + width * root[u(i)]
        if value > best:
            best, chosen = value, i
            if value == np.inf and not random_unvisited:
                break
        if random_unvisited and value == np.inf:
            untried += 1
            if below(rng, untried) == 0:
                chosen = i
    return chosen


@inlined_kernel
def count_result(table, position, move, reward):
    """One more playout through a move of a position."""
    table.visits[u(position)] += 1
    tries = table.tries[u(move)] + 1
    table.tries[u(move)] = tries
    table.wins[u(move)] += reward
    table.mean[u(move)] = table.wins[u(move)] / tries
    table.shrink[u(move)] = shrink(table, np.int64(tries))


@inner_kernel
def settle(table, position, move, value):
    """A move is known to win (1) or to lose (-1): what that says of its position (0: nothing)."""
    table.settled[u(move)] = value
    if value > 0:
        table.proven[u(position)] = 1
        return 1
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    for i in range(first, first + n):
        if table.settled[u(i)] != -1:
            return 0
    table.proven[u(position)] = -1
    return -1


class PositionKernels(NamedTuple):
    """Kernels that need the functions of the game."""

    add: Any


def make_positions(spec: Specialisation, coded: bool) -> PositionKernels:
    """The kernel that adds a position to the table, with the codes of its moves if they are needed."""
    moves, code = spec.functions.moves, spec.functions.code

    @spec.kernel
    def add(self, s, ply, table, slot, key, unvisited, out, control):
        """Add a position with nothing counted; returns the status and how many moves it has. The end is left out."""
        n = np.int64(moves(self, s, out))
        status = check_step(n, ply, control)
        if status != OK or n == 0:
            return status, n
        position, first = table.size[POSITIONS], table.size[MOVES]
        most = control[CODES_MOST]
        for k in range(n):
            move = out[u(k)]
            if move < 0:
                control[DETAIL] = move
                return BAD_MOVE, n
            i = u(first + k)
            table.moves[i] = move
            if coded:
                c = np.int64(code(self, s, move))
                if c < 0 or c >= most:
                    control[DETAIL] = c
                    return CODE_RANGE, n
                table.codes[i] = c
            table.tries[i] = 0
            table.wins[i] = 0.0
            table.mean[i] = unvisited
            table.shrink[i] = 0.0
            table.settled[i] = 0
        table.first[u(position)] = first
        table.breadth[u(position)] = n
        table.visits[u(position)] = 0
        table.proven[u(position)] = 0
        table.slot_key[slot] = key
        table.slot_stamp[slot] = table.size[SEARCH]
        table.slot_position[slot] = position
        table.size[POSITIONS] = position + 1
        table.size[MOVES] = first + n
        return OK, n

    return PositionKernels(add)
