"""A line of progress on standard error."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import Any, TextIO

from rookery.callbacks import Callback, Progress
from rookery.problem import PythonProblem
from rookery.result import Result

QUIET_SECONDS = 1.0
"""Where there is no terminal: the least time between two lines, and what a compilation may take unmentioned."""


class ProgressLine(Callback):
    """Shows where a run stands: one live line in a terminal; elsewhere a plain line for improvements.

    Close it when the run ends, also by an exception: a terminal is left with its cursor hidden otherwise.

    Parameters
    ----------
    stream
        standard error by default

    >>> import io, rookery as rk
    >>> line = ProgressLine(io.StringIO())
    >>> rk.solve(rk.LeftMove(depth=5), rk.NRPA(level=1, iterations=50), seed=1, callbacks=[line]).playouts
    50
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = sys.stderr if stream is None else stream
        self._live: Any = None
        self._problem: Any = None
        self._search = ""
        self._began = time.perf_counter()
        self._compiling = False
        self._progress: Progress | None = None
        self._pending = False
        self._printed = 0.0
        if _is_terminal(self._stream):
            from rich.console import Console
            from rich.live import Live

            console = Console(file=self._stream)
            self._live = Live(console=console, get_renderable=self._render, transient=True, redirect_stdout=False)

    # --- what a run tells ---

    def on_compile(self, problem: Any) -> None:
        """Say that it compiles, until the search begins."""
        self._problem = problem
        self._began = time.perf_counter()
        self._compiling = not isinstance(problem, PythonProblem)
        if self._live is not None:
            self._live.start()

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """Go over from compiling to searching."""
        self._problem, self._search = problem, search.name
        seconds = time.perf_counter() - self._began
        if self._live is None and self._compiling and seconds > QUIET_SECONDS:
            self._print(f"compiled in {seconds:.1f} s")
        self._compiling = False

    def on_best(self, progress: Progress, moves: Sequence[Any]) -> None:
        """Note an improvement."""
        self._progress = progress
        self._pending = True

    def on_tick(self, progress: Progress) -> None:
        """Bring the line up to date."""
        self._progress = progress
        if self._live is None and self._pending and progress.seconds - self._printed >= QUIET_SECONDS:
            self._print(self.text(progress))
            self._pending = False
            self._printed = progress.seconds

    def on_warning(self, text: str) -> None:
        """Say it above the line."""
        if self._live is not None and self._live.is_started:
            self._live.console.print(f"rookery: {text}", markup=False, highlight=False)
        else:
            self._print(f"rookery: {text}")

    def on_end(self, result: Result) -> None:
        """Take the line away."""
        self.close()

    def close(self) -> None:
        """Take the line away and show the cursor again; more than once does no harm."""
        if self._live is not None:
            self._live.stop()

    # --- what is shown ---

    def text(self, progress: Progress) -> str:
        """Where a run stands, in one line."""
        parts = [f"{self._search} level {progress.level}" if progress.level else self._search]
        if progress.iterations is not None:
            iteration = progress.iteration - progress.restart * progress.iterations
            parts.append(f"iteration {min(max(0, iteration), progress.iterations):,}/{progress.iterations:,}")
        if progress.restart > 0:
            parts.append(f"restart {progress.restart:,}")
        if progress.score is not None:
            parts.append(f"best {self._score(progress.score)}")
        parts.append(f"{progress.playouts:,} playouts")
        if progress.seconds > 0:
            parts.append(f"{progress.playouts / progress.seconds:,.0f}/s")
        if progress.workers > 1:
            parts.append(f"{progress.running}/{progress.workers} busy")
            parts.append(f"{progress.tasks:,} tasks, {progress.discarded:,} in vain")
            parts.append(f"{progress.speedup:.1f}x")
        parts.append(elapsed(progress.seconds))
        return " | ".join(parts)

    def _score(self, score: float) -> str:
        try:
            return str(self._problem.format_score(score))
        except Exception:  # a slip in a hook for people must not end a run of hours
            return f"{score:g}"

    def _render(self) -> Any:
        from rich.text import Text

        if self._progress is not None:
            line = self.text(self._progress)
        else:
            what = "compiling" if self._compiling else "starting"
            line = f"{what} {type(self._problem).__name__} ... {elapsed(time.perf_counter() - self._began)}"
        return Text(line, no_wrap=True, overflow="ellipsis")

    def _print(self, line: str) -> None:
        print(line, file=self._stream, flush=True)


def elapsed(seconds: float) -> str:
    """A duration as people read it.

    >>> elapsed(12.34), elapsed(125), elapsed(3725)
    ('12.3 s', '2:05', '1:02:05')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _is_terminal(stream: TextIO) -> bool:
    return stream.isatty() and os.environ.get("TERM") not in ("dumb", "unknown")
