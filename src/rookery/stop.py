"""Stop criteria: frozen values that compose with ``|``; the first that is met stops the run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar

from rookery.arguments import finite, whole
from rookery.errors import InputError

T = TypeVar("T")


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
    when: Callable[[Any], Any] | None = None

    def __post_init__(self) -> None:
        checked: dict[str, float | None] = {
            "time": None if self.time is None else _seconds(self.time),
            "playouts": _count("playouts", self.playouts),
            "iterations": _count("iterations", self.iterations),
            "target": None if self.target is None else finite("target", self.target),
            "no_improvement": _count("iterations without improvement", self.no_improvement),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        if self.when is not None and not callable(self.when):
            raise InputError(f"a condition must be a function that takes the progress of a run, got {self.when!r}")

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
    return Stop(time=_given("time", seconds))


def MaxPlayouts(playouts: int) -> Stop:
    """Stop after exactly this many playouts.

    >>> MaxPlayouts(1000).playouts
    1000
    """
    return Stop(playouts=_given("playouts", playouts))


def MaxIterations(iterations: int) -> Stop:
    """Stop after this many iterations of the top level (NRPA), playouts (sampling) or runs (all others).

    >>> MaxIterations(10).iterations
    10
    """
    return Stop(iterations=_given("iterations", iterations))


def Target(score: float) -> Stop:
    """Stop at the first playout whose score is at least this good.

    >>> Target(82).target
    82.0
    """
    return Stop(target=_given("target", score))


def NoImprovement(iterations: int) -> Stop:
    """Stop after this many iterations (see :func:`MaxIterations`) without a better score.

    >>> NoImprovement(50).no_improvement
    50
    """
    return Stop(no_improvement=_given("iterations without improvement", iterations))


def StopWhen(condition: Callable[[Any], Any]) -> Stop:
    """Stop when a function of yours says so; it is called with the :class:`rookery.Progress` of the run.

    It is called whenever something has been committed, and every tenth of a second. A condition on ``iteration`` or
    ``restart`` gives the same result for the same seed; one on anything else need not, since that also depends on
    how the run was cut into tasks. It is not part of a checkpoint: give it to :func:`rookery.resume` again.

    >>> import rookery as rk
    >>> enough = StopWhen(lambda progress: progress.iteration >= 5)
    >>> result = rk.solve(rk.problems.LeftMove(depth=5), rk.NRPA(level=2, iterations=20), seed=1, stop=enough)
    >>> result.iterations, result.status
    (5, 'condition')
    """
    if condition is None:
        raise InputError("a condition must be a function that takes the progress of a run, got None")
    return Stop(when=condition)


def _given(name: str, value: T | None) -> T:
    """A limit that is given must be a number, not None."""
    if value is None:
        raise InputError(f"{name} must be a number, got None")
    return value


def _seconds(value: Any) -> float:
    seconds = finite("time", value)
    if seconds <= 0:
        raise InputError(f"time must be more than 0 seconds, got {value}")
    return seconds


def _count(name: str, value: Any) -> int | None:
    return None if value is None else whole(name, value, 1, 1 << 60)


NO_LIMITS = Stop()
"""The limits of a run that ends when its search does."""
