"""``match``: two searches play many games; driven like any run, with games for iterations and a score for the best."""

from __future__ import annotations

import os
import secrets
import time
import warnings
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress

from rookery._version import __version__
from rookery.arguments import whole
from rookery.crews.hiring import check_executor, make_crew
from rookery.crews.threads import Crew
from rookery.engine.engines import make_engine
from rookery.errors import RookeryWarning
from rookery.game import Game, PythonGame
from rookery.loading.kinds import GAME_SEARCH, name_of
from rookery.matches.decide import MOST_SEED
from rookery.matches.game_task import MatchGame
from rookery.matches.record import MatchRecord, record_header
from rookery.matches.scores import MatchProgress, MatchResult, MatchScore, PlayedGame
from rookery.plans.independent import Independent
from rookery.plans.plan import Commit
from rookery.rng import part_key
from rookery.running.callbacks import Callback
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.running.logs import observed
from rookery.running.progress import ProgressLine
from rookery.running.result import Improvement
from rookery.running.watched import Watched, as_interrupt
from rookery.search.game_search import GameSearch
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

    def _tell(self, outcome: Outcome, commit: Commit, improved: tuple[Improvement, ...]) -> None:
        played: PlayedGame = outcome.value
        self._standing.add(played)
        with self._interrupts.listening():
            for callback in self._callbacks:
                callback.on_game(played, self._standing.progress())

    def progress(self) -> MatchProgress:
        """Where the match stands."""
        return self._standing.progress()


def match(
    game: Game | PythonGame,
    a: GameSearch,
    b: GameSearch,
    *,
    games: int = 500,
    seed: int | None = 1,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    record: str | os.PathLike[str] | None = None,
    progress: bool = False,
    callbacks: Sequence[Callback] = (),
) -> MatchResult:
    """Let two searches play against each other; A begins the first game and every other one after it.

    Every game has a key of its own, made from the seed: its moves depend neither on ``workers`` and ``executor`` nor on
    the other games, unless a search is limited by time. Ctrl-C returns the games that are over, if there are any.

    Parameters
    ----------
    seed
        None: one is drawn, and recorded in the result
    workers
        games at the same time; by default one thread, all cores for processes, and all workers of a cluster. In plain
        Python, threads would only take turns
    executor
        what they are: ``"threads"``, ``"processes"``, ``"mpi"``, ``"dask"``, or any executor of
        ``concurrent.futures``, which is used but never shut down
    address
        address of the scheduler, for Dask; without one, a cluster is started on this machine
    record
        a file to which every finished game is added as a line of JSON. If it holds games of this match they are
        replayed and counted, and only those that are missing are played: a match that was interrupted continues, and
        more games extend it. No other match can write to it meanwhile
    progress
        a line with the score on standard error
    callbacks
        observers

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> match(Race(), rk.GameUCT(playouts=50), rk.GameUCT(playouts=2), games=10).games
    10
    """
    GAME_SEARCH.check("a", a)
    GAME_SEARCH.check("b", b)
    asked = whole("games", games, 1)
    at_once = check_executor(executor, workers, address)
    seed = secrets.randbits(53) if seed is None else whole("seed", seed, 0, MOST_SEED)
    observers = observed(callbacks)
    with Interrupts() as interrupts, ExitStack() as stack:
        interrupts.listen()
        if progress:
            observers.append(line := ProgressLine(title=type(game).__name__))
            stack.callback(line.close)
        engine = make_engine(game, wanted="game")
        for observer in observers:
            observer.on_compile(game)
        worker, kept = Watched(engine.worker(), game, interrupts), None
        stack.callback(worker.close)
        with interrupts.compiling(isinstance(game, Game)), as_interrupt():
            if record is not None:
                kept = MatchRecord(record, game, record_header(game, a, b, seed), worker.replay)
                stack.callback(kept.close)
            standing = Standing(asked, kept)
            tasks = _missing(standing, a, b, asked, seed)
            crew: Crew | None = None
            if tasks:
                tasks[0].warm(worker)
                size, subject = min(at_once, len(tasks)), (game, (a, b))
                crew = make_crew(executor, size, subject, engine.worker, address=address, warm=tasks[0])
                stack.callback(crew.close, False)  # in case the driver does not get that far
        if crew is not None:
            crew.assemble()
            for observer in observers:
                observer.on_workers(crew.name, crew.size)
        standing.begin()
        for observer in observers:
            observer.on_start(game, (a, b), seed)
        status = "finished"
        if crew is not None:
            driver = MatchDriver(tasks, crew, observers, standing, interrupts)
            status = driver.run()
            if driver.left is not None:
                warnings.warn(driver.left, RookeryWarning, stacklevel=2)
        if not standing.played:
            raise KeyboardInterrupt
        result = MatchResult(
            game=name_of(game),
            parameters=game.parameters(),
            a=a.parameters(),
            b=b.parameters(),
            asked=asked,
            **vars(standing.score),
            seconds=standing.seconds(),
            seed=seed,
            workers=at_once,
            status=status,
            version=__version__,
            executor=executor if isinstance(executor, str) else "executor",
            played=tuple(standing.played[number] for number in sorted(standing.played)),
        )
        interrupts.answer()
        for observer in observers:
            with suppress(KeyboardInterrupt), interrupts.listening():  # ends this observer; the result is not lost
                observer.on_end(result)
            interrupts.answer()
        return result


def _missing(standing: Standing, a: GameSearch, b: GameSearch, asked: int, seed: int) -> list[MatchGame]:
    """The games that are still to be played, each with a key of its own."""
    numbers = (number for number in range(asked) if number not in standing.played)
    return [MatchGame(search=(a, b), key=part_key(seed, number), number=number) for number in numbers]
