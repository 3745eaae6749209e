"""A square board whose points are bits of words: the compiled functions that list, count and draw them.

Point ``row * size + column`` is bit ``point % 64`` of word ``point // 64``. Moves are listed in ascending order of
their points. A move at random is the r-th of that list, for one draw ``r = below(rng, n)`` of n moves.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.bits import ONE, WORD, ZERO, lowest, nth, ones, u
from rookery.compiler.constants import fixed
from rookery.errors import InputError
from rookery.game import Game
from rookery.rng import below, mix_int

LEAST, MOST = 2, 19
"""Sizes of the board."""
WORDS_MOST = -(-MOST * MOST // WORD)
LAST_BIT = u(63)
SALT = 0x60


def sets(belongs: Callable[[int, int, int], bool]) -> npt.NDArray[np.uint64]:
    """For each size, the points whose row and column satisfy a condition, as words of bits."""
    table = np.zeros((MOST + 1, WORDS_MOST), np.uint64)
    for size in range(LEAST, MOST + 1):
        for point in range(size * size):
            if belongs(point // size, point % size, size - 1):
                table[size, point // WORD] |= ONE << u(point % WORD)
    return table


# Tables for all sizes, outside the constants: an array that is reached through ``self`` has its references counted at
# every call, which takes longer than a move.
BOARD = sets(lambda row, column, last: True)
ZOBRIST = np.array([[mix_int(SALT + kind, point) for point in range(MOST * MOST)] for kind in range(3)], np.uint64)
"""Words that the hash of a position is made of: for the pieces of both players, and for one more kind of point."""


class Cells(Game):
    """A square board, and the compiled functions on ``s.found``: the points that may be played."""

    size: int = 9

    players = ("black", "white")

    def __post_init__(self) -> None:
        if isinstance(self.size, bool) or not isinstance(self.size, int) or not LEAST <= self.size <= MOST:
            raise InputError(f"size must be a whole number from {LEAST} to {MOST}, got {self.size!r}")

    @property
    def points(self) -> int:
        """How many points the board has."""
        return self.size * self.size

    @property
    def words(self) -> int:
        """How many words of bits a set of points takes."""
        return -(-self.points // WORD)

    def constants(self) -> dict[str, Any]:
        return {"size": self.size, "words": fixed(self.words)}

    # --- compiled ---

    def player(self, s):
        return s.turn

    def _count_found(self, s):
        n = 0
        for w in range(self.words):
            n += ones(s.found[w])
        return n

    def _list_found(self, s, out):
        """The points of ``s.found`` in ascending order; returns how many."""
        n = 0
        for w in range(self.words):
            m = s.found[w]
            while m != ZERO:
                out[u(n)] = WORD * w + lowest(m)
                m &= m - ONE
                n += 1
        return n

    def _nth_found(self, s, r):
        """The r-th point of ``s.found``; there must be one."""
        for w in range(self.words):
            here = ones(s.found[w])
            if r < here:
                return WORD * w + nth(s.found[w], r)
            r -= here
        return -1

    def _draw_found(self, s, rng):
        """One of the points of ``s.found`` at random; -1 if there are none."""
        n = self._count_found(s)
        if n == 0:
            return -1
        return self._nth_found(s, below(rng, n))
