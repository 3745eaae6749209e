"""Positional superko: which stones would bring back a position of the board."""

from __future__ import annotations

from rookery.bits import ONE, WORD, ZERO, lowest, u
from rookery.games.cells import ZOBRIST
from rookery.games.pointsets import BANNED
from rookery.games.stones import Stones
from rookery.rng import mix_int

EMPTY_BOARD = u(mix_int(0x60, 1 << 21))


class Superko(Stones):
    """The positions of a game, in a table by their hashes, and the compiled functions that look them up."""

    def _slot(self, s, position):
        """Where in the table of past positions this one is, or would be."""
        slot = position & u(self.past_mask)
        while s.past[slot] != ZERO and s.past[slot] != position:
            slot = (slot + ONE) & u(self.past_mask)
        return slot

    def _remember(self, s):
        position = s.hash ^ EMPTY_BOARD  # no position is 0 in the table, not even the empty board
        s.past[self._slot(s, position)] = position

    def _repeats(self, s, p):
        """Whether a stone at p would bring back a position of the board."""
        own = u(s.turn)
        enemy = u(1 - s.turn)
        position = s.hash ^ EMPTY_BOARD ^ ZOBRIST[own, u(p)]
        self._look_around(s, u(p))
        some = ZERO
        free = ZERO
        for w in range(self.words):
            s.taken[w] = ZERO
            free |= s.near[w] & (self._empty(s, w) | (s.stones[own, w] & ~s.atari[w]))
        for w in range(self.words):
            m = s.near[w] & s.stones[enemy, w] & s.atari[w]
            some |= m
            self._add_chains(s, m, w)
        colour = enemy
        if some == ZERO and free == ZERO:  # suicide
            colour = own
            position ^= ZOBRIST[own, u(p)]
            for w in range(self.words):
                self._add_chains(s, s.near[w] & s.stones[own, w], w)
        for w in range(self.words):
            m = s.taken[w]
            while m != ZERO:
                position ^= ZOBRIST[colour, u(WORD * w + lowest(m))]
                m &= m - ONE
        return s.past[self._slot(s, position)] == position

    def _add_chains(self, s, m, w):
        """Add the chains of these stones of word w to ``s.taken``."""
        while m != ZERO:
            h = u(s.head[u(WORD * w + lowest(m))])
            m &= ~s.chain[h, w]
            for v in range(self.words):
                s.taken[v] |= s.chain[h, v]

    def _leave_repeats(self, s):
        """Take the points out of ``s.found`` that superko forbids; returns a hash of them."""
        banned = ZERO
        for w in range(self.words):
            m = s.found[w]
            while m != ZERO:
                p = WORD * w + lowest(m)
                if self._repeats(s, p):
                    s.found[w] &= ~(ONE << u(p % WORD))
                    banned ^= ZOBRIST[BANNED, u(p)]
                m &= m - ONE
        return banned
