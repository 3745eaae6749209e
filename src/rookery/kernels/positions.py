"""The transposition table of UCT for games: find a position, add one, list its moves, choose one, count a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_MOVE, CODES_MOST, DETAIL, FULL, MOVES_MOST, OK
from rookery.kernels.buffers import GameTrace, Positions, RootMoves
from rookery.kernels.coding import Coding
from rookery.kernels.memory import legal_width
from rookery.kernels.playout import check_step
from rookery.kernels.policy import u
from rookery.problem import Limits, capacity
from rookery.rng import below, log
from rookery.settings import inlined_kernel

NOWHERE = -1
SEARCH, POSITIONS, MOVES = 0, 1, 2  # cells of Positions.size
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
def select(table, position):
    """Where the move of the highest value is; the first of equals. A settled move has a value of -inf."""
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    visits = np.int64(table.visits[u(position)])
    mean, root, value = table.mean, table.shrink, table.scratch
    width = table.c[0] * explore(table, max(visits, 1))
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
    """Note that a move wins (1) or loses (-1); returns what that means for its position (0: nothing)."""
    table.settled[u(move)] = value
    table.mean[u(move)], table.shrink[u(move)] = -np.inf, 0.0
    if value > 0:
        table.proven[u(position)] = 1
        return 1
    first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
    for i in range(first, first + n):
        if table.settled[u(i)] != -1:
            return 0
    table.proven[u(position)] = -1
    return -1


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


def make_list_moves(spec: Specialisation, coding: Coding | None) -> Any:
    """The kernel that lists the moves of a position in the table, with their codes if they are needed."""
    moves, codes_too = spec.functions.moves, coding is not None
    coded, why = (None, None) if coding is None else coding

    @spec.inlined
    def list_moves(self, s, ply, table, position, unvisited, trace, control):
        """Returns the status and how many moves there are; FULL, with nothing done, if there is no room for them."""
        first, out = table.size[MOVES], trace.out
        if first + control[MOVES_MOST] + LANES > table.moves.size:
            return FULL, 0
        n = np.int64(moves(self, s, out))
        status = check_step(n, ply, control)
        if status != OK:
            return status, n
        codes, most = u(control[CODES_MOST]), u(trace.weight.shape[1] - 1)
        for k in range(n):
            move = out[u(k)]
            if move < 0:
                control[DETAIL] = move
                return BAD_MOVE, n
            i = u(first + k)
            table.moves[i] = move
            if codes_too:
                c = coded(self, s, move, codes, most)
                if c == most:
                    status, control[DETAIL] = why(self, s, out, n, codes, most)
                    return status, n
                table.codes[i] = c
            table.tries[i], table.wins[i], table.settled[i] = 0, 0.0, 0
            table.mean[i], table.shrink[i] = unvisited, 0.0
        end = first + n
        while (end - first) % LANES != 0:
            table.mean[u(end)], table.shrink[u(end)] = -np.inf, 0.0
            end += 1
        table.first[u(position)], table.breadth[u(position)] = first, n
        table.size[MOVES] = end
        return OK, n

    return list_moves


# --- what searches for moves of a game work in ---

ROOTS = 1 << 14
"""How many square roots are kept."""


RESERVE, MOST_RESERVED = 16, 1 << 16
"""A small table that grows gets this many times the memory that it asks for, so that it can keep growing without
being copied, which takes longer than a move may: memory that is not touched costs nothing."""


def table_size(limits: Limits, positions: int) -> tuple[int, int]:
    """Slots, and room for moves, of a table for this many positions."""
    return capacity(2 * positions), positions * min(limits.moves, 16) + limits.moves + LANES


def new_positions(limits: Limits, positions: int) -> Positions:
    """An empty table for this many positions."""
    slots, moves = table_size(limits, positions)
    return Positions(
        slot_key=np.zeros(slots, np.uint64),
        slot_stamp=np.zeros(slots, np.uint32),
        slot_position=np.zeros(slots, np.int32),
        first=np.zeros(positions, np.int32),
        breadth=np.zeros(positions, np.int32),
        visits=np.zeros(positions, np.int32),
        proven=np.zeros(positions, np.int8),
        moves=np.zeros(moves, np.int64),
        codes=np.zeros(moves, np.uint32),
        tries=np.zeros(moves, np.int32),
        wins=np.zeros(moves),
        mean=np.zeros(moves),
        shrink=np.zeros(moves),
        settled=np.zeros(moves, np.int8),
        path=np.zeros((2, limits.length + 1), np.int32),
        movers=np.zeros(limits.length + 1, np.int8),
        roots=np.zeros((2, ROOTS)),
        scratch=np.zeros(limits.moves + LANES),
        c=np.zeros(1),
        size=np.zeros(3, np.int64),
    )


def grown(table: Positions, limits: Limits) -> Positions:
    """The same table with twice the room."""
    positions = 2 * table.first.size
    slots, moves = table_size(limits, positions)
    sizes = dict.fromkeys(("first", "breadth", "visits", "proven"), positions)
    sizes |= dict.fromkeys(("moves", "codes", "tries", "wins", "mean", "shrink", "settled"), moves)
    bigger = table._replace(
        slot_key=np.zeros(slots, np.uint64),
        slot_stamp=np.zeros(slots, np.uint32),
        slot_position=np.zeros(slots, np.int32),
        **{name: _longer(getattr(table, name), size, positions) for name, size in sizes.items()},
    )
    left = np.flatnonzero(table.slot_stamp == table.size[SEARCH]).astype(np.int32)
    mask = np.uint64(bigger.slot_key.size - 1)
    place = (table.slot_key[left] * SPREAD >> np.uint64(32)) & mask
    wanted = np.empty(bigger.slot_key.size, np.int32)
    while left.size:  # all at once; where a slot is taken, or wanted by several, the others try the next one
        wanted[place] = left
        placed = (wanted[place] == left) & (bigger.slot_stamp[place] != table.size[SEARCH])
        for name in ("slot_key", "slot_stamp", "slot_position"):
            getattr(bigger, name)[place[placed]] = getattr(table, name)[left[placed]]
        left, place = left[~placed], (place[~placed] + np.uint64(1)) & mask
    return bigger


def _longer(old: npt.NDArray[Any], size: int, positions: int) -> npt.NDArray[Any]:
    """An array of this size that begins with the old one: more of the memory that it has, if that is enough."""
    whole = old if old.base is None else old.base
    if whole.size < size:
        whole = np.zeros(size * (RESERVE if positions <= MOST_RESERVED else 1), old.dtype)
        whole[: old.size] = old
    return whole[:size]


def new_root_moves(moves: Sequence[int]) -> RootMoves:
    """Nothing counted yet for these moves."""
    n = len(moves)
    return RootMoves(
        moves=np.array(moves, np.int64),
        tries=np.zeros(n, np.int64),
        wins=np.zeros(n),
        settled=np.zeros(n, np.int8),
        proven=np.zeros(1, np.int8),
    )


def new_game_trace(limits: Limits, codes: int) -> GameTrace:
    """A playout, and a policy of zeros for each player, of as many codes as a search tells apart."""
    length = limits.length + 1
    return GameTrace(
        moves=np.zeros(length, np.int64),
        movers=np.zeros(length, np.int8),
        codes=np.zeros(length * limits.moves + limits.moves, np.uint32),
        ends=np.zeros(length, np.int64),
        chosen=np.zeros(length, np.uint32),
        totals=np.zeros(length),
        weight=np.zeros((2, codes + 1)),  # one more than there are: a code out of range is read before it is found
        factor=np.ones((2, codes + 1)),
        out=np.zeros(legal_width(limits), np.int64),
        cumulative=np.zeros(legal_width(limits)),
        rng=np.zeros(4, np.uint64),
    )
