"""Flat Monte Carlo: equally many playouts for each move; the one that wins most often is played."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.compiler.specialise import Specialisation
from rookery.control import HALT, OK, PLAYOUTS, STOPPED
from rookery.kernels.game_playout import make_game_playout
from rookery.kernels.playout import may_begin
from rookery.kernels.policy import u
from rookery.rng import seed_stream
from rookery.search.game_search import Counts, GameSearch


@dataclass(frozen=True)
class FlatMC(GameSearch):
    """Flat Monte Carlo for two players: random playouts for each move in turn; the move with the best mean is played.

    Parameters
    ----------
    playouts
        playouts for a decision, over all legal moves; None: as many as there is time for
    seconds
        time for a move; None: as long as the playouts take

    >>> FlatMC(playouts=500).seconds is None
    True
    """

    name = "flat"
    twin = "rookery.reference.flat:search"

    @staticmethod
    def kernel(spec: Specialisation) -> Any:
        """Playouts for the legal moves in turn."""
        return make_flat(spec)

    def chosen(self, counts: Counts) -> int:
        """The move with the highest share of wins, the first of equals."""
        shares = [-1.0 if share is None else share for share in counts.shares]
        return max(range(len(shares)), key=shares.__getitem__)


def make_flat(spec: Specialisation) -> Any:
    """The kernel of a search: plays until the budget of ``run`` is used up."""
    play, player = spec.functions.play, spec.functions.player
    playout = make_game_playout(spec)

    def flat(key, fresh, self, states, root, trace, run):
        """Playouts from ``states[0]``, for each legal move in turn; starts afresh if ``fresh``, otherwise continues."""
        control, rng = run.control, run.rng[0]
        if fresh:
            seed_stream(rng, key)
        mover = player(self, states[0])
        while may_begin(control):
            i = u(control[PLAYOUTS] % root.moves.size)
            move = root.moves[i]
            states[1] = states[0]
            trace.moves[0] = move
            play(self, states[1], move)
            status, won, _ = playout(self, states[1], 1, trace, control, rng)
            if status != OK:
                return status
            root.tries[i] += 1
            root.wins[i] += 0.5 if won < 0 else 1.0 if won == mover else 0.0
            control[PLAYOUTS] += 1
        return OK if control[HALT] == 0 else STOPPED

    return flat
