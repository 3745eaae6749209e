"""Observers of a match, and a line of progress for people."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass
from typing import Any, TextIO

from rookery.game_searches import GameSearch
from rookery.match_result import MatchResult, MatchScore, PlayedGame
from rookery.progress import elapsed

LINE_SECONDS = 10.0
"""Between two lines where there is no terminal."""


@dataclass(frozen=True)
class MatchProgress:
    """Where a match stands: the score so far, of ``asked`` games, after so many seconds.

    >>> MatchProgress(MatchScore(games=4, wins_a=3, wins_b=1), asked=10, seconds=2.0).score.rate_a
    0.75
    """

    score: MatchScore
    asked: int
    seconds: float


class MatchCallback:
    """Base of observers of a match; override what you need. They may look, not steer.

    >>> class Printer(MatchCallback):
    ...     def on_game(self, played, progress):
    ...         print(played.number, played.winner)
    """

    def on_compile(self, game: Any) -> None:
        """Compiling begins, or machine code is read from disk."""

    def on_start(self, game: Any, a: GameSearch, b: GameSearch, progress: MatchProgress) -> None:
        """The first game begins; the score is that of a record, if there is one."""

    def on_game(self, played: PlayedGame, progress: MatchProgress) -> None:
        """A game is over."""

    def on_tick(self, progress: MatchProgress) -> None:
        """About ten times a second."""

    def on_end(self, result: MatchResult) -> None:
        """The match is over."""


class MatchLine(MatchCallback):
    """Shows the score of a match: one live line in a terminal, elsewhere a plain line now and then.

    Close it when the match ends, also by an exception: a terminal is left with its cursor hidden otherwise.

    >>> import io
    >>> stream = io.StringIO()
    >>> line = MatchLine(stream, title="go 5x5")
    >>> line.on_end(None)
    """

    def __init__(self, stream: TextIO | None = None, title: str = "") -> None:
        self._stream = sys.stderr if stream is None else stream
        self._title = title
        self._before = 0
        self._names = ("a", "b")
        self._progress: MatchProgress | None = None
        self._began = self._said = time.monotonic()
        self._live: Any = None
        if self._stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown"):
            from rich.console import Console
            from rich.live import Live

            console = Console(file=self._stream)
            self._live = Live(console=console, get_renderable=self._render, transient=True, redirect_stdout=False)

    def on_compile(self, game: Any) -> None:
        """Say that it compiles, until the first game begins."""
        self._title = self._title or type(game).__name__
        if self._live is not None:
            self._live.start()

    def on_start(self, game: Any, a: GameSearch, b: GameSearch, progress: MatchProgress) -> None:
        """Go over from compiling to playing."""
        self._names = (a.name, b.name) if a.name != b.name else (f"{a.name} (a)", f"{b.name} (b)")
        self._before = progress.score.games
        self._progress = progress

    def on_tick(self, progress: MatchProgress) -> None:
        """Bring the line up to date."""
        self._progress = progress
        if self._live is None and time.monotonic() - self._said >= LINE_SECONDS:
            self._said = time.monotonic()
            print(self.text(progress), file=self._stream, flush=True)

    def on_end(self, result: MatchResult) -> None:
        """Take the line away."""
        self.close()

    def close(self) -> None:
        """Take the line away and show the cursor again; more than once does no harm."""
        if self._live is not None:
            self._live.stop()

    def text(self, progress: MatchProgress) -> str:
        """Where a match stands, in one line."""
        score, (a, b) = progress.score, self._names
        parts = [self._title, f"game {score.games:,}/{progress.asked:,}", f"{a} {score.wins_a}, {b} {score.wins_b}"]
        if score.draws:
            parts.append(f"draws {score.draws}")
        if score.rate_a is not None:
            parts.append(f"{100 * score.rate_a:.1f}%")
        played = score.games - self._before
        if played and progress.asked > score.games:
            parts.append(f"{elapsed(progress.seconds / played * (progress.asked - score.games))} to go")
        return " | ".join([*parts, elapsed(progress.seconds)])

    def _render(self) -> Any:
        from rich.text import Text

        waiting = f"compiling {self._title} ... {elapsed(time.monotonic() - self._began)}"
        line = waiting if self._progress is None else self.text(self._progress)
        return Text(line, no_wrap=True, overflow="ellipsis")
