"""Calls of the functions of a problem or a game, each verified: what states of both kinds have in common."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Any, NoReturn

from rookery.checking.origin import at_def, in_words
from rookery.checking.patience import Patience, Stuck
from rookery.checking.report import Broken, Log
from rookery.problem import Limits
from rookery.rng import Stream

REAL = ("score", "bias")
"""Functions that return a float."""


class Calls(ABC):
    """Calls the functions of a model; ``path`` are the moves that lead to the state at hand."""

    limits: Limits | None = None
    """What is declared; None if nothing is."""
    codes: int | None = None
    """Codes are below this; None: any."""
    _passed: tuple[type[Exception], ...] = (Broken,)
    """Exceptions that are not findings yet."""

    def __init__(self, of: Any, log: Log, patience: Patience) -> None:
        self.of, self.log, self.patience = of, log, patience
        self.path: list[Any] = []

    # --- findings ---

    def find(self, name: str, function: str, text: str) -> None:
        """Note a finding at the state at hand, with the place of the function."""
        self.log.add(name, function, text + (at_def(self.of, function) if function else ""), self.path)

    def fail(self, name: str, function: str, text: str) -> NoReturn:
        """Note a finding after which the playout cannot go on."""
        self.find(name, function, text)
        raise Broken

    def guarded(self, name: str, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call; an exception is noted, and ends the playout."""
        try:
            return self._within(None, call, *arguments)
        except self._passed:
            raise
        except Exception as error:
            self.exception(name, error)
            raise Broken from error

    def _within(self, most: float | None, call: Callable[..., Any], *arguments: Any) -> Any:
        """Call for as long as there is patience: ``most`` seconds, or the usual."""
        self.patience.began(most)
        try:
            return call(*arguments)
        finally:
            self.patience.ended()

    def exception(self, name: str, error: Exception) -> None:
        """Note what a function raised."""
        kind = "does-not-return" if isinstance(error, Stuck) else "exception"
        self.log.add(kind, name, in_words(self.of, name, error), self.path)

    # --- states ---

    @abstractmethod
    def begin(self) -> Any:
        """The first state."""

    @abstractmethod
    def copy(self, state: Any) -> Any:
        """A state of its own with the same values."""

    @abstractmethod
    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""

    @abstractmethod
    def change(self, name: str, state: Any, *arguments: Any) -> Any:
        """The state after a function that changes it."""

    def begin_playout(self, state: Any) -> Any:
        """The state prepared for a playout, if there is anything to prepare."""
        return self.change("begin_playout", state) if self.has("begin_playout") else state

    @abstractmethod
    def identity(self, state: Any) -> Hashable:
        """Equal for states that are equal in all that they hold; None if that cannot be told."""

    def intact(self, state: Any) -> Callable[[], None]:
        """What verifies later that a state is still what it is now: playing on a copy must not change it."""
        return lambda: None

    # --- functions that leave the state as it is ---

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether the model defines an optional function."""

    @abstractmethod
    def value(self, name: str, state: Any, *arguments: Any) -> Any:
        """What a function returns."""

    @abstractmethod
    def values(self, name: str, state: Any, arguments: Iterable[Any]) -> tuple[Any, ...]:
        """What it returns for each of many arguments."""

    @abstractmethod
    def listed(self, name: str, state: Any) -> tuple[Any, ...]:
        """What ``moves`` or ``playout_moves`` lists."""

    @abstractmethod
    def draw(self, name: str, state: Any, stream: Stream, moves: list[Any] | None = None, once: bool = False) -> Any:
        """What a function draws from a stream, which goes on from there; ``once``: called a single time, as it is."""
