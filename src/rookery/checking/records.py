"""Calls of compiled functions as the Python that they are, on records.

Every call is made three times from equal states: as it is, again to see that it gives the same answer, and on a state
whose fields are all eight bytes wide. Compiled code computes in 64 bits, so the wide call says what it would have
given: where the narrow one differs, a value did not fit its field, or NumPy's narrow arithmetic is the cause.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Iterable
from typing import Any

import numpy as np

from rookery.checking.calls import REAL, Calls, Lister, Patience
from rookery.checking.origin import in_words, shortened
from rookery.checking.report import Broken, Log, Stuck
from rookery.checking.states import States, bytes_of, same_number
from rookery.compiler.constants import interpreted_constants, normalise
from rookery.compiler.hasher import functions_of
from rookery.compiler.layout import state_dtype
from rookery.errors import ProblemError
from rookery.game import Game
from rookery.problem import Limits, Model
from rookery.rng import Stream

Operation = Callable[[Any], Any]
"""Takes a state, calls a function on it, returns what is to be compared."""

FILLS = (77, 78)
"""What fields hold instead of zero: small numbers that every type has, for they may become the end of a loop."""
WIDE_LEAST, WIDE_TIMES = 0.3, 30.0
"""A call on wide fields may take this many seconds more than this multiple of the same call on narrow ones."""
MASK = (1 << 64) - 1


class RecordCalls(Calls):
    """Calls the functions of a :class:`rookery.Problem` or a :class:`rookery.Game`.

    Fields that a game declares as ``scratch`` hold nonsense before each call, different each time, and zeros after
    it: what depends on them is not deterministic, and what is left in them does not count as a change of the state.

    >>> import rookery as rk
    >>> calls = RecordCalls(rk.problems.LeftMove(depth=3), log := Log(rk.problems.LeftMove(depth=3)), Patience(60.0))
    >>> calls.listed("moves", calls.begin()), log.count()
    ((1, 0), 0)
    """

    limits: Limits
    _passed = (Broken, OverflowError)  # NumPy: a number that no narrow type holds; then wide fields decide

    def __init__(self, of: Model, log: Log, patience: Patience) -> None:
        super().__init__(of, log, patience)
        cls = type(of)
        self.limits = of.limits()
        self.codes = None if self.limits.codes == "hashed" else int(self.limits.codes)
        self.states = States(state_dtype(of))
        self.scratch = _scratch_of(of, self.states.names)
        self._functions = functions_of(of)
        values = normalise(cls.__name__, of.constants())
        self._self = interpreted_constants(cls, {name: _read_only(value) for name, value in values.items()})
        self.listers = {name: Lister(self, name) for name in ("moves", "playout_moves")}
        self._never_widely: set[str] = set()
        self._turn = 0

    def has(self, name: str) -> bool:
        return self._functions.get(name) is not None

    # --- calls as they are ---

    def raw(self, name: str, *arguments: Any) -> Any:
        """Call a function."""
        function = self._functions[name]
        assert function is not None
        return function(self._self, *arguments)

    def read(self, name: str, value: Any) -> Any:
        """The number that a function returned; keys and hashed codes as 64 bits without a sign."""
        if name == "biases":
            return self.several(value)
        if name in REAL:
            if not isinstance(value, (int, float, np.integer, np.floating, np.bool_)):
                self.fail("not-a-number", name, f"it must return a number, got {value!r}")
            return float(value)
        if not isinstance(value, (int, np.integer, np.bool_)):
            self.fail("not-a-number", name, f"it must return a whole number, got {value!r}")
        return int(value) & MASK if name == "key" or (name == "code" and self.codes is None) else int(value)

    # --- states ---

    def begin(self) -> Any:
        return self.change("start", self.states.new())

    def copy(self, state: Any) -> Any:
        return self.states.copy(state)

    def play(self, state: Any, move: int) -> Any:
        return self.change("play", state, move)

    def identity(self, state: Any) -> Hashable:
        return bytes_of(state)

    # --- verified calls ---

    def change(self, name: str, state: Any, *arguments: Any) -> Any:
        self._verified(name, lambda s: self.raw(name, s, *arguments), state, False)
        return state

    def value(self, name: str, state: Any, *arguments: Any) -> Any:
        return self._pure(name, lambda s: self.read(name, self.raw(name, s, *arguments)), state)

    def values(self, name: str, state: Any, arguments: Iterable[Any]) -> tuple[Any, ...]:
        given = tuple(arguments)
        found: tuple[Any, ...] = self._pure(
            name, lambda s: tuple(self.read(name, self.raw(name, s, argument)) for argument in given), state
        )
        return found

    def listed(self, name: str, state: Any) -> tuple[int, ...]:
        found: tuple[int, ...] = self._pure(name, self.listers[name], state)
        return found

    def makers(self, state: Any, thing: int) -> tuple[int, ...]:
        """The moves that are said to make a thing."""

        def operation(s: Any) -> tuple[int, ...]:
            out = np.zeros(self.limits.moves, np.int64)
            n = self.read("makers", self.raw("makers", s, thing, out))
            return tuple(int(move) for move in out[:n])

        found: tuple[int, ...] = self._pure("makers", operation, state)
        return found

    def list_again(self, state: Any, known: tuple[int, ...]) -> None:
        """Verify that a state that was seen before still has the same legal moves."""
        try:
            listed = self.guarded("moves", self.listers["moves"], self.copy(state))
        except OverflowError:  # noted when the state was new
            return
        if listed != known and not self.log.count("narrow-arithmetic"):
            text = f"on equal states it listed {list(known)}, and later {list(listed)}"
            self.find("not-deterministic", "moves", text)

    def draw(self, name: str, state: Any, stream: Stream, moves: list[Any] | None = None, once: bool = False) -> int:
        """What a function draws from a stream; it must not change the moves that it is given."""

        def operation(s: Any) -> tuple[int, ...]:
            rng = np.array(stream.words, np.uint64)
            given = () if moves is None else (np.array(moves, np.int64), len(moves))
            drawn = self.read(name, self.raw(name, s, *given, rng))
            if given and given[0].tolist() != moves:
                text = f"moves was {moves} and is {given[0].tolist()}"
                self.log.add("choose-changes-moves", name, text, self.path)
            return drawn, *map(int, rng)

        drawn, *words = (self.guarded if once else self._pure)(name, operation, state)
        stream.words = words
        return int(drawn)

    def _pure(self, name: str, operation: Operation, state: Any) -> Any:
        """The result of an operation that must leave the state as it is."""
        return self._verified(name, operation, state, True)

    def _verified(self, name: str, operation: Operation, state: Any, pure: bool) -> Any:
        states = self.states
        operation = self._scratched(operation) if self.scratch else operation
        before = states.copy(state)
        began = time.perf_counter()
        try:
            result = self.guarded(name, operation, state)
        except OverflowError as error:
            states.assign(state, before)
            return self._wide_instead(name, operation, state, error, pure)
        took = time.perf_counter() - began
        if pure and bytes_of(state) != bytes_of(before):
            self._changed(name, before, state)
            states.assign(state, before)
        if self._again(name, operation, before, result, state, pure) and states.narrow:
            result = self._widely(name, operation, before, result, state, pure, took)
        return result

    def _scratched(self, operation: Operation) -> Operation:
        def scratched(s: Any) -> Any:
            self._turn += 1
            for field in self.scratch:
                s[field] = FILLS[self._turn % len(FILLS)]
            try:
                return operation(s)
            finally:
                for field in self.scratch:
                    s[field] = 0

        return scratched

    def exception(self, name: str, error: Exception) -> None:
        text = in_words(self.of, name, error)
        if isinstance(error, ValueError) and "read-only" in str(error):
            self.log.add("writes-constants", name, text, self.path)
        elif isinstance(error, TypeError) and "not supported for the input types" in str(error):
            advice = "NumPy does not mix signed and unsigned numbers of 64 bits here: write np.uint64(...) or int(...)"
            self.log.add("exception", name, f"{text}; {advice}", self.path)
        else:
            super().exception(name, error)

    def _changed(self, name: str, before: Any, after: Any) -> None:
        fields = self.states.differences(before, after)
        if not fields:  # 0.0 and -0.0
            return
        text = "; ".join(f"{field} was {old} and is {new}" for field, old, new in fields[:3])
        self.find("state-changed", name, f"it must not change the state, but {text}")

    def _again(self, name: str, operation: Operation, before: Any, result: Any, after: Any, pure: bool) -> bool:
        """Call an operation a second time; whether it gave the same."""
        second = self.states.copy(before)
        try:
            repeated = self.guarded(name, operation, second)
        except OverflowError as error:
            self.exception(name, error)
            raise Broken from error
        if not same_number(repeated, result, False):
            what = f"gave {shortened(result)} and then {shortened(repeated)}"
        else:
            same = pure or bytes_of(second) == bytes_of(after)
            fields = [] if same else self.states.differences(after, second)
            if not fields:
                return True
            what = "set {} to {} and then to {}".format(*fields[0])
        self.find("not-deterministic", name, f"called twice on equal states it {what}")
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
                wide_result = self._within(WIDE_LEAST + WIDE_TIMES * took, operation, wide)
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
        what = f"it gave {shortened(result)}" if strayed is None else f"it set {strayed[0]} to {strayed[1]}"
        right = shortened(wide_result) if strayed is None else strayed[2]
        self._narrow(name, f"{what} where 64 bits, as compiled code has, give {right}")
        if not pure:
            states.assign(state, wide)
        return wide_result

    def _wide_instead(self, name: str, operation: Operation, state: Any, error: OverflowError, pure: bool) -> Any:
        """What a call gives on wide fields, when narrow ones made it raise."""
        wide = self.states.widen(state)
        try:
            result = self._within(None, operation, wide)
        except Broken:
            raise
        except Exception:
            self.exception(name, error)
            raise Broken from error
        if pure or not self._overflow(name, state, wide):
            self._narrow(name, in_words(self.of, name, error))
        if not pure:
            self.states.assign(state, wide)
        return result

    def _overflow(self, name: str, state: Any, wide: Any) -> bool:
        over = self.states.overflowed(state, wide)
        if over is not None:
            text = "{2} does not fit the field {0}, which is of type {1}".format(*over)
            self.find("field-overflow", name, text)
        return over is not None

    def _narrow(self, name: str, text: str) -> None:
        advice = "; interpreted NumPy keeps narrow types in sums and products: convert with int(...) first"
        self.find("narrow-arithmetic", name, text + advice)


def _read_only(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


def _scratch_of(of: Model, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The fields that a game declares as scratch, which must be there."""
    scratch = tuple(type(of).scratch) if isinstance(of, Game) else ()
    for name in scratch:
        if name not in fields:
            raise ProblemError(f"{type(of).__name__}: scratch must name fields of layout(), got {name!r}")
    return scratch
