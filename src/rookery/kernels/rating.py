"""States rated by playouts, for searches that try only the best of them: a state is as good as the best playout."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import OK
from rookery.kernels.buffers import PLAYOUT_STREAM
from rookery.kernels.policy import u
from rookery.kernels.rules import make_copy_line, make_note_move, make_random_playout


def make_rate(spec: Specialisation, rule: str | None = None) -> Any:
    """The rating of a state."""
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)

    @spec.kernel
    def rate(playouts, child, ply, first, best_row, self, states, lines, run):
        """Status and rating, from playouts on ``states[0]``; a line better than that of ``best_row`` is copied to it.

        Moves from step ``first`` to ``ply - 1`` are in the row of the last playout before it begins.
        """
        row, rng = lines.best[0], run.rng[PLAYOUT_STREAM]
        rating = -np.inf
        for _ in range(playouts):
            states[0] = child
            status = random_playout(self, states[0], states, ply, row, rng, lines, run)
            if status != OK:
                return status, rating
            rating = max(rating, lines.scores[row])
            if lines.scores[row] > lines.scores[best_row]:
                lines.scores[best_row] = lines.scores[row]
                copy_line(lines, row, best_row, first)
        return OK, rating

    return rate


def make_rate_moves(spec: Specialisation, rule: str | None = None) -> Any:
    """The moves of a step, narrowed to those that are rated best."""
    play, rate, note_move = spec.functions.play, make_rate(spec, rule), make_note_move(spec)

    @spec.kernel
    def rate_moves(moves, n, keep, playouts, level, ply, self, states, lines, run):
        """Leave the best ``keep`` of ``n`` moves of ``states[level]`` in front, in their order; the first of equals.

        The best line of all is left in the row of the level's step.
        """
        step_row, ratings = lines.step[level], lines.ratings
        lines.scores[step_row] = -np.inf
        for i in range(n):
            child = states[level - 1]
            states[level - 1] = states[level]
            play(self, child, moves[u(i)])
            note_move(lines, level, ply, moves[u(i)])
            status, ratings[u(i)] = rate(playouts, child, ply + 1, ply, step_row, self, states, lines, run)
            if status != OK:
                return status
        kept = 0
        for i in range(n):
            before = 0
            for j in range(n):
                before += ratings[u(j)] > ratings[u(i)] or (j < i and ratings[u(j)] == ratings[u(i)])
            if before < keep:
                moves[u(kept)] = moves[u(i)]
                kept += 1
        return OK

    return rate_moves
