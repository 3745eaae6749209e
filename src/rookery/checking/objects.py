"""Calls of functions in plain Python, on states that are any object."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from copy import deepcopy
from operator import index
from typing import Any

from rookery.checking.calls import REAL, Calls, Patience
from rookery.checking.origin import at_def
from rookery.checking.report import Log
from rookery.game import PythonGame
from rookery.problem import PythonProblem
from rookery.rng import Stream

NOTHING = object()
"""What stands for a state that cannot be compared."""


class Comparer:
    """Remembers states: by a deep copy where ``==`` means something, else pickled, else not at all.

    >>> comparer = Comparer([1, 2])
    >>> comparer.by, comparer.same([1, 2], comparer.remember([1, 2]))
    ('equality', True)
    """

    def __init__(self, state: Any) -> None:
        self.by = "nothing"
        for by in ("equality", "pickle"):
            self.by = by
            with suppress(Exception):
                if self.same(state, self.remember(state)):
                    return
        self.by = "nothing"

    def remember(self, state: Any) -> Any:
        """The state as it is now."""
        if self.by == "nothing":
            return NOTHING
        return deepcopy(state) if self.by == "equality" else pickle.dumps(state)

    def same(self, state: Any, remembered: Any) -> bool:
        """Whether a state is what it was."""
        if remembered is NOTHING:
            return True
        if self.by == "equality":
            return (state == remembered) is True
        return bool(pickle.dumps(state) == remembered)


class ObjectCalls(Calls):
    """Calls the functions of a :class:`rookery.PythonProblem` or a :class:`rookery.PythonGame`.

    >>> import rookery as rk
    >>> class Word(rk.PythonProblem):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    >>> calls = ObjectCalls(Word(), Log(Word()), Patience(60.0))
    >>> calls.listed("moves", calls.begin())
    ('a', 'b')
    """

    def __init__(self, of: PythonProblem | PythonGame, log: Log, patience: Patience) -> None:
        super().__init__(of, log, patience)
        self._contract = PythonGame if isinstance(of, PythonGame) else PythonProblem
        self._compare: Comparer | None = None

    def has(self, name: str) -> bool:
        """Whether a function is defined by the user, not inherited from the base class."""
        function = getattr(self.of, name, None)
        return getattr(function, "__func__", function) is not getattr(self._contract, name, None)

    def _call(self, name: str, *arguments: Any) -> Any:
        return self.guarded(name, getattr(self.of, name), *arguments)

    def _comparer(self, state: Any) -> Comparer:
        if self._compare is None:
            self._compare = Comparer(state)
            if self._compare.by == "nothing":
                text = "states can be compared neither by == nor pickled: whether functions change them is not known"
                self.log.add("not-compared", "", text)
        return self._compare

    # --- states ---

    def begin(self) -> Any:
        state, second = self._call("start"), self._call("start")
        compare = self._comparer(state)
        if compare.by == "equality" and not compare.same(second, compare.remember(state)):
            self.find("not-deterministic", "start", "called twice it gave different states")
        return state

    def copy(self, state: Any) -> Any:
        return self._call("copy", state)

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move, which is tried on a copy first."""
        intact = self.intact(state)
        tried = self.change("play", self.copy(state), move)
        intact()
        played, compare = self.change("play", state, move), self._comparer(state)
        if compare.by == "equality" and not compare.same(tried, compare.remember(played)):
            text = f"the move {move} led to different states from a state and from its copy"
            self.find("not-deterministic", "play", text)
        return played

    def change(self, name: str, state: Any, *arguments: Any) -> Any:
        """The state that a function returned, or else the one that it changed."""
        after = self._call(name, state, *arguments)
        return state if after is None else after

    def intact(self, state: Any) -> Callable[[], None]:
        """A function that verifies later that playing on a copy has not changed a state."""
        compare = self._comparer(state)
        before = compare.remember(state)

        def verify() -> None:
            if not compare.same(state, before):
                self.fail("copy-shares", "copy", "playing on a copy changed the original")

        return verify

    def identity(self, state: Any) -> Hashable:
        """The state, if it can be hashed; else its pickle, if it has one."""
        kind: Any = type(state)
        with suppress(TypeError):
            hash(state)
            if kind.__eq__ is not object.__eq__:
                return ("state", state)
        with suppress(Exception):
            return pickle.dumps(state)
        return None

    # --- functions that leave the state as it is ---

    def value(self, name: str, state: Any, *arguments: Any) -> Any:
        return self._pure(name, state, *arguments, read=lambda value: self._read(name, value))

    def values(self, name: str, state: Any, arguments: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(self.value(name, state, argument) for argument in arguments)

    def listed(self, name: str, state: Any) -> tuple[Any, ...]:
        moves: tuple[Any, ...] = self._pure(name, state, read=lambda moves: self._sequence(name, moves))
        return moves

    def draw(self, name: str, state: Any, stream: Stream, moves: list[Any] | None = None, once: bool = False) -> Any:
        given = (stream,) if moves is None else (moves, stream)
        if once:
            return self._call(name, state, *given)
        words = list(stream.words)

        def read(value: Any) -> tuple[Any, list[int]]:
            drawn, stream.words = list(stream.words), list(words)
            return value, drawn

        value, stream.words = self._pure(name, state, *given, read=read)
        return value

    def _pure(self, name: str, state: Any, *arguments: Any, read: Callable[[Any], Any]) -> Any:
        """The result of a function that must leave the state as it is, and give the same answer twice."""
        compare = self._comparer(state)
        before = compare.remember(state)
        result = read(self._call(name, state, *arguments))
        if compare.same(state, before):
            again = read(self._call(name, state, *arguments))
            if not _equal(result, again):
                text = f"called twice on one state it gave {result!r:.60} and then {again!r:.60}"
                self.find("not-deterministic", name, text)
        elif compare.by == "equality":
            self.find("state-changed", name, "it must not change the state, but does")
        else:
            text = f"it must not change the state, but does, as its pickle shows{at_def(self.of, name)}"
            self.log.add("state-changed", name, text, self.path, "warning")
        return result

    # --- what functions return ---

    def _read(self, name: str, value: Any) -> Any:
        if name == "biases":
            return self.several(value)
        try:
            if name in REAL:
                return float(value)
            if name in ("player", "winner"):
                return int(index(value))
        except (TypeError, ValueError):
            whole = "" if name in REAL else "whole "
            self.fail("not-a-number", name, f"it must return a {whole}number, got {value!r}")
        try:
            hash(value)
        except TypeError:
            self.fail(f"{name}-not-hashable", name, f"it must return something hashable, got {value!r}")
        return value

    def _sequence(self, name: str, moves: Any) -> tuple[Any, ...]:
        if isinstance(moves, (set, frozenset)):
            text = "it returned a set, whose order is not fixed: return sorted(...)"
            self.find("not-a-sequence", name, text)
        try:
            return tuple(moves)
        except TypeError:
            self.fail("not-a-sequence", name, f"it must return a sequence of moves, got {moves!r}")


def _equal(first: Any, second: Any) -> bool:
    """Whether two results are equal; those that cannot tell, such as arrays, are compared as text."""
    try:
        same = first == second
    except Exception:
        same = None
    return same if isinstance(same, bool) and (same or first == first) else repr(first) == repr(second)
