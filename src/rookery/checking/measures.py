"""What was measured of a problem or a game, and how it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, TypeVar

from rookery.checking.game_watch import GameWatch
from rookery.checking.playouts import RANDOM
from rookery.checking.watch import Watch
from rookery.engine.compiled import CompiledEngine
from rookery.engine.game_worker import GameEngine
from rookery.engine.python_worker import PythonGameEngine
from rookery.problem import Limits
from rookery.rng import root_key
from rookery.search.flat import FlatMC
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA

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
"""Function -> the share from which something should be done, and what."""


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
        """What would make playouts faster, if anything would."""
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
    total = max(total, spent)  # measured separately: the parts may add up to a little more than the whole
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


SECONDS = 0.3
"""Seconds for each rate."""
MOST_PLAYOUTS = 200_000
"""The most playouts of one search: a small game would fill the table."""


@dataclass(frozen=True)
class GameMeasures(Measures):
    """What a game is like and how fast it is played.

    ``depth`` are the fewest, the mean and the most moves of a game, ``branching`` the mean and the most of a position.

    Parameters
    ----------
    games
        number of random playouts that the shares below refer to
    first
        share of them that the player who begins has won
    draws
        share that nobody has won
    """

    games: int = 0
    first: float = 0.0
    draws: float = 0.0

    def __str__(self) -> str:
        lines = super().__str__().splitlines()
        shares = [
            f"won by the first     {self.first:.1%} of {self.games:,} random playouts",
            f"drawn                {self.draws:.1%}",
        ]
        lines[0] = lines[0].replace("moves in a playout", "moves in a game   ")
        lines[1] = lines[1].replace("moves in a state   ", "moves in a position")
        return "\n".join(lines[:3] + shares + lines[3:])


def game_measures(
    watch: GameWatch, engine: GameEngine | PythonGameEngine, winners: Sequence[float] = ()
) -> GameMeasures:
    """Time searches; ``winners`` of random playouts, if there are more of them than were seen."""
    ends = winners or [playout.result for playout in watch.playouts if playout.by == RANDOM]
    return measured(
        *(GameMeasures, watch, engine if isinstance(engine, GameEngine) else None, _rates(engine)),
        games=len(ends),
        first=ends.count(0) / len(ends) if ends else 0.0,
        draws=ends.count(-1) / len(ends) if ends else 0.0,
    )


def _rates(engine: GameEngine | PythonGameEngine) -> dict[str, float]:
    """Search -> playouts per second from the start of the game, of one worker."""
    worker = engine.worker()
    rates = {}
    for name, search in (("flat Monte Carlo", FlatMC), ("UCT", GameUCT), ("PPA", PPA)):
        timed = search(playouts=MOST_PLAYOUTS, seconds=SECONDS)
        worker.warm(timed)
        decision = worker.decide(timed, (), root_key(0))
        assert decision is not None
        rates[name] = decision.playouts / decision.seconds
    return rates
