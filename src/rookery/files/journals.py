"""Reads journals: while they grow, however long they are, whatever is in them.

A reader goes on where it stopped. Of a journal of a million lines it keeps some thousand points: progress is sampled,
improvements are kept as long as there are not too many. A line that is not finished is left for the next time, and one
that is broken is counted and passed over.
"""

from __future__ import annotations

import math
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rookery.disk import as_json, brief, frozen, is_a
from rookery.errors import InputError, reason
from rookery.running.journal import FORMAT
from rookery.running.result import Improvement, Result

CHUNK = 1 << 20
"""Bytes that are read at a time."""
LONGEST_LINE = 1 << 22
"""The most bytes of a line; a longer one is passed over."""
MANY, SAMPLED, MOST_TOLD = 500, 4000, 5000
"""Of chunks with more than ``MANY`` lines, about ``SAMPLED`` lines in all that only tell progress are looked at, and of
the others at most ``MOST_TOLD`` in each."""
MOST_POINTS, FEW_POINTS = 1500, 100
"""The most points of a series; and of one in a journal with many runs."""
FEW_RUNS, MOST_RUNS = 50, 5000
"""With more runs than ``FEW_RUNS`` their series are shorter; more than ``MOST_RUNS`` are not read."""
MOST_WARNINGS = 20
HEAD, TAIL = 1 << 12, 1 << 14
"""Bytes at the beginning and at the end of a file that are enough for a glance."""

_PROGRESS = (b'{"event": "tick"', b'{"event": "game"')
_EVENTS = ("start", "tick", "best", "game", "warning", "end")
_TICK = ("seconds", "playouts", "score", "workers", "running", "tasks", "discarded", "speedup", "iteration")
_GAME = ("seconds", "games", "wins_a", "wins_b", "draws", "playouts", "asked")


class Series:
    """Rows of numbers; whenever there are too many, every second one is dropped. The last one is always there.

    >>> series = Series(4)
    >>> for k in range(11): series.add((k,))
    >>> series.rows()
    [(0,), (4,), (8,), (10,)]
    """

    def __init__(self, most: int = MOST_POINTS) -> None:
        self._most, self._rows, self._stride, self._count = most, list[tuple[Any, ...]](), 1, 0
        self.last: tuple[Any, ...] | None = None

    def add(self, row: tuple[Any, ...], by: int = 0) -> None:
        """Add a row; if it goes back, in the column ``by``, what it goes back over is told once more, and dropped here.

        >>> series = Series()
        >>> for k in (1, 5, 8, 6): series.add((k,))
        >>> series.rows()
        [(1,), (5,), (6,)]
        """
        before = None if self.last is None else self.last[by]
        if before is not None and row[by] is not None and row[by] < before:
            self._rows = [one for one in self._rows if one[by] is not None and one[by] < row[by]]
        self.last = row
        if self._count % self._stride == 0:
            self._rows.append(row)
            if len(self._rows) > self._most:
                del self._rows[1::2]
                self._stride *= 2
        self._count += 1

    def rows(self) -> list[tuple[Any, ...]]:
        """The rows that were kept, and the last one."""
        ended = self.last is None or (self._rows and self._rows[-1] == self.last)
        return list(self._rows) if ended or self.last is None else [*self._rows, self.last]


@dataclass
class RunStory:
    """What a journal has told about one run, or one match, so far.

    Parameters
    ----------
    name
        of the run in its journal; empty if the journal is of a single run
    start, end
        the first line, and the last one if there is one
    last
        the newest line that says where the run stands
    best
        the newest line about an improvement, with its moves
    bests
        rows of seconds, playouts and score
    ticks
        rows of seconds, playouts, score, workers, running, tasks, discarded, speedup and iteration; of a match
        rows of seconds, games, wins_a, wins_b, draws, playouts and asked

    >>> story = RunStory("")
    >>> story.take({"event": "tick", "seconds": 0.5, "playouts": 10, "score": 3.0})
    >>> story.ticks.rows()[0][:3]
    (0.5, 10, 3.0)
    """

    name: str
    most: int = MOST_POINTS
    start: dict[str, Any] = field(default_factory=dict)
    end: dict[str, Any] | None = None
    last: dict[str, Any] = field(default_factory=dict)
    best: dict[str, Any] | None = None
    warnings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bests, self.ticks = Series(self.most), Series(self.most)

    @property
    def is_match(self) -> bool:
        """Whether it is a match between two searches."""
        return "game" in self.start

    def take(self, line: Mapping[str, Any]) -> None:
        """Take the next line of the journal that is about this run."""
        {
            "start": self._take_start,
            "tick": self._take_progress,
            "game": self._take_progress,
            "best": self._take_best,
            "warning": self._take_warning,
            "end": self._take_end,
        }[line["event"]](dict(line))

    def _take_start(self, line: dict[str, Any]) -> None:
        self.start, self.end = line, None  # of a run that goes on, what was told before stays

    def _take_progress(self, line: dict[str, Any]) -> None:
        self.last = line
        self.ticks.add(_row(line, _GAME if line["event"] == "game" or self.is_match else _TICK))

    def _take_best(self, line: dict[str, Any]) -> None:
        self.best, self.last = line, line
        told = line.get("improvements")
        rows = [row for row in told if _is_row(row)] if isinstance(told, list) else []
        for row in rows or [_row(line, ("seconds", "playouts", "score"))]:
            if None not in row:
                self.bests.add(tuple(row), by=1)

    def _take_warning(self, line: dict[str, Any]) -> None:
        self.warnings = [*self.warnings, brief(line.get("text"))[:200]][-MOST_WARNINGS:]

    def _take_end(self, line: dict[str, Any]) -> None:
        self.end = line
        if is_a(line.get("moves"), "a list") and is_a(line.get("score"), "a number"):
            self.best = {**(self.best or {}), **{name: line.get(name) for name in ("moves", "score", "seconds")}}

    def result(self) -> Result | None:
        """The result of a run so far, as ``rk.solve`` returns it; None of a match, and before the first improvement.

        Of a run that has not ended, the status is "interrupted".
        """
        if self.is_match or (self.end is None and self.best is None):
            return None
        known = {name: self.start.get(name) for name in ("problem", "parameters", "search", "seed", "version")}
        try:
            if self.end is not None:
                return Result.from_json({**known, **self.end})
            now = {**(self.best or {}), **{k: v for k, v in self.last.items() if k not in ("moves", "improvements")}}
            history = tuple(Improvement(float(at), int(n), float(score)) for at, n, score in self.bests.rows())
            so_far = Result.from_json(
                {
                    **known,
                    **{name: now.get(name) for name in ("score", "moves", "playouts", "seconds", "workers")},
                    "iterations": now.get("iteration", 0),
                    "restarts": now.get("restart", 0),
                    "compile_seconds": 0.0,
                    "status": "interrupted",
                }
            )
            return replace(so_far, history=history)
        except InputError:
            return None

    def moves(self) -> tuple[Any, ...]:
        """The moves of the best so far."""
        moves = (self.best or {}).get("moves")
        return tuple(frozen(move) for move in moves) if isinstance(moves, list) else ()

    def to_json(self) -> dict[str, Any]:
        """The story as plain values."""
        names = ("name", "start", "end", "last", "best", "warnings")
        values = {name: getattr(self, name) for name in names}
        return {**values, "match": self.is_match, "bests": self.bests.rows(), "ticks": self.ticks.rows()}


class JournalReader:
    """Reads a journal, and reads on where it stopped whenever :meth:`update` is called.

    >>> import os, tempfile
    >>> import rookery as rk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "run.jsonl")
    ...     search = rk.NRPA(level=2, iterations=10)
    ...     _ = rk.solve(rk.problems.LeftMove(depth=5), search, seed=1, callbacks=[rk.RunLog(path)])
    ...     reader = JournalReader(path)
    ...     reader.update(), reader.update()
    (True, False)
    >>> story = reader.runs[""]
    >>> story.start["problem"], story.result().score
    ('leftmove', 5.0)
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self._forget()

    def _forget(self) -> None:
        self.runs: dict[str, RunStory] = {}
        self.offset = 0
        self.broken = 0
        self._passing = False  # over a line that is too long
        self._head = b""

    def update(self) -> bool:
        """Read what is new; returns whether there was anything. A file that was replaced is read from its beginning."""
        try:
            with open_file(self.path) as file:
                size, head = os.fstat(file.fileno()).st_size, file.read(HEAD)
                same = size >= self.offset and head.startswith(self._head)
                if not same:
                    self._forget()
                self._head = head[:HEAD]
                return self._read(file) or not same
        except (OSError, ValueError) as error:
            raise error if isinstance(error, InputError) else _unreadable(self.path, error) from None

    def _read(self, file: Any) -> bool:
        begin, rest = self.offset, b""
        chunks = max(1, (os.fstat(file.fileno()).st_size - begin) // CHUNK)
        file.seek(begin)
        while chunk := file.read(CHUNK):
            *lines, rest = (rest + chunk).split(b"\n")
            if lines and self._passing:
                del lines[0]
                self._passing = False
            for line in _looked_at(lines, max(20, SAMPLED // chunks)):
                self._take(line)
            if len(rest) > LONGEST_LINE:
                self.broken += not self._passing
                rest, self._passing = b"", True
            self.offset = file.tell() - len(rest)
        return self.offset > begin

    def _take(self, line: bytes) -> None:
        found = parsed(line)
        if found is None:
            self.broken += bool(line)
            return
        if found["event"] == "start":
            check_format(found, self.path)
        name = found.get("run")
        name = name[:200] if isinstance(name, str) else ""
        story = self.runs.get(name)
        if story is None:
            if len(self.runs) >= MOST_RUNS:
                return
            story = self.runs[name] = RunStory(name, MOST_POINTS if len(self.runs) < FEW_RUNS else FEW_POINTS)
        story.take(found)


def _looked_at(lines: list[bytes], most: int) -> list[bytes]:
    """Those of some lines that are read: all, if there are not too many; else those that tell more than progress, and
    about ``most`` others, the last one of them included.

    >>> lines = [b'{"event": "best"}', *[b'{"event": "tick"}'] * 999, b'{"event": "end"}']
    >>> len(_looked_at(lines, 10))
    13
    """
    if len(lines) <= MANY:
        return lines
    told = [k for k, line in enumerate(lines) if not line.startswith(_PROGRESS)]
    if len(told) > MOST_TOLD:
        told = [*told[: MOST_TOLD // 2], *told[-MOST_TOLD // 2 :]]
    last = next((k for k in range(len(lines) - 1, -1, -1) if lines[k].startswith(_PROGRESS)), 0)
    chosen = {*told, *range(1, len(lines), -(-len(lines) // most)), last}
    return [lines[k] for k in sorted(chosen)]


def glance(path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Any]] | None:
    """The first line of a journal and the last that is whole and says where a run stands; None if it is no journal.

    Only the beginning and the end of the file are read.

    >>> import tempfile
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     glance(file.name) is None
    True
    """
    try:
        with open_file(path) as file:
            head = file.read(HEAD)
            if not head.lstrip().startswith(b'{"event"'):
                return None
            size = os.fstat(file.fileno()).st_size
            first, whole, _ = head.partition(b"\n")
            if not whole:  # a long first line
                first = file.read(LONGEST_LINE - HEAD)
                first = (head + first).partition(b"\n")[0]
            file.seek(max(0, size - TAIL))
            lines = file.read(TAIL).split(b"\n")[:-1]
    except (OSError, ValueError):
        return None
    start = parsed(first)
    if start is None or start["event"] != "start" or not is_a(start.get("journal"), "a whole number"):
        return None
    for line in reversed(lines):
        found = parsed(line) if line.startswith(b"{") else None
        if found is not None and found["event"] in ("tick", "best", "game", "end"):
            return start, found
    return start, {}


def parsed(line: bytes) -> dict[str, Any] | None:
    """A line of a journal; None if it is broken.

    >>> parsed(b'{"event": "tick", "seconds": 1.5}'), parsed(b'{"event": "ti')
    ({'event': 'tick', 'seconds': 1.5}, None)
    """
    try:
        found = as_json(line.decode()) if len(line) <= LONGEST_LINE else None
    except ValueError:  # including InputError and UnicodeDecodeError
        return None
    return found if isinstance(found, dict) and found.get("event") in _EVENTS else None


def check_format(start: Mapping[str, Any], path: str | os.PathLike[str]) -> None:
    """Refuse a journal of a format that is not known yet.

    >>> check_format({"journal": 99}, "run.jsonl")
    Traceback (most recent call last):
    rookery.errors.InputError: run.jsonl is a journal of format 99; this version reads formats up to 1
    """
    number = start.get("journal")
    if isinstance(number, int) and number > FORMAT:
        raise InputError(f"{path} is a journal of format {number}; this version reads formats up to {FORMAT}")


def open_file(path: str | os.PathLike[str]) -> Any:
    """An ordinary file, open for reading: neither a device that never ends nor a pipe that nobody writes to.

    >>> open_file("/dev/zero")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read /dev/zero: it is not a file
    """
    if not stat.S_ISREG(os.stat(path).st_mode):
        raise InputError(f"cannot read {os.fspath(path)}: it is not a file")
    return Path(path).open("rb")


def _unreadable(path: str | os.PathLike[str], error: OSError | ValueError) -> InputError:
    return InputError(f"cannot read {os.fspath(path)}: {reason(error)}")


def _row(line: Mapping[str, Any], names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(value if is_a(value := line.get(name), "a number") else None for name in names)


def _is_row(row: Any) -> bool:
    if not isinstance(row, list) or len(row) != 3 or not all(is_a(value, "a number") for value in row):
        return False
    return all(math.isfinite(value) for value in row)
