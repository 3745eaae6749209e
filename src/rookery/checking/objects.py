"""A PythonProblem under watch."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Hashable
from copy import deepcopy
from typing import Any

from rookery.checking.origin import in_words
from rookery.checking.patience import Patience, Stuck
from rookery.checking.report import Broken, Log
from rookery.checking.watch import Look, Playout, Watch
from rookery.problem import PythonProblem
from rookery.rng import Stream

NOTHING = object()
"""What a state is remembered as if it cannot be compared."""


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
            try:
                if self.same(state, self.remember(state)):
                    return
            except Exception:
                continue
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


class ObjectWatch(Watch):
    """Runs a :class:`rookery.PythonProblem`, every call verified.

    >>> import rookery as rk
    >>> class Word(rk.PythonProblem):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def code(self, state, move): return (len(state), move)
    ...     def play(self, state, move): return state + move
    ...     def score(self, state): return state.count("b")
    >>> watch = ObjectWatch(Word(), log := Log(Word()), Patience(60.0))
    >>> watch.moves(watch.start())
    ['a', 'b']
    """

    of: PythonProblem

    def __init__(self, problem: PythonProblem, log: Log, patience: Patience) -> None:
        super().__init__(problem, log)
        self._patience = patience
        self._root: Any = None
        self._root_was: Any = NOTHING
        self._compare: Comparer | None = None
        for name in ("bias", "begin_playout", "choose"):
            if hasattr(problem, name):
                setattr(self, name, getattr(self, f"_{name}"))

    # --- calls ---

    def _guarded(self, name: str, *arguments: Any) -> Any:
        self._patience.began()
        try:
            try:
                return getattr(self.of, name)(*arguments)
            finally:
                self._patience.ended()
        except Exception as error:
            kind = "does-not-return" if isinstance(error, Stuck) else "exception"
            self.find(kind, name, in_words(self.of, name, error))
            raise Broken from error

    def _pure(self, name: str, state: Any, *arguments: Any, read: Callable[[Any], Any] = lambda value: value) -> Any:
        """The result of a function that must leave the state as it is, and give the same answer twice."""
        compare = self._comparer(state)
        before = compare.remember(state)
        result = read(self._guarded(name, state, *arguments))
        if not compare.same(state, before):
            by = "" if compare.by == "equality" else ", as its pickle shows"
            level = None if compare.by == "equality" else "warning"
            text = f"it must not change the state, but does{by}{self.place(name)}"
            self.log.add("state-changed", name, text, self.path, level)  # type: ignore[arg-type]
            return result
        again = read(self._guarded(name, state, *arguments))
        if not _equal(result, again):
            text = f"called twice on one state it gave {result!r:.60} and then {again!r:.60}{self.place(name)}"
            self.find("not-deterministic", name, text)
        return result

    def _comparer(self, state: Any) -> Comparer:
        if self._compare is None:
            self._compare = Comparer(state)
            if self._compare.by == "nothing":
                text = "states can be compared neither by == nor pickled: whether functions change them is not known"
                self.log.add("not-compared", "", text)
        return self._compare

    # --- verbs ---

    def start(self) -> Any:
        """The first state."""
        self.restart()
        state, second = self._guarded("start"), self._guarded("start")
        compare = self._comparer(state)
        if compare.by == "equality" and not compare.same(second, compare.remember(state)):
            self.find("not-deterministic", "start", f"called twice it gave different states{self.place('start')}")
        return state

    def copy(self, state: Any) -> Any:
        """A copy to play on; the searches under watch copy the first state only."""
        self.restart()
        self._root, self._root_was = state, self._comparer(state).remember(state)
        return self._guarded("copy", state)

    def look(self, state: Any) -> Look:
        """The legal moves of a state with their codes and biases."""
        moves: tuple[Any, ...] = self._pure("moves", state, read=self._sequence)
        codes = tuple(self._pure("code", state, move, read=self._hashable) for move in moves)
        self.check_distinct(moves, codes)
        biases: tuple[float, ...] = ()
        if hasattr(self.of, "bias"):
            biases = tuple(self._pure("bias", state, move, read=lambda b: self._number("bias", b)) for move in moves)
            for move, bias in zip(moves, biases, strict=True):
                self.check_bias(move, bias)
        return Look(moves, codes, biases)

    def _sequence(self, moves: Any) -> tuple[Any, ...]:
        if isinstance(moves, (set, frozenset)):
            text = f"it returned a set, whose order is not fixed: return sorted(...){self.place('moves')}"
            self.find("not-a-sequence", "moves", text)
        try:
            return tuple(moves)
        except TypeError:
            text = f"it must return a sequence of moves, got {moves!r}{self.place('moves')}"
            self.find("not-a-sequence", "moves", text)
            raise Broken from None

    def _hashable(self, code: Any) -> Hashable:
        try:
            hash(code)
        except TypeError:
            text = f"it must return something hashable, got {code!r}{self.place('code')}"
            self.find("code-not-hashable", "code", text)
            raise Broken from None
        return code  # type: ignore[no-any-return]

    def _number(self, name: str, value: Any) -> float:
        try:
            return float(value)
        except (TypeError, ValueError):
            self.find("not-a-number", name, f"it must return a number, got {value!r}{self.place(name)}")
            raise Broken from None

    def _play(self, state: Any, move: Any) -> Any:
        compare = self._comparer(state)
        before = compare.remember(state)
        trial = self._guarded("copy", state)
        tried = self._guarded("play", trial, move)
        tried = trial if tried is None else tried
        self._check_copy(state, before, list(self.path))
        after = self._guarded("play", state, move)
        played = state if after is None else after
        if compare.by == "equality" and not compare.same(tried, compare.remember(played)):
            text = f"the move {move} led to different states from a state and from its copy{self.place('play')}"
            self.find("not-deterministic", "play", text)
        return after

    def _check_copy(self, state: Any, before: Any, path: list[Any]) -> None:
        if not self._comparer(state).same(state, before):
            text = f"playing on a copy changed the original{self.place('copy')}"
            self.log.add("copy-shares", "copy", text, path)
            raise Broken

    def _score(self, state: Any) -> float:
        score: float = self._pure("score", state, read=lambda value: self._number("score", value))
        return score

    def _finished(self, playout: Playout) -> None:
        self._check_copy(self._root, self._root_was, list(playout.moves))

    # --- optional functions ---

    def _bias(self, state: Any, move: Any) -> float:
        return self._look.bias(move)

    def _begin_playout(self, state: Any) -> Any:
        return self._guarded("begin_playout", state)

    def _choose(self, state: Any, moves: list[Any], stream: Stream) -> int:
        words = list(stream.words)

        def read(value: Any) -> tuple[Any, list[int]]:
            drawn, stream.words = list(stream.words), list(words)
            return value, drawn

        index, drawn = self._pure("choose", state, moves, stream, read=read)
        stream.words = drawn
        if not isinstance(index, int) or not 0 <= index < len(moves):
            text = f"it returned {index!r}, which is not an index of {len(moves)} moves{self.place('choose')}"
            self.find("choose-out-of-range", "choose", text)
            raise Broken
        return index


def _equal(first: Any, second: Any) -> bool:
    """Whether two results are equal; those that cannot tell, such as arrays, are compared as text."""
    try:
        same = first == second
    except Exception:
        same = None
    return same if isinstance(same, bool) and (same or first == first) else repr(first) == repr(second)
