"""A line of progress on standard error; in a notebook, a bar."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import Any, TextIO

from rookery.game import PythonGame
from rookery.problem import PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.notebook import NotebookBar, in_notebook

BEST_SECONDS = 1.0
"""Where there is no terminal: the least time between two lines, and before a compilation is mentioned."""
GAME_SECONDS = 10.0
"""The same between two lines of a match, which has news all the time."""


class ProgressLine(Callback):
    """Shows where a run or a match stands: one live line in a terminal, a bar in a notebook, elsewhere plain lines.

    Close it when the run ends, even by an exception: otherwise the terminal's cursor stays hidden.

    Parameters
    ----------
    stream
        standard error by default
    title
        what the line begins with

    >>> import io, rookery as rk
    >>> line = ProgressLine(io.StringIO())
    >>> rk.solve(rk.problems.LeftMove(depth=5), rk.NRPA(level=1, iterations=50), seed=1, callbacks=[line]).playouts
    50
    """

    def __init__(self, stream: TextIO | None = None, title: str = "") -> None:
        self._stream = sys.stderr if stream is None else stream
        self._title = title
        self._live: Any = None
        self._problem: Any = None
        self._search: Any = None
        self._began = time.perf_counter()
        self._compiling = False
        self._progress: Any = None
        self._news: float | None = None  # seconds between lines before news is shown; None: no news
        self._printed = 0.0
        self._bar = NotebookBar() if stream is None and in_notebook() else None
        if self._bar is None and _is_terminal(self._stream):
            from rich.console import Console
            from rich.live import Live

            console = Console(file=self._stream)
            self._live = Live(console=console, get_renderable=self._render, transient=True, redirect_stdout=False)

    # --- what a run tells ---

    def on_compile(self, problem: Any) -> None:
        """Say that it compiles, until the search begins."""
        self._problem = problem
        self._began = time.perf_counter()
        self._compiling = not isinstance(problem, (PythonProblem, PythonGame))
        if self._live is not None:
            self._live.start()
        if self._bar is not None:
            self._bar.show(f"{'compiling' if self._compiling else 'starting'} {type(problem).__name__}", None)

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """Switch from compiling to searching."""
        self._problem, self._search = problem, search
        seconds = time.perf_counter() - self._began
        if self._live is None and self._bar is None and self._compiling and seconds > BEST_SECONDS:
            self._print(f"compiled in {seconds:.1f} s")
        self._compiling = False

    def on_best(self, progress: Any, moves: Sequence[Any]) -> None:
        """Note an improvement."""
        self._progress, self._news = progress, BEST_SECONDS

    def on_game(self, played: Any, progress: Any) -> None:
        """Note a game."""
        self._progress, self._news = progress, GAME_SECONDS

    def on_tick(self, progress: Any) -> None:
        """Update the line."""
        self._progress = progress
        if self._bar is not None:
            self._bar.show(self.text(progress), progress.share)
        elif self._live is None and self._news is not None and progress.seconds - self._printed >= self._news:
            self._print(self.text(progress))
            self._news = None
            self._printed = progress.seconds

    def on_warning(self, text: str) -> None:
        """Say it above the line."""
        if self._live is not None and self._live.is_started:
            self._live.console.print(f"rookery: {text}", markup=False, highlight=False)
        else:
            self._print(f"rookery: {text}")

    def on_end(self, result: Any) -> None:
        """Remove the line."""
        self.close()

    def close(self) -> None:
        """Remove the line and show the cursor again; closing twice does no harm."""
        if self._live is not None:
            self._live.stop()
        if self._bar is not None:
            self._bar.close()

    # --- what is shown ---

    def text(self, progress: Any) -> str:
        """Where a run or a match stands, in one line."""
        parts = progress.parts(self._problem, self._search)
        return " | ".join([*([self._title] if self._title else []), *parts, elapsed(progress.seconds)])

    def _render(self) -> Any:
        from rich.text import Text

        if self._progress is not None:
            line = self.text(self._progress)
        else:
            what = "compiling" if self._compiling else "starting"
            name = self._title or type(self._problem).__name__
            line = f"{what} {name} ... {elapsed(time.perf_counter() - self._began)}"
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
