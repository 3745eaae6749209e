"""Ctrl-C and SIGTERM: both end a search with the best so far."""

from __future__ import annotations

import signal
import threading
import time
from types import FrameType, TracebackType
from typing import Any

import rookery as rk

ONE_REQUEST = 1.0
"""Signals within this many seconds are one request: some programs that stop others send two."""


class Interrupts(rk.Callback):
    """While in this context, SIGTERM raises KeyboardInterrupt as Ctrl-C does; which it was is remembered.

    >>> with Interrupts() as interrupts:
    ...     pass
    >>> interrupts.exit_code is None
    True
    """

    def __init__(self) -> None:
        self.exit_code: int | None = None
        self._at = float("-inf")
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.getsignal(number)
                if handler not in (signal.SIG_IGN, None):  # whoever started us wants it ignored
                    self._before[number] = handler
                    signal.signal(number, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def on_tick(self, progress: rk.Progress) -> None:
        """Raise again what was swallowed: an exception that a signal raises while LLVM is at work gets lost."""
        if self.exit_code is not None:
            raise KeyboardInterrupt

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if time.monotonic() - self._at < ONE_REQUEST:
            return
        self._at = time.monotonic()
        if self.exit_code is None:
            self.exit_code = 128 + number
        if not rk.interrupt_run():  # which raises it where nothing is left half done
            raise KeyboardInterrupt
