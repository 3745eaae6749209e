"""Phase three: each compiled function against itself interpreted, along playouts, with every array index checked."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np

from rookery.checking.fields import record_of
from rookery.checking.kernels import make_probe
from rookery.checking.records import RecordWatch
from rookery.checking.report import Broken, Log
from rookery.checking.watch import Look, Playout
from rookery.compiler.engine import CompiledEngine
from rookery.errors import CompileError
from rookery.problem import PARAMETERS, Problem
from rookery.rng import Stream

OPERATION = {name: number for number, name in enumerate(PARAMETERS)}
_MASK = (1 << 64) - 1
WALKS = 60
"""Playouts that are compared, if there is time."""


class Prober:
    """The compiled functions of a problem on one state, called one by one."""

    def __init__(self, problem: Problem) -> None:
        self.engine = CompiledEngine(problem, debug=True)
        self.states = np.zeros(1, self.engine.specialisation.dtype)
        self.out = np.zeros(4 * self.engine.limits.moves + 64, np.int64)
        self.rng = np.zeros(4, np.uint64)
        self.hashed = self.engine.specialisation.hashed
        self.engine.warm("probe", make_probe, *self._arguments(0, 0, 0))

    def _arguments(self, operation: int, move: int, other: int) -> tuple[Any, ...]:
        return operation, self.engine.constants, self.states, self.out, move, other, self.rng

    def call(self, name: str, move: int = 0, other: int = 0) -> int | float:
        """What a function returns; what it writes is in ``states``, ``out`` and ``rng``."""
        kernel = self.engine.specialisation.entry("probe", make_probe)
        whole, real = kernel(*self._arguments(OPERATION[name], move, other))
        return float(real) if name in ("score", "bias") else int(whole)


class Walk:
    """Walks along playouts with both, and notes the first difference of each function."""

    def __init__(self, watch: RecordWatch, prober: Prober, log: Log) -> None:
        self.watch, self.prober, self.log = watch, prober, log

    def along(self, playout: Playout) -> None:
        """Compare every function at every step of a playout."""
        watch, states = self.watch, self.prober.states
        states[0] = np.zeros((), states.dtype)
        state = watch.start()
        self._call("start")
        self._same_state("start", state)
        begin = getattr(watch, "begin_playout", None)
        if begin is not None:
            begin(state)
            self._call("begin_playout")
            self._same_state("begin_playout", state)
        for step, move in enumerate(playout.moves):
            self._same_look(state, watch.look(state), Stream(step))
            watch.step(state, move)
            self._call("play", move)
            self._same_state("play", state)
        self._same_look(state, watch.look(state), None)
        self._same("score", "", playout.score, self._call("score"))

    def _call(self, name: str, move: int = 0, other: int = 0) -> int | float:
        try:
            return self.prober.call(name, move, other)
        except Exception as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())
            self.watch.find("compiled-exception", name, f"compiled it raises {text}{self.watch.place(name)}")
            raise Broken from error

    def _same_look(self, state: Any, look: Look, stream: Stream | None) -> None:
        call, prober = self.watch.call, self.prober
        n = int(self._call("moves"))
        self._same("moves", "", look.moves, tuple(int(move) for move in prober.out[: max(n, 0)]))
        for i, move in enumerate(look.moves):
            code = int(self._call("code", move))
            self._same("code", f" of the move {move}", look.codes[i], code & _MASK if prober.hashed else code)
            if look.biases:
                self._same("bias", f" of the move {move}", look.biases[i], self._call("bias", move))
            if call.has("nth"):
                self._same("nth", f" of {i}", move, self._call("nth", i))
        if call.has("count"):
            self._same("count", "", len(look.moves), self._call("count"))
        if call.has("key"):
            self._same("key", "", call.key(state), int(self._call("key")) & _MASK)
        if call.has("commute"):
            for a, b in zip(look.moves, look.moves[1:], strict=False):
                self._same(
                    "commute", f" of {a} and {b}", bool(call.raw("commute", a, b)), bool(self._call("commute", a, b))
                )
        if call.has("choose") and stream is not None:
            self._same_choice(state, look, stream)
        self._same_state("", state)

    def _same_choice(self, state: Any, look: Look, stream: Stream) -> None:
        prober = self.prober
        prober.out[: len(look.moves)] = look.moves
        prober.rng[:] = np.array(stream.words, np.uint64)
        compiled = int(self._call("choose", len(look.moves))), *map(int, prober.rng)
        index = self.watch.choose(state, list(look.moves), stream)  # type: ignore[attr-defined]
        self._same("choose", "", (index, *stream.words), compiled)

    def _same(self, name: str, of: str, interpreted: Any, compiled: Any) -> None:
        if interpreted == compiled or (interpreted != interpreted and compiled != compiled):
            return
        a, b = (_short(value) for value in (interpreted, compiled))
        if isinstance(interpreted, float) and math.isclose(interpreted, compiled, rel_tol=1e-9, abs_tol=1e-12):
            self.watch.find("rounding-differs", name, f"{name}{of} is {b} compiled, {a} interpreted")
            return
        text = f"{name}{of} is {b} compiled, {a} interpreted{self.watch.place(name)}"
        self.watch.find("compiled-differs", name, text)
        raise Broken

    def _same_state(self, name: str, state: Any) -> None:
        """Compare the states; one that differs by rounding alone is made equal, to go on."""
        states, mine = self.watch.call.states, self.prober.states[0]
        state = record_of(state)
        if mine.tobytes() == state.tobytes():
            return
        fields = states.differences(mine, state)
        if fields:
            field, compiled, interpreted = fields[0]
            text = f"{field} is {compiled} compiled, {interpreted} interpreted"
            if not states.only_rounding(mine, state):
                self.watch.find("compiled-differs", name, text + (self.watch.place(name) if name else ""))
                raise Broken
            self.watch.find("rounding-differs", name, text)
        self.prober.states[0] = state


def compare_functions(watch: RecordWatch, log: Log, seconds: float) -> bool:
    """Compile the problem with bounds checks and compare along its playouts; whether all was well."""
    assert isinstance(watch.of, Problem)
    try:
        prober = Prober(watch.of)
    except CompileError as error:
        log.add("compile-error", "", str(error))
        return False
    walk = Walk(watch, prober, log)
    playouts = watch.seen.playouts
    deadline = time.perf_counter() + seconds
    for i, playout in enumerate(playouts[:: max(1, len(playouts) // WALKS)]):
        try:
            walk.along(playout)
        except Broken:
            return False
        if time.perf_counter() > deadline and i:
            break
    return True


def _short(value: Any) -> str:
    text = str(list(value)) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
