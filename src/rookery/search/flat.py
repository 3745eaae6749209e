"""Flat Monte Carlo: as many playouts for each move, and the one that wins most often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.compiler.buffers import HALT, OK, PLAYOUTS, STOPPED
from rookery.compiler.specialise import Specialisation
from rookery.playout import may_begin
from rookery.policy import u
from rookery.rng import seed_stream
from rookery.search.budget import check_budget
from rookery.search.ppa import make_game_playout


@dataclass(frozen=True)
class FlatMC:
    """Flat Monte Carlo for two players: the moves in turn, a playout at random for each; the best mean is played.

    Parameters
    ----------
    playouts
        of a move, over all that are legal; None: as many as there is time for
    seconds
        for a move; None: as long as the playouts take

    >>> FlatMC(playouts=500).seconds is None
    True
    """

    playouts: int | None = 1000
    seconds: float | None = None

    name = "flat"

    def __post_init__(self) -> None:
        check_budget(self)


def make_flat(spec: Specialisation) -> Any:
    """The kernel of a search: plays until the budget of ``run`` is used up."""
    play, player = spec.functions.play, spec.functions.player
    playout = make_game_playout(spec)

    def flat(key, fresh, self, states, legal, tries, wins, trace, run):
        """Playouts from ``states[0]``, in turn for each of the legal moves; ``fresh``: begin, otherwise go on."""
        control, rng = run.control, run.rng[0]
        if fresh:
            seed_stream(rng, key)
        mover = player(self, states[0])
        while may_begin(control):
            i = u(control[PLAYOUTS] % legal.size)
            states[1] = states[0]
            trace.moves[0] = legal[i]
            play(self, states[1], legal[i])
            status, won, _ = playout(self, states[1], 1, trace, control, rng)
            if status != OK:
                return status
            tries[i] += 1
            wins[i] += 0.5 if won < 0 else 1.0 if won == mover else 0.0
            control[PLAYOUTS] += 1
        return OK if control[HALT] == 0 else STOPPED

    return flat
