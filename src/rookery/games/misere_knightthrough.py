"""Misere Knightthrough: Knightthrough in which the first to reach the last row loses."""

from __future__ import annotations

from rookery.games.knightthrough import Knightthrough


class MisereKnightthrough(Knightthrough):
    """Knightthrough the other way round: the first to reach the last row loses, and who cannot move wins.

    >>> MisereKnightthrough.build(size=5)
    MisereKnightthrough(width=5, height=5)
    """

    def winner(self, s):
        return s.turn
