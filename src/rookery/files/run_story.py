"""What a journal tells about one run: the first and the last line, the best, and series of numbers that stay short."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rookery.disk import brief, frozen, is_a
from rookery.errors import InputError
from rookery.running.result import Improvement, Result

MOST_POINTS = 1500
"""The most points of a series."""
MOST_WARNINGS = 20

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


def _row(line: Mapping[str, Any], names: Iterable[str]) -> tuple[Any, ...]:
    return tuple(value if is_a(value := line.get(name), "a number") else None for name in names)


def _is_row(row: Any) -> bool:
    if not isinstance(row, list) or len(row) != 3 or not all(is_a(value, "a number") for value in row):
        return False
    return all(math.isfinite(value) for value in row)
