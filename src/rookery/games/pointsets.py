"""Sets of points of a Go board in words of bits; all legal moves and all eyes of a player are found at once.

Point ``row * size + column`` is bit ``point % 64`` of word ``point // 64``; row 0 is the bottom one. A set is shifted
by one step in the four directions to find what lies beside its points. With the set ``atari`` of the stones of all
chains that have one liberty:

    a point is not suicide if it lies beside an empty point, beside an own stone that is not in atari, or beside an
    enemy stone that is in atari.

Moves are listed in ascending order of their points. A move at random is the r-th of that list, for one draw
``r = below(rng, n)`` of n moves; where there is no choice but a pass, nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt

from rookery.bits import ONE, WORD, ZERO, lowest, nth, ones, u
from rookery.compiler.constants import fixed
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.game import Game
from rookery.games.points import RADIUS, board_picture, board_text, place, play_out, point_name, read_point
from rookery.problem import Spots
from rookery.rng import below, mix_int

Eyes = Literal["diagonals", "neighbours", "none"]
Filling = Literal["tree", "never"]

LEAST, MOST = 2, 19
"""Sizes of the board."""
WORDS_MOST = -(-MOST * MOST // WORD)
LAST_BIT = u(63)
LONG = u(64)
SALT = 0x60
EYES = {"none": 0, "neighbours": 1, "diagonals": 2}
"""What counts as an eye, as compiled code knows it."""


def _sets(belongs: Callable[[int, int, int], bool]) -> npt.NDArray[np.uint64]:
    """For each size, the points whose row and column satisfy a condition, as words of bits."""
    table = np.zeros((MOST + 1, WORDS_MOST), np.uint64)
    for size in range(LEAST, MOST + 1):
        for point in range(size * size):
            if belongs(point // size, point % size, size - 1):
                table[size, point // WORD] |= ONE << u(point % WORD)
    return table


# Tables for all sizes, outside the constants: an array that is reached through ``self`` has its references counted at
# every call, which takes longer than a move.
BOARD = _sets(lambda row, column, last: True)
NOT_FIRST = _sets(lambda row, column, last: column > 0)
NOT_LAST = _sets(lambda row, column, last: column < last)
RIM = _sets(lambda row, column, last: row in (0, last) or column in (0, last))
ZOBRIST = np.array([[mix_int(SALT + kind, point) for point in range(MOST * MOST)] for kind in range(3)], np.uint64)
BANNED = 2
"""Words that the hash of a position is made of: black stones, white stones, points that may not be played."""


class PointSets(Game):
    """A square board, and the compiled functions that find points on it."""

    size: int = 9

    players = ("black", "white")

    def __post_init__(self) -> None:
        if isinstance(self.size, bool) or not isinstance(self.size, int) or not LEAST <= self.size <= MOST:
            raise InputError(f"size must be a whole number from {LEAST} to {MOST}, got {self.size!r}")

    @staticmethod
    def _check_eyes(eyes: str, filling: str) -> None:
        """Refuse an unknown way to treat eyes."""
        if eyes not in get_args(Eyes):
            raise InputError(f"eyes must be {' or '.join(get_args(Eyes))}, got {eyes!r}")
        if filling not in get_args(Filling):
            raise InputError(f"filling must be {' or '.join(get_args(Filling))}, got {filling!r}")

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

    # --- for people ---

    def describe_move(self, move: int) -> str:
        return point_name(self.size, move)

    def read_move(self, text: str) -> int:
        return read_point(self.size, text)

    def draw(self, moves: Sequence[int]) -> str:
        return board_text(self.size, play_out(self.size, moves), moves)

    def picture(self, moves: Sequence[int]) -> Drawing:
        return board_picture(self.size, play_out(self.size, moves), moves)

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """The point; a pass has none."""
        return [(((*place(self.size, move), RADIUS),),) if move < self.points else () for move in legal]

    # --- sets of points ---

    def _beside(self, s, w):
        """Word w of the points beside those of ``s.area``."""
        n = u(self.size)
        x = s.area[w]
        right = x << ONE
        left = x >> ONE
        up = x << n
        down = x >> n
        if w > 0:
            before = s.area[w - 1]
            right |= before >> LAST_BIT
            up |= before >> (LONG - n)
        if w + 1 < self.words:
            after = s.area[w + 1]
            left |= after << LAST_BIT
            down |= after << (LONG - n)
        return (
            (right & NOT_FIRST[u(self.size), w])
            | (left & NOT_LAST[u(self.size), w])
            | ((up | down) & BOARD[u(self.size), w])
        )

    def _look_around(self, s, p):
        """``s.near``: the points beside a point."""
        for w in range(self.words):
            s.area[w] = ZERO
        s.area[p >> u(6)] = ONE << (p & LAST_BIT)
        for w in range(self.words):
            s.near[w] = self._beside(s, w)

    def _beside_diagonally(self, s, w):
        """Word w of the points with a diagonal neighbour in ``s.area`` at the edge, or with two in the middle."""
        longer = u(self.size) + ONE
        shorter = u(self.size) - ONE
        x = s.area[w]
        a = x << longer
        b = x << shorter
        c = x >> shorter
        d = x >> longer
        if w > 0:
            before = s.area[w - 1]
            a |= before >> (LONG - longer)
            b |= before >> (LONG - shorter)
        if w + 1 < self.words:
            after = s.area[w + 1]
            c |= after << (LONG - shorter)
            d |= after << (LONG - longer)
        a &= NOT_FIRST[u(self.size), w]
        b &= NOT_LAST[u(self.size), w]
        c &= NOT_FIRST[u(self.size), w]
        d &= NOT_LAST[u(self.size), w]
        two = (a & b) | (c & d) | ((a | b) & (c | d))
        return two | ((a | b | c | d) & RIM[u(self.size), w])

    def _empty(self, s, w):
        """Word w of the empty points."""
        return BOARD[u(self.size), w] & ~(s.stones[0, w] | s.stones[1, w])

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

    # --- which points may be played ---

    def _find_no_suicide(self, s):
        """``s.found``: the empty points where a stone would have a liberty, captures counted."""
        own = u(s.turn)
        enemy = u(1 - s.turn)
        for w in range(self.words):
            s.area[w] = BOARD[u(self.size), w] & ~((s.stones[own, w] & s.atari[w]) | (s.stones[enemy, w] & ~s.atari[w]))
        for w in range(self.words):
            s.found[w] = self._beside(s, w) & self._empty(s, w)

    def _leave_eyes(self, s):
        """Take the player's eyes out of ``s.found``: only own stones beside them and few enemies diagonally."""
        if self.eyes == 0:
            return
        own = u(s.turn)
        enemy = u(1 - s.turn)
        for w in range(self.words):
            s.area[w] = BOARD[u(self.size), w] & ~s.stones[own, w]
        some = ZERO
        for w in range(self.words):
            eyes = s.found[w] & ~self._beside(s, w)
            s.taken[w] = eyes
            some |= eyes
        if some == ZERO:
            return
        if self.eyes == 2:
            for w in range(self.words):
                s.area[w] = s.stones[enemy, w]
            for w in range(self.words):
                s.taken[w] &= ~self._beside_diagonally(s, w)
        for w in range(self.words):
            s.found[w] &= ~s.taken[w]
