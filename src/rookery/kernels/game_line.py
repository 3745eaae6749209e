"""The principal variation of a search in a table of positions."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.kernels.policy import u
from rookery.kernels.positions import LOST, NOWHERE, WON, find

MANY = 1 << 40
"""More than any number of playouts."""


def make_game_line(spec: Specialisation) -> Any:
    """Follow the moves that were tried most often."""
    moves, play, key_of = spec.functions.moves, spec.functions.play, spec.functions.key

    def game_line(self, states, table, line, out):
        """Write moves from ``states[0]``, which is played on, into ``line``; returns how many.

        A move that wins goes before all others, and one that loses after them, as when a move is chosen.
        """
        s = states[0]
        length = 0
        while length < line.size:
            position, _ = find(table, u(key_of(self, s)))
            if position == NOWHERE:
                break
            first, n = np.int64(table.first[u(position)]), np.int64(table.breadth[u(position)])
            best, most = np.int64(NOWHERE), np.int64(0)
            for i in range(first, first + n):
                tries = np.int64(table.tries[u(i)])
                rank = tries
                if table.settled[u(i)] == WON:
                    rank += MANY
                elif table.settled[u(i)] == LOST:
                    rank -= MANY
                if tries > 0 and (best == NOWHERE or rank > most):
                    best, most = i, rank
            if best == NOWHERE:
                break
            legal = False  # the table knows positions, not how long a game may be
            for k in range(np.int64(moves(self, s, out))):
                legal = legal or out[u(k)] == table.moves[u(best)]
            if not legal:
                break
            line[u(length)] = table.moves[u(best)]
            play(self, s, table.moves[u(best)])
            length += 1
        return length

    return game_line
