"""A PythonGame under watch."""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from typing import Any

from rookery.checking.game_catalogue import GameLog
from rookery.checking.game_watch import GameWatch, View
from rookery.checking.objects import ObjectWatch
from rookery.checking.patience import Patience
from rookery.checking.report import Broken
from rookery.game import PythonGame
from rookery.rng import Stream


class _Caller(ObjectWatch):
    """Calls the functions of a game, each verified as those of a problem are."""

    def __init__(self, game: PythonGame, log: GameLog, patience: Patience) -> None:
        super().__init__(game, log, patience)  # type: ignore[arg-type]

    def call(self, name: str, *arguments: Any) -> Any:
        """What a function returns."""
        return self._guarded(name, *arguments)

    def pure(self, name: str, state: Any, *arguments: Any, read: Any = lambda value: value) -> Any:
        """The same of one that must leave the state as it is."""
        return self._pure(name, state, *arguments, read=read)

    def played(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        after = self._play(state, move)
        return state if after is None else after

    def sequence(self, moves: Any) -> tuple[Any, ...]:
        """Moves that a function returned."""
        return self._sequence(moves)

    def hashable(self, code: Any) -> Hashable:
        """A code that a function returned."""
        return self._hashable(code)


class ObjectGameWatch(GameWatch):
    """Runs a :class:`rookery.PythonGame`, every call verified."""

    of: PythonGame

    def __init__(self, game: PythonGame, log: GameLog, patience: Patience) -> None:
        super().__init__(game, log)
        self._call = _Caller(game, log, patience)
        self._call.path = self.path

    def begin(self) -> Any:
        """The first position."""
        self.path.clear()
        return self._call.start()

    def copy(self, state: Any) -> Any:
        """A copy that can be played on."""
        return self._call.call("copy", state)

    def view(self, state: Any) -> View:
        """What a position offers."""
        return self.examine(state)

    def identity(self, state: Any) -> Hashable:
        """The state, if it can be hashed; else its pickle, if it has one."""
        kind: Any = type(state)
        try:
            hash(state)
            if kind.__eq__ is not object.__eq__:
                return ("state", state)
        except TypeError:
            pass
        try:
            return pickle.dumps(state)
        except Exception:
            return None

    def position(self, state: Any) -> Hashable:
        """The same: whatever a state holds may matter."""
        return self.identity(state)

    def has(self, name: str) -> bool:
        """Whether the game defines an optional function."""
        return getattr(type(self.of), name) is not getattr(PythonGame, name)

    def drawn(self, state: Any, stream: Stream) -> Any:
        """One draw of ``sample``."""
        return self._call.call("sample", state, stream)

    def _play(self, state: Any, move: Any) -> Any:
        return self._call.played(state, move)

    def _list(self, name: str, state: Any) -> tuple[Any, ...]:
        moves: tuple[Any, ...] = self._call.pure(name, state, read=self._call.sequence)
        return moves

    def _codes(self, state: Any, moves: tuple[Any, ...]) -> tuple[Hashable, ...]:
        return tuple(self._call.pure("code", state, move, read=self._call.hashable) for move in moves)

    def _whole(self, name: str, state: Any) -> int:
        value = self._call.pure(name, state)
        if not hasattr(value, "__index__"):
            self.find("not-a-number", name, f"it must return a whole number, got {value!r}")
            raise Broken
        return int(value)

    def _key(self, state: Any) -> Hashable:
        key = self._call.pure("key", state)
        try:
            hash(key)
        except TypeError:
            self.find("key-not-hashable", "key", f"it must return something hashable, got {key!r}")
            raise Broken from None
        return key  # type: ignore[no-any-return]

    def _sample(self, state: Any, stream: Stream) -> Any:
        words = list(stream.words)

        def read(value: Any) -> tuple[Any, list[int]]:
            drawn, stream.words = list(stream.words), list(words)
            return value, drawn

        return self._call.pure("sample", state, stream, read=read)[0]
