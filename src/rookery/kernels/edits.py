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
from rookery.kernels.incumbents import FIRST, KEPT, NOWHERE, ORDER, SKIPPED, STAMP, STRIDE, Table, make_table
from rookery.kernels.playout import check_step, draw, finish_playout, make_name, may_begin
from rookery.kernels.policy import u
from rookery.kernels.pool import make_offer
from rookery.rng import below, exp, uniform

MORE_EDITS = 0.15
"""How often another edit is added."""
MOST_EDITS = 3
LONGER_BLOCK = 0.4
"""How often a delayed block is one move longer."""
LONGEST_BLOCK = 8
COMMON_SHARE = 0.02
"""The weight of a code that no good line has; one that all have has 1 more."""
EQUAL = 1e-9
"""Scores that differ by a smaller share count as equal: floats add up differently in another order."""

DROP, DEVIATE, DELAY = range(3)
NEVER = np.int64(1) << 60
"""A turn that does not come."""


class Proposals(NamedTuple):
    """The functions of this module, specialised for a problem."""

    load: Any
    random_line: Any
    propose: Any
    keep: Any
    learn_line: Any
    table: Table


def make_proposals(spec: Specialisation) -> Proposals:
    """How lines are loaded, edited and kept."""
    functions, hashed = spec.functions, spec.hashed
    list_moves, move_at, code, bias = functions.list_moves, functions.move_at, functions.code, functions.bias
    play, value, begin_playout = functions.play, functions.value, functions.begin_playout
    name, table, offer, keeps = make_name(spec), make_table(spec), make_offer(spec), spec.keeps
    find, weight_of, is_legal = table.find, table.weight_of, functions.is_legal
    lists = is_legal is None

    @spec.inlined
    def key_of(self, s, move, code_keys, most):
        if code_keys:
            return u(name(code(self, s, move), most))
        return u(np.int64(move))

    if bias is not None:

        @spec.inlined
        def factor_of(self, s, move):
            return exp(np.float64(bias(self, s, move)))
    else:

        @spec.inlined
        def factor_of(self, s, move):
            return 1.0

    biased = bias is not None

    @spec.kernel
    def drawn(self, s, n, skip, common, most, work, rng):
        """The index of a move that is not ``skip``, if there is another: by bias, and by how common its code is."""
        if n == 1:
            return np.int64(0)
        if not biased and not common:
            if skip < 0:
                return np.int64(below(rng, n))
            chosen = np.int64(below(rng, n - 1))
            return chosen + (chosen >= skip)
        out, cumulative = work.out, work.cumulative
        total = 0.0
        for i in range(n):
            if i != skip:
                move = move_at(self, s, out, i)
                weight = factor_of(self, s, move)
                if common:
                    named = u(name(code(self, s, move), most))
                    known = weight_of(work.common_slot, work.common_code, work.common_weight, named)
                    weight *= COMMON_SHARE + known
                total += weight
            cumulative[u(i)] = total
        chosen = np.int64(draw(cumulative, n, uniform(rng) * total))
        return chosen if chosen != skip else (chosen + 1) % n

    @spec.inlined
    def is_first(place, first, used, before, stamp):
        """Whether no place before this one has the same key and waits for its turn."""
        place = np.int64(before[u(place)])
        while place >= first and used[u(place)] == stamp:
            place = np.int64(before[u(place)])
        return place < first

    @spec.inlined
    def is_due(place, length, waiting, work):
        """Whether nothing that waits comes before a place: not a move that was delayed, nor one of the same key."""
        return (
            place < length
            and ORDER * place < waiting
            and is_first(place, work.counts[FIRST], work.used, work.before, work.counts[STAMP])
        )

    @spec.inlined
    def pass_by(low, length, work):
        """The first place from ``low`` on that was not used or delayed."""
        stamp = work.counts[STAMP]
        while low < length and (work.used[u(low)] == stamp or work.order[u(low)] != ORDER * low):
            low += 1
        return low

    if is_legal is None:

        @spec.inlined
        def next_place(self, s, n, row, low, length, waiting, code_keys, most, work):
            """The place whose turn it is, if that is seen at a glance: most often the line simply goes on.

            Returns it or NOWHERE, the first place that may be used, and whether all others may be left out.
            """
            low = pass_by(low, length, work)
            if work.counts[SKIPPED] != low and is_due(low, length, waiting, work):
                wanted = work.moves[row, u(low)]
                for i in range(n):
                    if move_at(self, s, work.out, i) == wanted:
                        if key_of(self, s, wanted, code_keys, most) == work.keys[0, u(low)]:
                            return low, low, False
                        break
                work.counts[SKIPPED] = low  # it may not be legal for long: no second look
            return np.int64(NOWHERE), low, False
    else:

        @spec.inlined
        def next_place(self, s, n, row, low, length, waiting, code_keys, most, work):
            """The place whose turn it is: one that was skipped and is legal now, or the next one that is.

            Returns it or NOWHERE, the first place that may be used, and whether all others may be left out.
            """
            line, skipped, stamp = work.moves[row], work.skipped, work.counts[STAMP]
            many = work.counts[SKIPPED]
            if many == skipped.size or (many > 0 and code_keys):
                return np.int64(NOWHERE), pass_by(low, length, work), False
            left = 0
            for i in range(many):
                place = skipped[u(i)]
                if work.used[u(place)] == stamp:
                    continue
                if is_legal(self, s, line[u(place)]):
                    for j in range(i, many):
                        skipped[u(left + j - i)] = skipped[u(j)]
                    work.counts[SKIPPED] = left + many - i
                    return np.int64(place), low, True
                skipped[u(left)] = place
                left += 1
            work.counts[SKIPPED] = left
            low = pass_by(low, length, work)
            while is_due(low, length, waiting, work):
                if is_legal(self, s, line[u(low)]) and (
                    not code_keys or key_of(self, s, line[u(low)], code_keys, most) == work.keys[0, u(low)]
                ):
                    return low, low, True
                if left == skipped.size or code_keys:  # another move may have its code
                    work.counts[SKIPPED] = skipped.size
                    return np.int64(NOWHERE), low, False
                skipped[u(left)] = low
                left += 1
                work.counts[SKIPPED] = left
                low = pass_by(low + 1, length, work)
            return np.int64(NOWHERE), low, low == length and waiting == NEVER

    @spec.inlined
    def first_in_line(self, s, n, row, code_keys, most, work):
        """Of the legal moves, the one whose turn in the line comes first; returns its index and its place."""
        line, first, stamp = work.moves[row], work.counts[FIRST], work.counts[STAMP]
        chosen, at, least = np.int64(NOWHERE), np.int64(NOWHERE), NEVER
        for i in range(n):
            move = move_at(self, s, work.out, i)
            key = key_of(self, s, move, code_keys, most)
            p = np.int64(find(work.slot_key, work.slot_first, work.used, work.next, key, first, stamp))
            if p >= 0:
                turn = 2 * work.order[u(p)] + (line[u(p)] != move)
                if turn < least:
                    least, chosen, at = turn, np.int64(i), p
        return chosen, at

    @spec.kernel
    def play_on(self, s, ply, first, length, row, code_keys, common, waiting, work, run, rng):  # noqa: PLR0913
        """Play a proposal to its end from the place ``first``; returns the status and whether a move was drawn."""
        control, out = run.control, work.out
        line, new = work.moves[row], work.moves[work.lengths.size - 2]
        new_keys, used, deviates = work.keys[1], work.used, work.deviates
        stamp, most = work.counts[STAMP], u(control[CODES_MOST])
        work.counts[SKIPPED] = NOWHERE if lists else 0
        place, low, drew = first, first, False
        while True:
            n = np.int64(1)  # where the next move is known, no others are listed
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
            else:
                if not lists:
                    n = list_moves(self, s, out)
                    status = check_step(n, ply + place, control)
                    if status != OK:
                        return status, drew
                    if n == 0:
                        break
                chosen = np.int64(NOWHERE)
                if at < 0:
                    if not certain:
                        chosen, at = first_in_line(self, s, n, row, code_keys, most, work)
                else:
                    for i in range(n):
                        if move_at(self, s, out, i) == line[u(at)]:
                            chosen = np.int64(i)
                if chosen < 0 or deviates[u(at)] == stamp:
                    if chosen >= 0:
                        deviates[u(at)] = 0
                    chosen = drawn(self, s, n, chosen, common, most, work, rng)
                    drew, at = True, np.int64(NOWHERE)
                move = move_at(self, s, out, chosen)
            key = key_of(self, s, move, code_keys, most)
            if at < 0:  # what was drawn may be a later move of the line
                at = np.int64(find(work.slot_key, work.slot_first, used, work.next, key, first, stamp))
            if at >= 0:
                used[u(at)] = stamp
            new[u(place)], new_keys[u(place)] = move, key
            play(self, s, move)
            place += 1
        proposal = work.lengths.size - 2
        work.lengths[proposal] = place
        score = value(self, s)
        work.scores[proposal] = score
        if keeps:
            for i in range(first):
                new[u(i)] = line[u(i)]
            offer(self, new, 0, place, score, run)
        return finish_playout(score, run), drew

    @spec.kernel
    def load(self, states, row, code_keys, work, run):
        """Make a line the one that is edited: its keys, their table, and the states along it."""
        counts, most = work.counts, u(run.control[CODES_MOST])
        length, stride = work.lengths[row], counts[STRIDE]
        work.slot_first[:] = NOWHERE
        states[1] = states[0]
        s = states[1]
        begin_playout(self, s)
        for place in range(length + 1):
            if place % stride == 0:
                work.kept[u(place // stride)] = s
            if place == length:
                break
            move = work.moves[row, u(place)]
            key = key_of(self, s, move, code_keys, most)
            if not hashed and code_keys and key == most:
                run.control[DETAIL] = np.int64(code(self, s, move))
                return CODE_RANGE
            work.keys[0, u(place)] = key
            play(self, s, move)
        counts[KEPT] = length // stride + 1
        table.enter(work, 0, length)
        return OK

    @spec.kernel
    def random_line(self, states, ply, row, work, run, rng):
        """A line that begins as a playout by bias."""
        if not may_begin(run.control):
            return STOPPED
        counts = work.counts
        counts[STAMP] += 1
        counts[FIRST] = 0
        work.slot_first[:] = NOWHERE
        states[1] = states[0]
        begin_playout(self, states[1])
        status, _ = play_on(self, states[1], ply, 0, 0, row, False, False, 0, work, run, rng)
        if status == OK:
            proposal = work.lengths.size - 2
            work.lengths[row], work.scores[row] = work.lengths[proposal], work.scores[proposal]
            for place in range(work.lengths[row]):
                work.moves[row, u(place)] = work.moves[proposal, u(place)]
        return status

    @spec.kernel
    def edit(length, work, rng):
        """Mark a few places; returns the first, the kind of the first edit, and when delayed moves have their
        turn."""
        counts, order, shares, stamp = work.counts, work.order, work.shares, work.counts[STAMP]
        edits = 1
        while edits < MOST_EDITS and uniform(rng) < MORE_EDITS:
            edits += 1
        first, kind, edited, waiting = length, DROP, 0, NEVER
        for i in range(edits):
            q = np.int64(below(rng, length))
            x = uniform(rng)
            which = DROP if x < shares[DROP] else DEVIATE if x < shares[DROP] + shares[DEVIATE] else DELAY
            if i == 0:
                kind = which
            if which == DELAY:
                block = 1
                while block < LONGEST_BLOCK and uniform(rng) < LONGER_BLOCK:
                    block += 1
                later = 1 + np.int64(uniform(rng) * uniform(rng) * (length - q))
                turn = ORDER * (q + block + later) - ORDER // 2
                for j in range(min(block, length - q)):
                    order[u(q + j)] = turn + j
                    work.edited[u(edited)] = q + j
                    edited += 1
                waiting = min(waiting, turn)
            elif which == DROP:
                work.used[u(q)] = stamp
            else:
                work.deviates[u(q)] = stamp
            first = min(first, q)
        counts[FIRST] = first
        return first, kind, edited, waiting

    @spec.kernel
    def propose(self, states, ply, row, code_keys, work, run, rng):
        """A proposal for the line that was loaded; returns the status, the kind of edit, whether common codes were
        asked for, and whether a move was drawn."""
        if not may_begin(run.control):
            return STOPPED, 0, False, False
        counts, length = work.counts, work.lengths[row]
        counts[STAMP] += 1
        common = uniform(rng) < work.shares[3]
        first, kind, edited, waiting = np.int64(0), DROP, 0, np.int64(0)
        if length > 0:
            first, kind, edited, waiting = edit(length, work, rng)
        stride = counts[STRIDE]
        grid = min(first // stride, counts[KEPT] - 1)
        states[1] = work.kept[u(grid)]
        s = states[1]
        for place in range(grid * stride, first):
            play(self, s, work.moves[row, u(place)])
            if (place + 1) % stride == 0:
                work.kept[u((place + 1) // stride)] = s
                counts[KEPT] = (place + 1) // stride + 1
        status, drew = play_on(self, s, ply, first, length, row, code_keys, common, waiting, work, run, rng)
        for i in range(edited):
            work.order[u(work.edited[u(i)])] = ORDER * work.edited[u(i)]
        return status, kind, common, drew

    @spec.kernel
    def keep(row, work):
        """Make the proposal the line; returns False if it is the same."""
        proposal, first, stride = work.lengths.size - 2, work.counts[FIRST], work.counts[STRIDE]
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
        for place in range(first, new):
            work.moves[row, u(place)] = work.moves[proposal, u(place)]
            work.keys[0, u(place)] = work.keys[1, u(place)]
        table.enter(work, first, new)
        work.lengths[row] = new
        work.counts[KEPT] = min(work.counts[KEPT], first // stride + 1)
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

    return Proposals(load, random_line, propose, keep, learn_line, table)
