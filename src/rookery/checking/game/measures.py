"""What was measured of a game, and how it is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rookery.checking.game.playouts import RANDOM
from rookery.checking.game.watch import GameWatch
from rookery.checking.measures import Measures, measured
from rookery.engine.game_worker import GameEngine
from rookery.engine.python_worker import PythonGameEngine
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
