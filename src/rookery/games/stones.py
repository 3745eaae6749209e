"""Chains of stones and their liberties, for Go, Atarigo and NoGo.

A chain is named by one of its stones, its head; for each head the state keeps the stones of the chain and its
liberties, as sets of points. Chains that a stone joins take the head of the largest of them.
"""

from __future__ import annotations

import numpy as np

from rookery.bits import ONE, WORD, ZERO, lowest, ones, u
from rookery.games.cells import LAST_BIT, ZOBRIST
from rookery.games.pointsets import NOT_FIRST, NOT_LAST, PointSets
from rookery.problem import Layout

NEIGHBOURHOODS = 4**4
"""What may stand on the four points beside one: nothing, a stone of either player, or the edge."""


class Stones(PointSets):
    """The board that the games of the Go family share, with the compiled functions on chains.

    Games add their own rules: which of the points may be played, and what happens to a chain without liberties.
    """

    scratch = ("found", "area", "taken", "near")

    def layout(self) -> Layout:
        words = self.words
        room, index = words * WORD, "u1" if self.points <= 256 else "u2"
        return {
            "turn": "i8",
            "hash": "u8",
            "stones": ("u8", (2, words)),
            "atari": ("u8", words),
            "found": ("u8", words),  # scratch: points that may be played
            "area": ("u8", words),  # scratch: what _beside and _beside_diagonally look around
            "taken": ("u8", words),  # scratch: stones without liberties
            "near": ("u8", words),  # scratch: the points beside one point
            "chain": ("u8", (room, words)),
            "liberties": ("u8", (room, words)),
            "head": (index, room),
        }

    def code(self, s, move):
        return move

    def feature(self, s, move):
        """What is left, right, below and above the point: 0 nothing, 1 an own stone, 2 an enemy's, 3 the edge."""
        n = self.size
        if move >= n * n:  # a pass
            return 0
        place = u(move) >> u(6)
        bit = ONE << (u(move) & LAST_BIT)
        left = self._stands(s, move - 1) if NOT_FIRST[u(n), place] & bit != ZERO else 3
        right = self._stands(s, move + 1) if NOT_LAST[u(n), place] & bit != ZERO else 3
        below = self._stands(s, move - n) if move >= n else 3
        above = self._stands(s, move + n) if move < n * (n - 1) else 3
        return left + 4 * right + 16 * below + 64 * above

    def _stands(self, s, p):
        """What stands on a point: 0 nothing, 1 a stone of the player to move, 2 one of the other's."""
        place = u(p) >> u(6)
        at = u(p) & LAST_BIT
        own = (s.stones[u(s.turn), place] >> at) & ONE
        enemy = (s.stones[u(1 - s.turn), place] >> at) & ONE
        return np.int64(own + enemy + enemy)

    def key(self, s):
        return s.hash ^ u(s.turn)

    # --- placing a stone ---

    def _count_liberties(self, s, h):
        n = 0
        for w in range(self.words):
            n += ones(s.liberties[u(h), w])
        return n

    def _note_atari(self, s, h):
        """Note whether a chain has one liberty."""
        n = self._count_liberties(s, h)
        for w in range(self.words):
            chain = s.chain[u(h), w]
            if n == 1:
                s.atari[w] |= chain
            else:
                s.atari[w] &= ~chain

    def _put(self, s, p):
        """Place a stone of the player to move on an empty point; returns the head of its chain.

        ``s.taken`` holds the enemy stones that have no liberty left.
        """
        own = u(s.turn)
        place = u(p) >> u(6)
        bit = ONE << (u(p) & LAST_BIT)
        s.stones[own, place] |= bit
        s.hash ^= ZOBRIST[own, u(p)]
        self._look_around(s, u(p))
        self._press(s, p)
        h = self._connect(s, p)
        s.head[u(p)] = h
        s.chain[u(h), place] |= bit
        for w in range(self.words):
            s.liberties[u(h), w] |= s.near[w] & self._empty(s, w)
        s.liberties[u(h), place] &= ~bit
        self._note_atari(s, h)
        return h

    def _press(self, s, p):
        """Take the liberty p from the enemy chains beside it; ``s.taken``: those that have none left."""
        enemy = u(1 - s.turn)
        place = u(p) >> u(6)
        bit = ONE << (u(p) & LAST_BIT)
        for w in range(self.words):
            s.taken[w] = ZERO
        for w in range(self.words):
            m = s.near[w] & s.stones[enemy, w]
            while m != ZERO:
                h = u(s.head[u(WORD * w + lowest(m))])
                m &= ~s.chain[h, w]
                s.liberties[h, place] &= ~bit
                n = self._count_liberties(s, h)
                if n == 1:
                    for v in range(self.words):
                        s.atari[v] |= s.chain[h, v]
                elif n == 0:
                    for v in range(self.words):
                        s.taken[v] |= s.chain[h, v]

    def _connect(self, s, p):
        """Join the player's chains beside p into one, or begin a new one; returns its head."""
        own = u(s.turn)
        point = u(p)
        place = point >> u(6)
        bit = ONE << (point & LAST_BIT)
        h = -1
        for w in range(self.words):
            m = s.near[w] & s.stones[own, w]
            while m != ZERO:
                g = np.int64(s.head[u(WORD * w + lowest(m))])
                m &= ~s.chain[u(g), w]
                if h < 0:
                    h = g
                elif g != h:
                    h = self._join(s, h, g)
        if h < 0:
            h = p
            for w in range(self.words):
                s.chain[point, w] = ZERO
                s.liberties[point, w] = ZERO
            s.chain[point, place] = bit
        return h

    def _join(self, s, a, b):
        """Join two chains; the larger one keeps its head, which is returned."""
        size_a = 0
        size_b = 0
        for w in range(self.words):
            size_a += ones(s.chain[u(a), w])
            size_b += ones(s.chain[u(b), w])
        if size_a < size_b:
            a, b = b, a
        for w in range(self.words):
            m = s.chain[u(b), w]
            s.chain[u(a), w] |= m
            s.liberties[u(a), w] |= s.liberties[u(b), w]
            while m != ZERO:
                s.head[u(WORD * w + lowest(m))] = a
                m &= m - ONE
        return a

    def _take_off(self, s, colour):
        """Remove the stones of ``s.taken`` from the board, all of this colour; returns how many."""
        own = u(colour)
        other = u(1 - colour)
        n = 0
        for w in range(self.words):
            s.stones[own, w] &= ~s.taken[w]
            s.atari[w] &= ~s.taken[w]
        for w in range(self.words):
            m = s.taken[w]
            while m != ZERO:
                q = u(WORD * w + lowest(m))
                bit = m & (~m + ONE)
                m &= m - ONE
                n += 1
                s.hash ^= ZOBRIST[own, q]
                self._look_around(s, q)
                for v in range(self.words):
                    around = s.near[v] & s.stones[other, v]
                    while around != ZERO:
                        g = u(s.head[u(WORD * v + lowest(around))])
                        around &= ~s.chain[g, v]
                        s.liberties[g, w] |= bit
                        self._note_atari(s, g)
        return n
