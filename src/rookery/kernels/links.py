"""Edits for problems that say what their moves make and need: a move is removed with all that depends on it.

The line is then filled up at random, though what was removed is mostly played again as soon as it is legal. Or a move
gives way to another that makes the same, and only what the other forbids is removed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import CODES_MOST, LENGTH_MOST, OK
from rookery.kernels.following import Following
from rookery.kernels.incumbents import FIRST, KEPT, NOWHERE, STAMP, STRIDE, SWAP, Table
from rookery.kernels.playout import check_step, draw
from rookery.kernels.policy import u
from rookery.rng import below, exp, log, uniform

PREFERRED = 148.4131591025766
"""The weight of a move of the line when it is filled up again, where others have 1: exp(5)."""
FEWEST = 3.0
"""The least limit of how many moves are removed together; the largest is the whole line."""
TRIES = 10
"""How many places are looked at for one that no more than so many depend on."""


class Links(NamedTuple):
    """The functions of this module, specialised for a problem."""

    link: Any
    remove: Any
    rebuild: Any


def no_links(spec: Specialisation) -> Links:
    """The same for a problem that does not say what its moves make and need; they are never called."""

    @spec.inlined
    def link(self, states, row, first, before, work, run):
        pass

    @spec.inlined
    def remove(kind, length, work, rng):
        return np.int64(0)

    @spec.inlined
    def rebuild(self, s, ply, kind, length, row, code_keys, work, run, rng):
        return OK, np.int64(0)

    return Links(link, remove, rebuild)


def make_links(spec: Specialisation, table: Table, following: Following) -> Links:
    """How the links between moves are found and used."""
    functions = spec.functions
    list_moves, move_at, play = functions.list_moves, functions.move_at, functions.play
    makes, needs, is_legal, biased = functions.makes, functions.needs, functions.is_legal, functions.bias is not None
    home, find, key_of, set_factors = table.home, table.find, following.key_of, following.set_factors

    if is_legal is None:

        @spec.inlined
        def may_play(self, s, move, out):
            for i in range(list_moves(self, s, out)):  # noqa: SIM110 - any() of a generator does not compile
                if move_at(self, s, out, i) == move:
                    return True
            return False
    else:

        @spec.inlined
        def may_play(self, s, move, out):
            return is_legal(self, s, move)

    @spec.inlined
    def locate(maker_key, maker, thing):
        mask = u(maker_key.size - 1)
        slot = home(thing, maker_key.size)
        while maker[slot] != NOWHERE and maker_key[slot] != thing:
            slot = (slot + u(1)) & mask
        return slot

    @spec.inlined
    def alternatives(self, s, move, out):
        """How many other legal moves make the same as this one."""
        made, found = makes(self, s, move), 0
        for i in range(list_moves(self, s, out)):
            other = move_at(self, s, out, i)
            found += other != move and makes(self, s, other) == made
        return found

    @spec.inlined
    def note(self, s, move, place, most, work):
        """Note what a move depends on and what it makes."""
        ancestors, maker_key, maker = work.ancestors, work.maker_key, work.maker
        words = place // 64 + 1
        for w in range(words):
            ancestors[u(w), u(place)] = u(0)
        for i in range(most):
            thing = np.int64(needs(self, s, move, i))
            if thing < 0:
                break
            by = np.int64(maker[locate(maker_key, maker, u(thing))])
            while by != NOWHERE:
                for w in range(by // 64 + 1):
                    ancestors[u(w), u(place)] |= ancestors[u(w), u(by)]
                ancestors[u(by // 64), u(place)] |= u(1) << u(by % 64)
                by = np.int64(work.maker_before[u(by)])
        thing = u(np.int64(makes(self, s, move)))
        slot = locate(maker_key, maker, thing)
        maker_key[slot] = thing
        work.maker_before[u(place)], work.maker_slot[u(place)] = maker[slot], slot
        maker[slot] = place
        work.others[u(place)] = alternatives(self, s, move, work.out)

    @spec.kernel
    def link(self, states, row, first, before, work, run):
        """Find what the places from ``first`` on depend on; the line had the length ``before`` until now."""
        counts, length = work.counts, work.lengths[row]
        for place in range(before - 1, first - 1, -1):
            work.maker[u(work.maker_slot[u(place)])] = work.maker_before[u(place)]
        bits = counts[STRIDE]
        grid = min(first >> bits, counts[KEPT] - 1)
        states[1] = work.kept[u(grid)]
        s = states[1]
        for place in range(grid << bits, length):
            move = work.moves[row, u(place)]
            if place >= first:
                note(self, s, move, place, run.control[LENGTH_MOST], work)
            play(self, s, move)
            if place + 1 == (grid + 1) << bits:
                grid += 1
                work.kept[u(grid)] = s
                counts[KEPT] = max(counts[KEPT], grid + 1)

    @spec.inlined
    def depend(ancestors, q, length):
        """How many places depend on one."""
        word, bit, n = ancestors[u(q // 64)], u(q % 64), u(0)
        for place in range(q + 1, length):
            n += word[u(place)] >> bit & u(1)
        return np.int64(n)

    @spec.kernel
    def remove(kind, length, work, rng):
        """Drop one or two places, preferably with few that depend on them; or one that is to be swapped.

        Returns the first of them.
        """
        stamp = work.counts[STAMP]
        first, tries = np.int64(below(rng, length)), 1
        if kind == SWAP:
            while work.others[u(first)] == 0 and tries < TRIES:
                first = np.int64(below(rng, length))
                tries += 1
        else:
            limit = np.int64(FEWEST * exp(uniform(rng) * log(max(1.0, length / FEWEST))))
            size = 1 + depend(work.ancestors, first, length)
            while size > limit and tries < TRIES:
                first = np.int64(below(rng, length))
                size = 1 + depend(work.ancestors, first, length)
                tries += 1
            if uniform(rng) < 0.5:
                other = np.int64(below(rng, length))
                if size + 1 + depend(work.ancestors, other, length) <= limit:
                    work.used[u(max(first, other))] = stamp
                    first = min(first, other)
        work.used[u(first)] = stamp
        work.counts[FIRST] = first
        return first

    @spec.inlined
    def alternative(self, s, move, others, out, rng):
        """Another legal move that makes the same as this one, of which there are so many."""
        made, left, n = makes(self, s, move), np.int64(below(rng, others)), list_moves(self, s, out)
        for i in range(n):
            other = move_at(self, s, out, i)
            if other != move and makes(self, s, other) == made:
                if left == 0:
                    return other
                left -= 1
        return move

    @spec.inlined
    def waiting(key, work):
        """The first place of a key that was neither played nor dropped, or NOWHERE."""
        first, stamp = work.counts[FIRST], work.counts[STAMP]
        return np.int64(find(work.slot_key, work.slot_first, work.used, work.next, key, first, stamp))

    @spec.inlined
    def fill_in(self, s, n, code_keys, most, work, rng):
        """The index of a move: by bias, and mostly one of the line."""
        if n == 1:
            return np.int64(0)
        out, cumulative, total = work.out, work.cumulative, 0.0
        if biased:
            set_factors(self, s, n, False, np.int64(0), most, work, cumulative)
        for i in range(n):
            weight = cumulative[u(i)] if biased else 1.0
            if waiting(key_of(self, s, move_at(self, s, out, i), code_keys, most), work) != NOWHERE:
                weight *= PREFERRED
            total += weight
            cumulative[u(i)] = total
        return np.int64(draw(cumulative, n, uniform(rng) * total))

    @spec.inlined
    def play_next(self, s, move, key, at, place, work):
        """Play a move as that of a place of the proposal; ``at``: its place in the line, or NOWHERE."""
        proposal = work.lengths.size - 2
        if at != NOWHERE:
            work.used[u(at)] = work.counts[STAMP]
        work.moves[proposal, u(place)], work.keys[1, u(place)] = move, key
        play(self, s, move)

    @spec.inlined
    def rebuild(self, s, ply, kind, length, row, code_keys, work, run, rng):
        """Play the line without what was dropped, as far as it is legal, and fill it up.

        Returns the status and the length of the proposal.
        """
        control, out, line, first = run.control, work.out, work.moves[row], work.counts[FIRST]
        place, most, stamp = first, u(control[CODES_MOST]), work.counts[STAMP]
        if kind == SWAP and work.others[u(first)] > 0:
            move = alternative(self, s, line[u(first)], work.others[u(first)], out, rng)
            key = key_of(self, s, move, code_keys, most)
            play_next(self, s, move, key, waiting(key, work), place, work)
            place += 1
        for at in range(first, length):
            move = line[u(at)]
            if work.used[u(at)] != stamp and may_play(self, s, move, out):
                play_next(self, s, move, key_of(self, s, move, code_keys, most), at, place, work)
                place += 1
        while True:
            n = list_moves(self, s, out)
            status = check_step(n, ply + place, control)
            if status != OK or n == 0:
                return status, place
            move = move_at(self, s, out, fill_in(self, s, n, code_keys, most, work, rng))
            key = key_of(self, s, move, code_keys, most)
            play_next(self, s, move, key, waiting(key, work), place, work)
            place += 1

    return Links(link, remove, rebuild)
