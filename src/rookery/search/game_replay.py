"""A game played from its start, every move checked."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.buffers import BAD_MOVE, BAD_PLAYER, BAD_WINNER, DETAIL, ILLEGAL_MOVE, OK
from rookery.compiler.specialise import Specialisation
from rookery.playout import check_step
from rookery.policy import u


def make_game_replay(spec: Specialisation) -> Any:
    """Play moves from the start of a game."""
    functions = spec.functions
    start, moves, play = functions.start, functions.moves, functions.play
    player, winner = functions.player, functions.winner

    def replay(self, states, sequence, out, control):
        """Leave the state in ``states[0]`` and its legal moves in ``out``; return (status, moves, player, winner)."""
        s = states[0]
        start(self, s)
        ply = 0
        while True:
            n = np.int64(moves(self, s, out))
            status = check_step(n, ply, control)
            if status != OK:
                return status, n, 0, -1
            found = False
            for k in range(n):
                if out[u(k)] < 0:
                    control[DETAIL] = out[u(k)]
                    return BAD_MOVE, n, 0, -1
                if ply < sequence.size and out[u(k)] == sequence[u(ply)]:
                    found = True
            if ply == sequence.size:
                break
            if not found:
                control[DETAIL] = ply
                return ILLEGAL_MOVE, n, 0, -1
            play(self, s, sequence[u(ply)])
            ply += 1
        mover, won = np.int64(player(self, s)), np.int64(-1)
        if n > 0 and (mover < 0 or mover > 1):
            control[DETAIL] = mover
            return BAD_PLAYER, n, mover, won
        if n == 0:
            won = np.int64(winner(self, s))
            if won < -1 or won > 1:
                control[DETAIL] = won
                return BAD_WINNER, n, mover, won
        return OK, n, mover, won

    return replay
