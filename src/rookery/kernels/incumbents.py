"""The lines that tempering and annealing edit, and where their moves are; the codes that good lines have in common.

The line that is being edited has a table of its keys: each leads to the first place where it occurs, and every place
to the next with the same key. Places are entered in order and taken out from the end, so every probe chain is
restored to what it was before. States along the line are kept, so that an edit costs what it changes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation
from rookery.kernels.policy import u
from rookery.problem import Limits, capacity

NOWHERE = -1

COMMON_MOST = 1 << 14
"""How many codes are remembered as common."""
COMMON_GAIN = 0.02
"""How fast a code becomes common, at each turn of a line that has it."""
COMMON_LEAST = 0.001
"""Codes that are less common are forgotten."""

DENSE_MOST = 1 << 16
"""Up to this many codes have their own slots in the table of keys."""
KEPT_BYTES = 1 << 10
"""A state is kept after each move, or less often if it is larger than this: then a copy costs what moves cost."""
MOST_EDITED = 32
"""Places that one proposal may mark: three edits of at most eight."""

MOST_SKIPPED = 32
"""Places that are looked at one by one; where there are more, the legal moves are looked up instead."""

DROP, DEVIATE, DELAY, KINDS = range(4)
"""Kinds of edits."""

# Cells of Incumbents.counts; states are kept after every 2 ** STRIDE moves.
STAMP, KEPT, STRIDE, COMMON, FIRST, SKIPPED, DELAYED, PASSED, TAIL, FREE, HIGH, THINGS, EPOCH = range(13)


class Loose(NamedTuple):
    """A line whose moves can be taken back, and a proposal for it.

    Each move of the line has a slot for as long as it is there. Shapes: N steps, W words of 64 slots, S slots of
    tables; in the tables only what was entered with the stamp at hand counts.
    """

    slot: npt.NDArray[np.int64]  # [N+1] of the move at each place
    free: npt.NDArray[np.int64]  # [N+1] slots that are not used, FREE of them
    made: npt.NDArray[np.int64]  # [N+1] by slot: what the move makes
    same: npt.NDArray[np.int64]  # [N+1] by slot: another that makes the same, or NOWHERE
    above: npt.NDArray[np.uint64]  # [W, N+1] by slot: the bits of all that the move depends on
    roots: npt.NDArray[np.uint64]  # [W] bits of what is taken back for itself, not because it depends on another
    lost: npt.NDArray[np.uint64]  # [N+1] by slot: not 0 if it is a root or depends on one
    marked: npt.NDArray[np.int64]  # [N+1] by slot: the stamp of the proposal that takes it back; 1 more: it is later
    hit: npt.NDArray[np.bool_]  # [N+1] whether the move at a place forbids another
    thing_key: npt.NDArray[np.uint64]  # [S] things that moves of the line make, or made a while ago
    thing_stamp: npt.NDArray[np.int64]  # [S]
    thing_slot: npt.NDArray[np.int64]  # [S] the move that makes it, or NOWHERE
    move_key: npt.NDArray[np.uint64]  # [S] moves that are taken back because they depend on others
    move_stamp: npt.NDArray[np.int64]  # [S]
    tail: npt.NDArray[np.int64]  # [N+1] the moves of a proposal behind those of the line that stay
    tail_made: npt.NDArray[np.int64]  # [N+1]


def new_loose(steps: int, slots: int) -> Loose:
    """Room for a line of this many moves, and tables of this many slots."""
    words = -(-steps // 64)
    return Loose(
        slot=np.zeros(steps, np.int64),
        free=np.zeros(steps, np.int64),
        made=np.zeros(steps, np.int64),
        same=np.zeros(steps, np.int64),
        above=np.zeros((words, steps), np.uint64),
        roots=np.zeros(words, np.uint64),
        lost=np.zeros(steps, np.uint64),
        marked=np.zeros(steps, np.int64),
        hit=np.zeros(steps, np.bool_),
        thing_key=np.zeros(slots, np.uint64),
        thing_stamp=np.zeros(slots, np.int64),
        thing_slot=np.zeros(slots, np.int64),
        move_key=np.zeros(slots, np.uint64),
        move_stamp=np.zeros(slots, np.int64),
        tail=np.zeros(steps, np.int64),
        tail_made=np.zeros(steps, np.int64),
    )


class Incumbents(NamedTuple):
    """Shapes: R lines, then a proposal and the best line of a task; N steps; S slots; E common codes; G kept states."""

    moves: npt.NDArray[np.int64]  # [R+2, N+1]
    lengths: npt.NDArray[np.int64]  # [R+2] NOWHERE: not begun
    scores: npt.NDArray[np.float64]  # [R+2]
    row: npt.NDArray[np.int64]  # [R] the line at each temperature, the coldest first
    keys: npt.NDArray[np.uint64]  # [2, N+1] of the line that is edited, and of the proposal
    order: npt.NDArray[np.int64]  # [N+1] when a move has its turn
    used: npt.NDArray[np.int64]  # [N+1] the proposal that last played or dropped a move
    marked: npt.NDArray[np.int64]  # [N+1] the proposal that last used, dropped, replaced or delayed a move
    deviates: npt.NDArray[np.int64]  # [N+1] the proposal that last played another move instead
    slot_of: npt.NDArray[np.int32]  # [N+1]
    next: npt.NDArray[np.int32]  # [N+1] the next place of the same key
    before: npt.NDArray[np.int32]  # [N+1] the place before it
    slot_key: npt.NDArray[np.uint64]  # [S]
    slot_first: npt.NDArray[np.int32]  # [S] NOWHERE: empty
    slot_last: npt.NDArray[np.int32]  # [S]
    edited: npt.NDArray[np.int64]  # [MOST_EDITED] places whose order was changed, DELAYED of them by their turns
    skipped: npt.NDArray[np.int64]  # [MOST_SKIPPED] places that had their turn when their moves were not legal
    loose: Loose  # of the line that is changed, where moves can be taken back
    kept: Any  # [G] states
    common_code: npt.NDArray[np.uint64]  # [E+1] in the order in which they were first seen, then the one looked for
    common_weight: npt.NDArray[np.float64]  # [E+1] the last is 0
    common_slot: npt.NDArray[np.int32]  # [4E] where a code is; COMMON_MOST: empty
    counts: npt.NDArray[np.int64]  # see STAMP ... PASSED
    numbers: npt.NDArray[np.float64]  # what else a search carries from task to task, see :mod:`rookery.kernels.turns`
    shares: npt.NDArray[np.float64]  # [KINDS + 1] of the kinds of edits, and of common codes
    out: npt.NDArray[np.int64]  # [M + slack]
    cumulative: npt.NDArray[np.float64]  # [M + slack]
    odds: npt.NDArray[np.float64]  # [codes + 1] the exponentials of biases that depend on the code alone; 0: not known


def new_incumbents(
    limits: Limits, dtype: Any, width: int, lines: int, numbers: int, loose: bool, by_code: bool
) -> Incumbents:
    """Room for this many lines; ``loose``: moves can be taken back; ``by_code``: the bias of a move depends on its code
    alone."""
    steps = limits.length + 1
    dense = 0 if limits.codes == "hashed" else min(int(limits.codes), DENSE_MOST)
    slots = capacity(max(8 * steps, dense))
    bits = max(1, dtype.itemsize // KEPT_BYTES).bit_length() - 1
    counts = np.zeros(EPOCH + 1, np.int64)
    counts[STRIDE] = bits
    return Incumbents(
        moves=np.zeros((lines + 2, steps), np.int64),
        lengths=np.full(lines + 2, NOWHERE, np.int64),
        scores=np.zeros(lines + 2),
        row=np.arange(lines),
        keys=np.zeros((2, steps), np.uint64),
        order=np.arange(0, ORDER * steps, ORDER),
        used=np.zeros(steps, np.int64),
        marked=np.zeros(steps, np.int64),
        deviates=np.zeros(steps, np.int64),
        slot_of=np.zeros(steps, np.int32),
        next=np.full(steps, NOWHERE, np.int32),
        before=np.full(steps, NOWHERE, np.int32),
        slot_key=np.zeros(slots, np.uint64),
        slot_first=np.full(slots, NOWHERE, np.int32),
        slot_last=np.full(slots, NOWHERE, np.int32),
        edited=np.zeros(MOST_EDITED, np.int64),
        skipped=np.zeros(MOST_SKIPPED, np.int64),
        loose=new_loose(steps, slots) if loose else new_loose(1, 1),
        kept=np.zeros((limits.length >> bits) + 2, dtype),
        common_code=np.zeros(COMMON_MOST + 1, np.uint64),
        common_weight=np.zeros(COMMON_MOST + 1),
        common_slot=np.full(4 * COMMON_MOST, COMMON_MOST, np.int32),
        counts=counts,
        numbers=np.zeros(numbers),
        shares=np.zeros(KINDS + 1),
        out=np.zeros(width, np.int64),
        cumulative=np.zeros(width),
        odds=np.zeros(int(limits.codes) + 1 if by_code else 1),
    )


ORDER = 16
"""The gap between the turns of two successive moves: room for those that are moved there."""


class Table(NamedTuple):
    """The functions of this module, specialised for a problem."""

    home: Any
    find: Any
    enter: Any
    take_out: Any
    weight_of: Any
    learn: Any
    forget: Any


def make_table(spec: Specialisation) -> Table:
    """The table of keys, and that of common codes."""

    @spec.inlined
    def home(key, size):
        """Where a key belongs: small ones at their own place, so that most that are absent are seen at once."""
        return key if key < u(size) else (key * u(0x9E3779B97F4A7C15)) >> u(32) & u(size - 1)

    @spec.inlined
    def find(slot_key, slot_first, used, following, key, first, stamp):
        """The first place of a key, from ``first`` on, that this proposal has not used; or NOWHERE."""
        mask = u(slot_key.size - 1)
        slot = home(key, slot_key.size)
        while slot_first[slot] != NOWHERE and slot_key[slot] != key:
            slot = (slot + u(1)) & mask
        place = slot_first[slot]
        while place != NOWHERE and (place < first or used[u(place)] == stamp):
            place = following[u(place)]
        return place

    @spec.kernel
    def enter(work, row, new, first, last):
        """Make the moves of a row ``new``, whose keys are known, those of a line, and enter them from ``first`` on."""
        line, moves, keys = work.moves[row], work.moves[new], work.keys[0]
        new_keys = keys if new == row else work.keys[1]
        slot_key, slot_first, slot_last = work.slot_key, work.slot_first, work.slot_last
        mask = u(slot_key.size - 1)
        for place in range(first, last):
            key = new_keys[u(place)]
            line[u(place)], keys[u(place)] = moves[u(place)], key
            slot = home(key, slot_key.size)
            while slot_first[slot] != NOWHERE and slot_key[slot] != key:
                slot = (slot + u(1)) & mask
            work.slot_of[u(place)] = slot
            work.next[u(place)] = NOWHERE
            if slot_first[slot] == NOWHERE:
                slot_key[slot], slot_first[slot] = key, place
                work.before[u(place)] = NOWHERE
            else:
                work.before[u(place)] = slot_last[slot]
                work.next[u(slot_last[slot])] = place
            slot_last[slot] = place

    @spec.kernel
    def take_out(work, first, last):
        """Take out the places ``first`` to ``last - 1``, the last of the line."""
        for place in range(last - 1, first - 1, -1):
            slot, before = u(work.slot_of[u(place)]), work.before[u(place)]
            work.slot_last[slot] = before
            if before == NOWHERE:
                work.slot_first[slot] = NOWHERE
            else:
                work.next[u(before)] = NOWHERE

    @spec.inlined
    def locate(common_slot, common_code, code):
        """The slot of a code, or the empty one where it belongs: empty slots lead to a copy of it, so that nobody need
        ask whether a slot is empty, which processors cannot foresee."""
        common_code[u(COMMON_MOST)] = code
        mask = u(common_slot.size - 1)
        slot = home(code, common_slot.size)
        while common_code[u(common_slot[slot])] != code:
            slot = (slot + u(1)) & mask
        return slot

    @spec.inlined
    def weight_of(common_slot, common_code, common_weight, code):
        """How common a code is: 0 to 1."""
        return common_weight[u(common_slot[locate(common_slot, common_code, code)])]

    @spec.kernel
    def learn(work, keys, length):
        """Make the codes of a line more common; when there is no room, new ones are left out."""
        for i in range(length):
            slot = locate(work.common_slot, work.common_code, keys[u(i)])
            at = np.int64(work.common_slot[slot])
            if at == COMMON_MOST:
                at = work.counts[COMMON]
                if at == COMMON_MOST:
                    continue
                work.counts[COMMON] = at + 1
                work.common_slot[slot] = at
                work.common_code[u(at)], work.common_weight[u(at)] = keys[u(i)], 0.0
            work.common_weight[u(at)] += (1.0 - work.common_weight[u(at)]) * COMMON_GAIN

    @spec.kernel
    def forget(work, factor):
        """Make all codes less common, and forget those that are hardly so."""
        n, left = work.counts[COMMON], 0
        for i in range(n - 1, -1, -1):  # last in, first out
            work.common_slot[locate(work.common_slot, work.common_code, work.common_code[u(i)])] = COMMON_MOST
        for i in range(n):
            weight = work.common_weight[u(i)] * factor
            if weight >= COMMON_LEAST:
                code = work.common_code[u(i)]
                work.common_code[u(left)], work.common_weight[u(left)] = code, weight
                work.common_slot[locate(work.common_slot, work.common_code, code)] = left
                left += 1
        work.counts[COMMON] = left

    return Table(home, find, enter, take_out, weight_of, learn, forget)
