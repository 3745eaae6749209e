"""Independent playouts: iterative sampling."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.compiler.buffers import OK
from rookery.compiler.specialise import Specialisation
from rookery.playout_rules import make_copy_line, make_random_playout
from rookery.rng import mix, seed_stream
from rookery.search.parameters import Rule, playout_rule


@dataclass(frozen=True)
class Sampling:
    """Independent playouts, of which the best is kept.

    Parameters
    ----------
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` ``choose``, as by default if it has one

    >>> Sampling(rule="mobility")
    Sampling(rule='mobility')
    """

    rule: Rule | None = None

    name = "sampling"

    def __post_init__(self) -> None:
        playout_rule(self.rule)


def make_sampling(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of sampling tasks: the playouts ``first`` to ``last - 1`` of a run."""
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)

    def sample(first, last, key, ply, self, states, lines, run):
        """Each playout draws from a stream of its own; the first of the best is left in row 1."""
        lines.scores[1] = -np.inf
        for i in range(first, last):
            seed_stream(run.rng[0], mix(key, i))
            states[1] = states[0]
            status = random_playout(self, states[1], states, ply, 0, run.rng[0], lines, run)
            if status != OK:
                return status
            if lines.scores[0] > lines.scores[1]:
                lines.scores[1] = lines.scores[0]
                copy_line(lines, 0, 1, ply)
        return OK

    return sample
