"""A run, a match or many of them as lines of JSON: what happened when. Pages, plots and comparisons read it.

A line is written whole and flushed, so that it can be read while the file grows; a process that is killed leaves at
most an unfinished last line, which readers ignore. Lines are never changed. What happens often (progress,
improvements in quick succession, games) is written a few times a second at most.
"""

from __future__ import annotations

import json
import math
import os
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import IO, Any

from rookery._version import __version__
from rookery.disk import check_writable
from rookery.loading.kinds import name_of
from rookery.running.callbacks import Callback
from rookery.running.result import Improvement

FORMAT = 1
"""Changes whenever journals are to be read differently; readers refuse a higher one."""
FIRST, EVERY, SPREAD = 0.2, 1.0, 1000.0
"""Seconds between two lines of progress: at first, and at most; in between, the time so far by ``SPREAD``."""
BESTS = 0.1
"""The least seconds between two lines about improvements; the last one is never left out."""
MOST_IMPROVEMENTS = 200
"""The most improvements that one line tells one by one."""
LONGEST = 1 << 21
"""The most characters of a line; of a longer one, lists are left out."""


class Journal:
    """A file of JSON lines that any number of runs write to at the same time.

    Parameters
    ----------
    path
        a file; its content is replaced when the first line is written
    append
        append to it instead
    about
        what the first line of each run says in addition, such as the command

    >>> import json, os, pathlib, tempfile
    >>> import rookery as rk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "runs.jsonl")
    ...     journal = Journal(path, about={"command": ["rookery", "experiment"]})
    ...     for seed in (1, 2):
    ...         observer = journal.run(f"seed {seed}")
    ...         _ = rk.solve(rk.problems.LeftMove(depth=5), rk.NRPA(level=1), seed=seed, callbacks=[observer])
    ...     journal.close()
    ...     lines = [json.loads(line) for line in pathlib.Path(path).read_text().splitlines()]
    >>> [line["run"] for line in lines if line["event"] == "end"]
    ['seed 1', 'seed 2']
    """

    def __init__(
        self, path: str | os.PathLike[str], append: bool = False, about: Mapping[str, Any] | None = None
    ) -> None:
        check_writable(path)
        self.path = path
        self.about = dict(about or {})
        self._mode = "ab" if append else "wb"
        self._file: IO[bytes] | None = None
        self._ended = False
        self._lock = threading.Lock()

    def run(self, name: str | None = None, numbered: bool = False) -> RunLog:
        """An observer of one run, whose lines bear this name; the file stays open when the run ends.

        ``numbered``: it observes one run after another, whose lines bear their number.
        """
        log = RunLog.__new__(RunLog)
        log._begin(self, name, 0 if numbered else None, closes=False)
        return log

    def write(self, event: str, **values: Any) -> None:
        """Write a line; a full disk ends the journal, never a run."""
        line = _line({"event": event, **values})
        with self._lock:
            if self._ended:
                return
            try:
                if self._file is None:  # what the file holds is replaced only when there is something to write
                    self._file = self._opened()
                self._file.write(line)
                self._file.flush()
            except OSError as error:  # a full disk must not end a search of days
                print(f"rookery: the log ends here: cannot write {self.path}: {error.strerror}", file=sys.stderr)
                self._close()

    def close(self) -> None:
        """Close the file; closing it twice does no harm."""
        with self._lock:
            self._close()

    def _opened(self) -> IO[bytes]:
        file = open(self.path, self._mode)  # noqa: SIM115
        if self._mode == "ab" and file.tell() and not _ends_with_a_line(self.path):
            file.write(b"\n")  # what a killed process has left unfinished must not swallow the next line
        return file

    def _close(self) -> None:
        self._ended = True
        with suppress(OSError):
            if self._file is not None:
                self._file.close()


class RunLog(Callback):
    """Writes the journal of a run: lines of JSON with the events start, tick, best, game, warning and end.

    A ``tick`` says where the run stands, a few times a second at first and later once a second; a ``best`` has the
    moves too. ``docs/journal.md`` describes every field.

    Parameters
    ----------
    path
        a file; its content is replaced
    append
        append to it instead
    about
        what the first line says in addition, such as the command

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

    clock = staticmethod(time.monotonic)

    def __init__(
        self, path: str | os.PathLike[str], append: bool = False, about: Mapping[str, Any] | None = None
    ) -> None:
        self._begin(Journal(path, append, about), None, None, closes=True)

    def _begin(self, journal: Journal, name: str | None, number: int | None, closes: bool) -> None:
        self.journal = journal
        self._number = number
        self._named = {} if name is None else {"run": name}
        self._closes = closes
        self._workers: dict[str, Any] = {}
        self._reset()

    def _reset(self) -> None:
        self._ticked = self._bested = float("-inf")
        self._best: tuple[Any, Sequence[Any], list[Improvement]] | None = None  # not written yet
        self._replaced: dict[int, list[int]] = {}

    # --- what a run tells ---

    def on_workers(self, executor: str, workers: int) -> None:
        """The workers are ready."""
        self._workers = {"executor": executor, "workers": workers}

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """The search begins."""
        self._reset()
        if self._number is not None:
            self._number += 1
            self._named = {"run": str(self._number)}
        what: dict[str, Any]
        if isinstance(search, tuple):
            a, b = search
            what = {"game": name_of(problem), "parameters": problem.parameters(), "a": a.parameters()}
            what |= {"b": b.parameters()}
        else:
            what = {"problem": name_of(problem), "parameters": problem.parameters(), "search": search.parameters()}
            what |= {"sense": problem.sense}
        about = {"journal": FORMAT, "version": __version__, "time": time.time(), "process": os.getpid()}
        self._write("start", **about, **what, seed=seed, **self._workers, **self.journal.about)

    def on_tick(self, progress: Any) -> None:
        """Where the run stands, if the last line about that is some time ago."""
        now = self.clock()
        if self._best is not None and now - self._bested >= BESTS:
            self._write_best(now)
        if now - self._ticked >= min(EVERY, max(FIRST, progress.seconds / SPREAD)):
            self._ticked = now
            replaced = {str(level): counts for level, counts in sorted(self._replaced.items())}
            self._write("tick", **progress.to_json(), **({"replaced": replaced} if replaced else {}))

    def on_best(self, progress: Any, moves: Sequence[Any]) -> None:
        """The best score so far has improved."""
        before = [] if self._best is None else self._best[2]
        self._best = progress, tuple(moves), [*before, *progress.improvements]
        now = self.clock()
        if now - self._bested >= BESTS:
            self._write_best(now)

    def on_replace(self, level: int, iteration: int, sequence: Sequence[Any], tie: bool) -> None:
        """A level has replaced its best sequence: counted, and told with the next tick."""
        self._replaced.setdefault(level, [0, 0])[bool(tie)] += 1

    def on_game(self, played: Any, progress: Any) -> None:
        """A game of a match is over; of several within a fraction of a second, the last is told."""
        now = self.clock()
        if now - self._ticked >= BESTS or progress.score.games == progress.asked:
            self._ticked = now
            about = {"number": played.number, "winner": played.winner, "length": len(played.moves)}
            self._write("game", **progress.to_json(), **about)

    def on_warning(self, text: str) -> None:
        """Something went wrong that does not stop the run."""
        self._write("warning", text=text)

    def on_end(self, result: Any) -> None:
        """The run is over."""
        if self._best is not None:
            self._write_best(self.clock())
        told = result.to_json() if hasattr(result, "to_json") else asdict(result)  # the row of a simulation has no more
        known = ("problem", "game", "parameters", "search", "a", "b", "seed", "version")
        self._write("end", **{name: value for name, value in told.items() if name not in known})
        if self._closes:
            self.close()

    def close(self) -> None:
        """Close the file; closing it twice does no harm."""
        self.journal.close()

    # --- lines ---

    def _write_best(self, now: float) -> None:
        assert self._best is not None
        progress, moves, improvements = self._best
        self._best, self._bested = None, now
        told = [[i.seconds, i.playouts, i.score] for i in improvements[-MOST_IMPROVEMENTS:]]
        self._write("best", **progress.to_json(), moves=moves, improvements=told)

    def _write(self, event: str, **values: Any) -> None:
        self.journal.write(event, **self._named, **values)


def _line(values: Mapping[str, Any]) -> bytes:
    """A line of JSON; of one that would be too long, only what is short is written."""
    text = json.dumps(_plain(values), allow_nan=False)
    if len(text) > LONGEST:
        text = json.dumps({name: value for name, value in _plain(values).items() if not isinstance(value, list)})
    return text.encode() + b"\n"


def _plain(value: Any) -> Any:
    """A value as JSON has it; numbers that JSON does not have are null, and what it does not know is text."""
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return _plain(value.item()) if hasattr(value, "item") else str(value)


def _ends_with_a_line(path: str | os.PathLike[str]) -> bool:
    with open(path, "rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
