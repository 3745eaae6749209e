"""Misere NoGo: who cannot move wins.

Rules as in Cazenave, Playout Policy Adaptation for Games, 2015.
"""

from __future__ import annotations

from rookery.games.nogo import NoGo


class MisereNoGo(NoGo):
    """Put stones without capturing any, your own or the enemy's; who cannot has won.

    Parameters
    ----------
    size
        of the board, 2 to 19

    >>> MisereNoGo(size=5).limits().length
    25
    """

    def winner(self, s):
        return s.turn
