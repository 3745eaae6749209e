"""The next move of a proposal: the legal one whose turn in the line comes first, or one that is drawn.

Most often the line simply goes on. Problems that say whether a move is legal are asked for one move at a time: their
legal moves are listed only where one is drawn, or where too many places of the line wait until their moves are legal.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.bits import seldom
from rookery.compiler.specialise import Specialisation
from rookery.control import CODES_MOST, OK
from rookery.kernels.incumbents import DELAYED, FIRST, NOWHERE, ORDER, PASSED, SKIPPED, STAMP, Table
from rookery.kernels.playout import check_step, draw, make_name
from rookery.kernels.policy import u
from rookery.rng import below, exp, exp_all, uniform

COMMON_SHARE = 0.02
"""The weight of a code that no good line has; one that all have has 1 more."""
NEVER = np.int64(1) << 60
"""A turn that does not come."""


class Following(NamedTuple):
    """The functions of this module, specialised for a problem."""

    key_of: Any
    drawn: Any
    sort_delayed: Any
    next_place: Any
    follow: Any
    first_in_line: Any


def make_following(spec: Specialisation, table: Table) -> Following:
    """How the next move is found or drawn."""
    functions = spec.functions
    move_at, code, bias = functions.move_at, functions.code, functions.bias
    play, is_legal = functions.play, functions.is_legal
    name, find, weight_of = make_name(spec), table.find, table.weight_of

    @spec.inlined
    def key_of(self, s, move, code_keys, most):
        if code_keys:
            return u(name(code(self, s, move), most))
        return u(np.int64(move))

    @spec.inlined
    def index_of(self, s, n, move, out):
        """Where a legal move is in the list."""
        i = np.int64(0)
        while i < n - 1 and move_at(self, s, out, i) != move:
            i += 1
        return i

    by_code = spec.bias_by_code

    @spec.inlined
    def odds_of(self, s, move, named, odds):
        """The exponential of a bias that depends on the code alone: computed once for each."""
        if seldom(odds[named] == 0.0):
            odds[named] = exp(np.float64(bias(self, s, move)))
        return odds[named]

    if bias is not None:

        @spec.inlined
        def set_factors(self, s, n, avoids, avoided, most, work, factors):
            """The factors of all moves, but 0 for the one to avoid; returns its index, or NOWHERE."""
            out, skip = work.out, np.int64(NOWHERE)
            for i in range(n):
                move = move_at(self, s, out, i)
                if avoids and move == avoided:
                    factors[u(i)], skip = 0.0, np.int64(i)
                elif by_code:
                    factors[u(i)] = odds_of(self, s, move, u(name(code(self, s, move), most)), work.odds)
                else:
                    factors[u(i)] = np.float64(bias(self, s, move))
            if not by_code:
                for i in range(n, n + 3):
                    factors[u(i)] = 0.0
                exp_all(factors, (n + 3) & ~3)  # whole blocks of four: no ragged end
            return skip
    else:

        @spec.inlined
        def set_factors(self, s, n, avoids, avoided, most, work, factors):
            for i in range(n):
                factors[u(i)] = 1.0
            return index_of(self, s, n, avoided, work.out) if avoids else np.int64(NOWHERE)

    @spec.inlined
    def how_common(work, named):
        """The factor of a code: the greater, the more good lines have it."""
        return COMMON_SHARE + weight_of(work.common_slot, work.common_code, work.common_weight, named)

    if by_code:

        @spec.inlined
        def add_up(self, s, n, avoids, avoided, common, most, work, sums):
            """The sums of the weights of the moves up to each; returns the last one, and the index of the move to
            avoid, which adds nothing, or NOWHERE."""
            out, odds, total, skip = work.out, work.odds, 0.0, np.int64(NOWHERE)
            for i in range(n):
                move = move_at(self, s, out, i)
                named = u(name(code(self, s, move), most))
                weight = odds_of(self, s, move, named, odds)
                if common:
                    weight *= how_common(work, named)
                if avoids and move == avoided:  # in the end: which it is cannot be foreseen, and this needs no jump
                    skip, weight = np.int64(i), 0.0
                total += weight
                sums[u(i)] = total
            return total, skip
    else:

        @spec.inlined
        def add_up(self, s, n, avoids, avoided, common, most, work, sums):
            """The same where the factors are computed first."""
            skip, total = set_factors(self, s, n, avoids, avoided, most, work, sums), 0.0
            for i in range(n):
                if i != skip:
                    weight = sums[u(i)]
                    if common:
                        weight *= how_common(work, u(name(code(self, s, move_at(self, s, work.out, i)), most)))
                    total += weight
                sums[u(i)] = total
            return total, skip

    biased = bias is not None

    @spec.inlined
    def drawn(self, s, n, avoids, avoided, common, most, work, rng):
        """The index of a move that is not ``avoided``, if there is another: by bias, and by how common its code is."""
        if n == 1:
            return np.int64(0)
        if not biased and not common:
            if not avoids:
                return np.int64(below(rng, n))
            chosen = np.int64(below(rng, n - 1))
            return chosen + (chosen >= index_of(self, s, n, avoided, work.out))
        total, skip = add_up(self, s, n, avoids, avoided, common, most, work, work.cumulative)
        chosen = np.int64(draw(work.cumulative, n, uniform(rng) * total))
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

    @spec.inlined
    def whose_turn(low, length, work):
        """The first place from ``low`` on that was not used or delayed, and the place whose turn comes next: that one,
        or one that was delayed; ``length`` if there is none."""
        counts, edited = work.counts, work.edited
        low = pass_by(low, length, work)
        while counts[PASSED] < counts[DELAYED]:
            place = edited[u(counts[PASSED])]
            if work.used[u(place)] != counts[STAMP]:
                return low, place if low == length or work.order[u(place)] < ORDER * low else low
            counts[PASSED] += 1
        return low, low

    @spec.kernel
    def sort_delayed(places, order, n):
        """Sort the places that were delayed by their turns; returns how many, or 0 if two have the same turn: then
        which of them is played depends on the order of the legal moves."""
        for i in range(1, n):
            place, j = places[u(i)], i
            while j > 0 and order[u(places[u(j - 1)])] > order[u(place)]:
                places[u(j)] = places[u(j - 1)]
                j -= 1
            places[u(j)] = place
            if j > 0 and order[u(places[u(j - 1)])] == order[u(place)] and places[u(j - 1)] != place:
                return 0
        return n

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

        @spec.inlined
        def follow(self, s, ply, place, low, length, row, code_keys, waiting, work, control):  # noqa: PLR0913
            return OK, place, low
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
            for i in range(many):
                place = skipped[u(i)]
                if is_legal(self, s, line[u(place)]) and work.used[u(place)] != stamp:
                    if work.deviates[u(place)] != stamp:  # it will be played
                        for j in range(i + 1, many):
                            skipped[u(j - 1)] = skipped[u(j)]
                        work.counts[SKIPPED] = many - 1
                    return place, low, True
            while True:
                low, at = whose_turn(low, length, work)
                if at == length:
                    return np.int64(NOWHERE), low, waiting == NEVER
                if work.order[u(at)] >= waiting or not is_first(at, work.counts[FIRST], work.used, work.before, stamp):
                    return np.int64(NOWHERE), low, False
                if is_legal(self, s, line[u(at)]) and (
                    not code_keys or key_of(self, s, line[u(at)], code_keys, most) == work.keys[0, u(at)]
                ):
                    return at, low, True
                if many == skipped.size or code_keys:  # another move may have its code
                    work.counts[SKIPPED] = skipped.size
                    return np.int64(NOWHERE), low, False
                skipped[u(many)] = at
                many += 1
                work.counts[SKIPPED] = many
                if at == low:
                    low += 1
                else:
                    work.counts[PASSED] += 1

        @spec.inlined
        def follow(self, s, ply, place, low, length, row, code_keys, waiting, work, control):  # noqa: PLR0913
            """Play the line on as long as nothing is in the way.

            Returns the status and the next places of the proposal and of the line.
            """
            line, new, keys, new_keys = work.moves[row], work.moves[work.lengths.size - 2], work.keys[0], work.keys[1]
            marked, used, before, counts = work.marked, work.used, work.before, work.counts
            stamp, first, most = counts[STAMP], counts[FIRST], u(control[CODES_MOST])
            if counts[PASSED] < counts[DELAYED]:
                waiting = work.order[u(work.edited[u(counts[PASSED])])]
            while low < length and ORDER * low < waiting and before[u(low)] < first:
                if marked[u(low)] == stamp:
                    if used[u(low)] == stamp or work.order[u(low)] != ORDER * low:
                        low += 1
                        continue
                    if work.deviates[u(low)] == stamp:
                        break
                move = line[u(low)]
                if not is_legal(self, s, move):
                    break
                key = key_of(self, s, move, code_keys, most)
                if code_keys and key != keys[u(low)]:
                    break
                status = check_step(np.int64(1), ply + place, control)
                if status != OK:
                    return status, place, low
                used[u(low)] = stamp
                new[u(place)], new_keys[u(place)] = move, key
                play(self, s, move)
                place += 1
                low += 1
            return OK, place, low

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

    return Following(key_of, drawn, sort_delayed, next_place, follow, first_in_line)
