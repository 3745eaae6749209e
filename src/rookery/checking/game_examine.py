"""The phases of a check of a game, one after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

import numpy as np

from rookery.checking.beginnings import check_start
from rookery.checking.game_catalogue import GameLog, check_game_names
from rookery.checking.game_collisions import check_collisions, collect
from rookery.checking.game_idle import idle_fields
from rookery.checking.game_measures import GameMeasures, game_measures, game_rates
from rookery.checking.game_objects import ObjectGameWatch
from rookery.checking.game_orders import play_reordered
from rookery.checking.game_own_playout import check_playout
from rookery.checking.game_playouts import play_games, replay_games, stream_for
from rookery.checking.game_positions import Positions
from rookery.checking.game_probe import compare_game_functions
from rookery.checking.game_records import RecordGameWatch
from rookery.checking.game_sameness import compare_game_searches
from rookery.checking.game_sampling import check_sample
from rookery.checking.game_watch import GameWatch
from rookery.checking.origin import GlobalArrays, in_words
from rookery.checking.patience import Patience
from rookery.checking.report import Broken, Report
from rookery.compiler.gameworker import GameEngine
from rookery.compiler.settings import INTERPRETED
from rookery.errors import CompileError, InputError, ProblemError
from rookery.game import Game, PythonGame
from rookery.reference.game_engine import PythonGameEngine
from rookery.rng import below, uniform
from rookery.search.parameters import finite, whole

PLAIN_SHARE = 0.8
"""Share of the time that plain Python may take; the rest is for the comparison with compiled functions."""
GAMES_SHARE, ORDERS_SHARE, PAIRS_SHARE, IDLE_SHARE, SAMPLE_SHARE = 0.5, 0.65, 0.75, 0.85, 0.95
"""When each part of that must be over."""
PATIENCE = 6
"""A single call may take so many times the time of a check: some are only slow."""


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

    ``tell`` is told of each phase as it begins.

    >>> class Race(PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> examine_game(Race(), playouts=20, measure=False).ok
    True
    """
    if not isinstance(game, (Game, PythonGame)):
        raise InputError(f"game must be a Game or a PythonGame, got {game!r}")
    whole("playouts", playouts, 8)
    whole("seed", seed, 0, (1 << 64) - 1)
    if finite("seconds", seconds) <= 0:
        raise InputError(f"seconds must be more than 0, got {seconds}")
    log = GameLog(game, check_game_names(allow))
    for draw in (lambda rng: below(rng, 1), uniform):  # compiled before the clock runs
        draw(np.ones(4, np.uint64))
    patience = Patience(PATIENCE * seconds)
    check = _Check(log, playouts, seconds, seed, measure, tell, patience)
    with patience, np.errstate(all="ignore"):  # wrapping is meant or is found
        return check.python(game) if isinstance(game, PythonGame) else check.compiled(game)


class _Check:
    def __init__(
        self,
        log: GameLog,
        playouts: int,
        seconds: float,
        seed: int,
        measure: bool,
        tell: Callable[[str], None],
        patience: Patience,
    ) -> None:
        self._log, self._measure, self._tell, self._patience = log, measure, tell, patience
        self._playouts, self._seconds, self._seed = playouts, seconds, seed

    def python(self, game: PythonGame) -> Report:
        """A game in plain Python: there is nothing to compile."""
        watch = ObjectGameWatch(game, self._log, self._patience)
        self._in_plain_python(watch, self._seconds)
        measures = None
        if self._measure and self._log.ok and watch.seen.games:
            self._tell("measuring")
            measures = game_measures(watch.seen, None, None, game_rates(PythonGameEngine(game)))
        return self._report(watch, measures)

    def compiled(self, game: Game) -> Report:
        """A compiled game: read, interpreted, compiled with checks, measured."""
        log = self._log
        watch = self._watch(game)
        if watch is None:
            return Report(log.owner, log.findings(), 0)
        arrays = GlobalArrays(game)
        self._in_plain_python(watch, PLAIN_SHARE * self._seconds)
        for name in arrays.changed():
            log.add("writes-globals", "", f"the array {name} of a module was changed by a function of the game")
        if log.ok:
            check_start(watch.call)
        measures = None
        if not log.ok or not watch.seen.games:
            log.add("not-compared", "", "it was not compiled: mend the errors above first, and check again")
        elif INTERPRETED:
            log.add("not-compared", "", "it was not compiled: NUMBA_DISABLE_JIT is set")
        else:
            measures = self._compiled(game, watch)
        return self._report(watch, measures)

    def _report(self, watch: GameWatch, measures: GameMeasures | None) -> Report:
        return Report(self._log.owner, self._log.findings(), len(watch.seen.games), measures)

    def _watch(self, game: Game) -> RecordGameWatch | None:
        """The game under watch, if the library itself accepts what it declares."""
        try:
            GameEngine(game, debug=True)
            return RecordGameWatch(game, self._log, self._patience)
        except ProblemError as error:
            self._log.add("bad-game", "", str(error))
        except Exception as error:
            self._log.add("bad-game", "", in_words(game, "limits", error))
        return None

    def _in_plain_python(self, watch: GameWatch, seconds: float) -> None:
        began, seed = time.perf_counter(), self._seed
        positions = Positions(watch)

        def until(share: float) -> float:
            return began + share * seconds

        self._tell("playing it in plain Python")
        play_games(watch, positions, self._playouts, GAMES_SHARE * seconds, seed)
        if self._log.count("does-not-return"):
            return
        try:
            self._tell("playing it in other orders")
            play_reordered(watch, positions, stream_for(seed, 1), until(ORDERS_SHARE))
            positions.play_on(stream_for(seed, 2), until(PAIRS_SHARE))
            if isinstance(watch, RecordGameWatch) and self._log.ok:
                watch.idle = idle_fields(watch, positions.all, stream_for(seed, 3), until(IDLE_SHARE))
            positions.check_transpositions()
            if watch.has("sample"):
                check_sample(watch, positions.all, stream_for(seed, 4), until(SAMPLE_SHARE))
            if isinstance(watch, RecordGameWatch) and watch.has("playout"):
                check_playout(watch, positions.all, seed, until(SAMPLE_SHARE))
            replay_games(watch, until(1.0))
        except Broken:  # what is wrong has been noted
            pass

    def _compiled(self, game: Game, watch: RecordGameWatch) -> GameMeasures | None:
        log = self._log
        self._tell("compiling it with every index checked")
        prober = compare_game_functions(watch, (1 - PLAIN_SHARE) * self._seconds)
        if prober is None:
            return None
        self._tell("collecting positions")
        try:
            seen, games = collect(prober.engine, self._seed)
        except CompileError as error:
            log.add("compile-error", "", str(error))
            return None
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            log.add("compiled-exception", "", f"random games compiled raise {text}")
            return None
        if not check_collisions(prober.engine, seen, games, log):
            return None
        self._tell("compiling it for speed")
        engine = GameEngine(game)
        if not compare_game_searches(game, engine, self._seed, log) or not self._measure:
            return None
        self._tell("measuring")
        size, winners = engine.specialisation.dtype.itemsize, seen.winners[:games].tolist()
        return game_measures(watch.seen, engine.limits, size, game_rates(engine), winners or None)
