"""The line between a running task and whoever waits for it: cells of control, and the words in which kernels answer."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial

import numpy as np
import numpy.typing as npt

# What a kernel returns. Up to STOPPED all is well; FULL asks for more room; the rest are broken promises.
OK, STOPPED, FULL = 0, 1, 2
TOO_MANY_MOVES, NEGATIVE_MOVES, TOO_LONG, CODE_RANGE, BAD_SCORE, BAD_CHOICE, ILLEGAL_MOVE = 3, 4, 5, 6, 7, 8, 9
BAD_LAYERS, BAD_MOVE, BAD_PLAYER, BAD_WINNER, FEATURE_RANGE, BAD_BIAS, BAD_PRIOR, BAD_ESTIMATE = range(10, 18)

# How searches score a playout that ends infeasible: below all others, but finite so that it can be compared.
INFEASIBLE_SCORE = -1e300

# Cells of Run.control.
HALT, PLAYOUTS, BUDGET, IMPROVEMENTS, LENGTH_MOST, MOVES_MOST, CODES_MOST, DETAIL, PLY, FIRST, LINE = range(11)

# Values of the HALT cell: 0 while the search may continue.
HALT_ASKED, HALT_TARGET = 1, 2


@dataclass(eq=False)
class Signal:
    """The line between a running task and whoever waits for it: a halt flag and a count of playouts."""

    control: npt.NDArray[np.int64] = field(default_factory=partial(np.zeros, 16, np.int64))  # type: ignore[arg-type]

    def halt(self) -> None:
        """Make the task return within a move, even if it has not begun."""
        self.control[HALT] = HALT_ASKED

    @property
    def playouts(self) -> int:
        """How many playouts the task has made so far."""
        return int(self.control[PLAYOUTS])
