"""What was measured of a problem or a game, how it is printed, and what to do about it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from rookery.checking.watch import Watch
from rookery.engine.compiled import CompiledEngine
from rookery.problem import Limits

SEARCH = "the search itself"
COPY = "copy of the state"
LIST = "count, nth"

_ADVICE = {
    "moves": (0.35, "keep the list of legal moves in the state, change it in play, and define count and nth"),
    "code": (0.3, "look codes up in a table made in constants, or let them be simpler to compute"),
    "bias": (0.3, "look it up in a table made in constants"),
    "play": (0.5, "change only what the move changes, and look the rest up in tables made in constants"),
    "score": (0.3, "keep it up to date in play, as a field of the state"),
    COPY: (0.2, "make the state smaller: narrower fields in layout, bits for truth values, tables in constants"),
    "copy": (0.3, "copy only what play changes, or let play return new states and copy return the state itself"),
}
"""Function -> the share from which on something should be done, and what."""


@dataclass(frozen=True)
class Part:
    """What one function costs in a playout of NRPA; ``calls`` is 0 for what is not a function.

    >>> Part("play", 50.0, 2000.0, 0.25).per_call
    40.0
    """

    function: str
    calls: float
    nanoseconds: float
    share: float

    @property
    def per_call(self) -> float:
        """Nanoseconds of one call."""
        return self.nanoseconds / self.calls if self.calls else 0.0


@dataclass(frozen=True)
class Measures:
    """What a problem is like and what its functions cost.

    Parameters
    ----------
    depth
        fewest, mean and most moves of a playout
    branching
        mean and most legal moves of a state
    codes
        different codes of legal moves
    rates
        search -> playouts per second, of one worker
    parts
        what each function costs in a playout of NRPA
    """

    depth: tuple[int, float, int]
    branching: tuple[float, int]
    codes: int
    limits: Limits | None
    state_bytes: int | None
    rates: dict[str, float]
    parts: tuple[Part, ...] = ()

    @property
    def advice(self) -> tuple[str, ...]:
        """What would make playouts faster, if something would."""
        found = []
        for part in self.parts:
            share, text = _ADVICE.get(part.function, (2.0, ""))
            if part.share >= share:
                found.append(f"{part.function} takes {part.share:.0%} of a playout: {text}")
        return tuple(found)

    def __str__(self) -> str:
        declared = self.limits
        (low, mean, high), (average, most) = self.depth, self.branching
        lines = [
            f"moves in a playout   {low} to {high}, {mean:.1f} on average{_of(declared, 'length')}",
            f"moves in a state     {average:.1f} on average, {most} at most{_of(declared, 'moves')}",
            f"codes seen           {self.codes:,}{_of(declared, 'codes')}",
        ]
        if self.state_bytes is not None:
            lines.append(f"size of a state      {self.state_bytes:,} bytes")
        lines += [f"{name:<21}{rate:,.0f} playouts per second" for name, rate in self.rates.items()]
        if self.parts:
            lines += ["", f"{'in a playout of NRPA':<24}{'calls':>9}{'ns per call':>13}{'share':>8}"]
        for part in self.parts:
            calls = f"{part.calls:>9.1f}{part.per_call:>13,.1f}" if part.calls else " " * 22
            lines.append(f"{part.function:<24}{calls}{part.share:>8.0%}")
        lines += ["", *self.advice] if self.advice else []
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        """All of it as a JSON object."""
        lists = {"depth": self.depth, "branching": self.branching, "advice": self.advice}
        parts = [asdict(part) for part in self.parts]
        return asdict(self) | {name: list(values) for name, values in lists.items()} | {"parts": parts}


Measured = TypeVar("Measured", bound=Measures)


def measured(
    kind: type[Measured], watch: Watch[Any], engine: CompiledEngine | None, rates: dict[str, float], **more: Any
) -> Measured:
    """Put together what playouts saw and what was timed."""
    lengths = [len(playout.moves) for playout in watch.playouts]
    branching = [n for playout in watch.playouts for n in playout.branching]
    return kind(
        depth=(min(lengths), _mean(lengths), max(lengths)),
        branching=(_mean(branching), max(branching, default=0)),
        codes=len(watch.codes_seen),
        limits=None if engine is None else engine.limits,
        state_bytes=None if engine is None else engine.specialisation.dtype.itemsize,
        rates=rates,
        **more,
    )


def shares(costs: dict[str, tuple[float, float]], total: float) -> tuple[Part, ...]:
    """Parts from function -> (calls, nanoseconds) of a playout that takes ``total`` nanoseconds in all.

    >>> [(part.function, part.share) for part in shares({"play": (10.0, 30.0)}, 40.0)]
    [('play', 0.75), ('the search itself', 0.25)]
    """
    spent = sum(nanoseconds for _, nanoseconds in costs.values())
    total = max(total, spent)  # measured apart: the parts may come to a little more than the whole
    parts = [Part(name, calls, spent_on, spent_on / total) for name, (calls, spent_on) in costs.items()]
    parts.sort(key=lambda part: -part.share)
    return (*parts, Part(SEARCH, 0.0, total - spent, (total - spent) / total))


def _mean(values: list[int]) -> float:
    return sum(values) / len(values) if values else 0.0


def _of(limits: Limits | None, name: str) -> str:
    if limits is None:
        return ""
    value = getattr(limits, name)
    return f" (declared: {value:,})" if isinstance(value, int) else f" (declared: {value})"
