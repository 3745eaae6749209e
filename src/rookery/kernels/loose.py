"""Proposals for loose lines: those of a problem whose moves can be taken back in any order that leaves none without
what it needs.

The state at the end of the line is at hand. A proposal takes back one or two moves with all that depends on them, or
puts another move that makes the same in the place of one, and takes back what that forbids. Then the line is filled
up at random, though what was taken back because it depended on another is mostly played again as soon as it is legal.
This is ruin and recreate (Schrimpf et al. 2000) at the cost of what changes.
"""

from __future__ import annotations

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import OK, STOPPED
from rookery.kernels.edits import WANTED_SMALL, Proposals
from rookery.kernels.incumbents import NOWHERE, STAMP, TAIL, make_table
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
    def lacks(self, move, but, stamp, keys, stamps):
        """Whether a move needs what was lost, other than the thing ``but``."""
        i = 0
        thing = np.int64(needs(self, move, i))
        while thing >= 0:
            if thing != but and stamps[find(keys, stamps, thing, stamp)] == stamp:
                return True
            i += 1
            thing = np.int64(needs(self, move, i))
        return False

    @spec.inlined
    def bit_of(thing):
        return u(1) << (u(thing) * u(0x9E3779B97F4A7C15) >> u(58))

    @spec.inlined
    def hint_of(self, move):
        """A bit for each thing that a move needs: most moves that need nothing of what was lost are seen at once."""
        hint, i = u(0), 0
        thing = np.int64(needs(self, move, i))
        while thing >= 0:
            hint |= bit_of(thing)
            i += 1
            thing = np.int64(needs(self, move, i))
        return hint

    @spec.inlined
    def mark_root(place, stamp, loose):
        loose.marked[u(place)], loose.roots[u(place)] = stamp, True

    @spec.kernel
    def mark_dependents(self, line, length, first, free, room, stamp, loose):
        """Mark what depends on the roots that are marked, the first of them at a place, of all below ``free``.

        Returns how many are marked, at most ``room`` + 1.
        """
        made, hints, marked, keys, stamps = loose.made, loose.hints, loose.marked, loose.thing_key, loose.thing_stamp
        taken, lost = 0, u(0)
        for place in range(first, length):
            if marked[u(place)] != stamp:
                if hints[u(place)] & lost == u(0) or marked[u(place)] >= free:
                    continue
                if not lacks(self, line[u(place)], np.int64(NOWHERE), stamp, keys, stamps):
                    continue
                marked[u(place)], loose.roots[u(place)] = stamp, False
            taken += 1
            if taken > room:
                return taken
            enter(keys, stamps, made[u(place)], stamp)
            lost |= bit_of(made[u(place)])
        return taken

    @spec.inlined
    def draw_limit(length, rng):
        return np.int64(FEWEST * exp(uniform(rng) * log(max(1.0, min(length, MOST) / FEWEST))))

    @spec.kernel
    def choose_removed(self, line, length, stamp, loose, rng):
        """Mark one or two places and all that depends on them; returns the stamp."""
        marked = loose.marked
        for _ in range(TRIES):
            stamp += 2
            limit, root = draw_limit(length, rng), np.int64(below(rng, length))
            mark_root(root, stamp, loose)
            taken = mark_dependents(self, line, length, root, stamp, limit, stamp, loose)
            if taken > limit:
                continue
            if uniform(rng) < 0.5:
                root, left, more = np.int64(below(rng, length)), limit - taken, stamp + 1
                if marked[u(root)] < stamp:
                    mark_root(root, more, loose)
                    taken = mark_dependents(self, line, length, root, stamp, left, more, loose)
                    for place in range(root, length):
                        if marked[u(place)] == more:
                            marked[u(place)] = stamp if taken <= left else 0
            return stamp
        stamp += 2
        mark_root(length - 1, stamp, loose)
        return stamp

    if swaps:

        @spec.inlined
        def fits(self, line, length, y, x, limit, stamp, loose):
            """Mark what forbids a move ``x`` in the place ``y`` and all that depends on that, and what is to come
            after ``x``; returns whether it can be played then."""
            thing, keys, stamps, first = loose.made[u(y)], loose.thing_key, loose.thing_stamp, length
            for place in range(length - 1, -1, -1):
                if clash(self, x, line[u(place)]) and place != y:
                    mark_root(place, stamp, loose)
                    first = place
            taken = mark_dependents(self, line, length, first, stamp, limit, stamp, loose)
            if taken > limit or loose.marked[u(y)] == stamp or lacks(self, x, thing, stamp, keys, stamps):
                return False
            mark_root(y, stamp + 1, loose)
            mark_dependents(self, line, length, y, stamp, length, stamp + 1, loose)
            return not lacks(self, x, thing, stamp + 1, keys, stamps)

        @spec.kernel
        def choose_swapped(self, s, line, length, stamp, loose, out, rng):
            """Try a move in the place of another; returns it, the place or NOWHERE if it cannot be, and the stamp."""
            fitted = 0
            for _ in range(TRIES):
                y = np.int64(below(rng, length))
                n = np.int64(makers(self, s, loose.made[u(y)], out))
                if n == 0:
                    continue
                x, known = out[u(below(rng, n))], 0
                for place in range(length):  # without a branch: many at a time
                    known += line[u(place)] == x
                if known == 0:
                    stamp += 2
                    if fits(self, line, length, y, x, draw_limit(length, rng), stamp, loose):
                        return x, y, stamp
                    fitted += 1
                    if fitted == MOST_FITTED:
                        break
            return np.int64(NOWHERE), np.int64(NOWHERE), stamp
    else:

        @spec.inlined
        def choose_swapped(self, s, line, length, stamp, loose, out, rng):
            return np.int64(NOWHERE), np.int64(NOWHERE), stamp

    @spec.inlined
    def take_back(self, s, line, length, stamp, loose):
        """Undo what is marked, the last first; what depended on another is preferred from now on."""
        for place in range(length - 1, -1, -1):
            if loose.marked[u(place)] == stamp:
                undo(self, s, line[u(place)], loose.made[u(place)])
                if not loose.roots[u(place)]:
                    enter(loose.move_key, loose.move_stamp, line[u(place)], stamp)

    @spec.inlined
    def play_next(self, s, move, counts, loose):
        """Play a move behind the tail of the proposal."""
        n = counts[TAIL]
        loose.tail[u(n)], loose.tail_made[u(n)] = move, makes(self, s, move)
        counts[TAIL] = n + 1
        play(self, s, move)

    @spec.inlined
    def put_in_place(self, s, x, y, line, length, counts, loose):
        """Put a move in a place; what depends on that place is in the tail from now on, though not played again."""
        take_back(self, s, line, length, counts[STAMP], loose)
        undo(self, s, line[u(y)], loose.made[u(y)])
        play_next(self, s, x, counts, loose)
        for place in range(y + 1, length):
            if loose.marked[u(place)] == counts[STAMP] + 1:
                n = counts[TAIL]
                loose.tail[u(n)], loose.tail_made[u(n)] = line[u(place)], loose.made[u(place)]
                counts[TAIL] = n + 1

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

    @spec.kernel
    def compose(row, to, work):
        """Write the proposal for a line into a row: what has stayed, then the tail."""
        n, stamp, loose = 0, work.counts[STAMP], work.loose
        for place in range(work.lengths[row]):
            if loose.marked[u(place)] < stamp:
                work.moves[to, u(n)] = work.moves[row, u(place)]
                n += 1
        for i in range(work.counts[TAIL]):
            work.moves[to, u(n)] = loose.tail[u(i)]
            n += 1
        work.lengths[to] = n

    @spec.kernel
    def load(self, states, row, code_keys, work, run):
        """Make a line the one that is changed: play it, and note what its moves make and need."""
        states[1] = states[0]
        s = states[1]
        begin_playout(self, s)
        for place in range(work.lengths[row]):
            move = work.moves[row, u(place)]
            work.loose.made[u(place)], work.loose.hints[u(place)] = makes(self, s, move), hint_of(self, move)
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
        counts[TAIL] = 0
        counts[STAMP] += 2
        if swaps and length > 0 and uniform(rng) < work.shares[SWAP]:
            x, y, counts[STAMP] = choose_swapped(self, s, line, length, counts[STAMP], loose, work.out, rng)
            if y != NOWHERE:
                put_in_place(self, s, x, y, line, length, counts, loose)
                kind = SWAP
        if kind == REMOVE and length > 0:
            counts[STAMP] = choose_removed(self, line, length, counts[STAMP], loose, rng)
            take_back(self, s, line, length, counts[STAMP], loose)
        stayed, stamp = 0, counts[STAMP]
        for place in range(length):
            stayed += loose.marked[u(place)] < stamp
        while True:
            n = list_moves(self, s, work.out)
            status = check_step(n, ply + stayed + counts[TAIL], run.control)
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
        n, stamp, line, loose = 0, work.counts[STAMP], work.moves[row], work.loose
        made, hints = loose.made, loose.hints
        for place in range(work.lengths[row]):
            if loose.marked[u(place)] < stamp:
                line[u(n)], made[u(n)], hints[u(n)] = line[u(place)], made[u(place)], hints[u(place)]
                n += 1
        for i in range(work.counts[TAIL]):
            line[u(n)], made[u(n)] = loose.tail[u(i)], loose.tail_made[u(i)]
            hints[u(n)] = hint_of(self, loose.tail[u(i)])
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
