"""The memory that searches for moves of a game work in: made, grown, and reclaimed when a tree is full."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.errors import InputError
from rookery.kernels.buffers import GameTrace, Positions, RootMoves
from rookery.kernels.memory import legal_width
from rookery.kernels.positions import LANES, MOST, MOVES, NOWHERE, POSITIONS, ROWS, SEARCH, SPREAD
from rookery.problem import Limits, capacity

ROOTS = 1 << 14
"""How many square roots are kept."""


RESERVE, MOST_RESERVED = 16, 1 << 16
"""A small table that grows gets this many times the memory that it asks for, so that it can keep growing without
being copied, which takes longer than a move may: memory that is not touched costs nothing."""


BY_POSITION = ("first", "breadth", "visits", "proven", "row")
BY_MOVE = ("moves", "codes", "tries", "wins", "mean", "shrink", "settled", "hint")
BYTES_OF_POSITION, BYTES_OF_MOVE, BYTES_OF_SLOT = 17, 49, 16
"""What the arrays of a table take."""
MOVES_OF_POSITION = 16
"""The room for moves that a position gets at first: most are never chosen from, and need none."""
DEFAULT_BYTES = 2 << 30
"""A tree whose nodes are not limited takes at most about this much."""
MOST_MOVES = 1 << 31


def table_size(limits: Limits, positions: int) -> tuple[int, int]:
    """Slots, and room for moves, of a table for this many positions."""
    return capacity(2 * positions), positions * min(limits.moves, MOVES_OF_POSITION) + limits.moves + LANES


def table_bytes(limits: Limits, positions: int, width: int) -> int:
    """What a table for this many positions takes; ``width`` as in :func:`new_positions`."""
    slots, moves = table_size(limits, positions)
    return slots * BYTES_OF_SLOT + positions * BYTES_OF_POSITION + moves * BYTES_OF_MOVE + 8 * width * _rows(positions)


def default_nodes(limits: Limits, width: int) -> int:
    """The nodes of a tree that are not limited otherwise: the same on every machine, since answers depend on it."""
    return max(1 << 10, DEFAULT_BYTES * 1024 // table_bytes(limits, 1024, width))


def check_fits(limits: Limits, nodes: int, width: int) -> None:
    """Refuse a tree that this machine has no memory for."""
    try:
        there = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):  # not every system says
        return
    takes = table_bytes(limits, nodes, width)
    if takes > there:
        size, memory = takes / (1 << 30), there / (1 << 30)
        raise InputError(
            f"a tree of {nodes:,} nodes takes {size:,.0f} GB, but this machine has {memory:,.0f} GB: give fewer nodes"
        )


def _rows(positions: int) -> int:
    """Rows of AMAF values: positions whose moves are listed."""
    return positions // 2 + 1


def new_positions(limits: Limits, positions: int, width: int) -> Positions:
    """An empty table for this many positions, with AMAF values for ``width`` moves, or 0."""
    slots, moves = table_size(limits, positions)
    return Positions(
        slot_key=np.zeros(slots, np.uint64),
        slot_stamp=np.zeros(slots, np.uint32),
        slot_position=np.zeros(slots, np.int32),
        first=np.zeros(positions, np.int32),
        breadth=np.zeros(positions, np.int32),
        visits=np.zeros(positions, np.int32),
        proven=np.zeros(positions, np.int8),
        row=np.zeros(positions, np.int32),
        moves=np.zeros(moves, np.int64),
        codes=np.zeros(moves, np.uint32),
        tries=np.zeros(moves, np.int32),
        wins=np.zeros(moves),
        mean=np.zeros(moves),
        shrink=np.zeros(moves),
        settled=np.zeros(moves, np.int8),
        hint=np.zeros(moves),
        amaf=np.zeros((_rows(positions), width), np.uint64),
        path=np.zeros((2, limits.length + 1), np.int32),
        movers=np.zeros(limits.length + 1, np.int8),
        roots=np.zeros((2, ROOTS)),
        scratch=np.zeros(limits.moves + LANES),
        c=np.zeros(1),
        size=np.array([0, 0, 0, 0, positions], np.int64),
    )


def grown(table: Positions, limits: Limits, nodes: int) -> Positions:
    """The same table with twice the room, but no more than ``nodes`` positions; more room for moves all the same."""
    positions = min(2 * table.first.size, max(nodes, table.first.size))
    slots, moves = table_size(limits, positions)
    moves = max(moves, 2 * table.moves.size if positions == table.first.size else 0)
    if moves >= MOST_MOVES:
        raise InputError(f"a tree of {positions:,} nodes has more than 2**31 moves: give fewer nodes")
    sizes = dict.fromkeys(BY_POSITION, positions) | dict.fromkeys(BY_MOVE, moves)
    sizes["amaf"] = max(_rows(positions), 2 * table.amaf.shape[0] if positions == table.first.size else 0)
    bigger = table._replace(**{name: _longer(getattr(table, name), size, positions) for name, size in sizes.items()})
    bigger.size[MOST] = min(positions, nodes)
    if slots == table.slot_key.size:
        return bigger
    bigger = bigger._replace(
        slot_key=np.zeros(slots, np.uint64),
        slot_stamp=np.zeros(slots, np.uint32),
        slot_position=np.zeros(slots, np.int32),
    )
    _place(bigger, *_keys(table))
    return bigger


def _keys(table: Positions) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """The keys of all positions, and the positions, in the order of their slots."""
    taken = np.flatnonzero(table.slot_stamp == table.size[SEARCH])
    return table.slot_key[taken], table.slot_position[taken]


def _place(table: Positions, keys: npt.NDArray[np.uint64], positions: npt.NDArray[np.int32]) -> None:
    """Put positions into slots, which must be empty."""
    left = np.arange(keys.size, dtype=np.int32)
    mask = np.uint64(table.slot_key.size - 1)
    place = (keys * SPREAD >> np.uint64(32)) & mask
    wanted = np.empty(table.slot_key.size, np.int32)
    while left.size:  # all at once; where a slot is taken, or wanted by several, the others try the next one
        wanted[place] = left
        placed = (wanted[place] == left) & (table.slot_stamp[place] != table.size[SEARCH])
        table.slot_key[place[placed]] = keys[left[placed]]
        table.slot_position[place[placed]] = positions[left[placed]]
        table.slot_stamp[place[placed]] = table.size[SEARCH]
        left, place = left[~placed], (place[~placed] + np.uint64(1)) & mask


def reclaim(table: Positions, nodes: int, root: int) -> int:
    """Leave half of the nodes: those with the most visits, of equals the older, and the root; returns how many go."""
    n, half = int(table.size[POSITIONS]), nodes // 2
    visits = table.visits[:n]
    least = np.partition(visits, n - half)[n - half]
    left = visits > least
    equals = np.flatnonzero(visits == least)[: half - np.count_nonzero(left)]
    left[equals] = True
    if root != NOWHERE and not left[root]:
        left[equals[-1]], left[root] = False, True
    keys, positions = _keys(table)
    kept = np.flatnonzero(left)
    number = np.cumsum(left) - 1  # by the old number
    listed = kept[table.breadth[kept] > 0]
    room = -(-table.breadth[listed].astype(np.int64) // LANES) * LANES
    ends = np.cumsum(room)
    total = int(ends[-1]) if listed.size else 0
    source = np.arange(total) + np.repeat(table.first[listed] - (ends - room), room)
    for name in BY_MOVE:
        values = getattr(table, name)
        values[:total] = values.take(source)
    table.first[listed] = ends - room
    if table.amaf.shape[1]:
        table.amaf[: listed.size] = table.amaf[table.row[listed]]
        table.row[listed] = np.arange(listed.size)
        table.size[ROWS] = listed.size
    for name in BY_POSITION:
        values = getattr(table, name)
        values[: kept.size] = values.take(kept)
    table.size[POSITIONS], table.size[MOVES] = kept.size, total
    table.slot_stamp[:] = 0
    stays = left[positions]
    _place(table, keys[stays], number[positions[stays]].astype(np.int32))
    return n - int(kept.size)


def _longer(old: npt.NDArray[Any], size: int, positions: int) -> npt.NDArray[Any]:
    """An array of this length that begins with the old one: more of the memory that it has, if that is enough."""
    whole = old if old.base is None else old.base
    if whole.shape[0] < size:
        whole = np.zeros((size * (RESERVE if positions <= MOST_RESERVED else 1), *old.shape[1:]), old.dtype)
        whole[: old.shape[0]] = old
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
        at=np.zeros(1, np.int64),
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
        seen=np.zeros((2, codes + 1)),
        out=np.zeros(legal_width(limits), np.int64),
        cumulative=np.zeros(legal_width(limits)),
        rng=np.zeros(4, np.uint64),
        cut=np.zeros(1, np.int64),
        value=np.zeros(1),
    )
