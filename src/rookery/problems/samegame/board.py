"""The board of SameGame in words of bits, with its groups kept up to date from move to move.

A word holds columns side by side, each in a lane of 16 (or 32) bits, row 0 at the bottom. The colour of a cell is
a binary number, one bit in each of a few planes; an empty cell is 0 in all of them, colour c is c + 1. The highest
bit of a lane is always empty, so that a shift by one never leads from one column to the next.

A move changes only the cells at or above the lowest removed one in the columns it takes from, and all columns from
the first that it empties. Groups with cells there are dropped, and groups are looked for again there and where the
dropped ones were. A group is found by following links: bits that say that a cell has the colour of the one above it,
or of the one to its right.
"""

from __future__ import annotations

import numpy as np

from rookery.bits import ONE, WORD, ZERO, lowest, ones, u
from rookery.problem import Problem
from rookery.rng import mix_int

FOOT_16, FOOT_32 = u(0x0001000100010001), u(0x0000000100000001)
MIX_1, MIX_2 = u(0xBF58476D1CE4E5B9), u(0x94D049BB133111EB)
NO_COLOUR = 255
ORIGINS = 1
"""The key from which the numbers of places are made."""
FREE_SIZE, FREE_AFTER = 2, 10
"""Under the selective rule, tabu groups of this size are allowed once this many moves have been played."""


def mixed_numbers(count: int) -> np.ndarray:
    """A random number for each place, from 1 on: what the cells of a group add up to is its code.

    >>> mixed_numbers(1).tolist()
    [0, 13757245211066428519]
    """
    return np.array([0, *(mix_int(ORIGINS, place) for place in range(1, count + 1))], np.uint64)


class SameGameBoard(Problem):
    """Gravity and groups: the compiled functions that :class:`SameGame` is made of.

    Groups are in a list from place 0 on. Inside playouts those of the tabu colour are in a second list, from the last
    place backwards. The head of a group is its lowest cell in its leftmost column, and names it as a move.
    """

    # --- taking a group away ---

    def _feet(self):
        """The lowest bit of every lane of a word."""
        return FOOT_16 if self.lane == 16 else FOOT_32

    def _filled(self, s, w):
        """The cells of a word that are not empty."""
        filled = ZERO
        for p in range(self.planes):
            filled |= s.plane[p, w]
        return filled

    def _take_away(self, s, place):
        """Remove the cells of a group and let those above fall; ``s.area`` says where anything changed."""
        emptied = False
        foot = self._feet()
        guard = foot << u(self.lane - 1)
        for w in range(self.words):
            m = s.mask[place, w]
            s.area[w] = ZERO
            if m != ZERO:
                if self.traced:
                    self._drop_origins(s, w, m)
                s.area[w] = ~(((m | guard) - foot) & ~m) & ~guard
                while m != ZERO:  # the lowest cell of every column at once
                    below = (m | guard) - foot
                    falling = ~(below & ~m) & ~guard
                    for p in range(self.planes):
                        x = s.plane[p, w]
                        s.plane[p, w] = (x & ~falling) | ((x >> ONE) & falling)
                    m = (m & below) >> ONE
                emptied = emptied or (self._filled(s, w) & foot) != s.feet[w]
        if emptied:
            self._close_up(s)

    def _close_up(self, s):
        """Move columns to the left over the empty ones."""
        lanes = WORD // self.lane
        lane = u(self.lane)
        over = u(WORD) - lane
        for column in range(s.columns - 1, -1, -1):
            first = column // lanes
            shift = u(column % lanes) * lane
            if (self._filled(s, first) >> shift) & ONE != ZERO:
                continue
            kept = (ONE << shift) - ONE
            for w in range(first, self.words):
                s.area[w] |= ~kept
                for p in range(self.planes):
                    x = s.plane[p, w]
                    after = s.plane[p, w + 1] << over if w + 1 < self.words else ZERO
                    s.plane[p, w] = (x & kept) | ((x >> lane) & ~kept) | after
                kept = ZERO
            s.columns -= 1
            if self.traced:
                for i in range(column * self.lane, s.columns * self.lane):
                    s.origin[u(i)] = s.origin[u(i + self.lane)]
                for i in range(s.columns * self.lane, (s.columns + 1) * self.lane):
                    s.origin[u(i)] = 0
        foot = self._feet()
        for w in range(self.words):
            s.feet[w] = self._filled(s, w) & foot

    def _drop_origins(self, s, w, m):
        """Take removed cells of a word out of the table of origins; those above fall."""
        while m != ZERO:
            at = WORD * w + lowest(m)
            end = at - at % self.lane + self.lane
            kept = at
            while at < end and s.origin[u(at)] != 0:
                s.origin[u(kept)] = s.origin[u(at)]
                kept += (m >> u(at % WORD)) & ONE == ZERO
                at += 1
            for i in range(kept, at):
                s.origin[u(i)] = 0
            if end % WORD == 0:
                return
            m = (m >> u(end % WORD)) << u(end % WORD)

    def _code_by_origins(self, s, first):
        """The code of the group in ``s.flood`` by where its cells stood at the start."""
        code = ZERO
        for w in range(first, self.words):
            f = s.flood[w]
            while f != ZERO:
                code += self.mixed[u(s.origin[u(WORD * w + lowest(f))])]
                f &= f - ONE
        return code

    # --- finding groups ---

    def _link(self, s):
        """Links between cells of one colour; ``s.area`` keeps only the cells that have one."""
        lane = u(self.lane)
        over = u(WORD) - lane
        carried = ZERO
        for w in range(self.words):
            filled = ZERO
            not_up = ZERO
            not_right = ZERO
            for p in range(self.planes):
                x = s.plane[p, w]
                after = s.plane[p, w + 1] << over if w + 1 < self.words else ZERO
                filled |= x
                not_up |= x ^ (x >> ONE)
                not_right |= x ^ ((x >> lane) | after)
            up = filled & ~not_up
            right = filled & ~not_right
            s.up[w] = up
            s.right[w] = right
            s.area[w] &= up | (up << ONE) | right | (right << lane) | carried
            carried = right >> over

    def _spread_within(self, s, w, f):
        """Grow cells of a word along the links inside the word."""
        lane = u(self.lane)
        up = s.up[w]
        right = s.right[w]
        before = ZERO
        while f != before:
            before = f
            f |= ((f & up) << ONE) | ((f >> ONE) & up)
            f |= ((f & right) << lane) | ((f >> lane) & right)
        return f

    def _spread(self, s):
        """Grow ``s.flood`` along the links until it is a group."""
        over = u(WORD - self.lane)
        grown = True
        while grown:
            grown = False
            for w in range(self.words):
                f = s.flood[w]
                if w > 0:
                    f |= (s.flood[w - 1] & s.right[w - 1]) >> over
                if w + 1 < self.words:
                    f |= (s.flood[w + 1] << over) & s.right[w]
                if f != s.flood[w]:
                    s.flood[w] = self._spread_within(s, w, f)
                    grown = True

    def _leaves(self, s, w, f):
        """Whether links lead from cells of a word to the words beside it."""
        over = u(WORD - self.lane)
        leading = (f & s.right[w]) >> over
        if w > 0:
            leading |= f & (s.right[w - 1] >> over)
        return leading != ZERO

    def _find_groups(self, s):
        """List the groups that have cells in the area, in place of those that they have swallowed."""
        self._link(s)
        for seed in range(self.words):
            while s.area[seed] != ZERO:
                for w in range(self.words):
                    s.flood[w] = ZERO
                f = self._spread_within(s, seed, s.area[seed] & (~s.area[seed] + ONE))
                s.flood[seed] = f
                if self._leaves(s, seed, f):  # most groups do not
                    self._spread(s)
                for w in range(self.words):
                    s.area[w] &= ~s.flood[w]
                    swallowed = s.flood[w] & s.heads[w]
                    while swallowed != ZERO:
                        self._unlist(s, s.place[WORD * w + lowest(swallowed)])
                        swallowed &= swallowed - ONE
                self._enlist(s)

    # --- the list of groups ---

    def _enlist(self, s):
        """Append the group in ``s.flood`` to its list."""
        first = 0
        while s.flood[u(first)] == ZERO:
            first += 1
        bit = lowest(s.flood[u(first)])
        head = WORD * first + bit
        colour = -1
        for p in range(self.planes):
            colour += np.int64((s.plane[p, u(first)] >> u(bit)) & ONE) << p
        code = u(colour + 1) * MIX_2
        cells = 0
        for w in range(self.words):
            code = (code ^ s.flood[w]) * MIX_1
            code ^= code >> u(29)
            cells += ones(s.flood[w])
        if self.traced:
            code = self._code_by_origins(s, first)
        if colour == s.tabu and not self._is_free(s, cells):
            s.held += 1
            place = self.room - s.held
        else:
            place = np.int64(s.n)
            s.n += 1
        for w in range(self.words):
            s.mask[u(place), w] = s.flood[w]
        s.code[u(place)] = code
        s.head[u(place)] = head
        s.extent[u(place)] = cells
        s.colour[u(place)] = colour
        s.place[u(head)] = place
        s.heads[u(first)] |= ONE << u(bit)

    def _unlist(self, s, place):
        """Take a group out of its list; the last of the list takes its place."""
        head = np.int64(s.head[u(place)])
        s.heads[u(head // WORD)] &= ~(ONE << u(head % WORD))
        if place < s.n:
            s.n -= 1
            last = np.int64(s.n)
        else:
            last = self.room - s.held
            s.held -= 1
        self._copy(s, last, place)

    def _copy(self, s, source, target):
        for w in range(self.words):
            s.mask[u(target), w] = s.mask[u(source), w]
        s.code[u(target)] = s.code[u(source)]
        s.head[u(target)] = s.head[u(source)]
        s.extent[u(target)] = s.extent[u(source)]
        s.colour[u(target)] = s.colour[u(source)]
        s.place[u(s.head[u(target)])] = target

    def _drop_touched(self, s):
        """Take the groups with cells in the area out of their lists; what may be left of them joins the area."""
        found = 0
        for i in range(s.n):  # first all are looked at, without an unpredictable branch
            s.touched[u(found)] = i
            found += self._touches(s, i)
        for i in range(self.room - 1, self.room - 1 - s.held, -1):
            s.touched[u(found)] = i
            found += self._touches(s, i)
        for k in range(found - 1, -1, -1):  # the last of a list first: what takes its place has been looked at
            place = np.int64(s.touched[u(k)])
            for w in range(self.words):
                s.area[w] |= s.mask[u(place), w]
            self._unlist(s, place)

    def _touches(self, s, place):
        common = ZERO
        for w in range(self.words):
            common |= s.mask[u(place), w] & s.area[w]
        return common != ZERO

    # --- the tabu colour ---

    def _is_free(self, s, size):
        """Whether a group of the tabu colour may be played all the same."""
        return self.selective and size == FREE_SIZE and s.played >= FREE_AFTER

    def _hold(self, s):
        """Move the groups of the tabu colour to their own list."""
        for i in range(s.n - 1, -1, -1):
            if s.colour[u(i)] == s.tabu and not self._is_free(s, s.extent[u(i)]):
                s.held += 1
                self._copy(s, i, self.room - s.held)
                s.n -= 1
                if i < s.n:
                    self._copy(s, s.n, i)

    def _release(self, s):
        """Move the groups of the tabu colour that are free by now to the list of all others."""
        for i in range(self.room - s.held, self.room):
            if self._is_free(s, s.extent[u(i)]):
                self._copy(s, i, s.n)
                s.n += 1
                last = self.room - s.held
                s.held -= 1
                if i > last:
                    self._copy(s, last, i)
