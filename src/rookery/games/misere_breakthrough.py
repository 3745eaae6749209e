"""Misere Breakthrough: Breakthrough in which the first to reach the last row loses."""

from __future__ import annotations

from rookery.games.breakthrough import Breakthrough


class MisereBreakthrough(Breakthrough):
    """Breakthrough the other way round: the first to reach the last row loses, and who cannot move wins.

    >>> MisereBreakthrough.build(size=5)
    MisereBreakthrough(width=5, height=5)
    """

    def winner(self, s):
        return s.turn
