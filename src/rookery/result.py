"""What a run came to: a frozen value that is saved as JSON and loaded again."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from rookery.errors import InputError

STATUSES = ("finished", "time", "target", "playouts", "iterations", "no_improvement", "interrupted")


@dataclass(frozen=True)
class Improvement:
    """When the best score of a run rose; seconds within a task are interpolated by playouts.

    >>> Improvement(seconds=0.5, playouts=1000, score=61.0).score
    61.0
    """

    seconds: float
    playouts: int
    score: float


@dataclass(frozen=True)
class Result:
    """The result of a run, in the problem's own sense.

    ``status`` tells why it ended: finished, time, target, playouts, iterations, no_improvement or
    interrupted. ``best_seen`` is what speculation found beyond the sequential answer, if anything.

    >>> import rookery as rk
    >>> result = rk.solve(rk.LeftMove(depth=5), rk.NRPA(level=2, iterations=20), seed=1)
    >>> result.score, result.status
    (5.0, 'finished')
    """

    problem: str
    parameters: Mapping[str, Any]
    search: Mapping[str, Any]
    seed: int
    workers: int
    score: float
    moves: tuple[Any, ...]
    playouts: int
    iterations: int
    restarts: int
    seconds: float
    compile_seconds: float
    status: str
    version: str
    history: tuple[Improvement, ...] = field(default=(), repr=False)
    best_seen: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        data = asdict(self)
        data["moves"] = [_plain(move) for move in self.moves]
        data["parameters"] = {name: _plain(value) for name, value in self.parameters.items()}
        if self.best_seen is not None:
            data["best_seen"] = {**self.best_seen, "moves": [_plain(m) for m in self.best_seen["moves"]]}
        return data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result as JSON: under a temporary name, then renamed, so that no half file is left."""
        write_text(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result that :meth:`save` or ``rookery solve --out`` has written."""
        return read_json(path, "a result file", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> Result:
        """A result from its JSON object, every field checked."""
        if not isinstance(data, dict):
            raise InputError("not a JSON object")
        for name, kind in _KINDS.items():
            if name not in data:
                raise InputError(f"'{name}' is missing")
            if not _is(data[name], kind):
                raise InputError(f"'{name}' must be {kind}, got {_brief(data[name])}")
        if data["status"] not in STATUSES:
            raise InputError(f"'status' must be one of {', '.join(STATUSES)}, got {_brief(data['status'])}")
        history = data.get("history", [])
        if not _is(history, "a list"):
            raise InputError(f"'history' must be a list, got {_brief(history)}")
        seen = data.get("best_seen")
        if seen is not None and not (
            isinstance(seen, dict) and _is(seen.get("score"), "a number") and _is(seen.get("moves"), "a list")
        ):
            raise InputError(f"'best_seen' must hold a score and moves, got {_brief(seen)}")
        values = {name: data[name] for name in _KINDS}
        values["score"] = float(data["score"])
        values["moves"] = tuple(_frozen(move) for move in data["moves"])
        return cls(**values, history=tuple(map(_improvement, history)), best_seen=seen)

    def to_frame(self) -> Any:
        """The history of improvements as a pandas DataFrame (pandas must be installed)."""
        try:
            import pandas
        except ImportError:
            raise InputError("to_frame needs pandas: pip install pandas") from None
        return pandas.DataFrame([asdict(i) for i in self.history], columns=["seconds", "playouts", "score"])


_KINDS = {
    "problem": "a text",
    "parameters": "an object",
    "search": "an object",
    "seed": "a whole number",
    "workers": "a whole number",
    "score": "a number",
    "moves": "a list",
    "playouts": "a whole number",
    "iterations": "a whole number",
    "restarts": "a whole number",
    "seconds": "a number",
    "compile_seconds": "a number",
    "status": "a text",
    "version": "a text",
}


def _is(value: Any, kind: str) -> bool:
    if kind == "a text":
        return isinstance(value, str)
    if kind == "an object":
        return isinstance(value, dict)
    if kind == "a list":
        return isinstance(value, list)
    if kind == "a whole number":
        return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 64
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(float(value))
    except OverflowError:
        return False


def _improvement(item: Any) -> Improvement:
    names = [f.name for f in fields(Improvement)]
    if not isinstance(item, dict) or not all(_is(item.get(name), "a number") for name in names):
        raise InputError(f"an entry of 'history' must hold {', '.join(names)}, got {_brief(item)}")
    return Improvement(float(item["seconds"]), int(item["playouts"]), float(item["score"]))


def _brief(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _plain(value: Any) -> Any:
    """A value as JSON has it; what JSON does not have, as its text."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    return str(value)


def _frozen(value: Any) -> Any:
    return tuple(_frozen(item) for item in value) if isinstance(value, list) else value


T = TypeVar("T")


def read_json(path: str | os.PathLike[str], kind: str, make: Callable[[Any], T]) -> T:
    """What ``make`` makes of a JSON file; whatever is wrong with the file is one sentence."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not text"
        raise InputError(f"cannot read {path}: {reason}") from None
    try:
        return make(json.loads(text))
    except (ValueError, RecursionError) as error:
        reason = str(error) if isinstance(error, InputError) else "not JSON"
        raise InputError(f"{path} is not {kind}: {reason}") from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a file whole or not at all."""
    target = Path(path)
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o666 & ~_umask())
            os.replace(temporary, target)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None


def check_writable(path: str | os.PathLike[str]) -> None:
    """Refuse a path that could not be written, before any work is done for it."""
    target = Path(path)
    if target.is_dir():
        raise InputError(f"cannot write {path}: it is a folder")
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror or error}") from None
    os.close(handle)
    Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
