"""Morpion Solitaire with the playout rule that Rosin tuned for it by hand (Rosin 2011, Figure 6).

What can be played after a move is counted without playing it: the lines through its dot that are completed or now
lack one dot, and those that the new line blocks.
"""

from __future__ import annotations

import numpy as np

from rookery.problem import Layout
from rookery.problems.morpion.board import LEGAL, STEP, WIDTH, Morpion, _has_dot
from rookery.rng import below, uniform

NEW, NEAR, ANY = 0, 1, 2
"""The kinds of moves, in the order of the figure."""
SHARE_NEAR = 0.9
"""Probability of a move near the last dot, if there are any and the last move made no line possible."""


class TunedMorpion(Morpion):
    """Morpion Solitaire with the tuned playout rule of Rosin 2011, Figure 6, as its own.

    All else is as in :class:`Morpion`. Searches without a policy play by the rule, unless they are given another.

    >>> TunedMorpion("5T").limits().length
    512
    """

    def layout(self) -> Layout:
        return {**super().layout(), "last": "i4"}

    def play(self, s, move):
        s.last = self._dot(s, move)
        Morpion.play(self, s, move)

    def choose(self, s, moves, n, rng):
        kind, among, samples = self._kind(s, moves, n, rng)
        best_new, best_total, chosen = -1, -1, 0
        k = -1
        for i in range(samples):
            if kind == ANY:  # without replacement: each set of this many moves with equal probability
                k += 1
                while below(rng, n - k) >= samples - i:
                    k += 1
            else:
                number = below(rng, among)
                k = -1
                while number >= 0:
                    k += 1
                    number -= self._is(kind, s, moves[k])
            total, new = self._after(s, moves[k])
            new = new if kind == ANY else 0
            if new > best_new or (new == best_new and total > best_total):
                best_new, best_total, chosen = new, total, k
        return chosen

    def _kind(self, s, moves, n, rng):
        """Which moves are drawn from, how many of them there are, and how many are drawn."""
        new, near = 0, 0
        for k in range(n if s.played > 0 else 0):
            new += self._is(NEW, s, moves[k])
            near += self._is(NEAR, s, moves[k])
        if new > 0:
            return NEW, new, 4
        if uniform(rng) < SHARE_NEAR and near > 0:
            return NEAR, near, 2
        return ANY, n, min(n, 6)

    def _is(self, kind, s, move):
        """Whether the last move made this line possible; or whether its dot is 1 or 2 away from the last."""
        if kind == NEW:
            return self._holds(move, s.last)  # only a line with a new dot can become possible
        cell = self._dot(s, move)
        dx = abs(cell % WIDTH - s.last % WIDTH)
        dy = abs(cell // WIDTH - s.last // WIDTH)
        return 1 <= max(dx, dy) <= 2 and (dx == 0 or dy == 0 or dx == dy)

    def _dot(self, s, move):
        """The cell of a move's new dot."""
        cell = move >> 2
        while _has_dot(s, cell):
            cell += STEP[move & 3]
        return cell

    def _holds(self, line, cell):
        found = False
        for k in range(self.length):
            found = found or (line >> 2) + k * STEP[line & 3] == cell
        return found

    def _after(self, s, move):
        """How many moves there are after a move, and how many of them are new."""
        cell = self._dot(s, move)
        step = STEP[move & 3]
        drawn = self._dominating(s, move, (cell - (move >> 2)) // step) if self.replaces else move
        total, new = np.int64(s.n), 0
        for d in range(4):
            for k in range(self.length):
                line = 4 * (cell - k * STEP[d]) + d
                dots = s.line[np.uint64(line)]
                if dots >= LEGAL:
                    total -= 1
                elif dots == self.length - 2 and not (
                    d == (move & 3) and abs(((line >> 2) - (drawn >> 2)) // step) <= self.reach
                ):
                    total += 1
                    new += 1
        for j in range(-self.reach, self.reach + 1):
            line = drawn + 4 * j * step
            if s.line[np.uint64(line)] >= LEGAL and not self._holds(line, cell):
                total -= 1
        return total, new
