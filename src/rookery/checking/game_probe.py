"""Phase three for games: each compiled function against itself interpreted, along games, every array index checked."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from rookery.checking.fields import record_of
from rookery.checking.game_kernels import make_game_probe
from rookery.checking.game_records import RecordGameWatch
from rookery.checking.game_watch import OVER, Played, View
from rookery.checking.report import Broken
from rookery.compiler.gameworker import GameEngine
from rookery.compiler.workspace import legal_width
from rookery.errors import CompileError
from rookery.game import GAME_PARAMETERS, Game
from rookery.rng import Stream

OPERATION = {name: number for number, name in enumerate(GAME_PARAMETERS)}
_MASK = (1 << 64) - 1
WALKS = 60
"""Games that are compared, if there is time."""


class GameProber:
    """The compiled functions of a game on one state, called one by one."""

    def __init__(self, game: Game) -> None:
        self.engine = GameEngine(game, debug=True)
        self.states = np.zeros(1, self.engine.specialisation.dtype)
        self.out = np.zeros(legal_width(self.engine.limits), np.int64)
        self.rng = np.zeros(4, np.uint64)
        self.engine.warm("game_probe", make_game_probe, *self._arguments(0, 0))

    def _arguments(self, operation: int, move: int) -> tuple[Any, ...]:
        return operation, self.engine.constants, self.states, self.out, move, self.rng

    def call(self, name: str, move: int = 0) -> int:
        """What a function returns; what it writes is in ``states``, ``out`` and ``rng``."""
        kernel = self.engine.specialisation.entry("game_probe", make_game_probe)
        return int(kernel(*self._arguments(OPERATION[name], move)))


class _Walk:
    """Walks along games with both, and notes the first difference of each function."""

    def __init__(self, watch: RecordGameWatch, prober: GameProber) -> None:
        self._watch, self._prober = watch, prober

    def along(self, played: Played) -> None:
        """Compare every function at every step of a game."""
        watch, states = self._watch, self._prober.states
        states[0] = np.zeros((), states.dtype)
        state = watch.begin()
        self._call("start")
        self._same_state("start", state)
        for step, move in enumerate(played.moves):
            self._same_view(state, watch.view(state), step)
            state = watch.after(state, move)
            self._call("play", move)
            self._same_state("play", state)
        self._same_view(state, watch.view(state), len(played.moves))

    def _call(self, name: str, move: int = 0) -> int:
        try:
            return self._prober.call(name, move)
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            self._watch.find("compiled-exception", name, f"compiled it raises {text}")
            raise Broken from error

    def _listed(self, name: str) -> tuple[int, ...]:
        n = self._call(name)
        return tuple(int(move) for move in self._prober.out[: max(n, 0)])

    def _same_view(self, state: Any, view: View, step: int) -> None:
        watch = self._watch
        self._same("moves", "", view.moves, self._listed("moves"))
        for move, code in view.coded.items():
            self._same("code", f" of the move {move}", code, self._call("code", move))
        self._same("player", "", view.player, self._call("player"))
        if view.winner is not None:
            self._same("winner", "", view.winner, self._call("winner"))
        self._same("key", "", view.key, self._call("key") & _MASK)
        if watch.has("playout_moves"):
            self._same("playout_moves", "", view.playout, self._listed("playout_moves"))
        if watch.has("sample"):
            stream = Stream(step)
            self._prober.rng[:] = np.array(stream.words, np.uint64)
            move = self._call("sample")
            compiled = (OVER if move < 0 else move, *map(int, self._prober.rng))
            self._same("sample", "", (watch.drawn(watch.copy(state), stream), *stream.words), compiled)
        self._same_state("", state)
        if watch.has("playout"):
            stream = Stream(step)
            self._prober.rng[:] = np.array(stream.words, np.uint64)
            compiled = (self._call("playout"), *map(int, self._prober.rng))
            self._prober.states[0] = record_of(state)
            self._same("playout", "", (watch.played_out(state, stream), *stream.words), compiled)

    def _same(self, name: str, of: str, interpreted: Any, compiled: Any) -> None:
        if interpreted != compiled:
            a, b = (_short(value) for value in (interpreted, compiled))
            self._watch.find("compiled-differs", name, f"{name}{of} is {b} compiled, {a} interpreted")
            raise Broken

    def _same_state(self, name: str, state: Any) -> None:
        """Compare the states; one that differs by rounding alone is made equal, to go on."""
        states, mine = self._watch.call.states, self._prober.states[0]
        for field in self._watch.call.scratch:
            mine[field] = 0
        record = record_of(state)
        if mine.tobytes() == record.tobytes():
            return
        fields = states.differences(mine, record)
        if fields:
            text = "{} is {} compiled, {} interpreted".format(*fields[0])
            if not states.only_rounding(mine, record):
                self._watch.find("compiled-differs", name, text)
                raise Broken
            self._watch.find("rounding-differs", name, text)
        self._prober.states[0] = record


def compare_game_functions(watch: RecordGameWatch, seconds: float) -> GameProber | None:
    """Compile the game with bounds checks and compare along its games; the compiled functions if all was well."""
    try:
        prober = GameProber(watch.of)
    except CompileError as error:
        watch.log.add("compile-error", "", str(error))
        return None
    walk = _Walk(watch, prober)
    games = watch.seen.games
    deadline = time.perf_counter() + seconds
    for i, played in enumerate(games[:: max(1, len(games) // WALKS)]):
        try:
            walk.along(played)
        except Broken:
            return None
        if time.perf_counter() > deadline and i:
            break
    return prober


def _short(value: Any) -> str:
    text = str(list(value)) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
