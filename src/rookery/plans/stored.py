"""What a checkpoint holds, checked before anything is built from it: types, ranges, lengths, relations.

Every plan says in its ``check`` what its state may be, in these words; whatever does not fit is refused in one sentence
that names the part: ``state.plan.live[0].atomic_level must be from 1 to 2, got -1``.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

from rookery.arguments import shown
from rookery.errors import InputError
from rookery.tasks import Moves, Outcome, Sequence, Weights

MOST = 1 << 60
"""The largest count of anything."""
AHEAD = 1 << 16
"""The most tasks that a run can have handed out when it was saved."""


class Part:
    """A part of a stored state, with its name.

    >>> state = Part("state", {"best": None, "made": -1})
    >>> state["made"].whole(0, 9)
    Traceback (most recent call last):
    rookery.errors.InputError: state.made must be from 0 to 9, got -1
    """

    def __init__(self, name: str, value: Any) -> None:
        self.name = name
        self.value = value

    def refuse(self, rule: str) -> NoReturn:
        """Say what the part must be, and what it is."""
        raise InputError(f"{self.name} must be {rule}, got {shown(self.value)}")

    def need(self, holds: bool, rule: str) -> None:
        """Refuse the part unless a condition holds."""
        if not holds:
            self.refuse(rule)

    # --- parts of it ---

    def has(self, *names: str) -> None:
        """It must be an object with exactly these parts."""
        if not isinstance(self.value, dict):
            self.refuse("an object")
        for name in self.value.keys() ^ set(names):
            wrong = "not known" if name in self.value else "missing"
            raise InputError(f"{self.name} must have {', '.join(names)}: {name} is {wrong}")

    def __getitem__(self, name: str) -> Part:
        return Part(f"{self.name}.{name}", self.value[name])

    def parts(self, kind: type = list, least: int = 0, most: int = MOST) -> list[Part]:
        """It must be a list, or a tuple, of this many parts."""
        items: Any = self.value
        self.need(isinstance(items, kind), f"a {kind.__name__}")
        if not least <= len(items) <= most:
            many = str(least) if least == most else f"{least} to {most}" if most < MOST else f"at least {least}"
            raise InputError(f"{self.name} must have {many} parts, got {len(items)}")
        return [Part(f"{self.name}[{i}]", item) for i, item in enumerate(items)]

    @property
    def is_none(self) -> bool:
        """Whether it is None."""
        return self.value is None

    # --- what it can be ---

    def whole(self, least: int, most: int = MOST) -> int:
        """It must be a whole number in a range."""
        if type(self.value) is not int:
            self.refuse("a whole number")
        self.need(least <= self.value <= most, f"from {least} to {most}" if most < MOST else f"at least {least}")
        return int(self.value)

    def number(self, least: float = -math.inf, most: float = math.inf) -> float:
        """It must be a finite number in a range."""
        if type(self.value) not in (int, float) or not -sys.float_info.max <= self.value <= sys.float_info.max:
            self.refuse("a finite number")
        limits = f"{least:g}" if least == most else f"from {least:g} to {most:g}"
        self.need(least <= self.value <= most, f"at least {least:g}" if most == math.inf else limits)
        return float(self.value)

    def exactly(self, value: float, why: str) -> None:
        """It must be this number."""
        self.need(type(self.value) is type(value) and self.value == value, f"{value}, {why}")

    def flag(self) -> bool:
        """It must be True or False."""
        self.need(type(self.value) is bool, "True or False")
        return bool(self.value)

    def one_of(self, words: Iterable[str]) -> str:
        """It must be one of some words."""
        self.need(isinstance(self.value, str) and self.value in words, f"one of {', '.join(words)}")
        return str(self.value)

    def moves(self, begins_with: Moves = ()) -> Moves:
        """It must be moves that begin with others."""
        self.need(isinstance(self.value, tuple) and _is_plain(self.value), "a tuple of moves")
        found: Moves = self.value
        if found[: len(begins_with)] != begins_with:
            raise InputError(f"{self.name} must begin with the moves {shown(begins_with)}, got {shown(found)}")
        return found

    def sequence(self, begins_with: Moves = ()) -> Sequence:
        """It must be a sequence that begins with some moves; its score is checked by whoever can replay it."""
        found = self.value
        if not isinstance(found, Sequence):
            self.refuse("a sequence")
        Part(f"{self.name}.moves", found.moves).moves(begins_with)
        return found

    def policy(self) -> Weights:
        """It must be a policy; its codes are checked by whoever knows the problem."""
        if not isinstance(self.value, Weights):
            self.refuse("a policy")
        return self.value

    def outcome(self, begins_with: Moves = (), found: bool = True) -> Outcome:
        """It must be the outcome of a task that was computed to its end; ``found``: its sequence was kept."""
        outcome = self.value
        if not isinstance(outcome, Outcome):
            self.refuse("an outcome")
        Part(f"{self.name}.playouts", outcome.playouts).whole(0)
        Part(f"{self.name}.seconds", outcome.seconds).number(0.0)
        self.need(outcome.whole, "of a task that nothing has cut short")
        if found or outcome.sequence is not None:
            Part(f"{self.name}.sequence", outcome.sequence).sequence(begins_with)
        last, best = 0, -math.inf
        for at, score in outcome.improvements:
            if not (last <= at <= outcome.playouts and score > best):
                raise InputError(f"{self.name}.improvements must rise, got {shown(outcome.improvements)}")
            last, best = at, score
        return outcome


def _is_plain(move: Any) -> bool:
    """Whether this can be a move: what is compared with others must be neither an array nor an object."""
    if isinstance(move, (tuple, list, frozenset)):
        return all(map(_is_plain, move))
    return move is None or isinstance(move, (int, float, str, bytes))


def sequences(value: Any) -> Iterator[Sequence]:
    """All sequences in a stored state, wherever they are.

    >>> [s.score for s in sequences({"best": Sequence(3.0, ()), "live": [Sequence(2.0, ())]})]
    [3.0, 2.0]
    """
    return (item for item in _items(value) if isinstance(item, Sequence))


def kept(value: Any) -> Iterator[Sequence]:
    """All candidates for the pool in outcomes, which are not part of the search."""
    return (item for outcome in _items(value) if isinstance(outcome, Outcome) for item in outcome.kept)


def policies(value: Any) -> Iterator[Weights]:
    """All policies in a stored state, wherever they are."""
    return (item for item in _items(value) if isinstance(item, Weights))


def _items(value: Any) -> Iterator[Any]:
    if isinstance(value, (Sequence, Weights)):
        yield value
    elif isinstance(value, Outcome):
        yield value
        yield from _items(value.sequence)
    elif isinstance(value, dict):
        for item in value.values():
            yield from _items(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _items(item)
