"""The driver of a match: games instead of iterations, the score instead of the best."""

from __future__ import annotations

import time
from collections.abc import Sequence

from rookery.crews.threads import Crew
from rookery.matches.game_task import MatchGame
from rookery.matches.record import MatchRecord
from rookery.matches.scores import MatchProgress, MatchScore, PlayedGame
from rookery.plans.independent import Independent
from rookery.plans.plan import Commit
from rookery.running.callbacks import Callback
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.stop import Stop
from rookery.tasks import Outcome


class Standing:
    """The games of a match that are over, their score, and the record that keeps them, if there is one.

    >>> Standing(asked=10, record=None).progress().score.games
    0
    """

    def __init__(self, asked: int, record: MatchRecord | None) -> None:
        there = {} if record is None else record.games
        self.played = {number: game for number, game in there.items() if number < asked}
        self.score = MatchScore.of(self.played.values())
        self._before = self.score.games
        self._asked = asked
        self._record = record
        self._began = time.perf_counter()

    def begin(self) -> None:
        """The first game begins: the clock starts."""
        self._began = time.perf_counter()

    def add(self, game: PlayedGame) -> None:
        """A game is over."""
        if self._record is not None:
            self._record.add(game)
        self.played[game.number] = game
        self.score = self.score.plus(game)

    def seconds(self) -> float:
        """Since the first game began."""
        return time.perf_counter() - self._began

    def progress(self) -> MatchProgress:
        """Where the match stands."""
        return MatchProgress(self.score, self._asked, self.seconds(), self._before)


class MatchDriver(Driver):
    """Drives the games of a match; every one that is over is added to the standing before observers are told."""

    def __init__(
        self,
        games: Sequence[MatchGame],
        crew: Crew,
        callbacks: Sequence[Callback],
        standing: Standing,
        interrupts: Interrupts,
    ) -> None:
        super().__init__(
            plan=Independent(games),
            crew=crew,
            stop=Stop(),
            callbacks=callbacks,
            sign=1.0,
            clock=standing.seconds,
            describe=(0, len(games)),
            interrupts=interrupts,
        )
        self._standing = standing

    def _tell(self, outcome: Outcome, commit: Commit, improved: bool) -> None:
        played: PlayedGame = outcome.value
        self._standing.add(played)
        with self._interrupts.listening():
            for callback in self._callbacks:
                callback.on_game(played, self._standing.progress())

    def _progress(self) -> MatchProgress:
        return self._standing.progress()
