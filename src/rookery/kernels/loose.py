"""Proposals for loose lines: those of a problem whose moves can be taken back in any order that leaves none without
what it needs.

The state at the end of the line is at hand, and of each of its moves all that it depends on, as bits: what depends on
a move is found without following one thing after another. A proposal takes back one or two moves with all that depends
on them, or puts another move that makes the same in the place of one, and takes back what that forbids. Then the line
is filled up at random, though what was taken back because it depended on another is mostly played again as soon as it
is legal. This is ruin and recreate (Schrimpf et al. 2000) at the cost of what changes.
"""

from __future__ import annotations

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import OK, STOPPED
from rookery.kernels.edits import WANTED_SMALL, Proposals
from rookery.kernels.incumbents import EPOCH, FREE, HIGH, NOWHERE, STAMP, TAIL, THINGS, make_table
from rookery.kernels.playout import check_step, draw, finish_playout, may_begin
from rookery.kernels.policy import u
from rookery.kernels.pool import make_offer
from rookery.rng import below, exp, exp_all, log, uniform

REMOVE, SWAP = 0, 1
"""Kinds of proposals."""
PREFERRED = 148.4131591025766
"""The weight of a move that was taken back because it depended on another, where others have 1: exp(5)."""
FEWEST, MOST = 3.0, 200.0
"""The least and the largest limit of how many moves are taken back together; it is drawn anew for each try."""
TRIES = 60
"""Tries to find moves that can be taken back within the limit; then the last move of the line is, on which none
depends. And tries to find a move that could take the place of another; then none does."""
MOST_FITTED = 4
"""Moves that are tried in the place of others, until one of them fits."""


def make_loose(spec: Specialisation) -> Proposals:
    """How loose lines are loaded, changed and kept."""
    functions = spec.functions
    list_moves, move_at, bias = functions.list_moves, functions.move_at, functions.bias
    play, undo, value, begin_playout = functions.play, functions.undo, functions.value, functions.begin_playout
    makes, needs, makers, clash = functions.makes, functions.needs, functions.makers, functions.clash
    offer, keeps, swaps, biased = make_offer(spec), spec.keeps, functions.makers is not None, bias is not None

    @spec.inlined
    def find(keys, stamps, key, stamp):
        """The slot of a key in a table of which only what was entered with this stamp counts; or the empty one."""
        mask, key = u(keys.size - 1), u(key)
        slot = key if key <= mask else (key * u(0x9E3779B97F4A7C15)) >> u(32) & mask
        while stamps[slot] == stamp and keys[slot] != key:
            slot = (slot + u(1)) & mask
        return slot

    @spec.inlined
    def enter(keys, stamps, key, stamp):
        slot = find(keys, stamps, key, stamp)
        keys[slot], stamps[slot] = u(key), stamp

    @spec.inlined
    def bit_of(slot):
        return u(1) << (u(slot) & u(63))

    @spec.inlined
    def words_of(slots):
        return (slots + 63) >> 6

    # --- what the moves of the line depend on ---

    @spec.inlined
    def stand_on(self, move, but, column, counts, loose):
        """Add to a column all that a move depends on, other than for the thing ``but``."""
        above, same, i = loose.above, loose.same, 0
        thing = np.int64(needs(self, move, i))
        while thing >= 0:
            at = find(loose.thing_key, loose.thing_stamp, thing, counts[EPOCH])
            maker = loose.thing_slot[at] if loose.thing_stamp[at] == counts[EPOCH] and thing != but else NOWHERE
            while maker != NOWHERE:
                for w in range(words_of(counts[HIGH])):
                    above[u(w), u(column)] |= above[u(w), u(maker)]
                maker = same[u(maker)]
            i += 1
            thing = np.int64(needs(self, move, i))

    @spec.inlined
    def link(slot, counts, loose):
        """Enter what the move of a slot makes."""
        thing, epoch = loose.made[u(slot)], counts[EPOCH]
        at = find(loose.thing_key, loose.thing_stamp, thing, epoch)
        if loose.thing_stamp[at] != epoch:
            loose.thing_key[at], loose.thing_stamp[at], loose.thing_slot[at] = u(thing), epoch, NOWHERE
            counts[THINGS] += 1
        loose.same[u(slot)] = loose.thing_slot[at]
        loose.thing_slot[at] = slot

    @spec.inlined
    def unlink(slot, counts, loose):
        same = loose.same
        at = find(loose.thing_key, loose.thing_stamp, loose.made[u(slot)], counts[EPOCH])
        if loose.thing_slot[at] == slot:
            loose.thing_slot[at] = same[u(slot)]
            return
        other = loose.thing_slot[at]
        while same[u(other)] != slot:
            other = same[u(other)]
        same[u(other)] = same[u(slot)]

    @spec.inlined
    def take_slot(self, move, thing, counts, loose):
        """A slot for a move that comes behind all others of the line."""
        above, slot = loose.above, counts[HIGH]
        if counts[FREE] > 0:
            counts[FREE] -= 1
            slot = loose.free[u(counts[FREE])]
        else:
            counts[HIGH] += 1
            if slot & 63 == 0:  # a word more
                for other in range(slot):
                    above[u(slot >> 6), u(other)] = u(0)
        for w in range(words_of(counts[HIGH])):
            above[u(w), u(slot)] = u(0)
        stand_on(self, move, np.int64(NOWHERE), slot, counts, loose)
        above[u(slot >> 6), u(slot)] |= bit_of(slot)
        loose.made[u(slot)] = thing
        link(slot, counts, loose)
        return slot

    @spec.inlined
    def give_back(slot, counts, loose):
        """The move of a slot is no longer there."""
        unlink(slot, counts, loose)
        for w in range(words_of(counts[HIGH])):
            loose.above[u(w), u(slot)] = u(0)
        loose.free[u(counts[FREE])] = slot
        counts[FREE] += 1

    @spec.inlined
    def enter_again(length, counts, loose):
        """Enter what the moves of a line make, and forget what others made."""
        counts[EPOCH] += 1
        counts[THINGS] = 0
        for place in range(length):
            link(loose.slot[u(place)], counts, loose)

    # --- what is taken back ---

    @spec.inlined
    def no_roots(counts, loose):
        for w in range(words_of(counts[HIGH])):
            loose.roots[u(w)] = u(0)

    @spec.inlined
    def add_root(slot, loose):
        loose.roots[u(slot >> 6)] |= bit_of(slot)

    @spec.inlined
    def is_root(slot, loose):
        return loose.roots[u(slot >> 6)] & bit_of(slot) != u(0)

    @spec.inlined
    def stands_on_root(column, counts, loose):
        """Whether a column has a root."""
        found = u(0)
        for w in range(words_of(counts[HIGH])):
            found |= loose.above[u(w), u(column)] & loose.roots[u(w)]
        return found != u(0)

    @spec.inlined
    def find_lost(counts, loose):
        """Note what is a root or depends on one; returns how many there are."""
        lost, above, roots, high, n = loose.lost, loose.above, loose.roots, counts[HIGH], 0
        bits = roots[u(0)]
        for slot in range(high):  # these loops have no branches: many at a time
            lost[u(slot)] = above[u(0), u(slot)] & bits
        for w in range(1, words_of(high)):
            bits = roots[u(w)]
            if bits != u(0):
                for slot in range(high):
                    lost[u(slot)] |= above[u(w), u(slot)] & bits
        for slot in range(high):
            n += lost[u(slot)] != u(0)
        return n

    @spec.inlined
    def mark(stamp, free, counts, loose):
        """Mark what is lost, if its mark is below ``free``."""
        lost, marked = loose.lost, loose.marked
        for slot in range(counts[HIGH]):
            old = marked[u(slot)]
            marked[u(slot)] = stamp if lost[u(slot)] != u(0) and old < free else old

    @spec.inlined
    def draw_limit(length, rng):
        return np.int64(FEWEST * exp(uniform(rng) * log(max(1.0, min(length, MOST) / FEWEST))))

    @spec.inlined
    def choose_removed(length, counts, loose, rng):
        """Mark one or two moves and all that depends on them."""
        stamp = counts[STAMP]
        for _ in range(TRIES):
            limit = draw_limit(length, rng)
            no_roots(counts, loose)
            add_root(loose.slot[u(below(rng, length))], loose)
            if find_lost(counts, loose) > limit:
                continue
            mark(stamp, stamp, counts, loose)
            if uniform(rng) < 0.5:
                other = loose.slot[u(below(rng, length))]
                if loose.marked[u(other)] != stamp:
                    add_root(other, loose)
                    if find_lost(counts, loose) <= limit:
                        mark(stamp, stamp, counts, loose)
            return
        no_roots(counts, loose)
        add_root(loose.slot[u(length - 1)], loose)
        find_lost(counts, loose)
        mark(stamp, stamp, counts, loose)

    if swaps:

        @spec.inlined
        def fits(self, line, length, y, x, limit, counts, loose):
            """Mark what forbids a move ``x`` in the place ``y`` and all that depends on that, and what is to come
            after ``x``; returns whether it can be played then."""
            hit, old, new, stamp = loose.hit, loose.slot[u(y)], loose.slot.size - 1, counts[STAMP]
            for w in range(words_of(counts[HIGH])):
                loose.above[u(w), u(new)] = u(0)
            stand_on(self, x, loose.made[u(old)], new, counts, loose)
            if loose.above[u(old >> 6), u(new)] & bit_of(old) != u(0):  # it needs what depends on the old move
                return False
            for place in range(length):  # without a branch: many at a time
                hit[u(place)] = clash(self, x, line[u(place)])
            hit[u(y)] = False
            no_roots(counts, loose)
            for place in range(length):
                if hit[u(place)]:
                    add_root(loose.slot[u(place)], loose)
            if stands_on_root(old, counts, loose) or stands_on_root(new, counts, loose):
                return False
            if find_lost(counts, loose) > limit:
                return False
            mark(stamp, stamp, counts, loose)
            lost, above, bit = loose.lost, loose.above[u(old >> 6)], bit_of(old)
            for slot in range(counts[HIGH]):
                lost[u(slot)] = above[u(slot)] & bit
            mark(stamp + 1, stamp, counts, loose)
            return True

        @spec.inlined
        def choose_swapped(self, s, line, length, counts, loose, out, rng):
            """Try a move in the place of another; returns it and the place, or NOWHERE if none fits."""
            fitted = 0
            for _ in range(TRIES):
                y = np.int64(below(rng, length))
                n = np.int64(makers(self, s, loose.made[u(loose.slot[u(y)])], out))
                if n == 0:
                    continue
                x, known = out[u(below(rng, n))], 0
                for place in range(length):
                    known += line[u(place)] == x
                if known == 0:
                    if fits(self, line, length, y, x, draw_limit(length, rng), counts, loose):
                        return x, y
                    fitted += 1
                    if fitted == MOST_FITTED:
                        break
            return np.int64(NOWHERE), np.int64(NOWHERE)
    else:

        @spec.inlined
        def choose_swapped(self, s, line, length, counts, loose, out, rng):
            return np.int64(NOWHERE), np.int64(NOWHERE)

    @spec.inlined
    def take_back(self, s, line, length, counts, loose):
        """Undo what is marked, the last first; returns how many. What depended on another is preferred from now on."""
        stamp, n = counts[STAMP], 0
        for place in range(length - 1, -1, -1):
            slot = loose.slot[u(place)]
            if loose.marked[u(slot)] == stamp:
                n += 1
                undo(self, s, line[u(place)], loose.made[u(slot)])
                if not is_root(slot, loose):
                    enter(loose.move_key, loose.move_stamp, line[u(place)], stamp)
        return n

    @spec.inlined
    def play_next(self, s, move, counts, loose):
        """Play a move behind the tail of the proposal."""
        n = counts[TAIL]
        loose.tail[u(n)], loose.tail_made[u(n)] = move, makes(self, s, move)
        counts[TAIL] = n + 1
        play(self, s, move)

    @spec.inlined
    def put_in_place(self, s, x, y, line, length, counts, loose):
        """Put a move in a place; what depends on that place is in the tail from now on, though not played again.

        Returns how many moves have not stayed where they were.
        """
        taken = take_back(self, s, line, length, counts, loose)
        undo(self, s, line[u(y)], loose.made[u(loose.slot[u(y)])])
        play_next(self, s, x, counts, loose)
        for place in range(y + 1, length):
            slot = loose.slot[u(place)]
            if loose.marked[u(slot)] == counts[STAMP] + 1:
                n = counts[TAIL]
                loose.tail[u(n)], loose.tail_made[u(n)] = line[u(place)], loose.made[u(slot)]
                counts[TAIL] = n + 1
        return taken + counts[TAIL]

    @spec.inlined
    def fill_in(self, s, n, stamp, work, rng):
        """The index of a move: by bias, and mostly one that was taken back because it depended on another."""
        if n == 1:
            return np.int64(0)
        out, cumulative, total, keys, stamps = (
            work.out,
            work.cumulative,
            0.0,
            work.loose.move_key,
            work.loose.move_stamp,
        )
        if biased:
            for i in range(n):
                cumulative[u(i)] = np.float64(bias(self, s, move_at(self, s, out, i)))
            for i in range(n, n + 3):
                cumulative[u(i)] = 0.0
            exp_all(cumulative, (n + 3) & ~3)  # whole blocks of four: no ragged end
        for i in range(n):
            weight = cumulative[u(i)] if biased else 1.0
            if stamps[find(keys, stamps, move_at(self, s, out, i), stamp)] == stamp:
                weight *= PREFERRED
            total += weight
            cumulative[u(i)] = total
        return np.int64(draw(cumulative, n, uniform(rng) * total))

    @spec.inlined
    def stays(place, counts, loose):
        return loose.marked[u(loose.slot[u(place)])] < counts[STAMP]

    @spec.kernel
    def compose(row, to, work):
        """Write the proposal for a line into a row: what has stayed, then the tail."""
        n, counts, loose = 0, work.counts, work.loose
        for place in range(work.lengths[row]):
            if stays(place, counts, loose):
                work.moves[to, u(n)] = work.moves[row, u(place)]
                n += 1
        for i in range(counts[TAIL]):
            work.moves[to, u(n)] = loose.tail[u(i)]
            n += 1
        work.lengths[to] = n

    @spec.kernel
    def load(self, states, row, code_keys, work, run):
        """Make a line the one that is changed: play it, and note what its moves make and depend on."""
        states[1] = states[0]
        s, counts, loose = states[1], work.counts, work.loose
        begin_playout(self, s)
        counts[HIGH] = counts[FREE] = 0
        enter_again(0, counts, loose)
        for place in range(work.lengths[row]):
            move = work.moves[row, u(place)]
            loose.slot[u(place)] = take_slot(self, move, np.int64(makes(self, s, move)), counts, loose)
            play(self, s, move)
        states[2] = s
        return OK

    @spec.inlined
    def propose(self, states, ply, row, code_keys, begins, work, run, rng):
        """A proposal for the line that was loaded, or the playout that a line ``begins`` with.

        Returns the status, the kind, and twice False: common codes are not drawn.
        """
        if not may_begin(run.control):
            return STOPPED, REMOVE, False, False
        s, counts, loose, proposal = states[1], work.counts, work.loose, work.lengths.size - 2
        line, length, kind = work.moves[row], work.lengths[row], REMOVE
        gone, counts[TAIL] = 0, 0
        counts[STAMP] += 2
        if swaps and length > 0 and uniform(rng) < work.shares[SWAP]:
            x, y = choose_swapped(self, s, line, length, counts, loose, work.out, rng)
            if y != NOWHERE:
                gone = put_in_place(self, s, x, y, line, length, counts, loose)
                kind = SWAP
        if kind == REMOVE and length > 0:
            choose_removed(length, counts, loose, rng)
            gone = take_back(self, s, line, length, counts, loose)
        before, stamp = ply + length - gone, counts[STAMP]
        while True:
            n = list_moves(self, s, work.out)
            status = check_step(n, before + counts[TAIL], run.control)
            if status != OK:
                return status, kind, False, False
            if n == 0:
                break
            play_next(self, s, move_at(self, s, work.out, fill_in(self, s, n, stamp, work, rng)), counts, loose)
        score = value(self, s)
        work.scores[proposal] = score
        if keeps:
            compose(row, proposal, work)
            offer(self, work.moves[proposal], 0, work.lengths[proposal], score, run)
        return finish_playout(score, run), kind, False, False

    @spec.inlined
    def keep(self, states, row, work, run):
        """Make the proposal the line."""
        n, line, counts, loose = 0, work.moves[row], work.counts, work.loose
        for place in range(work.lengths[row]):
            if stays(place, counts, loose):
                line[u(n)], loose.slot[u(n)] = line[u(place)], loose.slot[u(place)]
                n += 1
            else:
                give_back(loose.slot[u(place)], counts, loose)
        if 2 * (counts[THINGS] + counts[TAIL]) > loose.thing_key.size:
            enter_again(n, counts, loose)
        for i in range(counts[TAIL]):
            line[u(n)] = loose.tail[u(i)]
            loose.slot[u(n)] = take_slot(self, line[u(n)], loose.tail_made[u(i)], counts, loose)
            n += 1
        work.lengths[row] = n
        work.scores[row] = work.scores[work.lengths.size - 2]
        states[2] = states[1]

    @spec.inlined
    def leave(self, states, row, work):
        """Go back to the state of the line: a copy costs less than to undo and to play."""
        states[1] = states[2]

    @spec.inlined
    def learn_line(self, states, row, code_keys, work, run):
        """Codes are not asked for."""
        return OK

    @spec.inlined
    def wanted(self, row, work):
        return WANTED_SMALL

    return Proposals(load, propose, keep, leave, compose, learn_line, wanted, make_table(spec).forget, 1 + swaps)
