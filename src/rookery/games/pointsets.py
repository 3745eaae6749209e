"""Sets of points of a Go board in words of bits; all legal moves and all eyes of a player are found at once.

Point ``row * size + column`` is bit ``point % 64`` of word ``point // 64``; row 0 is the bottom one. A set is shifted
by one step in the four directions to find what lies beside its points. With the set ``atari`` of the stones of all
chains that have one liberty:

    a point is not suicide if it lies beside an empty point, beside an own stone that is not in atari, or beside an
    enemy stone that is in atari.

Where there is no choice but a pass, nothing is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from rookery.bits import ONE, ZERO, u
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.games.cells import BOARD, LAST_BIT, Cells, sets
from rookery.games.points import RADIUS, board_picture, board_text, place, play_out, point_name, read_point
from rookery.problem import Spots

Eyes = Literal["diagonals", "neighbours", "none"]
Filling = Literal["tree", "never"]

LONG = u(64)
EYES = {"none": 0, "neighbours": 1, "diagonals": 2}
"""What counts as an eye, as compiled code knows it."""

NOT_FIRST = sets(lambda row, column, last: column > 0)
NOT_LAST = sets(lambda row, column, last: column < last)
RIM = sets(lambda row, column, last: row in (0, last) or column in (0, last))
BANNED = 2
"""In the hash of a position, beside black and white stones: points that may not be played."""


class PointSets(Cells):
    """A Go board, and the compiled functions that find points on it."""

    @staticmethod
    def _check_eyes(eyes: str, filling: str) -> None:
        """Refuse an unknown way to treat eyes."""
        if eyes not in get_args(Eyes):
            raise InputError(f"eyes must be {' or '.join(get_args(Eyes))}, got {eyes!r}")
        if filling not in get_args(Filling):
            raise InputError(f"filling must be {' or '.join(get_args(Filling))}, got {filling!r}")

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
