"""Observers of a run. They may look, not steer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rookery.running.result import Improvement

from rookery.errors import InputError


@dataclass(frozen=True)
class Progress:
    """Where a run stands. Scores are in the problem's own sense; iterations are counted over all restarts.

    Of ``workers``, ``running`` have a task now. ``tasks`` are those committed, ``busy`` the seconds that
    workers took for them, and ``discarded`` the tasks that were begun in vain: speculation that failed. ``details`` is
    what the search says of itself in words, such as the temperatures of tempering, and ``figures`` the same as lists of
    numbers. ``improvements`` are those that ``on_best`` is about.

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
    details: tuple[str, ...] = ()
    figures: Mapping[str, Sequence[float]] = field(default_factory=dict)
    improvements: tuple[Improvement, ...] = ()

    @property
    def speedup(self) -> float:
        """How many seconds of one worker each second of this run has been worth."""
        return self.busy / self.seconds if self.seconds > 0 else 0.0

    @property
    def share(self) -> float | None:
        """How much of the search, or of its last restart, is done; None if it has no end of its own."""
        if not self.iterations:
            return None
        return (self.iteration - self.restart * self.iterations) / self.iterations

    def to_json(self) -> dict[str, Any]:
        """Where the run stands, as plain values."""
        names = ("seconds", "score", "playouts", "iteration", "restart", "workers", "running", "tasks", "discarded")
        told = {**{name: getattr(self, name) for name in names}, "speedup": round(self.speedup, 3)}
        return {**told, "figures": dict(self.figures)} if self.figures else told

    def parts(self, problem: Any, search: Any) -> list[str]:
        """Where the run stands, in words."""
        parts = [f"{search.name} level {self.level}" if self.level else str(search.name)]
        if self.iterations is not None:
            iteration = self.iteration - self.restart * self.iterations
            parts.append(f"iteration {min(max(0, iteration), self.iterations):,}/{self.iterations:,}")
        if self.restart > 0:
            parts.append(f"restart {self.restart:,}")
        if self.score is not None:
            parts.append(f"best {self.written_score(problem)}")
        parts.append(f"{self.playouts:,} playouts")
        if self.seconds > 0:
            parts.append(f"{self.playouts / self.seconds:,.0f}/s")
        parts.extend(self.details)
        if self.workers > 1:
            parts.append(f"{self.running}/{self.workers} busy")
            parts.append(f"{self.tasks:,} tasks, {self.discarded:,} in vain")
            parts.append(f"{self.speedup:.1f}x")
        return parts

    def written_score(self, problem: Any) -> str:
        """The best score as the problem writes it; a dash before the first playout."""
        if self.score is None:
            return "-"
        try:
            return str(problem.format_score(self.score))
        except Exception:  # a bug in a display method must not end a run of hours
            return f"{self.score:g}"


class Callback:
    """Base of observers of a run or a match; override what you need.

    In a match, ``progress`` is a :class:`rookery.tools.MatchProgress`, ``search`` the pair of the two sides, and
    ``result`` a :class:`rookery.MatchResult`.

    >>> class Printer(Callback):
    ...     def on_best(self, progress, moves):
    ...         print(progress.score)
    """

    def on_compile(self, problem: Any) -> None:
        """Compiling begins, or machine code is read from disk."""

    def on_workers(self, executor: str, workers: int) -> None:
        """The workers are ready: what they are, such as ``"threads"``, and how many."""

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """The search begins."""

    def on_iteration(self, progress: Progress) -> None:
        """An iteration of the top level is complete."""

    def on_best(self, progress: Progress, moves: Sequence[Any]) -> None:
        """The best score so far has improved."""

    def on_replace(self, level: int, iteration: int, sequence: Sequence[Any], tie: bool) -> None:
        """A level above the atomic one has replaced its best sequence.

        ``tie``: by one of an equal score, which may be the same sequence, found once more. What the tie rule of the
        level does not let in is not told.
        """

    def on_game(self, played: Any, progress: Any) -> None:
        """A game of a match is over: a :class:`rookery.tools.PlayedGame`."""

    def on_tick(self, progress: Any) -> None:
        """About ten times a second, even while a task is running; its playouts are included."""

    def on_warning(self, text: str) -> None:
        """Something went wrong that does not stop the run, such as a disk that is full."""

    def on_end(self, result: Any) -> None:
        """The run is over."""


def checked_callbacks(callbacks: Any) -> list[Callback]:
    """Observers, each checked to be one.

    >>> checked_callbacks(print)
    Traceback (most recent call last):
    rookery.errors.InputError: callbacks must be a list of Callback objects, got <built-in function print>
    """
    for given in callbacks if isinstance(callbacks, (list, tuple)) else [callbacks]:
        if given is callbacks or not isinstance(given, Callback):
            raise InputError(f"callbacks must be a list of Callback objects, got {callbacks!r}")
    return list(callbacks)
