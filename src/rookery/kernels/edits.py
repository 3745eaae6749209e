"""Proposals: a line with a few of its moves dropped, replaced or delayed, and played again from the first of them.

A proposal counts as a playout. Every move has a key, itself or its code, that says which moves of two lines are the
same. From the first edit on, the legal move is played whose turn in the line comes first; where the line has none, a
move is drawn by the problem's bias, or also by how common its code is in good lines. This is ruin and recreate
(Schrimpf et al. 2000) on sequences of moves, for problems of which nothing is known but their rules.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import CODE_RANGE, CODES_MOST, DETAIL, OK, STOPPED
from rookery.kernels.following import NEVER, make_following
from rookery.kernels.incumbents import (
    DELAY,
    DELAYED,
    DEVIATE,
    DROP,
    FIRST,
    KEPT,
    KINDS,
    NOWHERE,
    ORDER,
    PASSED,
    SKIPPED,
    STAMP,
    STRIDE,
    make_table,
)
from rookery.kernels.playout import check_step, finish_playout, make_name, may_begin
from rookery.kernels.policy import u
from rookery.kernels.pool import make_offer
from rookery.rng import below, uniform

MORE_EDITS = 0.15
"""How often another edit is added."""
MOST_EDITS = 3
LONGER_BLOCK = 0.4
"""How often a delayed block is one move longer."""
LONGEST_BLOCK = 8
FURTHER = 0.3
"""How often a move is delayed behind one more move with which it does not commute."""
WANTED, WANTED_SMALL = (0.001, 0.02), (0.002, 0.15)
"""The shares of worse proposals that the coldest and the hottest temperature should accept; the same where changes are
small: a move is delayed only behind moves with which it does not commute, or moves can be taken back."""
EQUAL = 1e-9
"""Scores that differ by a smaller share count as equal: floats add up differently in another order."""


class Proposals(NamedTuple):
    """The functions of this module, specialised for a problem."""

    load: Any
    propose: Any
    keep: Any
    leave: Any
    compose: Any
    learn_line: Any
    wanted: Any
    forget: Any
    kinds: int


def make_proposals(spec: Specialisation) -> Proposals:
    """How lines are loaded, edited and kept."""
    functions, hashed = spec.functions, spec.hashed
    list_moves, move_at, code = functions.list_moves, functions.move_at, functions.code
    play, value, begin_playout = functions.play, functions.value, functions.begin_playout
    commute = functions.commute
    name, table, offer, keeps = make_name(spec), make_table(spec), make_offer(spec), spec.keeps
    find, lists = table.find, functions.is_legal is None
    key_of, drawn, sort_delayed, next_place, follow, first_in_line = make_following(spec, table)
    commutes = commute is not None

    @spec.inlined
    def end_proposal(self, score, row, first, place, work, run):
        """Note the length and the score of a proposal, and count it."""
        proposal = work.lengths.size - 2
        work.lengths[proposal] = place
        work.scores[proposal] = score
        if keeps:
            for i in range(first):
                work.moves[proposal, u(i)] = work.moves[row, u(i)]
            offer(self, work.moves[proposal], 0, place, score, run)
        return finish_playout(score, run)

    @spec.inlined
    def repeat(self, row, first, length, work, run):
        """End a proposal that is the line again: the rest need not be played."""
        proposal = work.lengths.size - 2
        for place in range(first, length):
            work.moves[proposal, u(place)] = work.moves[row, u(place)]
            work.keys[1, u(place)] = work.keys[0, u(place)]
        return end_proposal(self, work.scores[row], row, first, length, work, run)

    @spec.inlined
    def play_on(self, s, ply, first, length, row, code_keys, common, waiting, alone, work, run, rng):  # noqa: PLR0913
        """Play a proposal to its end from the place ``first``; returns the status and whether a move was drawn.

        ``alone``: only the move at that place is edited.
        """
        control, out = run.control, work.out
        line, new = work.moves[row], work.moves[work.lengths.size - 2]
        new_keys, used, deviates = work.keys[1], work.used, work.deviates
        stamp, most = work.counts[STAMP], u(control[CODES_MOST])
        work.counts[SKIPPED] = NOWHERE if lists else 0
        place, low, drew, move = first, first, False, np.int64(0)
        while True:
            if work.counts[SKIPPED] == 0:
                status, place, low = follow(self, s, ply, place, low, length, row, code_keys, waiting, work, control)
                if status != OK:
                    return status, drew
            n = np.int64(0)  # where the next move is known, no others are listed
            if lists:
                n = list_moves(self, s, out)
                status = check_step(n, ply + place, control)
                if status != OK:
                    return status, drew
                if n == 0:
                    break
            at, low, certain = next_place(self, s, n, row, low, length, waiting, code_keys, most, work)
            if at >= 0 and deviates[u(at)] != stamp:
                move = line[u(at)]
                if not lists:
                    status = check_step(np.int64(1), ply + place, control)
                    if status != OK:
                        return status, drew
            else:
                if not lists:
                    n = list_moves(self, s, out)
                    status = check_step(n, ply + place, control)
                    if status != OK:
                        return status, drew
                    if n == 0:
                        break
                if at < 0 and not certain:
                    chosen, at = first_in_line(self, s, n, row, code_keys, most, work)
                    if at >= 0:
                        move = move_at(self, s, out, chosen)
                elif at >= 0:
                    move = line[u(at)]
                if at < 0 or deviates[u(at)] == stamp:
                    if at >= 0:
                        deviates[u(at)] = 0
                    move = move_at(self, s, out, drawn(self, s, n, at >= 0, move, common, most, work, rng))
                    drew, at = True, np.int64(NOWHERE)
            key = key_of(self, s, move, code_keys, most)
            if at < 0:  # what was drawn may be a later move of the line
                at = np.int64(find(work.slot_key, work.slot_first, used, work.next, key, first, stamp))
            if at >= 0:
                used[u(at)] = stamp
                work.marked[u(at)] = stamp
            if commutes and alone:
                if place == first and at == first and move == line[u(at)]:
                    return repeat(self, row, first, length, work, run), drew
                alone = False
            new[u(place)], new_keys[u(place)] = move, key
            play(self, s, move)
            place += 1
        return end_proposal(self, value(self, s), row, first, place, work, run), drew

    @spec.kernel
    def load(self, states, row, code_keys, work, run):
        """Make a line the one that is edited: its keys, their table, and the states along it."""
        counts, most = work.counts, u(run.control[CODES_MOST])
        length, bits = work.lengths[row], counts[STRIDE]
        work.slot_first[:] = NOWHERE
        states[1] = states[0]
        s = states[1]
        begin_playout(self, s)
        for place in range(length + 1):
            if (place >> bits) << bits == place:
                work.kept[u(place >> bits)] = s
            if place == length:
                break
            move = work.moves[row, u(place)]
            key = key_of(self, s, move, code_keys, most)
            if not hashed and code_keys and key == most:
                run.control[DETAIL] = np.int64(code(self, s, move))
                return CODE_RANGE
            work.keys[0, u(place)] = key
            play(self, s, move)
        counts[KEPT] = (length >> bits) + 1
        table.enter(work, row, row, 0, length)
        return OK

    if commutes:

        @spec.inlined
        def behind(self, line, q, length, rng):
            """The place of the next move with which a move does not commute, or of a later one; its own if there is
            none."""
            last = q
            for place in range(q + 1, length):
                if not commute(self, line[u(q)], line[u(place)]):
                    last = place
                    if uniform(rng) >= FURTHER:
                        break
            return last
    else:

        @spec.inlined
        def behind(self, line, q, length, rng):
            return q

    @spec.kernel
    def wanted(self, row, work):
        """The shares of worse proposals to accept: more where some moves of a line do not commute."""
        if commutes:
            line, length = work.moves[row], work.lengths[row]
            for q in range(length):
                for place in range(q + 1, length):
                    if not commute(self, line[u(q)], line[u(place)]):
                        return WANTED_SMALL
        return WANTED

    @spec.kernel
    def edit(self, row, length, work, rng):
        """Mark a few places; returns the first, the kind of the first edit, how many moves are delayed, when they
        have their turn, and whether only one move is edited."""
        counts, order, shares, stamp = work.counts, work.order, work.shares, work.counts[STAMP]
        edits = 1
        while edits < MOST_EDITS and uniform(rng) < MORE_EDITS:
            edits += 1
        first, kind, edited, waiting, alone = length, DROP, 0, NEVER, edits == 1
        for i in range(edits):
            q = np.int64(below(rng, length))
            x = uniform(rng)
            which = DROP if x < shares[DROP] else DEVIATE if x < shares[DROP] + shares[DEVIATE] else DELAY
            if i == 0:
                kind = which
            last = behind(self, work.moves[row], q, length, rng) if which == DELAY else q
            if last > q:
                order[u(q)] = ORDER * last + ORDER // 2
                work.edited[u(edited)] = q
                edited += 1
                waiting = min(waiting, order[u(q)])
            elif which == DELAY:
                block = 1
                while block < LONGEST_BLOCK and uniform(rng) < LONGER_BLOCK:
                    block += 1
                later = 1 + np.int64(uniform(rng) * uniform(rng) * (length - q))
                turn = ORDER * (q + block + later) - ORDER // 2
                for j in range(min(block, length - q)):
                    order[u(q + j)] = turn + j
                    work.marked[u(q + j)] = stamp
                    work.edited[u(edited)] = q + j
                    edited += 1
                waiting = min(waiting, turn)
            elif which == DROP:
                work.used[u(q)] = stamp
            else:
                work.deviates[u(q)] = stamp
            work.marked[u(q)] = stamp
            first = min(first, q)
        counts[FIRST] = first
        return first, kind, edited, waiting, alone and edited <= 1

    @spec.inlined
    def propose(self, states, ply, row, code_keys, begins, work, run, rng):
        """A proposal for the line that was loaded, or a playout by bias that a line ``begins`` with.

        Returns the status, the kind of edit, whether common codes were asked for, and whether a move was drawn.
        """
        if not may_begin(run.control):
            return STOPPED, 0, False, False
        counts, length = work.counts, work.lengths[row]
        counts[STAMP] += 1
        common = not begins and uniform(rng) < work.shares[KINDS]
        first, kind, edited, waiting, alone = np.int64(0), DROP, 0, np.int64(0), False
        if length > 0:
            first, kind, edited, waiting, alone = edit(self, row, length, work, rng)
        else:
            counts[FIRST] = 0
        counts[DELAYED], counts[PASSED] = 0, 0
        if not lists and edited > 0:
            counts[DELAYED] = sort_delayed(work.edited, work.order, edited)
            if counts[DELAYED] > 0:
                waiting = NEVER
        bits = counts[STRIDE]
        grid = min(first >> bits, counts[KEPT] - 1)
        states[1] = work.kept[u(grid)]
        s = states[1]
        for place in range(grid << bits, first):
            play(self, s, work.moves[row, u(place)])
            if place + 1 == (grid + 1) << bits:
                grid += 1
                work.kept[u(grid)] = s
                counts[KEPT] = grid + 1
        status, drew = play_on(self, s, ply, first, length, row, code_keys, common, waiting, alone, work, run, rng)
        for i in range(edited):
            work.order[u(work.edited[u(i)])] = ORDER * work.edited[u(i)]
        return status, kind, common, drew

    @spec.kernel
    def keep(self, states, row, work, run):
        """Make the proposal the line; returns False if it is the same."""
        proposal, first, bits = work.lengths.size - 2, work.counts[FIRST], work.counts[STRIDE]
        length, new = work.lengths[row], work.lengths[proposal]
        work.scores[row] = work.scores[proposal]
        while first < min(length, new) and (
            work.moves[row, u(first)] == work.moves[proposal, u(first)]
            and work.keys[0, u(first)] == work.keys[1, u(first)]
        ):
            first += 1
        if first == length and length == new:
            return False
        table.take_out(work, first, length)
        table.enter(work, row, proposal, first, new)
        work.lengths[row] = new
        work.counts[KEPT] = min(work.counts[KEPT], (first >> bits) + 1)
        return True

    @spec.kernel
    def learn_line(self, states, row, code_keys, work, run):
        """Make the codes of the line that was edited more common."""
        length, most = work.lengths[row], u(run.control[CODES_MOST])
        if not code_keys:
            states[1] = work.kept[0]
            s = states[1]
            for place in range(length):
                move = work.moves[row, u(place)]
                key = u(name(code(self, s, move), most))
                if not hashed and key == most:
                    run.control[DETAIL] = np.int64(code(self, s, move))
                    return CODE_RANGE
                work.keys[1, u(place)] = key
                play(self, s, move)
        table.learn(work, work.keys[0] if code_keys else work.keys[1], length)
        return OK

    @spec.inlined
    def leave(self, states, row, work):
        """Nothing is to be done for a proposal that is not accepted."""

    @spec.kernel
    def compose(row, to, work):
        """Write the proposal for a line into a row."""
        proposal, first = work.lengths.size - 2, work.counts[FIRST]
        work.lengths[to] = work.lengths[proposal]
        for place in range(first):
            work.moves[to, u(place)] = work.moves[row, u(place)]
        for place in range(first, work.lengths[proposal]):
            work.moves[to, u(place)] = work.moves[proposal, u(place)]

    return Proposals(load, propose, keep, leave, compose, learn_line, wanted, table.forget, KINDS)
