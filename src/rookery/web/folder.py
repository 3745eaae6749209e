"""The files of a folder that the page shows: journals, results, checkpoints, matches, experiments, simulations."""

from __future__ import annotations

import json
import math
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rookery as rk

DEEPEST = 6
"""How many folders deep files are looked for."""
MOST_FILES = 20_000
"""The most files of a folder that are shown."""
LARGEST = 1 << 22
"""The most bytes of a result that is read for the list; of a larger one, only that it is there is shown."""
HEAD = 400
NEWS = 10.0
"""Seconds without a line after which a run that has not ended counts as killed: a line comes each second."""

_RESULT = re.compile(rb'\s*\{\s*"problem"\s*:')
_RECORD = re.compile(rb'\s*\{\s*"rookery_match"\s*:')
_JOURNAL = re.compile(rb'\s*\{\s*"event"\s*:')
_EXPERIMENT = re.compile(rb'\s*\{\s*"stop"\s*:')


@dataclass(frozen=True)
class Seen:
    """What a file was like when it was looked at: that is enough to know whether it has changed."""

    changed: int
    size: int
    row: dict[str, Any] | None


class Folder:
    """A folder; nothing outside of it can be asked for, whatever links in it say.

    >>> Folder(".").find("../secret")
    Traceback (most recent call last):
    rookery.errors.InputError: there is no file ../secret in the folder
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        try:
            self.path = Path(os.path.realpath(path))
            is_folder = self.path.is_dir()
        except (OSError, ValueError):  # ValueError: a name that no file can have
            is_folder = False
        if not is_folder:
            raise rk.InputError(f"serve needs a folder, got {os.fspath(path)}")
        self._seen: dict[str, Seen] = {}

    def find(self, name: str) -> Path:
        """The file of this name, which must lie in the folder, also if it or a folder above it is a link."""
        try:
            asked = self.path / name
            real = Path(os.path.realpath(asked))
            inside = not os.path.isabs(name) and ".." not in Path(name).parts and real.is_relative_to(self.path)
            if inside and real.is_file() and not any(part.startswith(".") for part in Path(name).parts):
                return real
        except (OSError, ValueError):
            pass
        raise rk.InputError(f"there is no file {name[:100]} in the folder")

    def rows(self) -> list[dict[str, Any]]:
        """What there is to show, as plain values; only what has changed since the last time is looked at again."""
        found: dict[str, Seen] = {}
        for name, entry in self._files():
            try:
                about = entry.stat()
            except OSError:
                continue
            before = self._seen.get(name)
            if before is None or (before.changed, before.size) != (about.st_mtime_ns, about.st_size):
                before = Seen(about.st_mtime_ns, about.st_size, self._row(name, entry.path, about))
            found[name] = before
        self._seen = found
        now = time.time()
        return [_with_news(seen.row, now) for seen in found.values() if seen.row is not None]

    def _files(self) -> Iterator[tuple[str, os.DirEntry[str]]]:
        """Files by their names in the folder; links are followed only to files inside."""
        waiting, count = [(self.path, "", 0)], 0
        while waiting:
            path, prefix, depth = waiting.pop()
            try:
                with os.scandir(path) as entries:
                    ordered = sorted(entries, key=lambda entry: entry.name)
            except OSError:
                continue
            for entry in ordered:
                if entry.name.startswith(".") or not _is_name(entry.name):
                    continue
                name = prefix + entry.name
                if entry.is_dir(follow_symlinks=False):
                    if depth < DEEPEST:
                        waiting.append((Path(entry.path), f"{name}/", depth + 1))
                elif entry.is_file() and (not entry.is_symlink() or self._is_inside(entry.path)):
                    count += 1
                    if count > MOST_FILES:
                        return
                    yield name, entry

    def _is_inside(self, path: str) -> bool:
        return Path(os.path.realpath(path)).is_relative_to(self.path)

    def _row(self, name: str, path: str, about: os.stat_result) -> dict[str, Any] | None:
        try:
            with open(path, "rb") as file:
                head = file.read(HEAD)
            told = told_by(head, path, about.st_size)
        except Exception:  # whatever a file holds, the others are shown
            return None
        if told is None:
            return None
        return {"file": name, "changed": about.st_mtime, "bytes": about.st_size, **told}


def told_by(head: bytes, path: str, size: int) -> dict[str, Any] | None:
    """What a file that begins like this says of itself; None if it is nothing that is shown."""
    if _JOURNAL.match(head):
        return _journal(path)
    if head.startswith(b"rookery checkpoint "):
        return {"kind": "checkpoint"}
    if _RECORD.match(head):
        return _record(path, size)
    if _RESULT.match(head):
        return _result(path, size)
    if _EXPERIMENT.match(head) and os.path.basename(path) == "experiment.json":
        return {"kind": "experiment"}
    return {"kind": "games"} if re.match(rb"(?:\xef\xbb\xbf)?\s*\(\s*;", head) else None


def _journal(path: str) -> dict[str, Any] | None:
    seen = rk.files.glance(path)
    if seen is None:
        return None
    start, last = seen
    is_match = "game" in start
    row: dict[str, Any] = {"kind": "simulation" if start.get("executor") == "virtual" else "journal"}
    row |= {"problem": _text(start.get("game" if is_match else "problem")), "parameters": _object(start, "parameters")}
    row |= {"search": start.get("search") if not is_match else [start.get("a"), start.get("b")]}
    row |= {name: _number(start.get(name)) for name in ("seed", "workers", "time")}
    row |= {name: _number(last.get(name)) for name in ("score", "playouts", "seconds")}
    row |= {name: _number(last.get(name)) for name in ("games", "wins_a", "wins_b", "draws") if name in last}
    row["several"] = "run" in start
    row["status"] = _text(last.get("status")) or "finished" if last.get("event") == "end" else None
    return row


def _record(path: str, size: int) -> dict[str, Any] | None:
    kept = rk.files.read_match(path) if size <= LARGEST else None
    if kept is None:
        return {"kind": "match", "status": "finished"}
    winners = [(game.winner, game.number % 2) for game in kept.games.values()]  # A is the player 0 of even games
    wins = {"wins_a": sum(won == a for won, a in winners), "wins_b": sum(won == 1 - a for won, a in winners)}
    some = next(iter(kept.games.values()), None)
    about = {} if some is None else {"problem": some.game, "parameters": dict(some.parameters)}
    return {"kind": "match", **about, "games": len(kept.games), **wins}


def _result(path: str, size: int) -> dict[str, Any] | None:
    if size > LARGEST:
        return {"kind": "result"}
    with open(path, "rb") as file:
        data = json.loads(file.read(LARGEST))
    row: dict[str, Any]
    if isinstance(data.get("rows"), list):
        row = {"kind": "simulation", "status": "finished" if data.get("complete") else "interrupted"}
    elif isinstance(data.get("moves"), list):
        row = {"kind": "result", "status": _text(data.get("status"))}
    else:
        return None
    row |= {"problem": _text(data.get("problem")), "parameters": _object(data, "parameters")}
    row |= {"search": _object(data, "search")}
    return row | {name: _number(data.get(name)) for name in ("seed", "workers", "score", "playouts", "seconds")}


def _with_news(row: dict[str, Any], now: float) -> dict[str, Any]:
    """Whether a run goes on."""
    if row["kind"] not in ("journal", "simulation") or row.get("status") is not None:
        return row
    return {**row, "status": "running" if now - row["changed"] < NEWS else "no news"}


def _is_name(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _text(value: Any) -> str | None:
    return value[:200] if isinstance(value, str) else None


def _object(data: dict[str, Any], name: str) -> dict[str, Any]:
    """An object of short plain values."""
    value = data.get(name)
    items = value.items() if isinstance(value, dict) else ()
    return {str(key)[:60]: item if not isinstance(item, str) else item[:60] for key, item in list(items)[:40]}


def _number(value: Any) -> float | None:
    known = isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) < 1e300
    return value if known and math.isfinite(value) else None
