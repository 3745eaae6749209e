"""Misere Domineering: Domineering in which who cannot move wins."""

from __future__ import annotations

from rookery.games.domineering import Domineering


class MisereDomineering(Domineering):
    """Domineering the other way round: who cannot place a domino wins.

    >>> MisereDomineering.build(size=5)
    MisereDomineering(width=5, height=5)
    """

    def winner(self, s):
        return s.turn
