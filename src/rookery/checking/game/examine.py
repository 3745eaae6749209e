"""The phases of a check of a game."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from contextlib import suppress

import numpy as np

from rookery.checking.compare import compare_functions, compiled
from rookery.checking.examine import Examination
from rookery.checking.game.collisions import check_collisions, collect
from rookery.checking.game.compare import GameProber, compare_searches
from rookery.checking.game.measures import GameMeasures, game_measures
from rookery.checking.game.playouts import play_games, play_reordered, stream_for
from rookery.checking.game.positions import KnownPositions, idle_fields
from rookery.checking.game.sampling import check_playout, check_sample
from rookery.checking.game.watch import GameWatch
from rookery.checking.patience import Patience
from rookery.checking.report import Broken, Report
from rookery.engine.game_worker import GameEngine
from rookery.engine.python_worker import PythonGameEngine
from rookery.game import Game, PythonGame
from rookery.rng import below, uniform

GAMES_SHARE, ORDERS_SHARE, PAIRS_SHARE, IDLE_SHARE, SAMPLE_SHARE = 0.5, 0.65, 0.75, 0.85, 0.95
"""When each part of what plain Python does must be over."""


def examine_game(
    game: Game | PythonGame,
    *,
    playouts: int = 200,
    seconds: float = 10.0,
    seed: int = 0,
    allow: Iterable[str] = (),
    measure: bool = True,
    tell: Callable[[str], None] = lambda phase: None,
) -> Report:
    """Check a game and report what was found; see :func:`rookery.testing.check_game` for the parameters.

    ``tell`` is called with the name of each phase as it begins.

    >>> class Race(PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> examine_game(Race(), playouts=20, measure=False).ok
    True
    """
    return GameExamination(game, playouts, seconds, seed, allow, measure, tell).report()


class GameExamination(Examination[GameWatch]):
    """A check of a game."""

    kind = "game"
    contracts = (Game, PythonGame)
    plain_share = 0.8

    def watch(self, patience: Patience) -> GameWatch:
        """The game under watch."""
        for draw in (lambda rng: below(rng, 1), uniform):  # compiled before the clock runs
            draw(np.ones(4, np.uint64))
        if isinstance(self.of, Game):
            GameEngine(self.of, debug=True)
        return GameWatch(self.of, self.log, patience)

    def play(self, watch: GameWatch, seconds: float) -> None:
        """Play games; then see to keys, and to what playouts draw."""
        began, seed = time.perf_counter(), self.seed
        positions = KnownPositions(watch)

        def until(share: float) -> float:
            return began + share * seconds

        play_games(watch, positions, self.playouts, GAMES_SHARE * seconds, seed)
        if self.log.count("does-not-return"):
            return
        with suppress(Broken):  # what is wrong has been noted
            self.tell("playing it in other orders")
            play_reordered(watch, positions, stream_for(seed, 1), until(ORDERS_SHARE))
            positions.play_on(stream_for(seed, 2), until(PAIRS_SHARE))
            if isinstance(self.of, Game) and self.log.ok:
                watch.idle = idle_fields(watch, positions.all, stream_for(seed, 3), until(IDLE_SHARE))
            positions.check_transpositions()
            if watch.calls.has("sample"):
                check_sample(watch, positions.all, stream_for(seed, 4), until(SAMPLE_SHARE))
            if isinstance(self.of, Game) and watch.calls.has("playout"):
                check_playout(watch, positions.all, seed, until(SAMPLE_SHARE))
            watch.replay(until(1.0))

    def compare(self, watch: GameWatch) -> None:
        """Compare its functions; see whether keys collide; compare searches."""
        debugged = compare_functions(watch, GameProber, (1 - self.plain_share) * self.seconds)
        self.tell("collecting positions")
        collected, games = compiled(self.log, "random games compiled raise", collect, debugged, self.seed)
        if not check_collisions(debugged, collected, games, self.log):
            raise Broken
        self.tell("compiling it for speed")
        self._engine = GameEngine(watch.of)
        compare_searches(watch.of, self._engine, self.seed, self.log)
        self._winners = collected.winners[:games].tolist()

    def measure(self, watch: GameWatch) -> GameMeasures:
        """Time it, and see who wins."""
        if isinstance(self.of, PythonGame):
            return game_measures(watch, PythonGameEngine(self.of))
        return game_measures(watch, self._engine, self._winners)
