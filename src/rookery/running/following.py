"""What a run in the background tells whoever follows it, and how it is asked to stop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from rookery.running.callbacks import Callback, Progress
from rookery.running.interrupts import Interrupts
from rookery.running.result import Result


class Requests(Interrupts):
    """Requests to stop a run in another thread: those of its handle, and one when the program ends.

    Python ends only when this thread does, so that the run can be kept on disk and its workers sent home.

    >>> requests = Requests()
    >>> requests.request()
    >>> requests.pending
    True
    """

    _ends = False  # the program does, and the run knows

    @property
    def pending(self) -> bool:
        """Whether a request waits to be answered."""
        if not self._ends and not threading.main_thread().is_alive():
            self._ends = True
            self.request()
        return super().pending


class Following(Callback):
    """An observer that knows where a run stands, and its best so far.

    Everything is noted in the thread of the run, where nothing changes meanwhile; others only look.

    >>> Following().status
    'starting'
    """

    def __init__(self) -> None:
        self.requests = Requests()
        self.status = "starting"
        self.progress: Progress | None = None
        self.best: Result | None = None

    _where: Callable[[], Progress] | None = None
    _so_far: Callable[[], Result | None] | None = None

    def begin(self, where: Callable[[], Progress], so_far: Callable[[], Result | None]) -> None:
        """The search begins: how to ask for where it stands, and for the result so far."""
        self._where, self._so_far = where, so_far
        self.progress, self.best, self.status = where(), so_far(), "running"

    def on_tick(self, progress: Any) -> None:
        """Where it stands."""
        self.progress = progress

    def on_best(self, progress: Any, moves: Sequence[Any]) -> None:
        """A better sequence."""
        assert self._so_far is not None
        self.progress, self.best = progress, self._so_far()

    def on_end(self, result: Result) -> None:
        """The end of the search, though not yet of the run."""
        assert self._where is not None
        self.progress, self.best = self._where(), result

    def end(self, status: str, best: Result | None) -> None:
        """The end of the run: nothing that it was made of is held any longer."""
        self._where = self._so_far = None
        self.best, self.status = best or self.best, status

    def stop(self) -> None:
        """Ask the run to stop; asking again changes nothing."""
        if not self.requests.requests:
            self.requests.request()
