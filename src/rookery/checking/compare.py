"""Phase three: compiled code against plain Python: function by function along playouts, and whole searches."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import numpy as np

from rookery.checking.calls import REAL
from rookery.checking.kernels import OPERATIONS, make_probe
from rookery.checking.origin import as_text, shortened
from rookery.checking.report import Broken, Log
from rookery.checking.states import bytes_of, record_of
from rookery.checking.watch import Offer, Playout, Watch
from rookery.engine.compiled import CompiledEngine
from rookery.errors import CompileError
from rookery.kernels.memory import legal_width
from rookery.rng import Stream

WALKS = 60
"""Playouts that are compared, if there is time."""
T = TypeVar("T")


class Prober(ABC, Generic[Offer]):
    """Calls compiled functions one by one along playouts, and notes the first difference to the same in plain Python.

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

    def listed(self, name: str) -> tuple[int, ...]:
        """What a compiled function lists."""
        n = self.call(name)
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
        """Compare the states; one that differs by rounding alone is made equal, to go on."""
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
    """What compiled code comes to; what it raises is noted, after the words for what it ``does``."""
    try:
        return call(*arguments)
    except CompileError as error:
        log.add("compile-error", "", str(error))
        raise Broken from error
    except Exception as error:
        log.add("compiled-exception", "", f"{does} {as_text(error)}")
        raise Broken from error
