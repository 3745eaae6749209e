"""``match``: two searches play many games against each other."""

from __future__ import annotations

import os
import queue
import secrets
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, suppress

from rookery._version import __version__
from rookery.decide import MOST_SEED, TICK, check_search, make_game_engine
from rookery.game import Game, PythonGame
from rookery.game_searches import GameSearch, search_values
from rookery.interrupts import Interrupts
from rookery.loading import name_of
from rookery.match_callbacks import MatchCallback, MatchLine, MatchProgress
from rookery.match_record import MatchRecord, record_header
from rookery.match_result import MatchResult, MatchScore, PlayedGame
from rookery.opponents import Opponents
from rookery.rng import mix_int, root_key
from rookery.search.parameters import whole


def match(
    game: Game | PythonGame,
    a: GameSearch,
    b: GameSearch,
    *,
    games: int = 500,
    seed: int | None = 1,
    workers: int = 1,
    record: str | os.PathLike[str] | None = None,
    progress: bool = False,
    callbacks: Sequence[MatchCallback] = (),
) -> MatchResult:
    """Let two searches play against each other; A begins every other game, from the first on.

    Every game has a key of its own, made from the seed: its moves depend neither on ``workers`` nor on the other
    games, unless a search is limited by time. Ctrl-C returns the games that are over, if there are any.

    Parameters
    ----------
    seed
        None: one is drawn, and recorded in the result
    workers
        games at the same time, each on one thread; in plain Python threads would only take turns
    record
        a file to which every finished game is added as a line of JSON. If it holds games of this match they are
        replayed and counted, and only those that are missing are played: what was interrupted goes on, and more games
        extend it
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
    check_search("a", a)
    check_search("b", b)
    asked = whole("games", games, 1)
    workers = whole("workers", workers, 1)
    seed = secrets.randbits(53) if seed is None else whole("seed", seed, 0, MOST_SEED)
    observers = list(callbacks)
    with Interrupts() as interrupts, ExitStack() as stack:
        interrupts.listen()
        if progress:
            observers.append(line := MatchLine())
            stack.callback(line.close)
        for observer in observers:
            observer.on_compile(game)
        interrupts.hold()  # a compiler that was interrupted may crash the next time that it is used
        engine = make_game_engine(game)
        worker = engine.worker()
        kept = None
        played: dict[int, PlayedGame] = {}
        if record is not None:
            kept = MatchRecord(record, game, record_header(game, a, b, seed), worker.replay)
            stack.callback(kept.close)
            played = {number: one for number, one in kept.games.items() if number < asked}
        missing = [number for number in range(asked) if number not in played]
        for search in (a, b) if missing else ():
            worker.warm(search)
        began = time.perf_counter()
        score = MatchScore.of(played.values())

        def stands() -> MatchProgress:
            return MatchProgress(score, asked, time.perf_counter() - began)

        def add(one: PlayedGame) -> None:
            nonlocal score
            if kept is not None:
                kept.add(one)
            played[one.number] = one
            score = score.plus(one)
            for observer in observers:
                observer.on_game(one, stands())

        def tick() -> None:
            for observer in observers:
                observer.on_tick(stands())

        interrupts.listen()
        for observer in observers:
            observer.on_start(game, a, b, stands())
        interrupts.hold()
        crew = _Crew([Opponents(engine, a, b) for _ in range(min(workers, len(missing)))], missing, root_key(seed))
        crew.run(interrupts, add, tick)
        if not played:
            raise KeyboardInterrupt
        result = MatchResult(
            game=name_of(game),
            parameters=game.parameters(),
            a=search_values(a),
            b=search_values(b),
            asked=asked,
            **vars(score),
            seconds=time.perf_counter() - began,
            seed=seed,
            workers=workers,
            status="finished" if len(played) == asked else "interrupted",
            version=__version__,
            played=tuple(played[number] for number in sorted(played)),
        )
        for observer in observers:
            with suppress(KeyboardInterrupt):  # the result is not lost
                observer.on_end(result)
        return result


class _Crew:
    """Threads that play the games of a match, each with opponents of its own."""

    def __init__(self, tables: Sequence[Opponents], numbers: Iterable[int], key: int) -> None:
        self._tables = tables
        self._key = key
        self._todo: queue.SimpleQueue[int] = queue.SimpleQueue()
        for number in numbers:
            self._todo.put(number)
        self._ended: deque[PlayedGame] = deque()
        self._errors: list[BaseException] = []
        self._news = threading.Event()
        self._threads = [threading.Thread(target=self._work, args=(table,), daemon=True) for table in tables]

    def run(self, interrupts: Interrupts, add: Callable[[PlayedGame], None], tick: Callable[[], None]) -> None:
        """Play all games; if it is interrupted, those that are over are added."""
        try:
            for thread in self._threads:
                thread.start()
            while any(thread.is_alive() for thread in self._threads) and not self._errors:
                with interrupts.listening():  # nothing is taken from the queue in here, so that nothing is lost
                    self._news.wait(TICK)
                self._news.clear()
                self._take(add)
                tick()
        except KeyboardInterrupt:
            interrupts.answer()
        finally:
            self._halt()
        self._take(add)
        if self._errors:
            raise self._errors[0]

    def _take(self, add: Callable[[PlayedGame], None]) -> None:
        while self._ended:
            add(self._ended.popleft())

    def _halt(self) -> None:
        for table in self._tables:
            table.signal.halt()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _work(self, table: Opponents) -> None:
        try:
            while not self._errors:
                number = self._todo.get_nowait()
                played = table.play(number, mix_int(self._key, number))
                if played is None:
                    break
                self._ended.append(played)
                self._news.set()
        except queue.Empty:
            pass
        except BaseException as error:  # raised again where the match waits
            self._errors.append(error)
        finally:
            self._news.set()
