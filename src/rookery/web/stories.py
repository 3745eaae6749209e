"""What the page shows of one file: a journal, a result, a checkpoint or a simulation, all in the form of a story."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import rookery as rk

T = TypeVar("T")

MOST_READERS = 32
"""The most journals that are kept in memory; the one that was not asked for the longest goes first."""


class Readers:
    """Readers of journals, which go on where they stopped: one for each file, however many look at it."""

    def __init__(self) -> None:
        self._readers: OrderedDict[Path, rk.files.JournalReader] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, path: Path, take: Callable[[rk.files.JournalReader], T]) -> T:
        """What is taken from the reader of a journal, which has read all that is there now."""
        with self._lock:
            reader = self._readers.pop(path, None) or rk.files.JournalReader(path)
            self._readers[path] = reader
            while len(self._readers) > MOST_READERS:
                self._readers.popitem(last=False)
            reader.update()
            return take(reader)


def story_of(readers: Readers, path: Path, run: str | None) -> dict[str, Any]:
    """The story of a run in a file; ``run`` names one of several, by default the last."""
    with path.open("rb") as file:
        head = file.read(64)
    if head.lstrip().startswith(b'{"event"'):
        return readers.read(path, lambda reader: _of_journal(reader, run))
    if head.startswith(b"rookery checkpoint "):
        return {**_of_checkpoint(rk.Checkpoint.load(path)), "kind": "checkpoint"}
    return {**_of_result(rk.Result.load(path)), "kind": "result"}


def news_of(readers: Readers, path: Path, run: str | None, seen: dict[str, Any]) -> dict[str, Any]:
    """What is new in a journal since ``seen``, which is brought up to date: the newest line and row of progress; all
    improvements if there is another best; the first and the last line, warnings and names of runs if they differ.
    """

    def taken(reader: rk.files.JournalReader) -> dict[str, Any]:
        story = reader.runs.get(run or "") or next(reversed(reader.runs.values()), None)
        if story is None:
            return {}
        told: dict[str, Any] = {"last": {name: story.last[name] for name in story.last if name != "moves"}}
        told["tick"] = story.ticks.last
        now: dict[str, Any] = {"start": story.start, "end": story.end, "warnings": story.warnings, "best": story.best}
        now |= {"name": story.name, "runs": list(reader.runs)}
        told |= {name: value for name, value in now.items() if name not in seen or seen[name] != value}
        if "best" in told:
            told["bests"] = story.bests.rows()
        seen.update(now)
        return told

    return readers.read(path, taken)


def _of_journal(reader: rk.files.JournalReader, run: str | None) -> dict[str, Any]:
    names = list(reader.runs)
    name = run if run in reader.runs else names[-1] if names else None
    told = {} if name is None else reader.runs[name].to_json()
    return {**told, "kind": "journal", "runs": names, "broken": reader.broken, "offset": reader.offset}


def _of_result(result: rk.Result) -> dict[str, Any]:
    data = result.to_json()
    names = ("problem", "parameters", "search", "seed", "workers", "executor", "version")
    bests = [(i.seconds, i.playouts, i.score) for i in result.history]
    end = {name: value for name, value in data.items() if name not in ("history", *names)}
    return _story({name: data.get(name) for name in names}, bests, end, {"score": end["score"], "moves": end["moves"]})


def _of_checkpoint(saved: rk.Checkpoint) -> dict[str, Any]:
    start = {name: getattr(saved, name) for name in ("problem", "parameters", "search", "seed", "version")}
    tally, seen = saved.state.get("tally"), saved.state.get("best_seen")
    history = getattr(tally, "history", ())
    bests = [(i.seconds, i.playouts, i.score) for i in history]
    best = None if seen is None else {"score": bests[-1][2] if bests else None, "moves": list(seen.moves)}
    last = {"seconds": saved.seconds, "playouts": getattr(tally, "playouts", None), "score": best and best["score"]}
    return {**_story(start, bests, None, best), "last": last}


def _story(start: dict[str, Any], bests: list[Any], end: Any, best: Any) -> dict[str, Any]:
    told = {"name": "", "start": start, "bests": bests, "ticks": [], "end": end, "best": best, "last": end or {}}
    return {**told, "warnings": [], "match": False, "runs": [""], "broken": 0, "offset": 0}


def result_of(readers: Readers, path: Path, run: str | None) -> rk.Result | None:
    """The result of a run in a file, so far; None if it has none yet."""
    with path.open("rb") as file:
        head = file.read(64)
    if not head.lstrip().startswith(b'{"event"'):
        return rk.Result.load(path)

    def taken(reader: rk.files.JournalReader) -> rk.Result | None:
        story = reader.runs.get(run or "") or next(reversed(reader.runs.values()), None)
        return None if story is None else story.result()

    return readers.read(path, taken)
