"""A problem or a game under watch: what is seen of a state, verified; and the rules that hold for both."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from rookery.checking.calls import Calls, Patience
from rookery.checking.objects import ObjectCalls
from rookery.checking.records import RecordCalls
from rookery.checking.report import Log
from rookery.problem import Model

REPLAYED = 10
"""How many playouts are replayed at the end."""


@dataclass(frozen=True)
class Look:
    """What a state offers: its legal moves, with a code for each."""

    moves: tuple[Any, ...]
    codes: tuple[Hashable, ...]


@dataclass(frozen=True)
class Playout:
    """A finished playout: its moves, how many were legal at each step, its score or, for a game, who has won.

    ``by`` says what chose the moves, ``movers`` who made each of them in a game.
    """

    moves: tuple[Any, ...]
    branching: tuple[int, ...]
    result: float
    by: str
    movers: tuple[int, ...] = ()


Offer = TypeVar("Offer", bound=Look)


class Watch(ABC, Generic[Offer]):
    """Calls the functions of a model, each call verified; ``path`` are the moves that lead to the state at hand."""

    unit: ClassVar[str]
    """What a playout is called."""
    ending: ClassVar[str]
    """The function that gives the result of a playout."""

    def __init__(self, of: Any, log: Log, patience: Patience) -> None:
        self.of, self.log = of, log
        self.calls: Calls = (RecordCalls if isinstance(of, Model) else ObjectCalls)(of, log, patience)
        self.find, self.fail, self.path = self.calls.find, self.calls.fail, self.calls.path
        self.longest = None if self.calls.limits is None else self.calls.limits.length
        self.playouts: list[Playout] = []
        self.codes_seen: set[Hashable] = set()
        self._looks: dict[int | None, Offer] = {}

    @property
    def records(self) -> RecordCalls:
        """The calls, where states are records."""
        assert isinstance(self.calls, RecordCalls)
        return self.calls

    # --- what a subclass says ---

    @abstractmethod
    def begin(self) -> Any:
        """The state at the start of a playout."""

    @abstractmethod
    def examine(self, state: Any) -> Offer:
        """Look at a state for the first time: every function that a search may call, every rule."""

    @abstractmethod
    def result(self, state: Any) -> float | None:
        """The result of a playout that ends in this state; None if it does not end here."""

    # --- what drivers call ---

    def look(self, state: Any) -> Offer:
        """What a state offers, verified; one that is known from before is only listed again."""
        mark = hash(self.calls.identity(state)) if isinstance(self.calls, RecordCalls) else None
        known = self._looks.get(mark)
        if known is not None:
            self.records.list_again(state, known.moves)
            return known
        look = self.examine(state)
        self.codes_seen.update(look.codes)
        if mark is not None:
            self._looks[mark] = look
        return look

    def after(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        self.path.append(move)  # before it is played: what goes wrong in play is shown by the moves up to it
        return self.calls.play(state, move)

    def replay(self, deadline: float) -> None:
        """Replay some playouts: what depends on more than the state gives itself away."""
        made = self.playouts
        for playout in made[:: max(1, len(made) // REPLAYED)][:REPLAYED]:
            if not self.log.ok or time.perf_counter() > deadline:
                return
            state = self.begin()
            for move in playout.moves:
                if move not in self.look(state).moves:
                    text = f"the move {move} was legal in a {self.unit}, and is not when it is played again"
                    self.find("not-deterministic", "moves", text)
                    return
                state = self.after(state, move)
            result = self.result(state)
            if result != playout.result and not self.log.count("narrow-arithmetic"):
                shown = [f"{one:g}" if isinstance(one, float) else str(one) for one in (playout.result, result)]
                text = f"a {self.unit} had the {self.ending} {shown[0]}, and {shown[1]} when it was played again"
                self.find("not-deterministic", self.ending, text)

    def tell_few(self, playouts: int, seconds: float, complete: bool) -> None:
        """Note that the time was too short, if it was."""
        made = len(self.playouts)
        if not made and self.log.ok:
            self.log.add("no-playout", "", f"no playout was finished in {seconds:g} seconds")
        elif not complete and self.log.ok:
            text = f"{made} of {playouts} playouts were made in the {seconds:g} seconds that there are for them"
            self.log.add("few-playouts", "", text)

    # --- rules ---

    def check_length(self, look: Look) -> None:
        """Refuse a playout that is longer than declared."""
        ply, n = len(self.path), len(look.moves)
        if n and self.longest is not None and ply >= self.longest:
            self.fail(
                "too-long", "", f"after {ply} moves there are {n} more, but limits() declares length={self.longest}"
            )

    def check_distinct(self, name: str, moves: tuple[Any, ...]) -> None:
        """Check that each move is listed once."""
        try:
            if len(set(moves)) == len(moves):
                return
        except TypeError:  # moves that cannot be hashed
            pass
        for i, move in enumerate(moves):
            if move in moves[:i]:
                self.find("moves-not-distinct", name, f"the move {move} is listed twice")
                return

    def check_codes(self, moves: tuple[Any, ...], codes: tuple[Any, ...]) -> None:
        """Check that each legal move has its own code, within what is declared."""
        most, by_code = self.calls.codes, dict[Any, Any]()
        for move, code in zip(moves, codes, strict=True):
            if most is not None and not 0 <= code < most:
                text = f"the code of the move {move} is {code}, but limits() declares codes={most}"
                self.find("code-out-of-range", "code", text)
            other = by_code.setdefault(code, move)
            if other is not move and other != move:
                text = f"the legal moves {other} and {move} both have the code {code!r}"
                self.find("codes-not-distinct", "code", text)
