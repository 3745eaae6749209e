"""A check from its beginning to its report: the phases, with what is particular to problems and games in each."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from rookery.arguments import finite, whole
from rookery.checking.calls import Patience
from rookery.checking.compare import (
    GameProber,
    ProblemProber,
    compare_decisions,
    compare_functions,
    compare_tasks,
    compiled,
)
from rookery.checking.draws import check_playout, check_sample
from rookery.checking.game_keys import KnownPositions, check_collisions, collect, idle_fields
from rookery.checking.game_watch import GameWatch
from rookery.checking.measures import GameMeasures, Measures, game_measures
from rookery.checking.origin import GlobalArrays, in_words
from rookery.checking.playouts import Ran, play, play_games, play_reordered, stream_for
from rookery.checking.problem_watch import ProblemWatch
from rookery.checking.profile import measure_compiled, measure_python
from rookery.checking.records import FILLS, RecordCalls
from rookery.checking.report import Broken, Log, Report
from rookery.checking.watch import Watch
from rookery.compiler.specialise import specialise
from rookery.engine.compiled import CompiledEngine
from rookery.engine.game_worker import GameEngine
from rookery.engine.python_worker import PythonGameEngine
from rookery.errors import InputError, ProblemError
from rookery.game import Game, PythonGame
from rookery.problem import Model, Problem, PythonProblem
from rookery.rng import below, uniform
from rookery.settings import INTERPRETED

PATIENCE = 6
"""A single call may take this many times as long as the check: some are only slow."""

Watching = TypeVar("Watching", bound=Watch[Any])


class Examination(ABC, Generic[Watching]):
    """A check of one problem or game, with the parameters of :func:`examine`."""

    kind: ClassVar[str]
    """What is checked, in a word."""
    plain_share: ClassVar[float]
    """Share of the time that plain Python may take; the rest is for the comparison with compiled functions."""

    def __init__(
        self,
        of: Any,
        playouts: int,
        seconds: float,
        seed: int,
        allow: Iterable[str],
        measure: bool,
        tell: Callable[[str], None],
    ) -> None:
        self.playouts, self.seed = whole("playouts", playouts, 8), whole("seed", seed, 0, (1 << 64) - 1)
        if finite("seconds", seconds) <= 0:
            raise InputError(f"seconds must be more than 0, got {seconds}")
        self.of: Any = of
        self.seconds, self.tell = seconds, tell
        self.log = Log(of, allow)
        self._measure = measure

    # --- what a subclass says ---

    @abstractmethod
    def watch(self, patience: Patience) -> Watching:
        """The model under watch, if the library itself accepts what it declares."""

    @abstractmethod
    def play(self, watch: Watching, seconds: float) -> None:
        """Phase two: play it in plain Python."""

    @abstractmethod
    def compare(self, watch: Watching) -> None:
        """Phase three: compare it with compiled code; Broken if that differs."""

    @abstractmethod
    def measure(self, watch: Watching) -> Measures:
        """Phase four: time it."""

    # --- the phases ---

    def report(self) -> Report:
        """Go through all phases."""
        log = self.log
        patience = Patience(PATIENCE * self.seconds)
        with patience, np.errstate(all="ignore"):  # wrapping is intended or found elsewhere, as is what is not finite
            try:
                watch = self.watch(patience)
            except Exception as error:
                text = str(error) if isinstance(error, ProblemError) else in_words(self.of, "limits", error)
                log.add(f"bad-{self.kind}", "", text)
                return Report(log.owner, log.findings(), 0)
            self.tell("playing it in plain Python")
            measures = None
            with suppress(Broken):  # what is wrong has been noted
                if isinstance(self.of, Model):
                    self._compiled(watch)
                else:
                    self.play(watch, self.seconds)
                if self._measure and log.ok and watch.playouts:
                    self.tell("measuring")
                    measures = self.measure(watch)
            return Report(log.owner, log.findings(), len(watch.playouts), measures)

    def _compiled(self, watch: Watching) -> None:
        log, arrays = self.log, GlobalArrays(self.of)
        self.play(watch, self.plain_share * self.seconds)
        for name in arrays.changed():
            text = f"the array {name} of a module was changed by a function of the {self.kind}"
            log.add("writes-globals", "", text)
        if log.ok:
            check_start(watch.records)
        why = "NUMBA_DISABLE_JIT is set" if INTERPRETED else ""
        if not log.ok or not watch.playouts:
            why = "correct the errors above first, and check again"
        if why:
            log.add("not-compared", "", f"it was not compiled: {why}")
            raise Broken
        self.tell("compiling it with every index checked")
        self.compare(watch)


def check_start(calls: RecordCalls) -> None:
    """Note the fields that ``start`` leaves as they are, and whether it reads any before it sets it."""
    calls.path.clear()
    clean = calls.begin()
    filled = []
    for fill in FILLS:
        state = calls.states.new(fill)
        try:
            calls.raw("start", state)
        except Exception:
            calls.find("start-relies-on-zeros", "start", "on a state that is not zeroed it raises an exception")
            return
        filled.append(state)
    given = [(clean, 0), *zip(filled, FILLS, strict=True)]
    left = [name for name in calls.states.names if all(_is_kept(state[name], fill) for state, fill in given)]
    if left:
        calls.find("start-leaves-zeros", "start", f"it does not set {', '.join(left)}")
    for name in (name for name in calls.states.names if name not in left):
        for state, fill in zip(filled, FILLS, strict=True):
            other = np.asarray(state[name])
            if ((other != clean[name]) & (other != fill)).any():
                calls.find("start-relies-on-zeros", "start", f"on a state that is not zeroed {name} is set differently")
                return


def _is_kept(value: Any, fill: int) -> bool:
    return bool((np.asarray(value) == fill).all())


MANY_CODES, FEW_SEEN = 1 << 20, 0.01


class ProblemExamination(Examination[ProblemWatch]):
    """A check of a problem."""

    kind = "problem"
    plain_share = 0.7

    def watch(self, patience: Patience) -> ProblemWatch:
        if isinstance(self.of, Problem):
            specialise(self.of, debug=True)
        return ProblemWatch(self.of, self.log, patience)

    def play(self, watch: ProblemWatch, seconds: float) -> None:
        self._runs: list[Ran] = play(watch, self.playouts, seconds, self.seed)
        codes, seen = watch.calls.codes, len(watch.codes_seen)
        if self.log.ok and codes is not None and codes >= MANY_CODES and seen < FEW_SEEN * codes:
            text = f"limits() declares codes={codes}, of which {seen} were seen"
            self.log.add("codes-generous", "limits", text)

    def compare(self, watch: ProblemWatch) -> None:
        compare_functions(watch, ProblemProber, (1 - self.plain_share) * self.seconds)
        self.tell("compiling it for speed")
        self._engine = CompiledEngine(watch.of)
        compare_tasks(self._engine, self._runs, self.log)

    def measure(self, watch: ProblemWatch) -> Measures:
        if isinstance(self.of, PythonProblem):
            return measure_python(watch)
        return measure_compiled(watch, self._engine, self._runs)


GAMES_SHARE, ORDERS_SHARE, PAIRS_SHARE, IDLE_SHARE, SAMPLE_SHARE = 0.5, 0.65, 0.75, 0.85, 0.95
"""When each part of the work in plain Python must be over."""


class GameExamination(Examination[GameWatch]):
    """A check of a game."""

    kind = "game"
    plain_share = 0.8

    def watch(self, patience: Patience) -> GameWatch:
        for draw in (lambda rng: below(rng, 1), uniform):  # compiled before the clock runs
            draw(np.ones(4, np.uint64))
        if isinstance(self.of, Game):
            GameEngine(self.of, debug=True)
        return GameWatch(self.of, self.log, patience)

    def play(self, watch: GameWatch, seconds: float) -> None:
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
        debugged = compare_functions(watch, GameProber, (1 - self.plain_share) * self.seconds)
        self.tell("collecting positions")
        collected, games = compiled(self.log, "random games compiled raise", collect, debugged, self.seed)
        if not check_collisions(debugged, collected, games, self.log):
            raise Broken
        self.tell("compiling it for speed")
        self._engine = GameEngine(watch.of)
        compare_decisions(watch.of, self._engine, self.seed, self.log)
        self._winners = collected.winners[:games].tolist()

    def measure(self, watch: GameWatch) -> GameMeasures:
        if isinstance(self.of, PythonGame):
            return game_measures(watch, PythonGameEngine(self.of))
        return game_measures(watch, self._engine, self._winners)


def examine(
    model: Problem | PythonProblem | Game | PythonGame,
    *,
    playouts: int = 200,
    seconds: float = 10.0,
    seed: int = 0,
    allow: Iterable[str] = (),
    measure: bool = True,
    tell: Callable[[str], None] = lambda phase: None,
) -> Report:
    """Check a problem or a game and report what was found, errors or not.

    The parameters are those of :func:`rookery.testing.check_problem`.

    ``tell`` is called with the name of each phase as it begins.

    >>> import rookery as rk
    >>> examine(rk.problems.LeftMove(depth=6), playouts=20, measure=False).ok
    True
    """
    if not isinstance(model, (Problem, PythonProblem, Game, PythonGame)):
        raise InputError(f"what is checked must be a problem or a game, got {model!r}")
    of_kind = GameExamination if isinstance(model, (Game, PythonGame)) else ProblemExamination
    return of_kind(model, playouts, seconds, seed, allow, measure, tell).report()
