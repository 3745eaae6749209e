"""Allocation of what searches for moves of a game work in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.kernels.buffers import GameTrace, Positions, RootMoves
from rookery.kernels.memory import legal_width
from rookery.kernels.positions import LANES, SEARCH, SPREAD
from rookery.problem import Limits, capacity

ROOTS = 1 << 14
"""Square roots that are kept."""


RESERVE, MOST_RESERVED = 16, 1 << 16
"""A small table that grows gets this many times the memory that it asks for, so that it can go on growing without being
copied, which takes longer than a move may: memory that is not touched costs nothing."""


def table_size(limits: Limits, positions: int) -> tuple[int, int]:
    """Slots, and room for moves, of a table for so many positions."""
    return capacity(2 * positions), positions * min(limits.moves, 16) + limits.moves + LANES


def new_positions(limits: Limits, positions: int) -> Positions:
    """An empty table for so many positions."""
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


def new_game_trace(limits: Limits) -> GameTrace:
    """A playout, and a policy of zeros for each player."""
    length, codes = limits.length + 1, int(limits.codes)
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
