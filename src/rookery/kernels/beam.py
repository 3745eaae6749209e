"""The memory of beam search: the states of two plies, what may follow them, and the moves that led to them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation
from rookery.kernels.policy import u
from rookery.problem import Limits, capacity
from rookery.rng import mix
from rookery.settings import inner_kernel

# Cells of Beam.facts: whether there were more states than the beam is wide; the nodes of the ply that is expanded begin
# here, those of the next one there.
CUT, BASE, NODES = 0, 1, 2


class Beam(NamedTuple):
    """States of a ply and of the next; shapes: R states, C candidates for the next ply, N nodes, S slots.

    Candidates have two rows each: from one the best are taken into the other.
    """

    states: npt.NDArray[Any]  # [2R]
    parent: npt.NDArray[np.int64]  # [N] the node before
    move: npt.NDArray[np.int64]  # [N] that leads from there
    of: npt.NDArray[np.int64]  # [2, C] the state of the ply that a candidate follows
    by: npt.NDArray[np.int64]  # [2, C] the move that leads to it
    rating: npt.NDArray[np.float64]  # [2, C]
    key: npt.NDArray[np.uint64]  # [2, C]; [2, 1] for a problem without keys
    order: npt.NDArray[np.int64]  # [2, C] candidates in the order of their ratings
    table: npt.NDArray[np.int64]  # [S] candidates by their keys, counted from 1
    facts: npt.NDArray[np.int64]  # [3] CUT ... NODES


def new_beam(limits: Limits, dtype: np.dtype[Any], room: int, keyed: bool) -> Beam:
    """Room for so many states of a ply; memory that is not touched costs nothing."""
    candidates = 2 * room + limits.moves
    nodes = room * limits.length + 1
    return Beam(
        states=np.zeros(2 * room, dtype),
        parent=np.empty(nodes, np.int64),
        move=np.empty(nodes, np.int64),
        of=np.empty((2, candidates), np.int64),
        by=np.empty((2, candidates), np.int64),
        rating=np.empty((2, candidates)),
        key=np.empty((2, candidates if keyed else 1), np.uint64),
        order=np.empty((2, candidates), np.int64),
        table=np.empty(capacity(2 * candidates) if keyed else 1, np.int64),
        facts=np.zeros(3, np.int64),
    )


@inner_kernel
def rank(rating, n, order):
    """The numbers 0 to n - 1 by their ratings, the first of equals first; returns the row of ``order`` they are in."""
    for i in range(n):
        order[0, u(i)] = i
    row, size = 0, 1
    while size < n:  # neighbouring runs of this size are merged
        for low in range(0, n, 2 * size):
            a, b = low, min(low + size, n)
            middle, high = b, min(low + 2 * size, n)
            for k in range(low, high):
                if b >= high or (a < middle and rating[order[row, u(a)]] >= rating[order[row, u(b)]]):
                    order[1 - row, u(k)] = order[row, u(a)]
                    a += 1
                else:
                    order[1 - row, u(k)] = order[row, u(b)]
                    b += 1
        row, size = 1 - row, 2 * size
    return row


@inner_kernel
def trace_back(work, node, first, ply, line):
    """Write the moves that lead to a node at step ``ply`` into a line, from step ``first`` on."""
    for step in range(ply - 1, first - 1, -1):
        line[u(step)] = work.move[u(node)]
        node = work.parent[u(node)]


def make_keep_best(spec: Specialisation) -> Any:
    """The best candidates, of several with one key the best."""
    keyed = spec.functions.key is not None

    @spec.inlined
    def slot_of(key, table, mask, keys):
        """The slot of a key: where it is, or an empty one."""
        slot = mix(key, 0) & mask
        while table[slot] != 0 and keys[u(table[slot] - 1)] != key:
            slot = (slot + u(1)) & mask
        return slot

    @spec.kernel
    def keep_best(work, row, n, width):
        """Take the best of ``n`` candidates from a row into the other, best first; returns how many there are."""
        ranked = rank(work.rating[row], n, work.order)
        slots = 1
        if keyed:
            while slots < 2 * n:
                slots *= 2
            work.table[:slots] = 0
        kept, slot = 0, u(0)
        for i in range(n):
            best = u(work.order[ranked, u(i)])
            if keyed:
                slot = slot_of(work.key[row, best], work.table, u(slots - 1), work.key[1 - row])
                if work.table[slot] != 0:
                    continue
            if kept == width:
                work.facts[CUT] = 1
                break
            for column in (work.of, work.by):
                column[1 - row, u(kept)] = column[row, best]
            work.rating[1 - row, u(kept)] = work.rating[row, best]
            if keyed:
                work.key[1 - row, u(kept)] = work.key[row, best]
                work.table[slot] = kept + 1
            kept += 1
        return kept

    return keep_best
