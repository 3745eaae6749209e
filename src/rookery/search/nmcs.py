"""Nested Monte Carlo Search (Cazenave 2009)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rookery.compiler.buffers import OK, PLY, STOPPED
from rookery.compiler.specialise import Specialisation
from rookery.errors import InputError
from rookery.playout import check_step
from rookery.playout_rules import make_copy_line, make_random_playout
from rookery.policy import u
from rookery.rng import below, mix, seed_stream
from rookery.search.parameters import MOST_LEVEL, Rule, playout_rule, whole


@dataclass(frozen=True)
class NMCS:
    """Nested Monte Carlo Search (Cazenave 2009, section 3; Rosin 2011, Figure 1).

    Parameters
    ----------
    level
        depth of the nesting; level 0 is a playout
    memorise
        follow the best sequence found so far unless a step finds a better one
    ties
        among equal moves of a step the ``"first"``, or one at ``"random"``
    sample
        try this many children at each step, drawn with replacement (Rosin 2011, section 4.1), instead of all
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` ``choose``, as by default if it has one

    >>> NMCS(level=2).memorise
    True
    """

    level: int = 3
    memorise: bool = True
    ties: Literal["first", "random"] = "first"
    sample: int | None = None
    rule: Rule | None = None

    name = "nmcs"

    def __post_init__(self) -> None:
        whole("level", self.level, 1, MOST_LEVEL)
        if self.ties not in ("first", "random"):
            raise InputError(f'ties must be "first" or "random" for NMCS, got {self.ties!r}')
        if self.sample is not None:
            whole("sample", self.sample, 1, 1 << 20)
        playout_rule(self.rule)

    @classmethod
    def cazenave(cls, level: int = 3, memorise: bool = True) -> NMCS:
        """The settings of Cazenave 2009: equal moves are chosen among at random.

        >>> NMCS.cazenave(2).ties
        'random'
        """
        return cls(level=level, memorise=memorise, ties="random")

    @classmethod
    def rosin(cls, level: int = 3, sample: int | None = None) -> NMCS:
        """The settings of Rosin 2011: the first of equal moves; ``sample`` for Sample-k NMCS.

        >>> NMCS.rosin(4, sample=5).sample
        5
        """
        return cls(level=level, sample=sample)


def make_nmcs(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of NMCS tasks: a nested call of some level from a state."""
    functions = spec.functions
    moves, play, value = functions.moves, functions.play, functions.value
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)

    @spec.kernel
    def nested(level, key, ply, self, states, lines, run, memorise, random_ties, sample):
        """Rosin 2011, Figure 1; Cazenave 2009, section 3: from ``states[level]``, into row 2 * level.

        Row 2 * level + 1 holds the best line of the current step.
        """
        best_row, step_row, child_row = 2 * level, 2 * level + 1, 2 * (level - 1)
        # A level-1 call makes its own choices from the stream that its playouts draw from.
        rng = run.rng[0 if level == 1 else level]
        seed_stream(rng, key)
        s = states[level]
        out = lines.out[level]
        best = -np.inf
        calls = 0
        status = OK
        while status == OK:
            n = np.int64(moves(self, s, out))
            status = check_step(n, ply, run.control)
            if n <= 0 or status != OK:
                break
            for i in range(sample):
                lines.sampled[level, u(i)] = out[u(below(rng, n))]
            run.control[PLY] = ply
            step_best = -np.inf
            equal = 0
            for i in range(sample if sample > 0 else n):
                move = lines.sampled[level, u(i)] if sample > 0 else out[u(i)]
                states[level - 1] = s
                play(self, states[level - 1], move)
                if level == 1:
                    status = random_playout(self, states[0], states, ply + 1, 0, rng, lines, run)
                else:
                    child = mix(key, calls)
                    status = nested(level - 1, child, ply + 1, self, states, lines, run, memorise, random_ties, sample)
                calls += 1
                if status > STOPPED or (status == STOPPED and level == 1):
                    break
                result = lines.scores[child_row]
                taken = result > step_best
                if taken:
                    equal = 1
                elif random_ties and result == step_best and status == OK:
                    equal += 1
                    taken = below(rng, equal) == 0
                if taken and result > -np.inf:
                    step_best = result
                    copy_line(lines, child_row, step_row, ply + 1)
                    lines.moves[step_row, u(ply)] = move
                if status != OK:
                    break
            if status > STOPPED:
                break
            if step_best > best or (not memorise and status == OK):
                best = step_best
                copy_line(lines, step_row, best_row, ply)
            if ply >= lines.lengths[best_row]:
                break  # the best playout ended here, by a rule that holds in playouts only
            if status == OK:
                play(self, s, lines.moves[best_row, u(ply)])
                ply += 1
        if status == OK:
            best = value(self, s)
            lines.lengths[best_row] = ply
        lines.scores[best_row] = best
        return status

    def nmcs_task(level, key, ply, self, states, lines, run, memorise, random_ties, sample):
        """A nested call from ``states[level]``."""
        return nested(level, key, ply, self, states, lines, run, memorise, random_ties, sample)

    return nmcs_task
