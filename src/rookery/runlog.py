"""A run as lines of JSON, for plots: what happened when."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import IO, Any

from rookery.callbacks import Callback, Progress
from rookery.files import check_writable
from rookery.result import Result

EVERY = 1.0
"""Seconds between two lines that only tell the time."""


class RunLog(Callback):
    """Writes one JSON object per line: start, tick (once a second), best, iteration, warning, end.

    All but start and end hold where the run stands: seconds, score, playouts, iteration, restart, workers, running,
    tasks, discarded and speedup.

    Parameters
    ----------
    path
        a file; what is in it is replaced
    append
        write after what is in it

    >>> import json, os, pathlib, tempfile
    >>> import rookery as rk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.jsonl")
    ...     search = rk.NRPA(level=2, iterations=10)
    ...     _ = rk.solve(rk.LeftMove(depth=5), search, seed=1, callbacks=[RunLog(path)])
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

    def on_tick(self, progress: Progress) -> None:
        """Where the run stands, once a second."""
        if progress.seconds - self._last >= EVERY:
            self._stands("tick", progress)

    def on_best(self, progress: Progress, moves: Sequence[Any]) -> None:
        """The best score so far has improved."""
        self._stands("best", progress, length=len(moves))

    def on_iteration(self, progress: Progress) -> None:
        """An iteration of the top level is complete."""
        self._stands("iteration", progress)

    def on_warning(self, text: str) -> None:
        """Something went wrong that does not stop the run."""
        self._write("warning", text=text)

    def on_end(self, result: Result) -> None:
        """The run is over."""
        counts = {name: getattr(result, name) for name in ("score", "playouts", "iterations", "restarts", "seconds")}
        work = {name: getattr(result, name) for name in ("executor", "workers", "tasks", "tasks_discarded")}
        self._write("end", status=result.status, **counts, **work, useful_share=result.useful_share)
        self.close()

    def close(self) -> None:
        """Close the file; more than once does no harm."""
        self._ended = True
        if self._file is not None:
            self._file.close()

    def _stands(self, event: str, progress: Progress, **more: Any) -> None:
        self._last = progress.seconds
        names = ("seconds", "score", "playouts", "iteration", "restart", "workers", "running", "tasks", "discarded")
        stands = {name: getattr(progress, name) for name in names}
        self._write(event, **stands, speedup=round(progress.speedup, 3), **more)

    def _write(self, event: str, **values: Any) -> None:
        if self._ended:
            return
        try:
            if self._file is None:  # not before there is something to write is what the file holds replaced
                self._file = open(self._path, self._mode, encoding="utf-8")  # noqa: SIM115
            self._file.write(json.dumps({"event": event, **values}) + "\n")
            self._file.flush()
        except OSError as error:  # a full disk must not end a search of days
            print(f"rookery: the log ends here: cannot write {self._path}: {error.strerror}", file=sys.stderr)
            with suppress(OSError):
                self.close()
