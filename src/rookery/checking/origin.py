"""Where findings come from: the places of functions and exceptions, and the arrays that functions can reach."""

from __future__ import annotations

import hashlib
import types
from collections.abc import Sequence
from typing import Any

import numpy as np

from rookery.checking.report import Stuck
from rookery.compiler.hasher import names_used
from rookery.user_code import place_of, place_of_error


def at_def(problem: Any, function: str) -> str:
    """Where a function of a problem is defined, in brackets; empty if it is not known.

    >>> import rookery as rk
    >>> at_def(rk.problems.LeftMove(depth=3), "play").startswith(" (")
    True
    """
    place = place_of(problem, function)
    return f" ({place.file}:{place.line})" if place.line else ""


def in_words(problem: Any, function: str, error: BaseException) -> str:
    """An exception in one sentence: its type and text, the line of user code that raised it.

    >>> in_words(None, "play", ValueError("no such city"))
    'ValueError: no such city'
    """
    what = str(error) if isinstance(error, Stuck) else as_text(error)
    place = place_of_error(problem, error)
    if place is None:
        return what + at_def(problem, function)
    source = f", `{place.source}`" if place.source else ""
    return f"{what}, at {place.file}:{place.line}{source}"


def as_text(error: BaseException) -> str:
    """An exception in one line, without its place.

    >>> as_text(IndexError("out of\\nbounds"))
    'IndexError: out of bounds'
    """
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def shortened(value: Any) -> str:
    """A result, not too long to read.

    >>> shortened((1, 2))
    '[1, 2]'
    """
    text = str(list(value)) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."


def listing(path: Sequence[Any]) -> str:
    """Moves, for use in a sentence.

    >>> listing((3, 1)), listing(())
    ('the moves 3, 1', 'no moves')
    """
    return "the moves " + ", ".join(map(str, path)) if path else "no moves"


class GlobalArrays:
    """The arrays of modules that the functions of a problem refer to, to see whether they change.

    >>> import rookery as rk
    >>> GlobalArrays(rk.problems.Morpion()).changed()
    []
    """

    def __init__(self, problem: Any) -> None:
        self._arrays: dict[str, Any] = {}
        seen: set[int] = set()
        for parent in type(problem).__mro__:
            for value in vars(parent).values():
                if isinstance(value, types.FunctionType) and _is_outside(value):
                    self._collect(value, seen)
        self._before = {name: _digest(array) for name, array in self._arrays.items()}

    def _collect(self, function: types.FunctionType, seen: set[int]) -> None:
        if id(function.__code__) in seen:
            return
        seen.add(id(function.__code__))
        for name in set(names_used(function.__code__)):
            value = function.__globals__.get(name)
            if isinstance(value, np.ndarray):
                self._arrays[name] = value
            elif isinstance(value, types.FunctionType) and _is_outside(value):
                self._collect(value, seen)

    def changed(self) -> list[str]:
        """The names of those that are no longer what they were."""
        return [name for name, array in self._arrays.items() if _digest(array) != self._before[name]]


def _is_outside(function: types.FunctionType) -> bool:
    """Whether a function may be a user's: Numba's and NumPy's have countless globals."""
    return (function.__module__ or "").split(".")[0] not in ("numpy", "numba", "math")


def _digest(array: Any) -> bytes:
    return hashlib.sha256(np.ascontiguousarray(array).tobytes()).digest()
