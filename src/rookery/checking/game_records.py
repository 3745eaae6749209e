"""A compiled game under watch, interpreted."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from rookery.checking.beginnings import FILLS
from rookery.checking.calls import Caller, Operation
from rookery.checking.fields import bytes_of
from rookery.checking.game_catalogue import GameLog
from rookery.checking.game_watch import OVER, GameWatch, View
from rookery.checking.listing import Lister
from rookery.checking.patience import Patience
from rookery.compiler.functions import method_of
from rookery.errors import ProblemError
from rookery.game import Game
from rookery.rng import Stream

_MASK = (1 << 64) - 1


class GameCaller(Caller):
    """Calls the functions of a game.

    Fields that a game declares as ``scratch`` hold nonsense before each call, another one each time, and zeros after
    it: what depends on them is not deterministic, and what is left in them is no change of the state.
    """

    def __init__(self, game: Game, log: GameLog, patience: Patience) -> None:
        super().__init__(game, log, patience)  # type: ignore[arg-type]
        self._functions = {name: method_of(type(game), name) for name in game.PARAMETERS}
        self.scratch = scratch_of(game, self.states.names)
        self._turn = 0

    def _verified(self, name: str, operation: Operation, state: Any, pure: bool) -> Any:
        def scratched(s: Any) -> Any:
            self._turn += 1
            for field in self.scratch:
                s[field] = FILLS[self._turn % len(FILLS)]
            try:
                return operation(s)
            finally:
                for field in self.scratch:
                    s[field] = 0

        return super()._verified(name, scratched if self.scratch else operation, state, pure)

    def numbers(self, name: str, state: Any, *arguments: Any) -> int:
        """A whole number that a function returns."""
        return self.whole(name, self.raw(name, state, *arguments))


def scratch_of(game: Game, fields: tuple[str, ...]) -> tuple[str, ...]:
    """The fields that a game declares as scratch, which must be there."""
    scratch = tuple(getattr(type(game), "scratch", ()))
    for name in scratch:
        if name not in fields:
            raise ProblemError(f"{type(game).__name__}: scratch must name fields of layout(), got {name!r}")
    return scratch


class _PlayoutCaller:
    """Has a lister list ``playout_moves`` where it would list ``moves``."""

    def __init__(self, call: GameCaller) -> None:
        self._call = call
        self.limits, self.states = call.limits, call.states

    def raw(self, name: str, *arguments: Any) -> Any:
        """Call the function."""
        return self._call.raw("playout_moves", *arguments)

    def whole(self, name: str, value: Any) -> int:
        """A whole number that it returned."""
        return self._call.whole("playout_moves", value)

    def find(self, name: str, function: str, text: str) -> None:
        """Note a finding about it."""
        self._call.find(name, "playout_moves", text)

    def place(self, function: str) -> str:
        """Where it is defined."""
        return self._call.place("playout_moves")


class RecordGameWatch(GameWatch):
    """Runs a :class:`rookery.Game` as the Python that it is, every call verified."""

    of: Game

    def __init__(self, game: Game, log: GameLog, patience: Patience) -> None:
        super().__init__(game, log)
        self.call = GameCaller(game, log, patience)
        self.call.path = self.path
        self.longest = self.call.limits.length
        self.codes = int(self.call.limits.codes)
        self.idle: tuple[str, ...] = ()
        """Fields on which nothing but the key depends."""
        playout: Any = _PlayoutCaller(self.call)
        self._listers = {"moves": self.call.list_moves, "playout_moves": Lister(playout)}
        self._views: dict[bytes, View] = {}

    def begin(self) -> Any:
        """The first position."""
        self.path.clear()
        state = self.call.states.new()
        self.call.change("start", self.call.to("start"), state)
        return state

    def copy(self, state: Any) -> Any:
        """A copy that can be played on."""
        return self.call.states.copy(state)

    def view(self, state: Any) -> View:
        """What a position offers; one that was seen before is only listed again."""
        data = bytes_of(state)
        known = self._views.get(data)
        if known is None:
            known = self._views[data] = self.examine(state)
            return known
        try:
            listed = self.call.guarded("moves", self.call.list_moves, self.copy(state))[1]
        except OverflowError:  # noted when the state was new
            listed = known.moves
        if listed != known.moves and not self.log.count("narrow-arithmetic"):
            text = f"on equal states it listed {list(known.moves)}, and later {list(listed)}"
            self.find("not-deterministic", "moves", text)
        return known

    def identity(self, state: Any) -> Hashable:
        """All of a state."""
        return bytes_of(state)

    def position(self, state: Any) -> Hashable:
        """All of a state but what nothing except the key depends on."""
        return tuple(np.asarray(state[name]).tobytes() for name in self.call.states.names if name not in self.idle)

    def has(self, name: str) -> bool:
        """Whether the game defines an optional function."""
        return name in self.of.PARAMETERS and self.call.has(name)

    def drawn(self, state: Any, stream: Stream) -> Any:
        """One draw of ``sample``."""
        rng = np.array(stream.words, np.uint64)
        move = self.call.numbers("sample", state, rng)
        stream.words = [int(word) for word in rng]
        return OVER if move < 0 else move

    def played_out(self, state: Any, stream: Stream) -> int:
        """What ``playout`` returns; what it leaves in the state is its own affair."""
        rng = np.array(stream.words, np.uint64)
        operation = self.call.to("playout", rng)
        winner = self.call.whole("playout", self.call.guarded("playout", operation, self.copy(state)))
        stream.words = [int(word) for word in rng]
        return winner

    def _play(self, state: Any, move: int) -> Any:
        self.call.change("play", self.call.to("play", move), state)
        return state

    def _list(self, name: str, state: Any) -> tuple[Any, ...]:
        moves: tuple[Any, ...] = self.call.pure(name, self._listers[name], state)[1]
        return moves

    def _codes(self, state: Any, moves: tuple[Any, ...]) -> tuple[Hashable, ...]:
        call = self.call
        codes: tuple[Hashable, ...] = call.pure(
            "code", lambda s: tuple(call.numbers("code", s, move) for move in moves), state
        )
        return codes

    def _whole(self, name: str, state: Any) -> int:
        value: int = self.call.pure(name, lambda s: self.call.numbers(name, s), state)
        return value

    def _key(self, state: Any) -> Hashable:
        return self.call.key(state)

    def _sample(self, state: Any, stream: Stream) -> Any:
        def operation(s: Any) -> tuple[int, ...]:
            rng = np.array(stream.words, np.uint64)
            return self.call.numbers("sample", s, rng), *map(int, rng)

        move = self.call.pure("sample", operation, state)[0]
        return OVER if move < 0 else move
