"""The clock of a game of Go: main time, then so many stones in so many seconds (Canadian byo-yomi)."""

from __future__ import annotations

LAG = 0.05
"""Seconds of a move that go to messages and to whatever else the machine does."""
LEAST = 1e-6
"""Seconds of a move when there are none left."""
SHARE = 0.9
"""How much of the time of byo-yomi is used."""


class Clock:
    """The time that both players have left.

    Parameters
    ----------
    main
        seconds of main time
    byo
        seconds for the next stones after that; 0: there are none, and all moves must be played in the main time
    stones
        how many stones; 0 with ``byo`` above 0: there is no limit at all

    >>> clock = Clock(main=300, byo=0, stones=0)
    >>> round(clock.allowance(0, moves_to_go=30), 2)
    9.95
    >>> clock.spend(0, 60.0)
    >>> round(clock.allowance(0, moves_to_go=30), 2)
    7.95
    """

    def __init__(self, main: float, byo: float, stones: int) -> None:
        self.main, self.byo, self.stones = main, byo, stones
        self._left = [main, main]
        self._stones = [0, 0]  # still to be played in byo-yomi; 0: main time
        for player in (0, 1):
            self.spend(player, 0.0)

    @property
    def unlimited(self) -> bool:
        """Whether there is no limit at all."""
        return self.byo > 0 and self.stones == 0

    def tell(self, player: int, seconds: float, stones: int) -> None:
        """What whoever keeps the time says: seconds left, for so many stones in byo-yomi, 0 in main time."""
        self._left[player], self._stones[player] = seconds, stones

    def spend(self, player: int, seconds: float) -> None:
        """A player has moved after this many seconds."""
        self._left[player] -= seconds
        if self._stones[player]:
            self._stones[player] -= 1
            if self._stones[player] == 0:
                self._left[player], self._stones[player] = self.byo, self.stones
        elif self._left[player] <= 0 and self.byo > 0:  # main time is over, perhaps since some seconds
            self._left[player], self._stones[player] = self.byo + self._left[player], self.stones

    def allowance(self, player: int, moves_to_go: int) -> float | None:
        """Seconds for the next move; None without a limit."""
        if self.unlimited:
            return None
        left, stones = self._left[player], self._stones[player]
        if stones:
            share = SHARE * left / stones
        else:
            share = left / max(1, moves_to_go)
            if self.byo > 0:  # it may begin in the middle of a move
                share = max(share, SHARE * self.byo / self.stones)
        return max(LEAST, share / 2, share - LAG)
