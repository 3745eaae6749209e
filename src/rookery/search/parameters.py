"""Checks of the parameters that searches share."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping
from typing import Any

import numpy as np

from rookery.errors import InputError

MOST_LEVEL = 30
"""Levels are bits of a 32-bit word in the policy."""

Tie = str | float


def whole(name: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number in a range, or an error that says so.

    >>> whole("level", 3, 1)
    3
    """
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
        raise InputError(f"{name} must be a whole number, got {value!r}")
    if value < least:
        raise InputError(f"{name} must be at least {least}, got {value}")
    if most is not None and value > most:
        raise InputError(f"{name} must be at most {most}, got {value}")
    return int(value)


def finite(name: str, value: Any) -> float:
    """A finite number, or an error that says so.

    >>> finite("alpha", 1)
    1.0
    """
    if isinstance(value, bool) or not isinstance(value, numbers.Real) or not math.isfinite(value):
        raise InputError(f"{name} must be a finite number, got {value!r}")
    return float(value)


def per_level(name: str, value: Any, level: int, default: Any) -> tuple[Any, ...]:
    """A value for each level 0..level: one for all, or a mapping from level to value.

    >>> per_level("iterations", {2: 10}, 2, 100)
    (100, 100, 10)
    """
    if not isinstance(value, Mapping):
        return (value,) * (level + 1)
    for key in value:
        whole(f"a level in {name}", key, 1, level)
    return tuple(value.get(i, default) for i in range(level + 1))


def tie_number(rule: Any) -> float:
    """A tie rule as kernels take it: -1 for ">=", 1 for ">", else the fraction.

    >>> tie_number(">="), tie_number(0.3), tie_number(">")
    (-1.0, 0.3, 1.0)
    """
    if rule == ">=":
        return -1.0
    if rule == ">":
        return 1.0
    if isinstance(rule, (int, float, np.number)) and not isinstance(rule, bool) and 0 <= rule < 1:
        return float(rule)
    raise InputError(f'a tie rule must be ">=", ">" or a fraction in [0, 1), got {rule!r}')
