"""A game of a match as a task: any worker of any crew can play it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.control import HALT, Signal
from rookery.matches.scores import PlayedGame, side_that_begins, winner_by_side
from rookery.rng import mix_int
from rookery.tasks import Outcome, Task


@dataclass(frozen=True, kw_only=True)
class MatchGame(Task):
    """A whole game between two searches, ``search`` being the pair of them; A begins those of even ``number``."""

    number: int

    def warm(self, worker: Any) -> None:
        """Have a worker compile both searches."""
        for search in self.search:
            worker.warm(search)

    def compute(self, worker: Any, signal: Signal) -> Outcome:
        """Play the game; the outcome of one that was halted is not finished."""
        a, b = self.search
        # What is kept from move to move is for one side only; what was found in other games, for neither.
        other = worker.partner() if a.keeps() or b.keeps() else worker
        worker.forget()
        other.forget()
        players = ((a, worker), (b, other))
        if side_that_begins(self.number) == "b":
            players = players[::-1]
        moves: tuple[Any, ...] = ()
        playouts = 0
        _, player, winner = worker.replay(moves)
        while winner is None and not signal.control[HALT]:
            search, by = players[player]
            decision = by.decide(search, moves, mix_int(self.key, len(moves)), signal)
            if decision is None:
                break
            moves = (*moves, decision.move)
            playouts += decision.playouts
            _, player, winner = worker.replay(moves)
        played = None
        if winner is not None:
            played = PlayedGame(self.number, winner_by_side(self.number, winner), moves, playouts)
        return Outcome(
            sequence=None,
            playouts=playouts,
            improvements=(),
            finished=played is not None,
            reached_target=False,
            value=played,
        )
