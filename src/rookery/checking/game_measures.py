"""What was measured of a game, and how it is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rookery.checking.game_playouts import RANDOM
from rookery.checking.game_watch import Seen
from rookery.checking.measures import Measures
from rookery.compiler.gameworker import GameEngine
from rookery.problem import Limits
from rookery.reference.game_engine import PythonGameEngine
from rookery.rng import root_key
from rookery.search.flat import FlatMC
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA

SECONDS = 0.3
"""For each rate."""
MOST_PLAYOUTS = 200_000
"""Of one search: a small game would fill the table."""


@dataclass(frozen=True)
class GameMeasures(Measures):
    """What a game is like and how fast it is played.

    ``depth`` are the fewest, the mean and the most moves of a game, ``branching`` the mean and the most of a position.

    Parameters
    ----------
    games
        random playouts that the shares below are of
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

    def to_json(self) -> dict[str, Any]:
        """All of it as a JSON object."""
        return super().to_json() | {"games": self.games, "first": self.first, "draws": self.draws}


def game_measures(
    seen: Seen,
    limits: Limits | None,
    state_bytes: int | None,
    rates: dict[str, float],
    winners: Sequence[int] | None = None,
) -> GameMeasures:
    """Put together what games saw and what was timed; ``winners`` of random playouts, if there are more of them."""
    lengths = [len(game.moves) for game in seen.games]
    branching = [n for game in seen.games for n in game.branching]
    ends = [game.winner for game in seen.games if game.by == RANDOM] if winners is None else list(winners)
    return GameMeasures(
        depth=(min(lengths), _mean(lengths), max(lengths)),
        branching=(_mean(branching), max(branching, default=0)),
        codes=len(seen.codes),
        limits=limits,
        state_bytes=state_bytes,
        rates=rates,
        parts=(),
        games=len(ends),
        first=ends.count(0) / len(ends) if ends else 0.0,
        draws=ends.count(-1) / len(ends) if ends else 0.0,
    )


def game_rates(engine: GameEngine | PythonGameEngine) -> dict[str, float]:
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


def _mean(values: Sequence[int]) -> float:
    return sum(values) / len(values) if values else 0.0
