"""Many runs in one compiled call: the kernel of a task, called again and again with another key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation
from rookery.control import BUDGET, HALT, IMPROVEMENTS, OK, PLAYOUTS, STOPPED

# Cells of Runs.ended.
RUNS, PLAYED = 0, 1


@dataclass(frozen=True)
class Repeat:
    """How a kernel is called for many runs that differ in their keys alone.

    Parameters
    ----------
    key
        which of the arguments is the key
    scores, rows, at
        where a call leaves its score: in ``scores[rows[at]]``
    """

    key: int
    scores: npt.NDArray[np.float64]
    rows: npt.NDArray[np.int64]
    at: int


class Runs(NamedTuple):
    """Runs of a task, each with its own key; shape: R runs."""

    keys: npt.NDArray[np.uint64]  # [R]
    scores: npt.NDArray[np.float64]  # [R]
    ended: npt.NDArray[np.int64]  # [2] RUNS: how many have ended; PLAYED: their playouts
    root: npt.NDArray[Any]  # [1] the state that they begin from


def new_runs(keys: Sequence[int], dtype: Any) -> Runs:
    """Runs with these keys, from states of this type."""
    return Runs(np.array(keys, np.uint64), np.zeros(len(keys)), np.zeros(2, np.int64), np.zeros(1, dtype))


def repeated(call: Any, runs: Runs, states: Any, control: Any, budget: int) -> tuple[Any, tuple[Any, ...]]:
    """Kernel and arguments of many runs, from the call of one; each may have this many playouts."""
    (name, make), arguments, how = call.kernel, call.arguments, call.repeat
    runs.root[0] = states[0]
    return (f"{name}_runs", partial(make_repeated, name=name, make=make)), (
        *(runs, budget, call.start, states, control, how.scores, how.rows, how.at),
        *(arguments[: how.key], arguments[how.key + 1 :]),
    )


def make_repeated(spec: Specialisation, name: str, make: Any) -> Any:
    """The kernel of many runs, from the name and the maker of the kernel of one."""
    one = spec.entry(name, make)

    def repeat(runs, budget, start, states, control, scores, rows, at, before, after):
        """Note the score of each run; those that have ended before are not made again."""
        for i in range(runs.ended[RUNS], runs.keys.size):
            if control[HALT] != 0:
                return STOPPED
            begun = control[PLAYOUTS]
            control[BUDGET] = begun + budget
            control[IMPROVEMENTS] = 0
            states[start] = runs.root[0]
            status = one(*(before + (runs.keys[i],) + after))  # noqa: RUF005 - Numba adds tuples of many types
            if status != OK and not (status == STOPPED and control[HALT] == 0):  # its playouts may be used up
                return status
            runs.scores[i] = scores[rows[at]]
            runs.ended[PLAYED] += control[PLAYOUTS] - begun
            runs.ended[RUNS] = i + 1
        return OK

    return repeat
