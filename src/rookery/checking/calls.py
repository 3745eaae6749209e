"""Calls of the functions of a problem or a game, each verified, and interrupted if it never returns."""

from __future__ import annotations

import ctypes
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from types import TracebackType
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from rookery.checking.origin import at_def, in_words
from rookery.checking.report import Broken, Log, Stuck
from rookery.problem import Limits
from rookery.rng import Stream

if TYPE_CHECKING:
    from rookery.checking.records import RecordCalls


POLL = 0.05
"""Seconds between two looks at the clock."""
IDLE = 20.0
"""A call that does not compute, but waits, may take this many times as long: on a busy machine all calls do."""


class Patience:
    """While in this context, a call that takes longer than this many seconds raises :class:`Stuck` where it is.

    Only Python code can be interrupted like this: the exception arrives between two of its instructions.

    >>> with Patience(30.0) as patience:
    ...     patience.began()
    ...     patience.ended()
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since: float | None = None
        self._computed = 0.0
        self._most = seconds
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.get_ident()

    def began(self, seconds: float | None = None) -> None:
        """A call begins; it may take this many seconds, by default as many as any call."""
        self._most = self.seconds if seconds is None else min(seconds, self.seconds)
        self._computed = time.process_time()
        self._since = time.monotonic()

    def ended(self) -> None:
        """The call is over."""
        with self._lock:
            self._since = None

    def __enter__(self) -> Patience:
        self._thread = threading.get_ident()
        threading.Thread(target=self._watch, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()

    def _watch(self) -> None:
        while not self._over.wait(POLL):
            with self._lock:  # the call cannot end between the look and the exception
                if self._since is not None and self._overdue(time.monotonic() - self._since):
                    self._since = None
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Stuck))

    def _overdue(self, waited: float) -> bool:
        computed = time.process_time() - self._computed
        return waited > self._most and (computed > self._most or waited > IDLE * self._most)


REAL = ("score", "bias", "prior", "estimate")
"""Functions that return a float."""


class Calls(ABC):
    """Calls the functions of a model; ``path`` are the moves that lead to the state at hand."""

    limits: Limits | None = None
    """What is declared; None if nothing is."""
    codes: int | None = None
    """Codes are below this; None: any."""
    _passed: tuple[type[Exception], ...] = (Broken,)
    """Exceptions that are not findings yet."""

    def __init__(self, of: Any, log: Log, patience: Patience) -> None:
        self.of, self.log, self.patience = of, log, patience
        self.path: list[Any] = []

    # --- findings ---

    def find(self, name: str, function: str, text: str) -> None:
        """Note a finding at the state at hand, with the place of the function."""
        self.log.add(name, function, text + (at_def(self.of, function) if function else ""), self.path)

    def fail(self, name: str, function: str, text: str) -> NoReturn:
        """Note a finding after which the playout cannot continue."""
        self.find(name, function, text)
        raise Broken

    def several(self, value: Any) -> tuple[float, ...]:
        """The numbers that ``biases`` returned."""
        try:
            return tuple(map(float, value))
        except (TypeError, ValueError):
            self.fail("not-a-number", "biases", f"it must return a tuple of numbers, got {value!r}")

    def guarded(self, name: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call; an exception is noted, and ends the playout."""
        try:
            return self._within(None, call, *arguments)
        except self._passed:
            raise
        except Exception as error:
            self.exception(name, error)
            raise Broken from error

    def _within(self, most: float | None, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call for at most ``most`` seconds, or the usual time."""
        self.patience.began(most)
        try:
            return call(*arguments)
        finally:
            self.patience.ended()

    def exception(self, name: str, error: Exception) -> None:
        """Note what a function raised."""
        kind = "does-not-return" if isinstance(error, Stuck) else "exception"
        self.log.add(kind, name, in_words(self.of, name, error), self.path)

    # --- states ---

    @abstractmethod
    def begin(self) -> Any:
        """The first state."""

    @abstractmethod
    def copy(self, state: Any) -> Any:
        """A separate state with the same values."""

    @abstractmethod
    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""

    @abstractmethod
    def change(self, name: str, state: Any, *arguments: Any) -> Any:
        """The state after a function that changes it."""

    def begin_playout(self, state: Any) -> Any:
        """The state prepared for a playout, if there is anything to prepare."""
        return self.change("begin_playout", state) if self.has("begin_playout") else state

    @abstractmethod
    def identity(self, state: Any) -> Hashable:
        """A value that is equal for states with equal content; None if that is not known."""

    def intact(self, state: Any) -> Callable[[], None]:
        """A function that verifies later that a state is still what it is now: playing on a copy must not change it."""
        return lambda: None

    # --- functions that leave the state as it is ---

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether the model defines an optional function."""

    @abstractmethod
    def value(self, name: str, state: Any, *arguments: Any) -> Any:
        """What a function returns."""

    @abstractmethod
    def values(self, name: str, state: Any, arguments: Iterable[Any]) -> tuple[Any, ...]:
        """What it returns for each of many arguments."""

    @abstractmethod
    def listed(self, name: str, state: Any) -> tuple[Any, ...]:
        """What ``moves`` or ``playout_moves`` lists."""

    @abstractmethod
    def draw(self, name: str, state: Any, stream: Stream, moves: list[Any] | None = None, once: bool = False) -> Any:
        """What a function draws from a stream, which moves on; ``once``: it is called a single time, as it is."""


POISONS = (-0x5EED0F0D15C0FFEE, -0x0DDBA11C0FFEE5ED)
"""What ``out`` is filled with before ``moves`` is called; a different one each time."""


class Lister:
    """Calls a function that lists moves, and reads what it wrote."""

    def __init__(self, calls: RecordCalls, name: str) -> None:
        self._calls, self._name = calls, name
        self._most = calls.limits.moves
        self._poison = 0

    def __call__(self, state: Any) -> tuple[int, ...]:
        """What the function writes, into a list of exactly the declared room."""
        out, poison = self._fresh(self._most)
        try:
            n = self._count(state, out)
        except IndexError:
            if not self._writes_past(state):
                raise
            raise Broken from None
        if n > self._most:
            self._too_many(n)
            raise Broken
        if n < 0:
            self._calls.find("negative-count", self._name, f"it returned {n}, which is negative")
        listed = tuple(int(move) for move in out[: max(n, 0)])
        if poison in listed:
            i = listed.index(poison)
            self._calls.fail("moves-not-written", self._name, f"it returned {n}, but wrote nothing to out[{i}]")
        return listed

    def _count(self, state: Any, out: Any) -> int:
        n: int = self._calls.read(self._name, self._calls.raw(self._name, state, out))
        return n

    def _fresh(self, size: int) -> tuple[Any, int]:
        self._poison += 1
        poison = POISONS[self._poison % 2]
        return np.full(size, poison, np.int64), poison

    def _writes_past(self, state: Any) -> bool:
        """Whether the function works once ``out`` has more room; if so, that is noted as the fault."""
        most = self._most
        out, poison = self._fresh(4 * most + 64)
        try:
            n = self._count(self._calls.copy(state), out)
        except IndexError:
            return False
        if n > most:
            self._too_many(n)
        elif (out[most:] != poison).any():
            i = most + int(np.argmax(out[most:] != poison))
            self._calls.find("writes-past-out", self._name, f"it wrote to out[{i}], but limits() declares moves={most}")
        else:
            return False
        return True

    def _too_many(self, n: int) -> None:
        self._calls.find("too-many-moves", self._name, f"it returned {n}, but limits() declares moves={self._most}")
