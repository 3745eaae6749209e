"""The result of a run: a frozen value that can be saved as JSON and loaded again."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import asdict, dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.disk import brief, frozen, is_a, read_json, write_text
from rookery.errors import InputError

if TYPE_CHECKING:
    from rookery.problem import Problem, PythonProblem


STATUSES = {
    "finished": "finished",
    "time": "time is up",
    "target": "target reached",
    "playouts": "all playouts made",
    "iterations": "all iterations made",
    "no_improvement": "no improvement any more",
    "condition": "the condition is met",
    "interrupted": "interrupted, best so far",
    "failed": "stopped by an error, best so far",
    "infeasible": "nothing feasible was found",
    "running": "still running, best so far",
}
"""Why a run ended, and the same in words."""
DEEPEST = 50
"""How deeply lists and objects may be nested in a file: moves and parameters are not trees."""


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

    ``status`` says why it ended: finished, time, target, playouts, iterations, no_improvement, condition,
    interrupted, failed, or infeasible: then nothing feasible was found, ``score`` is not a number (null in JSON), and
    there are no moves. The best so far of a :class:`rookery.BackgroundRun` is "running". ``tasks`` were computed on the
    ``executor``, and ``tasks_discarded`` begun in vain; ``useful_share`` is the share of all playouts that count. A run
    that is ended by the clock or by its user has the best that any task has found; ``reproducible`` is what the same
    seed gives again with ``MaxPlayouts(playouts)``, if that is less.
    In other runs ``best_seen`` is what was found beyond the sequential answer, if anything. ``pool`` has the best
    sequences that differ, if ``keep`` asked for some; ``decisions`` says what :class:`rookery.Auto` has tried, and why
    it went on as it did. ``of`` is the problem itself, for the words and the drawing that
    a notebook shows: it is not saved, pickled or compared.

    >>> import rookery as rk
    >>> result = rk.solve(rk.problems.LeftMove(depth=5), rk.NRPA(level=2, iterations=20), seed=1)
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
    reproducible: Mapping[str, Any] | None = None
    pool: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    decisions: tuple[str, ...] = field(default=(), repr=False)
    of: Problem | PythonProblem | None = field(default=None, compare=False, repr=False)
    executor: str = "threads"
    tasks: int = 0
    tasks_discarded: int = 0
    useful_share: float = 1.0

    @property
    def status_in_words(self) -> str:
        """Why the run ended, in words."""
        return STATUSES.get(self.status, self.status)  # a result made by hand may say anything

    def __str__(self) -> str:
        """The table that the command prints."""
        from rookery.running.result_text import result_text

        return result_text(self)

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from rookery.running.result_html import result_html

        return result_html(self)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "of": None}  # the class of a problem need not be known where this is unpickled

    def __copy__(self) -> Result:
        return replace(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Result:
        own = {f.name: deepcopy(getattr(self, f.name), memo) for f in fields(self) if f.name != "of"}
        return Result(**own, of=self.of)

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        data = asdict(replace(self, of=None))  # asdict would copy the problem
        del data["of"]
        data["moves"] = [_plain(move) for move in self.moves]
        data["search"] = _plain(self.search)
        data["parameters"] = {name: _plain(value) for name, value in self.parameters.items()}
        data["score"] = None if math.isnan(self.score) else self.score
        for name in ("best_seen", "reproducible"):
            data[name] = _plain(getattr(self, name))
        data["pool"] = _plain(self.pool)
        data["decisions"] = list(self.decisions)
        return data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the result in the format that the name ends with: all of it as ``.json``, or the moves alone as
        ``.csv``.

        It is written under a temporary name, then renamed, so that no half-written file is left.
        """
        if self.check_ending(path) == ".json":
            write_text(path, json.dumps(self.to_json(), indent=1) + "\n")
        else:
            from rookery.running.result_text import moves_csv

            write_text(path, moves_csv(self))

    @staticmethod
    def check_ending(path: str | os.PathLike[str]) -> str:
        """The ending of the name of a file, which must be one that :meth:`save` knows.

        >>> Result.check_ending("tour.doc")
        Traceback (most recent call last):
        rookery.errors.InputError: a result is saved as .json, or its moves as .csv, got tour.doc
        """
        ending = os.path.splitext(os.fspath(path))[1].lower()
        if ending not in (".json", ".csv"):
            raise InputError(f"a result is saved as .json, or its moves as .csv, got {os.fspath(path)}")
        return ending

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Read a result that :meth:`save` or ``rookery solve --out`` wrote."""
        return read_json(path, "a result file", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> Result:
        """A result from its JSON object, every field checked."""
        if not isinstance(data, dict):
            raise InputError("not a JSON object")
        for name, kind in {**_KINDS, **_OPTIONAL}.items():
            if name not in data:
                if name in _OPTIONAL:
                    continue
                raise InputError(f"'{name}' is missing")
            if name == "score" and data[name] is None and data["moves"] == []:
                continue  # nothing feasible was found
            if not is_a(data[name], kind):
                raise InputError(f"'{name}' must be {kind}, got {brief(data[name])}")
            _check_inside(name, data[name])
        if data["status"] not in STATUSES:
            raise InputError(f"'status' must be one of {', '.join(STATUSES)}, got {brief(data['status'])}")
        history = data.get("history", [])
        _check_inside("history", history)
        if not is_a(history, "a list"):
            raise InputError(f"'history' must be a list, got {brief(history)}")
        pool = data.get("pool", [])
        if not is_a(pool, "a list"):
            raise InputError(f"'pool' must be a list, got {brief(pool)}")
        decisions = data.get("decisions", [])
        if not is_a(decisions, "a list") or not all(is_a(told, "a text") for told in decisions):
            raise InputError(f"'decisions' must be a list of texts, got {brief(decisions)}")
        values = {name: data[name] for name in (*_KINDS, *_OPTIONAL) if name in data}
        values["score"] = math.nan if data["score"] is None else float(data["score"])
        values["moves"] = tuple(frozen(move) for move in data["moves"])
        for name in ("best_seen", "reproducible"):
            values[name] = None if data.get(name) is None else _found(name, data[name])
        values["pool"] = tuple(_found("pool", item) for item in pool)
        return cls(**values, decisions=tuple(decisions), history=tuple(map(_improvement, history)))

    def to_frame(self, what: str = "history") -> Any:
        """The ``"history"`` of improvements, or the ``"pool"``, as a pandas DataFrame (pandas must be installed)."""
        if what not in ("history", "pool"):
            raise InputError(f'to_frame is of "history" or "pool", got {what!r}')
        try:
            import pandas
        except ImportError:
            raise InputError("to_frame needs pandas: pip install pandas") from None
        if what == "pool":
            return pandas.DataFrame(list(self.pool), columns=["score", "moves"])
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
_OPTIONAL = {
    "executor": "a text",
    "tasks": "a whole number",
    "tasks_discarded": "a whole number",
    "useful_share": "a number",
}
"""What a file of version 0.1 need not hold."""


def _found(name: str, item: Any) -> dict[str, Any]:
    """A sequence and its score, in addition to the answer."""
    _check_inside(name, item)
    if not (isinstance(item, dict) and is_a(item.get("score"), "a number") and is_a(item.get("moves"), "a list")):
        raise InputError(f"'{name}' must hold a score and moves, got {brief(item)}")
    return {"score": float(item["score"]), "moves": [frozen(move) for move in item["moves"]]}


def _improvement(item: Any) -> Improvement:
    kinds = {"seconds": "a number", "playouts": "a whole number", "score": "a number"}
    if not isinstance(item, dict) or not all(is_a(item.get(name), kind) for name, kind in kinds.items()):
        raise InputError(f"an entry of 'history' must hold seconds, playouts and score, got {brief(item)}")
    return Improvement(float(item["seconds"]), item["playouts"], float(item["score"]))


def _plain(value: Any) -> Any:
    """A value as JSON stores it; what JSON does not have is written as text."""
    if isinstance(value, np.generic):  # first: np.float64 is a float too
        return _plain(value.item())
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else str(value)


def _check_inside(name: str, value: Any) -> None:
    """Refuse what could not be saved again: numbers that JSON does not have, and nesting that is too deep."""
    layer = [value]
    for _ in range(DEEPEST):
        for item in layer:
            if isinstance(item, float) and not math.isfinite(item):
                raise InputError(f"'{name}' must hold finite numbers, got {item}")
        outer = [item for item in layer if isinstance(item, (list, tuple, dict))]
        layer = [item for items in outer for item in (items.values() if isinstance(items, dict) else items)]
    if layer:
        raise InputError(f"'{name}' must be nested at most {DEEPEST} deep, got more")


@dataclass
class Tally:
    """What is committed so far; scores are to be maximised."""

    playouts: int = 0
    iterations: int = 0
    last_improvement: int = 0  # the iteration of the last improvement
    best: float = float("-inf")
    history: list[Improvement] = field(default_factory=list)
    tasks: int = 0
    busy: float = 0.0  # seconds of workers


@dataclass
class Work:
    """What was computed so far, wanted or not; ``discarded`` counts tasks, including those that were stopped for it."""

    tasks: int = 0
    playouts: int = 0
    discarded: int = 0
