"""A compiled problem under watch, interpreted."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.checking.calls import Caller
from rookery.checking.fields import bytes_of
from rookery.checking.order import Order
from rookery.checking.patience import Patience
from rookery.checking.report import Broken, Log
from rookery.checking.watch import Look, Playout, Watch
from rookery.problem import Problem
from rookery.rng import Stream

_MASK = (1 << 64) - 1


class RecordWatch(Watch):
    """Runs a :class:`rookery.Problem` as the Python that it is, every call verified.

    >>> import rookery as rk
    >>> watch = RecordWatch(rk.LeftMove(depth=3), log := Log(rk.LeftMove(depth=3)), Patience(60.0))
    >>> watch.moves(watch.start())
    [1, 0]
    >>> log.count()
    0
    """

    def __init__(self, problem: Problem, log: Log, patience: Patience) -> None:
        super().__init__(problem, log)
        self.call = Caller(problem, log, patience)
        self.call.path = self.path
        self.order = Order(self.call)
        self._longest = self.call.limits.length
        self._codes = None if self.call.limits.codes == "hashed" else int(self.call.limits.codes)
        self._looks: dict[int, Look] = {}
        for name in ("bias", "begin_playout", "choose"):
            if self.call.has(name):
                setattr(self, name, getattr(self, f"_{name}"))

    def start(self) -> Any:
        """The first state."""
        self.restart()
        state = self.call.states.new()
        self.call.change("start", self.call.to("start"), state)
        return state

    def copy(self, state: Any) -> Any:
        """A copy to play on; the searches under watch copy the first state only."""
        self.restart()
        return self.call.states.copy(state)

    def look(self, state: Any) -> Look:
        """The legal moves of a state with their codes and biases; a state seen before is only listed again."""
        key = hash(bytes_of(state))
        known = self._looks.get(key)
        if known is None:
            known = self._looks[key] = self._examine(state)
        else:
            try:
                listed = self.call.guarded("moves", self.call.list_moves, self.call.states.copy(state))[1]
            except OverflowError:  # noted when the state was new
                listed = known.moves
            if listed != known.moves and not self.log.count("narrow-arithmetic"):
                text = f"on equal states it listed {list(known.moves)}, and later {list(listed)}{self.place('moves')}"
                self.find("not-deterministic", "moves", text)
        return known

    def _examine(self, state: Any) -> Look:
        call = self.call
        _, moves = call.pure("moves", call.list_moves, state)
        codes = call.pure("code", lambda s: tuple(self._code_of(s, move) for move in moves), state)
        if call.has("count") and call.has("nth"):
            self._check_list(state, moves)
        for move, code in zip(moves, codes, strict=True):
            if self._codes is not None and not 0 <= code < self._codes:
                text = f"the code of the move {move} is {code}, but limits() declares codes={self._codes}"
                self.find("code-out-of-range", "code", text + self.place("code"))
        self.check_distinct(moves, codes)
        biases: tuple[float, ...] = ()
        if call.has("bias"):
            biases = call.pure("bias", lambda s: tuple(self._bias_of(s, move) for move in moves), state)
            for move, bias in zip(moves, biases, strict=True):
                self.check_bias(move, bias)
        if call.has("key"):
            self.order.saw(call.key(state), moves)
        if call.has("commute"):
            self.order.pairs(state, moves)
        return Look(moves, codes, biases)

    def _code_of(self, state: Any, move: int) -> int:
        code = self.call.whole("code", self.call.raw("code", state, move))
        return code & _MASK if self._codes is None else code

    def _bias_of(self, state: Any, move: int) -> float:
        return self.call.number("bias", self.call.raw("bias", state, move))

    def _check_list(self, state: Any, moves: tuple[int, ...]) -> None:
        call = self.call
        n = call.pure("count", lambda s: call.whole("count", call.raw("count", s)), state)
        if n != len(moves):
            text = f"count gives {n} where moves lists {len(moves)}{self.place('count')}"
            self.find("count-nth-disagree", "count", text)
            return
        listed = call.pure("nth", lambda s: tuple(call.whole("nth", call.raw("nth", s, i)) for i in range(n)), state)
        if listed != moves:
            i = next(i for i in range(n) if listed[i] != moves[i])
            text = f"nth gives {listed[i]} as move {i} where moves lists {moves[i]}{self.place('nth')}"
            self.find("count-nth-disagree", "nth", text)

    def step(self, state: Any, move: int) -> None:
        """Play a move of a playout that was verified before."""
        self.path.append(move)
        self._play(state, move)

    def _play(self, state: Any, move: int) -> None:
        self.call.change("play", self.call.to("play", move), state)

    def _score(self, state: Any) -> float:
        return self.call.score(state)

    def _finished(self, playout: Playout) -> None:
        if self.call.has("commute"):
            self.order.swaps(playout)

    # --- optional functions ---

    def _bias(self, state: Any, move: int) -> float:
        return self._look.bias(move)

    def _begin_playout(self, state: Any) -> None:
        self.call.change("begin_playout", self.call.to("begin_playout"), state)

    def _choose(self, state: Any, moves: list[int], stream: Stream) -> int:
        call, n = self.call, len(moves)

        def operation(s: Any) -> tuple[int, ...]:
            out = np.array(moves, np.int64)
            rng = np.array(stream.words, np.uint64)
            index = call.whole("choose", call.raw("choose", s, out, n, rng))
            if out.tolist() != moves:
                self.find("choose-changes-moves", "choose", f"moves was {moves} and is {out.tolist()}")
            return index, *map(int, rng)

        index, *words = call.pure("choose", operation, state)
        if not 0 <= index < n:
            text = f"it returned {index}, which is not an index of {n} moves{self.place('choose')}"
            self.find("choose-out-of-range", "choose", text)
            raise Broken
        stream.words = words
        return int(index)
