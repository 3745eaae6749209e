"""Phase three: compiled code against plain Python: function by function along playouts, and whole searches."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from rookery.checking.calls import REAL
from rookery.checking.game_watch import OVER, GameWatch, View
from rookery.checking.kernels import OPERATIONS, make_probe
from rookery.checking.origin import as_text, shortened
from rookery.checking.playouts import Ran
from rookery.checking.problem_watch import BiasedLook, ProblemWatch
from rookery.checking.report import Broken, Log
from rookery.checking.states import bytes_of, record_of
from rookery.checking.watch import Offer, Playout, Watch
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.engine.game_worker import GameEngine
from rookery.engine.interpreted import InterpretedGame
from rookery.engine.python_worker import PythonGameEngine
from rookery.errors import CompileError
from rookery.game import Game
from rookery.kernels.memory import legal_width
from rookery.rng import Stream, root_key
from rookery.search.game_search import Decision
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA
from rookery.tasks import Outcome

WALKS = 60
"""Playouts that are compared, if there is time."""
T = TypeVar("T")


class Prober(ABC, Generic[Offer]):
    """Calls compiled functions one by one along playouts, and notes the first difference from plain Python.

    What they write is in ``states``, ``out`` and ``rng``; every array index is checked.
    """

    def __init__(self, watch: Watch[Offer]) -> None:
        self.watch, self.calls = watch, watch.records
        self.engine = CompiledEngine(watch.of, debug=True)
        self.states = np.zeros(1, self.engine.specialisation.dtype)
        self.out = np.zeros(legal_width(self.engine.limits), np.int64)
        self.rng = np.zeros(4, np.uint64)
        self.engine.warm("probe", make_probe, *self._arguments("start", 0, 0))

    def _arguments(self, name: str, move: int, other: int) -> tuple[Any, ...]:
        return OPERATIONS.index(name), self.engine.constants, self.states, self.out, move, other, self.rng

    @abstractmethod
    def same_look(self, state: Any, look: Offer, step: int) -> None:
        """Compare every function that leaves the state as it is, and the state."""

    def along(self, playout: Playout) -> None:
        """Compare every function at every step of a playout."""
        watch, states = self.watch, self.states
        states[0] = np.zeros((), states.dtype)
        watch.path.clear()
        state = self._same_change("start", self.calls.begin())
        if self.calls.has("begin_playout"):
            state = self._same_change("begin_playout", self.calls.begin_playout(state))
        for step, move in enumerate(playout.moves):
            self.same_look(state, watch.look(state), step)
            state = self._same_change("play", watch.after(state, move), move)
        self.same_look(state, watch.look(state), len(playout.moves))

    def call(self, name: str, move: int = 0, other: int = 0) -> Any:
        """What a compiled function returns; keys and hashed codes as 64 bits without a sign."""
        try:
            whole, real = self.engine.call("probe", make_probe, *self._arguments(name, move, other))
        except Exception as error:
            self.watch.find("compiled-exception", name, f"compiled it raises {as_text(error)}")
            raise Broken from error
        return self.calls.read(name, float(real) if name in REAL else int(whole))

    def listed(self, name: str, about: int = 0) -> tuple[int, ...]:
        """What a compiled function lists."""
        n = self.call(name, about)
        return tuple(int(move) for move in self.out[: max(n, 0)])

    def drawn(self, name: str, stream: Stream, n: int = 0) -> tuple[int, ...]:
        """What a compiled function draws from a stream, and what is left of the stream."""
        self.rng[:] = np.array(stream.words, np.uint64)
        return self.call(name, n), *map(int, self.rng)

    def same(self, name: str, of: str, interpreted: Any, compiled: Any) -> None:
        """Compare what a function returned."""
        if interpreted == compiled or (interpreted != interpreted and compiled != compiled):
            return
        text = f"{name}{of} is {shortened(compiled)} compiled, {shortened(interpreted)} interpreted"
        if isinstance(interpreted, float) and math.isclose(interpreted, compiled, rel_tol=1e-9, abs_tol=1e-12):
            self.watch.find("rounding-differs", name, text)
        else:
            self.watch.fail("compiled-differs", name, text)

    def _same_change(self, name: str, state: Any, move: int = 0) -> Any:
        self.call(name, move)
        self.same_state(name, state)
        return state

    def same_state(self, name: str, state: Any) -> None:
        """Compare the states; one that differs only by rounding is made equal, so that the comparison can continue."""
        states, mine, record = self.calls.states, self.states[0], record_of(state)
        for scratch in self.calls.scratch:
            mine[scratch] = 0
        if self.states.tobytes() == bytes_of(state):
            return
        fields = states.differences(mine, record)
        if fields:
            text = "{} is {} compiled, {} interpreted".format(*fields[0])
            if not states.only_rounding(mine, record):
                self.watch.fail("compiled-differs", name, text)
            self.watch.find("rounding-differs", name, text)
        self.states[0] = record


def compare_functions(watch: Watch[Offer], probing: type[Prober[Offer]], seconds: float) -> CompiledEngine:
    """Compile with bounds checks and compare along playouts."""
    prober = compiled(watch.log, "to compile it raises", probing, watch)
    playouts = watch.playouts
    deadline = time.perf_counter() + seconds
    for i, playout in enumerate(playouts[:: max(1, len(playouts) // WALKS)]):
        prober.along(playout)
        if time.perf_counter() > deadline and i:
            break
    return prober.engine


def compiled(log: Log, does: str, call: Callable[..., T], *arguments: Any) -> T:
    """The result of compiled code; what it raises is noted, after the words for what it ``does``."""
    try:
        return call(*arguments)
    except CompileError as error:
        log.add("compile-error", "", str(error))
        raise Broken from error
    except Exception as error:
        log.add("compiled-exception", "", f"{does} {as_text(error)}")
        raise Broken from error


class ProblemProber(Prober[BiasedLook]):
    """Compares what a state of a problem offers."""

    watch: ProblemWatch

    def same_look(self, state: Any, look: BiasedLook, step: int) -> None:
        """Compare every function that leaves the state as it is, and the state."""
        calls = self.calls
        self.same("moves", "", look.moves, self.listed("moves"))
        for i in range(len(look.moves)):
            self._same_move(state, look, i)
        if look.estimate is not None:
            self.same("estimate", "", look.estimate, self.call("estimate"))
        if calls.has("count"):
            self.same("count", "", len(look.moves), self.call("count"))
        if calls.has("key"):
            self.same("key", "", calls.value("key", state), self.call("key"))
        if calls.has("commute"):
            for a, b in zip(look.moves, look.moves[1:], strict=False):
                both = bool(calls.raw("commute", a, b)), bool(self.call("commute", a, b))
                self.same("commute", f" of {a} and {b}", *both)
        if calls.has("choose") and look.moves:
            stream, n = Stream(step), len(look.moves)
            self.out[:n] = look.moves
            chosen = self.drawn("choose", stream, n)
            index = self.watch.choose(state, list(look.moves), stream)  # type: ignore[attr-defined]
            self.same("choose", "", (index, *stream.words), chosen)
        self.same_state("", state)
        if calls.has("undo"):
            self._same_links(state, look.moves)
        if not look.moves:
            self.same("score", "", calls.value("score", state), self.call("score"))

    def _same_move(self, state: Any, look: BiasedLook, i: int) -> None:
        """Compare what is asked of the i-th legal move."""
        calls, move = self.calls, look.moves[i]
        self.same("code", f" of the move {move}", look.codes[i], self.call("code", move))
        if look.biases:
            self.same("bias", f" of the move {move}", look.biases[i], self.call("bias", move))
        if calls.has("nth"):
            self.same("nth", f" of {i}", move, self.call("nth", i))
        if calls.has("is_legal"):
            self.same("is_legal", f" of the move {move}", True, bool(self.call("is_legal", move)))

    def _same_links(self, state: Any, moves: tuple[int, ...]) -> None:
        """Compare what moves make and need, who else makes that, and the states after they were taken back."""
        calls, before = self.calls, self.states.copy()
        for move in moves:
            of, thing = f" of the move {move}", calls.value("makes", state, move)
            self.same("makes", of, thing, self.call("makes", move))
            self.same("needs", of, calls.read("needs", calls.raw("needs", move, 0)), self.call("needs", move, 0))
            after = calls.play(calls.copy(state), move)
            self.call("play", move)
            if calls.has("makers"):
                self.same("makers", f" of {thing}", calls.makers(after, thing), self.listed("makers", thing))
                both = bool(calls.raw("clash", moves[0], move)), bool(self.call("clash", moves[0], move))
                self.same("clash", f" of {moves[0]} and {move}", *both)
            self.call("undo", move, thing)
            self.same_state("undo", calls.change("undo", after, move, thing))
            self.states[:] = before


def compare_tasks(engine: CompiledEngine, runs: list[Ran], log: Log) -> None:
    """Run the tasks again, compiled as users run them.

    A task that ran out of time is compared as far as it got.
    """
    worker = engine.worker()
    for ran in runs:
        task = ran.task.within(ran.outcome.playouts)
        outcome = compiled(log, f"{ran.name} compiled raises", worker.run, task, Signal())
        if _parts(outcome) != _parts(ran.outcome):
            rounded = log.count("rounding-differs") > 0
            text = f"{ran.name} {_outcome_words(outcome)} compiled, {_outcome_words(ran.outcome)} interpreted"
            log.add("rounding-differs" if rounded else "compiled-differs", "", text)
            if not rounded:
                raise Broken
            return


def _parts(outcome: Outcome) -> tuple[Any, ...]:
    return outcome.sequence, outcome.playouts, outcome.improvements


def _outcome_words(outcome: Outcome) -> str:
    if outcome.sequence is None:
        return "found nothing"
    moves = ", ".join(map(str, outcome.sequence.moves[:10]))
    return f"found {outcome.sequence.score!r} in {outcome.playouts} playouts ({moves}...)"


PLAYOUTS = 100
SECONDS = 1.0
"""Seconds for each search in plain Python; what it has done by then is compared."""
SEARCHES: dict[str, type[GameUCT] | type[PPA]] = {"UCT": GameUCT, "PPA": PPA}


class GameProber(Prober[View]):
    """Compares what a position offers."""

    watch: GameWatch

    def same_look(self, state: Any, look: View, step: int) -> None:
        """Compare every function that leaves the state as it is, and the state."""
        calls, watch = self.calls, self.watch
        self.same("moves", "", look.moves, self.listed("moves"))
        for move, code in look.coded.items():
            self.same("code", f" of the move {move}", code, self.call("code", move))
        for name, values in look.asked.items():
            for move, value in zip(look.moves, values, strict=True):
                self.same(name, f" of the move {move}", value, self.call(name, move))
        if look.estimate is not None:
            self.same("estimate", "", look.estimate, self.call("estimate"))
        self.same("player", "", look.player, self.call("player"))
        if look.winner is not None:
            self.same("winner", "", look.winner, self.call("winner"))
        self.same("key", "", look.key, self.call("key"))
        if calls.has("playout_moves"):
            self.same("playout_moves", "", look.playout, self.listed("playout_moves"))
        if calls.has("sample"):
            stream = Stream(step)
            move, *words = self.drawn("sample", stream)
            drawn = watch.drawn(calls.copy(state), stream)
            self.same("sample", "", (drawn, *stream.words), (OVER if move < 0 else move, *words))
        self.same_state("", state)
        if calls.has("playout"):
            stream = Stream(step)
            ended = self.drawn("playout", stream)
            self.states[0] = record_of(state)
            self.same("playout", "", (watch.played_out(state, stream), *stream.words), ended)


def compare_decisions(game: Game, engine: GameEngine, seed: int, log: Log) -> None:
    """Search for the first move with both."""
    worker, plain = engine.worker(), PythonGameEngine(InterpretedGame(game)).worker()
    for name, search in SEARCHES.items():
        try:
            slow = plain.decide(search(playouts=PLAYOUTS, seconds=SECONDS), (), root_key(seed), Signal())
        except Exception:  # what plain Python fails at here has been found before: see narrow-arithmetic
            return
        assert slow is not None
        same = search(playouts=slow.playouts)
        fast = compiled(log, f"{name} compiled raises", worker.decide, same, (), root_key(seed))
        assert fast is not None
        if dict(fast.visits) != dict(slow.visits) or dict(fast.values) != dict(slow.values):
            text = f"{name} {_decision_words(fast)} compiled, {_decision_words(slow)} interpreted"
            log.add("compiled-differs", "", text)
            raise Broken


def _decision_words(decision: Decision) -> str:
    visits = ", ".join(f"{move}: {n}" for move, n in list(decision.visits.items())[:8])
    return f"played {decision.move} after {decision.playouts} playouts ({visits}...)"
