"""Playouts of a game by random moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import (
    BAD_ESTIMATE,
    BAD_MOVE,
    BAD_PLAYER,
    BAD_WINNER,
    DETAIL,
    HALT,
    ILLEGAL_MOVE,
    LENGTH_MOST,
    OK,
    PLY,
    STOPPED,
    TOO_LONG,
)
from rookery.kernels.playout import check_step
from rookery.kernels.policy import u
from rookery.rng import copy_stream
from rookery.settings import inlined_kernel

ESTIMATED = -2
"""Stands for the winner of a playout that was cut."""


def make_game_playout(spec: Specialisation) -> Any:
    """A playout by random moves; returns (status, winner, step at which it ended)."""
    functions = spec.functions
    sample, play, winner, own = functions.sample, functions.play, functions.winner, functions.playout

    if own is not None:

        @spec.inlined
        def own_playout(self, s, ply, trace, control, rng):
            if control[HALT] != 0:
                return STOPPED, 0, ply
            copy_stream(trace.rng, rng)
            won = np.int64(own(self, s, rng))
            return check_winner(won, control), won, ply

        return own_playout

    @spec.inlined
    def game_playout(self, s, ply, trace, control, rng):
        while True:
            control[PLY] = ply
            n, move = sample(self, s, trace.out, rng)
            status = check_step(n, ply, control)
            if status != OK:
                return status, 0, ply
            if move < 0:
                if n > 0:
                    control[DETAIL] = move
                    return BAD_MOVE, 0, ply
                break
            if ply >= control[LENGTH_MOST]:
                return TOO_LONG, 0, ply
            trace.moves[u(ply)] = move
            play(self, s, move)
            ply += 1
        won = np.int64(winner(self, s))
        return check_winner(won, control), won, ply

    return game_playout


def make_cut_playout(spec: Specialisation) -> Any:
    """The same for at most ``trace.cut`` moves; if it is not over then, ``trace.value`` is what the game estimates."""
    functions = spec.functions
    sample, moves, play = functions.sample, functions.moves, functions.play
    winner, estimate = functions.winner, functions.estimate

    @spec.inlined
    def cut_playout(self, s, ply, trace, control, rng):
        last = ply + trace.cut[0]
        while True:
            control[PLY] = ply
            if ply >= last:
                n = np.int64(moves(self, s, trace.out))
                status = check_step(n, ply, control)
                if status != OK:
                    return status, 0, ply
                if n > 0:
                    value = np.float64(estimate(self, s))
                    trace.value[0] = value
                    return OK if value >= 0.0 and value <= 1.0 else BAD_ESTIMATE, ESTIMATED, ply
                break
            n, move = sample(self, s, trace.out, rng)
            status = check_step(n, ply, control)
            if status != OK:
                return status, 0, ply
            if move < 0:
                if n > 0:
                    control[DETAIL] = move
                    return BAD_MOVE, 0, ply
                break
            if ply >= control[LENGTH_MOST]:
                return TOO_LONG, 0, ply
            trace.moves[u(ply)] = move
            play(self, s, move)
            ply += 1
        won = np.int64(winner(self, s))
        return check_winner(won, control), won, ply

    return cut_playout


@inlined_kernel
def check_player(mover, control):
    """Check that the player to move is 0 or 1."""
    if mover < 0 or mover > 1:
        control[DETAIL] = mover
        return BAD_PLAYER
    return OK


@inlined_kernel
def check_winner(won, control):
    """Check that the winner is 0 or 1, or -1 for nobody."""
    if won < -1 or won > 1:
        control[DETAIL] = won
        return BAD_WINNER
    return OK


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
        if n > 0:
            return check_player(mover, control), n, mover, won
        won = np.int64(winner(self, s))
        return check_winner(won, control), n, mover, won

    return replay
