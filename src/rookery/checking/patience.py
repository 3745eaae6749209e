"""Functions that never return: a thread that watches the clock interrupts them."""

from __future__ import annotations

import ctypes
import threading
import time
from types import TracebackType

POLL = 0.05
"""Seconds between two looks at the clock."""


class Stuck(Exception):
    """A function that has not returned for too long."""

    def __str__(self) -> str:
        return "it did not return for a long time"


class Patience:
    """While in this context, a call that takes longer than so many seconds raises :class:`Stuck` where it stands.

    Only Python code can be interrupted so: the exception arrives between two of its instructions.

    >>> with Patience(30.0) as patience:
    ...     patience.began()
    ...     patience.ended()
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._since: float | None = None
        self._most = seconds
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._thread = threading.get_ident()

    def began(self, seconds: float | None = None) -> None:
        """A call begins; it may take so many seconds, by default as many as any call."""
        self._most = self.seconds if seconds is None else min(seconds, self.seconds)
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
                if self._since is not None and time.monotonic() - self._since > self._most:
                    self._since = None
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread), ctypes.py_object(Stuck))
