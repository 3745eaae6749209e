"""Calls of a compiled problem's functions as the Python that they are, each verified.

Every call is made three times from equal states: as it is, again to see that it gives the same answer, and on a state
whose fields are all eight bytes wide. Compiled code computes in 64 bits, so the wide call says what it would
have come to: where the narrow one differs, a value did not fit its field, or NumPy's narrow arithmetic did it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rookery.checking.fields import bytes_of
from rookery.checking.listing import Lister
from rookery.checking.origin import at_def, in_words
from rookery.checking.patience import Patience, Stuck
from rookery.checking.report import Broken, Log
from rookery.checking.states import States, same_number
from rookery.compiler.constants import normalise
from rookery.compiler.functions import method_of
from rookery.compiler.specialise import interpreted_constants
from rookery.problem import PARAMETERS, Problem, state_dtype

Operation = Callable[[Any], Any]
"""Takes a state, calls a function on it, returns what is to be compared."""

CHANGING = ("start", "play", "begin_playout")
"""Functions that change the state."""
_MASK = (1 << 64) - 1


WIDE_LEAST, WIDE_TIMES = 0.3, 30.0
"""A call on wide fields may take so many seconds more than so many times the same call on narrow ones."""


class Caller:
    """Calls the functions of a problem; ``path`` are the moves that lead to the state at hand."""

    def __init__(self, problem: Problem, log: Log, patience: Patience) -> None:
        cls = type(problem)
        self.patience = patience
        self.problem = problem
        self.log = log
        self.path: list[Any] = []
        self.limits = problem.limits()
        self.states = States(state_dtype(problem))
        self._functions = {name: method_of(cls, name) for name in PARAMETERS}
        values = normalise(cls.__name__, problem.constants())
        self._self = interpreted_constants(cls, {name: _read_only(value) for name, value in values.items()})
        self.list_moves = Lister(self)
        self._never_widely: set[str] = set()

    def has(self, name: str) -> bool:
        """Whether the problem defines a function."""
        return self._functions[name] is not None

    def find(self, name: str, function: str, text: str) -> None:
        """Note a finding at the state at hand."""
        self.log.add(name, function, text, self.path)

    def place(self, function: str) -> str:
        """Where a function is defined, in brackets."""
        return at_def(self.problem, function)

    # --- calls as they are ---

    def raw(self, name: str, *arguments: Any) -> Any:
        """Call a function."""
        function = self._functions[name]
        assert function is not None
        return function(self._self, *arguments)

    def whole(self, name: str, value: Any) -> int:
        """A whole number that a function returned."""
        if not isinstance(value, (int, np.integer, np.bool_)):
            self.find("not-a-number", name, f"it must return a whole number, got {value!r}{self.place(name)}")
            raise Broken
        return int(value)

    def number(self, name: str, value: Any) -> float:
        """A number that a function returned."""
        if not isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
            self.find("not-a-number", name, f"it must return a number, got {value!r}{self.place(name)}")
            raise Broken
        return float(value)

    def to(self, name: str, *arguments: Any) -> Operation:
        """The operation that calls a function with these arguments."""
        return lambda s: self.raw(name, s, *arguments)

    # --- verified calls ---

    def key(self, state: Any) -> int:
        """The key of a state, as 64 bits without a sign."""
        key: int = self.pure("key", lambda s: self.whole("key", self.raw("key", s)) & _MASK, state)
        return key

    def score(self, state: Any) -> float:
        """The score of a state."""
        score: float = self.pure("score", lambda s: self.number("score", self.raw("score", s)), state)
        return score

    def pure(self, name: str, operation: Operation, state: Any) -> Any:
        """The result of an operation that must leave the state as it is."""
        return self._verified(name, operation, state, True)

    def change(self, name: str, operation: Operation, state: Any) -> None:
        """An operation that changes the state."""
        self._verified(name, operation, state, False)

    def _verified(self, name: str, operation: Operation, state: Any, pure: bool) -> Any:
        states = self.states
        before = states.copy(state)
        began = time.perf_counter()
        try:
            result = self.guarded(name, operation, state)
        except OverflowError as error:  # NumPy: a number that no narrow type holds
            states.assign(state, before)
            return self._wide_instead(name, operation, state, error, pure)
        took = time.perf_counter() - began
        if pure and bytes_of(state) != bytes_of(before):
            self._changed(name, before, state)
            states.assign(state, before)
        if self._again(name, operation, before, result, state) and states.narrow:
            result = self._widely(name, operation, before, result, state, pure, took)
        return result

    def guarded(self, name: str, operation: Operation, state: Any) -> Any:
        """Call an operation; an exception is noted, and ends the playout."""
        try:
            return self._within(operation, state)
        except (Broken, OverflowError):
            raise
        except Exception as error:
            self.exception(name, error)
            raise Broken from error

    def _within(self, operation: Operation, state: Any, most: float | None = None) -> Any:
        """Call an operation, for as long as there is patience: ``most`` seconds, or the usual."""
        self.patience.began(most)
        try:
            return operation(state)
        finally:
            self.patience.ended()

    def exception(self, name: str, error: Exception) -> None:
        """Note what a function raised."""
        kind = "exception"
        if isinstance(error, Stuck):
            kind = "does-not-return"
        elif isinstance(error, ValueError) and "read-only" in str(error):
            kind = "writes-constants"
        advice = ""
        if isinstance(error, TypeError) and "not supported for the input types" in str(error):
            advice = (
                "; NumPy does not mix signed and unsigned numbers of 64 bits here: write np.uint64(...) or int(...)"
            )
        self.find(kind, name, in_words(self.problem, name, error) + advice)

    def _changed(self, name: str, before: Any, after: Any) -> None:
        fields = self.states.differences(before, after)
        if not fields:  # 0.0 and -0.0
            return
        text = "; ".join(f"{field} was {old} and is {new}" for field, old, new in fields[:3])
        self.find("state-changed", name, f"it must not change the state, but {text}{self.place(name)}")

    def _again(self, name: str, operation: Operation, before: Any, result: Any, after: Any) -> bool:
        """Call an operation a second time; whether it came to the same."""
        second = self.states.copy(before)
        try:
            repeated = self.guarded(name, operation, second)
        except OverflowError as error:
            self.exception(name, error)
            raise Broken from error
        if not same_number(repeated, result, False):
            what = f"gave {_short(result)} and then {_short(repeated)}"
        else:
            same = name not in CHANGING or bytes_of(second) == bytes_of(after)
            fields = [] if same else self.states.differences(after, second)
            if not fields:
                return True
            what = "set {} to {} and then to {}".format(*fields[0])
        self.find("not-deterministic", name, f"called twice on equal states it {what}{self.place(name)}")
        return False

    def _widely(
        self, name: str, operation: Operation, before: Any, result: Any, state: Any, pure: bool, took: float
    ) -> Any:
        """Compare with the same call on wide fields; where only NumPy's arithmetic was narrow, take the wide result."""
        if name in self._never_widely:
            return result
        states = self.states
        wide = states.widen(before)
        try:
            with self.log.silent():
                wide_result = self._within(operation, wide, WIDE_LEAST + WIDE_TIMES * took)
        except Stuck:
            self._never_widely.add(name)
            self.log.add("not-compared", name, "on fields of eight bytes it did not return: overflow is not looked for")
            return result
        except Exception:  # what compiled code does there is seen when it is compared
            return result
        if not pure and self._overflow(name, state, wide):
            return result
        strayed = None if pure else states.strayed(state, wide)
        if strayed is None and same_number(result, wide_result, states.has_short_floats):
            return result
        what = f"it gave {_short(result)}" if strayed is None else f"it set {strayed[0]} to {strayed[1]}"
        right = _short(wide_result) if strayed is None else strayed[2]
        self._narrow(name, f"{what} where 64 bits, as compiled code has, give {right}")
        if not pure:
            states.assign(state, wide)
        return wide_result

    def _wide_instead(self, name: str, operation: Operation, state: Any, error: OverflowError, pure: bool) -> Any:
        """What a call comes to on wide fields, when narrow ones made it raise."""
        wide = self.states.widen(state)
        try:
            result = self._within(operation, wide)
        except Broken:
            raise
        except Exception:
            self.exception(name, error)
            raise Broken from error
        if pure or not self._overflow(name, state, wide):
            self._narrow(name, in_words(self.problem, name, error))
        if not pure:
            self.states.assign(state, wide)
        return result

    def _overflow(self, name: str, state: Any, wide: Any) -> bool:
        over = self.states.overflowed(state, wide)
        if over is not None:
            field, kind, value = over
            text = f"{value} does not fit the field {field}, which is of type {kind}{self.place(name)}"
            self.find("field-overflow", name, text)
        return over is not None

    def _narrow(self, name: str, text: str) -> None:
        advice = "; interpreted NumPy keeps narrow types in sums and products: convert with int(...) first"
        self.find("narrow-arithmetic", name, text + advice + self.place(name))


def _read_only(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


def _short(value: Any) -> str:
    """A result, not too long to read; of moves and their number, the moves."""
    if isinstance(value, tuple) and len(value) == 2 and isinstance(value[1], tuple):
        value = list(value[1])
    text = str(list(value)) if isinstance(value, tuple) else str(value)
    return text if len(text) <= 60 else text[:57] + "..."
