"""Reads journals: while they grow, however long they are, whatever is in them.

A reader goes on where it stopped. Of a journal of a million lines it keeps some thousand points: progress is sampled,
improvements are kept as long as there are not too many. A line that is not finished is left for the next time, and one
that is broken is counted and passed over.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rookery.disk import as_json, is_a
from rookery.errors import InputError, reason
from rookery.files.run_story import MOST_POINTS, RunStory
from rookery.running.journal import FORMAT

CHUNK = 1 << 20
"""Bytes that are read at a time."""
LONGEST_LINE = 1 << 22
"""The most bytes of a line; a longer one is passed over."""
MANY, SAMPLED, MOST_TOLD = 500, 4000, 5000
"""Of chunks with more than ``MANY`` lines, about ``SAMPLED`` lines in all that only tell progress are looked at, and of
the others at most ``MOST_TOLD`` in each."""
FEW_POINTS = 100
"""The most points of a series in a journal with many runs."""
FEW_RUNS, MOST_RUNS = 50, 5000
"""With more runs than ``FEW_RUNS`` their series are shorter; more than ``MOST_RUNS`` are not read."""
HEAD, TAIL = 1 << 12, 1 << 14
"""Bytes at the beginning and at the end of a file that are enough for a glance."""

_PROGRESS = (b'{"event": "tick"', b'{"event": "game"')
_EVENTS = ("start", "tick", "best", "game", "warning", "end")


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
