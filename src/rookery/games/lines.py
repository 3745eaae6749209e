"""Lines of a board of squares in the eight directions of a queen, in compiled functions: how far one gets.

For each direction the state has the lines of the board as words of bits: which of their squares cannot be entered, in
the order of the direction. How far one gets is then the number of zeros before the next one: no square is looked at by
itself.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Any

import numpy as np

from rookery.bits import ONE, lowest, u
from rookery.games.squares import SquareGame

# Columns to the right and rows up, in the eight directions: those of one line, there and back, one after the other.
ASIDE = np.array([1, -1, 0, 0, 1, -1, -1, 1])
UP = np.array([0, 0, 1, -1, 1, -1, 1, -1])
LINES = 32
"""Room for the lines of a direction, and for the squares of a line."""
BLOCKED = ("u4", (len(UP), LINES))
"""The field ``blocked`` of a layout: for each direction and line, the squares that cannot be entered."""


class Lines(SquareGame):
    """The compiled functions on ``s.blocked``."""

    def constants(self) -> Mapping[str, Any]:
        return {"width": self.width, "height": self.height, "squares": self.width * self.height}

    def _clear(self, s):
        """All squares can be entered; all bits beyond the ends of lines are set."""
        for d in range(8):
            for i in range(LINES):
                s.blocked[d, i] = 0xFFFFFFFF
        for square in range(self.squares):
            self._toggle(s, square)

    def _line(self, d, column, row):
        """Which line of a direction a square lies on, and where on it."""
        line = row
        place = column
        last = self.width - 1
        if d >= 2:
            place = row
            last = self.height - 1
            line = column
        if d >= 4:
            line = column - row + last
        if d >= 6:
            line = column + row
        if d & 1:
            place = last - place
        return u(line), u(place)

    def _toggle(self, s, square):
        """A square that could be entered cannot be, or can be again."""
        for d in range(8):
            line, place = self._line(d, square % self.width, square // self.width)
            s.blocked[u(d), line] ^= ONE << place

    def _reach(self, s, d, column, row):
        """How far one gets in a direction."""
        line, place = self._line(d, column, row)
        return lowest(u(s.blocked[u(d), line]) >> (place + ONE))

    def _arrows(self, s, column, row):
        """How many squares an arrow from here can hit."""
        n = self._reach(s, 0, column, row) + self._reach(s, 1, column, row)
        n += self._reach(s, 2, column, row) + self._reach(s, 3, column, row)
        n += self._reach(s, 4, column, row) + self._reach(s, 5, column, row)
        return n + self._reach(s, 6, column, row) + self._reach(s, 7, column, row)

    # --- plain Python ---

    def _rays(self, square: int, taken: Container[int]) -> list[int]:
        """The squares that a queen or an arrow gets to from a square, with these in its way."""
        found = []
        for aside, up in zip(ASIDE.tolist(), UP.tolist(), strict=True):
            column, row = square % self.width + aside, square // self.width + up
            while 0 <= column < self.width and 0 <= row < self.height and row * self.width + column not in taken:
                found.append(row * self.width + column)
                column, row = column + aside, row + up
        return found
