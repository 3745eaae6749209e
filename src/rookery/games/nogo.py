"""NoGo: Go in which nothing may be captured; whoever cannot move loses.

Rules as in Cazenave, Playout Policy Adaptation for Games, 2015: capture and suicide are forbidden, there is no pass,
and the first player who cannot move loses.
"""

from __future__ import annotations

from rookery.bits import u
from rookery.games.cells import BOARD
from rookery.games.stones import NEIGHBOURHOODS, Stones
from rookery.problem import Limits


class NoGo(Stones):
    """Place stones without capturing any, your own or the enemy's; whoever cannot move loses.

    Parameters
    ----------
    size
        of the board, 2 to 19

    >>> NoGo(size=9).describe_move(30)
    'D4'
    """

    def limits(self) -> Limits:
        return Limits(moves=self.points, length=self.points, codes=self.points, features=NEIGHBOURHOODS)

    def start(self, s):
        s.turn = 0

    def moves(self, s, out):
        self._find_quiet(s)
        return self._list_found(s, out)

    def sample(self, s, rng):
        self._find_quiet(s)
        return self._draw_found(s, rng)

    def play(self, s, move):
        self._put(s, move)
        s.turn = 1 - s.turn

    def winner(self, s):
        return 1 - s.turn

    def _find_quiet(self, s):
        """``s.found``: the empty points where a stone would have a liberty, but not beside an enemy chain in atari."""
        own = u(s.turn)
        enemy = u(1 - s.turn)
        for w in range(self.words):
            s.area[w] = BOARD[u(self.size), w] & ~((s.stones[own, w] & s.atari[w]) | s.stones[enemy, w])
        for w in range(self.words):
            s.found[w] = self._beside(s, w) & self._empty(s, w)
        for w in range(self.words):
            s.area[w] = s.stones[enemy, w] & s.atari[w]
        for w in range(self.words):
            s.found[w] &= ~self._beside(s, w)


class MisereNoGo(NoGo):
    """Place stones without capturing any, your own or the enemy's; whoever cannot move wins.

    >>> MisereNoGo(size=5).limits().length
    25
    """

    def winner(self, s):
        return s.turn
