"""Ctrl-C during a run: it ends the run, with the best so far."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, TracebackType
from typing import Any, TypeVar

T = TypeVar("T")

_runs: list[Interrupts] = []  # of the main thread, the innermost last


def interrupt_run() -> bool:
    """Ask the run in the main thread to stop, for signal handlers; False if there is none.

    It is as if Ctrl-C had been pressed: KeyboardInterrupt is raised, at once or when the run can be interrupted.

    >>> interrupt_run()
    False
    """
    if _runs:
        _runs[-1].note()
    return bool(_runs)


class Interrupts:
    """While in this context, no request to stop is lost, and none comes in the middle of a commit.

    By itself Python raises KeyboardInterrupt wherever it happens to be. In the middle of a compilation that leaves a
    compiler that may crash later; in the middle of a commit, half a commit. So requests are counted, and raised only
    where the run listens: at once, or as soon as it listens again. A third one is raised in any case, for code that
    hangs. The handler is replaced in the main thread only, and only if it is Python's own.

    >>> with Interrupts() as interrupts:
    ...     signal.raise_signal(signal.SIGINT)
    ...     try:
    ...         interrupts.listen()
    ...     except KeyboardInterrupt:
    ...         print("asked to stop")
    asked to stop
    """

    PATIENCE = 2
    """This many requests wait until the run listens."""

    requests = 0
    _answered = 0
    _listening = False  # from the start: a request must not come between here and the with statement
    _handler: Callable[[int, FrameType | None], None] | None = None  # ours, if it is in place

    def __enter__(self) -> Interrupts:
        main = threading.current_thread() is threading.main_thread()
        if main:
            _runs.append(self)
        if main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._handler = self._note
            signal.signal(signal.SIGINT, self._handler)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listening = False
        if self in _runs:
            _runs.remove(self)
        if self._handler and signal.getsignal(signal.SIGINT) is self._handler:  # else somebody has set another
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def listen(self) -> None:
        """From now on requests are raised at once; one that was waiting or lost is raised now."""
        self._listening = True
        if self.pending:
            raise KeyboardInterrupt

    @property
    def pending(self) -> bool:
        """Whether a request waits to be answered."""
        return self.requests > self._answered

    @property
    def impatient(self) -> bool:
        """Whether there were so many requests that nothing can wait any more."""
        return self.requests > self.PATIENCE

    def hold(self) -> None:
        """From now on requests wait."""
        self._listening = False

    def answer(self) -> None:
        """The requests so far are being answered; further ones wait."""
        self._listening = False
        self._answered = self.requests

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Listen within a block, and hold after it."""
        try:
            self.listen()
            yield
        finally:
            self.hold()

    def interruptible(self, call: Callable[..., T], *arguments: Any) -> T:
        """Call something, listen meanwhile, and hold after it."""
        with self.listening():
            return call(*arguments)

    @contextmanager
    def compiling(self, compiled: bool = True) -> Iterator[None]:
        """Hold while a compiler is at work: an interrupted one may crash the next time it is used."""
        if compiled:
            self.hold()
        yield
        self.listen()

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.note()

    def request(self) -> None:
        """Ask the run to stop, from another thread: it is raised when the run listens the next time."""
        self.requests += 1

    def note(self) -> None:
        """Count a request; raise it if the run listens."""
        self.requests += 1
        if self._listening or self.impatient:
            raise KeyboardInterrupt
