"""Checks of parameters that the searches share."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any, Literal, TypeVar

import numpy as np

from rookery.errors import InputError

MOST_LEVEL = 30
"""The policy keeps levels as the bits of a 32-bit word."""

Tie = str | float
T = TypeVar("T")


Rule = Literal["uniform", "mobility", "own"]
"""How a playout chooses moves: at random, by mobility (Cazenave 2007, section 2.3) or by the problem's ``choose``."""

RULES = ("uniform", "mobility", "own")


MOST_SHOWN = 60
"""The most characters of a value that an error shows."""


def shown(value: Any) -> str:
    """A value as an error shows it: on one line, cut if it is long.

    >>> shown("two"), shown("2" * 100)[-6:]
    ("'two'", '222...')
    """
    try:
        text = " ".join(repr(value).split())
    except Exception:  # a whole number with more digits than Python prints, or a bug in a user's class
        return f"<{type(value).__name__}>"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 3] + "..."


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number in a range, or an error that says so.

    >>> whole("level", 3, 1)
    3
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputError(f"{name} must be a whole number, got {shown(value)}")
    number = int(value)
    if number < least:
        raise InputError(f"{name} must be at least {least}, got {shown(number)}")
    if most is not None and number > most:
        raise InputError(f"{name} must be at most {most}, got {shown(number)}")
    return number


def flag(name: str, value: Any) -> bool:
    """True or False, or an error that says so.

    >>> flag("layers", True)
    True
    """
    if not isinstance(value, bool):
        raise InputError(f"{name} must be True or False, got {shown(value)}")
    return value


def finite(name: str, value: Any) -> float:
    """A finite number, or an error that says so.

    >>> finite("alpha", 1)
    1.0
    """
    try:
        number = math.nan if isinstance(value, bool) or not isinstance(value, numbers.Real) else float(value)
    except OverflowError:  # a whole number or a fraction beyond what floats hold
        number = math.inf
    if not math.isfinite(number):
        raise InputError(f"{name} must be a finite number, got {shown(value)}")
    return number


def positive(name: str, value: Any) -> float:
    """A finite number above 0, or an error that says so.

    >>> positive("tau", 0.5)
    0.5
    """
    number = finite(name, value)
    if number <= 0.0:
        raise InputError(f"{name} must be more than 0, got {shown(value)}")
    return number


def per_level(name: str, value: Any, level: int, default: Any, check: Callable[[Any], T]) -> tuple[T, ...]:
    """A checked value for each level 0..level: from one for all, or from a mapping from level to value.

    >>> per_level("iterations", {2: 10}, 2, 100, int)
    (100, 100, 10)
    """
    if not isinstance(value, Mapping):
        return (check(value),) * (level + 1)
    for key in value:
        whole(f"a level in {name}", key, 1, level)
    return tuple(check(value.get(i, default)) for i in range(level + 1))


def tie_number(rule: Any) -> float:
    """A tie rule as kernels take it: -1 for ">=", 1 for ">", else the fraction.

    >>> tie_number(">="), tie_number(0.3), tie_number(">")
    (-1.0, 0.3, 1.0)
    """
    if isinstance(rule, str) and rule in (">=", ">"):
        return -1.0 if rule == ">=" else 1.0
    if isinstance(rule, (int, float, np.number)) and not isinstance(rule, bool) and 0 <= rule < 1:
        return float(rule)
    raise InputError(f'a tie rule must be ">=", ">" or a fraction in [0, 1), got {shown(rule)}')


def numbered(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Names for what is in a list: its own, with a number where there are several of one name.

    >>> numbered([("uct", 1), ("ppa", 2), ("uct", 3)])
    {'uct 1': 1, 'ppa': 2, 'uct 2': 3}
    """
    names = [name for name, _ in pairs]
    counts: dict[str, int] = {}
    named = {}
    for name, item in pairs:
        counts[name] = counts.get(name, 0) + 1
        named[f"{name} {counts[name]}" if names.count(name) > 1 else name] = item
    return named
