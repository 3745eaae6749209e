"""A run or a match as lines of JSON, for plots: what happened when."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from rookery.disk import check_writable
from rookery.running.callbacks import Callback

EVERY = 1.0
"""Seconds between two lines that only tell the time."""
TOLD = (
    *("status", "score", "playouts", "iterations", "restarts", "seconds", "executor", "workers"),
    *("tasks", "tasks_discarded", "useful_share", "asked", "games", "wins_a", "wins_b", "draws", "runs", "mean"),
)
"""What the last line says about a result, as far as the result has it."""


class RunLog(Callback):
    """Writes one JSON object per line: start, tick (once a second), best, iteration, game, warning, end.

    All but start and end say where the run stands: seconds, score, playouts, iteration, restart, workers, running,
    tasks, discarded and speedup; in a match seconds, games, asked, playouts and the wins of both sides.

    Parameters
    ----------
    path
        a file; its content is replaced
    append
        append to it instead

    >>> import json, os, pathlib, tempfile
    >>> import rookery as rk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.jsonl")
    ...     search = rk.NRPA(level=2, iterations=10)
    ...     _ = rk.solve(rk.problems.LeftMove(depth=5), search, seed=1, callbacks=[RunLog(path)])
    ...     lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    >>> lines[0]["event"], lines[-1]["event"], lines[-1]["score"]
    ('start', 'end', 5.0)
    """

    def __init__(self, path: str | os.PathLike[str], append: bool = False) -> None:
        check_writable(path)
        self._path = path
        self._mode = "a" if append else "w"
        self._last = float("-inf")
        self._file: IO[str] | None = None
        self._ended = False

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """The search begins."""
        self._write("start", problem=str(problem), search=str(search), seed=seed)

    def on_tick(self, progress: Any) -> None:
        """Where the run stands, once a second."""
        if progress.seconds - self._last >= EVERY:
            self._stands("tick", progress)

    def on_best(self, progress: Any, moves: Sequence[Any]) -> None:
        """The best score so far has improved."""
        self._stands("best", progress, length=len(moves))

    def on_iteration(self, progress: Any) -> None:
        """An iteration of the top level is complete."""
        self._stands("iteration", progress)

    def on_game(self, played: Any, progress: Any) -> None:
        """A game of a match is over."""
        about = {"number": played.number, "winner": played.winner, "length": len(played.moves)}
        self._stands("game", progress, **about)

    def on_warning(self, text: str) -> None:
        """Something went wrong that does not stop the run."""
        self._write("warning", text=text)

    def on_end(self, result: Any) -> None:
        """The run is over."""
        self._write("end", **{name: getattr(result, name) for name in TOLD if hasattr(result, name)})
        self.close()

    def close(self) -> None:
        """Close the file; closing it twice does no harm."""
        self._ended = True
        if self._file is not None:
            self._file.close()

    def _stands(self, event: str, progress: Any, **more: Any) -> None:
        self._last = progress.seconds
        self._write(event, **progress.to_json(), **more)

    def _write(self, event: str, **values: Any) -> None:
        if self._ended:
            return
        try:
            if self._file is None:  # what the file holds is replaced only when there is something to write
                self._file = open(self._path, self._mode, encoding="utf-8")  # noqa: SIM115
            self._file.write(json.dumps({"event": event, **values}) + "\n")
            self._file.flush()
        except OSError as error:  # a full disk must not end a search of days
            print(f"rookery: the log ends here: cannot write {self._path}: {error.strerror}", file=sys.stderr)
            with suppress(OSError):
                self.close()
