"""A problem under watch: what the searches of the reference play on it is verified move by move, and recorded."""

from __future__ import annotations

import math
import time
from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from rookery.checking.origin import at_def
from rookery.checking.report import Broken, Log
from rookery.problem import Problem, PythonProblem, Sense
from rookery.rng import EXP_RANGE
from rookery.tasks import Signal


class Look:
    """What a state offers: its legal moves, with a code and a bias for each.

    >>> Look((3, 5), (30, 50)).code(5)
    50
    """

    def __init__(self, moves: tuple[Any, ...], codes: tuple[Hashable, ...], biases: tuple[float, ...] = ()) -> None:
        self.moves = moves
        self.codes = codes
        self.biases = biases

    def _at(self, move: Any) -> int:
        """Where a move stands; moves need not be hashable, but searches hand back the objects that they got."""
        for i, other in enumerate(self.moves):
            if other is move:
                return i
        return self.moves.index(move)

    def code(self, move: Any) -> Hashable:
        """The code of a legal move."""
        return self.codes[self._at(move)]

    def bias(self, move: Any) -> float:
        """The bias of a legal move."""
        return self.biases[self._at(move)]


@dataclass
class Playout:
    """A finished playout: its moves, the number of legal moves at each step, its score, the search that played it."""

    moves: tuple[Any, ...]
    branching: tuple[int, ...]
    score: float
    search: str


@dataclass
class Seen:
    """What all playouts saw."""

    playouts: list[Playout] = field(default_factory=list)
    codes: set[Hashable] = field(default_factory=set)
    most_moves: int = 0
    most_length: int = 0


class Watch(PythonProblem, ABC):
    """What problems of both kinds have in common under watch: where a playout stands, and the rules for codes."""

    def __init__(self, problem: Problem | PythonProblem, log: Log) -> None:
        self.sense: Sense = problem.sense  # type: ignore[misc]
        self.of = problem
        self.log = log
        self.path: list[Any] = []
        self.seen = Seen()
        self.search = ""
        self._longest: int | None = None
        self._branching: list[int] = []
        self._chosen: dict[Hashable, int] = {}
        self._signal: Signal | None = None
        self._deadline = math.inf
        self._look = Look((), ())
        self._begun = 0.0

    # --- what a subclass says ---

    @abstractmethod
    def look(self, state: Any) -> Look:
        """The legal moves of a state with their codes and biases, verified."""

    @abstractmethod
    def _play(self, state: Any, move: Any) -> Any:
        """Play a move, verified."""

    @abstractmethod
    def _score(self, state: Any) -> float:
        """The score of a state, verified."""

    def _finished(self, playout: Playout) -> None:
        """What is left to verify when a playout is over."""

    # --- a run ---

    def under(self, search: str, signal: Signal, deadline: float) -> None:
        """Prepare for a task: halt it at the deadline, once a playout is finished."""
        self.search, self._signal, self._deadline = search, signal, deadline
        self._begun = time.perf_counter()
        self.restart()

    def restart(self) -> None:
        """Stand at the start of a playout."""
        self.path.clear()
        self._branching = []
        self._chosen = {}

    def find(self, name: str, function: str, text: str) -> None:
        """Note a finding at the state at hand."""
        self.log.add(name, function, text, self.path)

    def place(self, function: str) -> str:
        """Where a function is defined, in brackets."""
        return at_def(self.of, function)

    # --- verbs that the searches call ---

    def moves(self, state: Any) -> list[Any]:
        """The legal moves."""
        look = self._look = self.look(state)
        n = len(look.moves)
        self.seen.most_moves = max(self.seen.most_moves, n)
        self.seen.codes.update(look.codes)
        if n:
            self._branching.append(n)
            if self._longest is not None and len(self.path) >= self._longest:
                text = f"after {len(self.path)} moves there are {n} more, but limits() declares length={self._longest}"
                self.find("too-long", "", text)
                raise Broken
            self._check_retired(look)
        self._watch_time()
        return list(look.moves)

    def code(self, state: Any, move: Any) -> Hashable:
        """The code of a legal move."""
        return self._look.code(move)

    def play(self, state: Any, move: Any) -> Any:
        """Play a move."""
        self._chosen.setdefault(self._look.code(move), len(self.path))
        self.path.append(move)  # before it is played: what goes wrong in play is shown by the moves up to it
        return self._play(state, move)

    def score(self, state: Any) -> float:
        """The score of a finished playout."""
        score = self._score(state)
        if not math.isfinite(score):
            self.find("score-not-finite", "score", f"it must be finite, got {score}{self.place('score')}")
            raise Broken
        playout = Playout(tuple(self.path), tuple(self._branching), score, self.search)
        self.seen.playouts.append(playout)
        self.seen.most_length = max(self.seen.most_length, len(self.path))
        self._finished(playout)
        return score

    # --- rules ---

    def _watch_time(self) -> None:
        """Halt a task that is late; one that has not finished a playout is given twice the time."""
        spare = 0.0 if self.seen.playouts else self._deadline - self._begun
        if time.perf_counter() > self._deadline + spare and self._signal is not None:
            self._signal.halt()

    def _check_retired(self, look: Look) -> None:
        """Rosin 2011, section 2.4: a code that was chosen is not legal again in the same playout."""
        for move, code in zip(look.moves, look.codes, strict=True):
            if code in self._chosen:
                step = self._chosen[code]
                text = (
                    f"code {code!r}, chosen by move {step + 1} ({self.path[step]}), is that of the legal move {move} "
                    f"after {len(self.path)} moves{self.place('code')}"
                )
                self.find("codes-come-back", "code", text)
                return

    def check_distinct(self, moves: tuple[Any, ...], codes: tuple[Hashable, ...]) -> None:
        """A state has each move once, and a code for each."""
        twice = _repeated(moves)
        if twice is not None:
            self.find("moves-not-distinct", "moves", f"the move {moves[twice]} is listed twice{self.place('moves')}")
        elif len(set(codes)) < len(codes):
            i = next(i for i, code in enumerate(codes) if code in codes[:i])
            first = moves[codes.index(codes[i])]
            text = f"the legal moves {first} and {moves[i]} both have the code {codes[i]!r}{self.place('code')}"
            self.find("codes-not-distinct", "code", text)

    def check_bias(self, move: Any, bias: float) -> None:
        """A bias is a number whose exponential is one."""
        if not math.isfinite(bias):
            self.find("bias-not-finite", "bias", f"of the move {move} it is {bias}{self.place('bias')}")
            raise Broken
        if bias > EXP_RANGE:
            text = f"of the move {move} it is {bias:g}, above {EXP_RANGE:g}{self.place('bias')}"
            self.find("bias-too-large", "bias", text)


def _repeated(moves: tuple[Any, ...]) -> int | None:
    """The index of the first move that stood there before."""
    try:
        if len(set(moves)) == len(moves):
            return None
    except TypeError:  # moves that cannot be hashed
        pass
    return next((i for i, move in enumerate(moves) if move in moves[:i]), None)
