"""Stop criteria: frozen values that compose with ``|``; the first that is met stops the run."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import Any

from rookery.errors import InputError
from rookery.search.parameters import finite, whole


@dataclass(frozen=True)
class Stop:
    """A set of limits; unset ones are None. Usually written with the names below and ``|``.

    >>> MaxTime(60) | Target(82)
    Stop(time=60.0, target=82.0)
    """

    time: float | None = None
    playouts: int | None = None
    iterations: int | None = None
    target: float | None = None
    no_improvement: int | None = None

    def __or__(self, other: Stop) -> Stop:
        if not isinstance(other, Stop):
            return NotImplemented
        values: dict[str, Any] = {}
        for item in fields(self):
            mine, theirs = getattr(self, item.name), getattr(other, item.name)
            if mine is not None and theirs is not None and mine != theirs:
                raise InputError(f"two limits on {item.name}: {mine} and {theirs}")
            values[item.name] = theirs if mine is None else mine
        return Stop(**values)

    def __bool__(self) -> bool:
        return any(getattr(self, item.name) is not None for item in fields(self))

    def __repr__(self) -> str:
        given = ((item.name, getattr(self, item.name)) for item in fields(self))
        return f"Stop({', '.join(f'{name}={value!r}' for name, value in given if value is not None)})"


def MaxTime(seconds: float) -> Stop:
    """Stop after this many seconds of search; compiling does not count.

    >>> MaxTime(0.5).time
    0.5
    """
    value = finite("time", seconds)
    if value <= 0:
        raise InputError(f"time must be more than 0 seconds, got {seconds}")
    return Stop(time=value)


def MaxPlayouts(playouts: int) -> Stop:
    """Stop after exactly this many playouts.

    >>> MaxPlayouts(1000).playouts
    1000
    """
    return Stop(playouts=whole("playouts", playouts, 1, 1 << 60))


def MaxIterations(iterations: int) -> Stop:
    """Stop after this many iterations of the top level (NRPA), runs (NMCS) or playouts (sampling).

    >>> MaxIterations(10).iterations
    10
    """
    return Stop(iterations=whole("iterations", iterations, 1, 1 << 60))


def Target(score: float) -> Stop:
    """Stop at the first playout whose score is at least this good.

    >>> Target(82).target
    82.0
    """
    if isinstance(score, float) and math.isnan(score):
        raise InputError("target must be a number, got nan")
    return Stop(target=finite("target", score))


def NoImprovement(iterations: int) -> Stop:
    """Stop after this many iterations (see :func:`MaxIterations`) without a better score.

    >>> NoImprovement(50).no_improvement
    50
    """
    return Stop(no_improvement=whole("iterations without improvement", iterations, 1, 1 << 60))
