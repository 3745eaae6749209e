"""A problem under watch: what the searches of the reference play on it is verified move by move, and recorded."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Any

from rookery.checking.calls import Patience
from rookery.checking.commute import KeysAndOrders
from rookery.checking.loose import TakenBack
from rookery.checking.records import RecordCalls
from rookery.checking.report import Log
from rookery.checking.watch import Look, Playout, Watch
from rookery.control import Signal
from rookery.problem import Problem, PythonProblem, Sense, sum_of_biases
from rookery.rng import EXP_RANGE, Stream

REMEMBERED = 16
"""Moves that were legal a while ago of which ``is_legal`` is asked."""


@dataclass(frozen=True)
class BiasedLook(Look):
    """What a state of a problem offers: its legal moves, with a code and a bias for each, and how good it is.

    >>> look = BiasedLook((3, 5), (30, 50))
    >>> look.codes[look.at(5)]
    50
    """

    biases: tuple[float, ...] = ()
    estimate: float | None = None

    def at(self, move: Any) -> int:
        """The index of a move; moves need not be hashable, but searches hand back the objects that they got."""
        for i, other in enumerate(self.moves):
            if other is move:
                return i
        return self.moves.index(move)


class ProblemWatch(Watch[BiasedLook], PythonProblem):
    """A problem that searches in plain Python can play, every call verified.

    >>> import rookery as rk
    >>> watch = ProblemWatch(rk.problems.LeftMove(depth=3), Log(rk.problems.LeftMove(depth=3)), Patience(60.0))
    >>> watch.moves(watch.start())
    [1, 0]
    """

    unit, ending = "playout", "score"

    def __init__(self, of: Problem | PythonProblem, log: Log, patience: Patience) -> None:
        super().__init__(of, log, patience)
        self.sense: Sense = of.sense  # type: ignore[misc]
        self._seen: dict[int, None] = {}
        self._of_codes: dict[Hashable, float] | None = {} if getattr(of, "bias_by_code", False) else None
        self._summed = getattr(type(of), "bias", None) is sum_of_biases
        self._count = self.calls.limits.biases if self.calls.limits is not None else 0
        self._orders = KeysAndOrders(self.calls) if isinstance(self.calls, RecordCalls) else None
        self._taken_back = TakenBack(self.calls) if isinstance(self.calls, RecordCalls) else None
        for name in ("bias", "begin_playout", "choose"):  # searches ask whether they are there
            if self.calls.has(name):
                setattr(self, name, getattr(self, f"_{name}"))
        self.under("", None, math.inf)

    def under(self, search: str, signal: Signal | None, deadline: float) -> None:
        """Prepare for a task: halt it at the deadline, once a playout is finished."""
        self._search, self._signal, self._deadline = search, signal, deadline
        self._begun = time.perf_counter()
        self._intact: Callable[[], None] = lambda: None
        self._look = BiasedLook((), ())
        self._restart()

    def _restart(self) -> None:
        """Stand at the start of a playout."""
        self.path.clear()
        self._branching: list[int] = []
        self._chosen: dict[Hashable, int] = {}

    # --- verbs that the searches call ---

    def start(self) -> Any:
        self._restart()
        return self.calls.begin()

    def copy(self, state: Any) -> Any:
        """A copy to play on; the searches under watch copy the first state only."""
        self._restart()
        self._intact = self.calls.intact(state)
        return self.calls.copy(state)

    def moves(self, state: Any) -> list[Any]:
        look = self._look = self.look(state)
        if look.moves:
            self._branching.append(len(look.moves))
            self.check_length(look)
            self._check_retired(look)
        self._watch_time()
        return list(look.moves)

    def code(self, state: Any, move: Any) -> Hashable:
        return self._look.codes[self._look.at(move)]

    def play(self, state: Any, move: Any) -> Any:
        self._chosen.setdefault(self.code(state, move), len(self.path))
        return self.after(state, move)

    def score(self, state: Any) -> float:
        score = self.result(state)
        if math.isnan(score):
            self.fail("score-not-a-number", "score", f"it must be a number, got {score}")
        playout = Playout(tuple(self.path), tuple(self._branching), score, self._search)
        self.playouts.append(playout)
        self._intact()
        if self._orders is not None and self.calls.has("commute"):
            self._orders.swaps(playout)
        if self._taken_back is not None and self.calls.has("undo"):
            self._taken_back.check(playout)
        return score

    def _bias(self, state: Any, move: Any) -> float:
        return self._look.biases[self._look.at(move)]

    def _begin_playout(self, state: Any) -> Any:
        return self.calls.begin_playout(state)

    def _choose(self, state: Any, moves: list[Any], stream: Stream) -> int:
        index = self.calls.draw("choose", state, stream, moves)
        if not isinstance(index, int) or not 0 <= index < len(moves):
            text = f"it returned {index!r}, which is not an index of {len(moves)} moves"
            self.fail("choose-out-of-range", "choose", text)
        return index

    # --- playouts that were verified before ---

    def begin(self) -> Any:
        return self.calls.begin_playout(self.start())

    def result(self, state: Any) -> float:
        score: float = self.calls.value("score", state)
        return score

    # --- rules ---

    def _watch_time(self) -> None:
        """Halt a task that is late; one that has not finished a playout is given twice the time."""
        spare = 0.0 if self.playouts else self._deadline - self._begun
        if time.perf_counter() > self._deadline + spare and self._signal is not None:
            self._signal.halt()

    def _check_retired(self, look: Look) -> None:
        """Rosin 2011, section 2.4: a code that was chosen is not legal again in the same playout."""
        for move, code in zip(look.moves, look.codes, strict=True):
            if code in self._chosen:
                step = self._chosen[code]
                text = (
                    f"code {code!r}, chosen by move {step + 1} ({self.path[step]}), is that of the legal move {move} "
                    f"after {len(self.path)} moves"
                )
                self.find("codes-come-back", "code", text)
                return

    def examine(self, state: Any) -> BiasedLook:
        calls = self.calls
        moves = calls.listed("moves", state)
        codes = calls.values("code", state, moves)
        if self._orders is not None and calls.has("count"):
            self._check_list(state, moves)
        if self._orders is not None and calls.has("is_legal"):
            self._check_legal(state, moves)
        self.check_distinct("moves", moves)
        self.check_codes(moves, codes)
        biases = self._biases(state, moves)
        for move, code, bias in zip(moves, codes, biases, strict=False):
            self._check_bias(move, bias)
            if self._of_codes is not None and self._of_codes.setdefault(code, bias) != bias:
                text = f"of the move {move} it is {bias:g}, but {self._of_codes[code]:g} elsewhere with its code {code}"
                self.find("bias-not-by-code", self._bias_name, text)
        if self._orders is not None:
            self._orders.check(state, moves)
        return BiasedLook(moves, codes, biases, self._estimate(state) if moves and calls.has("estimate") else None)

    @property
    def _bias_name(self) -> str:
        """The function that the bias of a move comes from."""
        return "biases" if self._summed else "bias"

    def _biases(self, state: Any, moves: tuple[Any, ...]) -> tuple[float, ...]:
        """The bias of each move; if a problem gives several, all are checked."""
        calls = self.calls
        several = calls.values("biases", state, moves) if calls.has("biases") else ()
        for move, each in zip(moves, several, strict=False):
            self._count = self._count or len(each)
            if len(each) != self._count:
                text = f"of the move {move} it must return {self._count} numbers, got {len(each)}"
                self.fail("not-a-number", "biases", text)
            for bias in each:
                if not math.isfinite(bias):
                    self.fail("bias-not-finite", "biases", f"of the move {move} one is {bias}")
        if self._summed:
            return tuple(sum(each, 0.0) for each in several)
        return calls.values("bias", state, moves) if calls.has("bias") else ()

    def _estimate(self, state: Any) -> float:
        """The estimate of a state, which must be a number."""
        estimate: float = self.calls.value("estimate", state)
        if math.isnan(estimate):
            self.fail("estimate-not-a-number", "estimate", f"it must be a number, got {estimate}")
        return estimate

    def _check_list(self, state: Any, moves: tuple[int, ...]) -> None:
        n = self.calls.value("count", state)
        if n != len(moves):
            self.find("count-nth-disagree", "count", f"count gives {n} where moves lists {len(moves)}")
            return
        listed = self.calls.values("nth", state, range(n))
        if listed != moves:
            i = next(i for i in range(n) if listed[i] != moves[i])
            text = f"nth gives {listed[i]} as move {i} where moves lists {moves[i]}"
            self.find("count-nth-disagree", "nth", text)

    def _check_legal(self, state: Any, moves: tuple[int, ...]) -> None:
        """Check what ``is_legal`` says of the legal moves, and of others that were legal a while ago."""
        others = [move for move in self._seen if move not in moves]
        for move in (*moves, *others):
            said = bool(self.calls.value("is_legal", state, move))
            if said != (move in moves):
                lists = "lists it" if move in moves else "does not list it"
                self.find("is-legal-disagrees", "is_legal", f"of the move {move} it is {said}, but moves {lists}")
                return
        self._seen = dict.fromkeys([*moves[:REMEMBERED], *others][:REMEMBERED])

    def _check_bias(self, move: Any, bias: float) -> None:
        """Check that a bias is finite and not too large for the exponential."""
        if not math.isfinite(bias):
            self.fail("bias-not-finite", self._bias_name, f"of the move {move} it is {bias}")
        if bias > EXP_RANGE:
            self.find("bias-too-large", self._bias_name, f"of the move {move} it is {bias:g}, above {EXP_RANGE:g}")
