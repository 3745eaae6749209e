"""Observers of a run. They may look, not steer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rookery.result import Result


@dataclass(frozen=True)
class Progress:
    """Where a run stands. Scores are in the problem's own sense; iterations are counted over all restarts.

    Of ``workers``, ``running`` have a task now. ``tasks`` are those that are committed, ``busy`` the seconds that
    workers took for them, and ``discarded`` the tasks that were begun in vain: speculation that failed.

    >>> Progress(level=3, iteration=7, iterations=100, restart=0, playouts=1000, seconds=0.5, score=61.0).playouts
    1000
    """

    level: int
    iteration: int
    iterations: int | None
    restart: int
    playouts: int
    seconds: float
    score: float | None
    workers: int = 1
    running: int = 0
    tasks: int = 0
    discarded: int = 0
    busy: float = 0.0

    @property
    def speedup(self) -> float:
        """Seconds of one worker that a second of this run has been worth."""
        return self.busy / self.seconds if self.seconds > 0 else 0.0


class Callback:
    """Base of observers; override what you need.

    >>> class Printer(Callback):
    ...     def on_best(self, progress, moves):
    ...         print(progress.score)
    """

    def on_compile(self, problem: Any) -> None:
        """Compiling begins, or machine code is read from disk."""

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """The search begins."""

    def on_iteration(self, progress: Progress) -> None:
        """An iteration of the top level is complete."""

    def on_best(self, progress: Progress, moves: Sequence[Any]) -> None:
        """The best score so far has improved."""

    def on_replace(self, level: int, iteration: int, sequence: Sequence[Any], tie: bool) -> None:
        """A level above the atomic one has replaced its best sequence; ``tie``: by an equal score."""

    def on_tick(self, progress: Progress) -> None:
        """About ten times a second, also while a task is running; its playouts are included."""

    def on_warning(self, text: str) -> None:
        """Something went wrong that does not stop the run, such as a disk that is full."""

    def on_end(self, result: Result) -> None:
        """The run is over."""
