"""Stabilised NRPA (Cazenave, Sevestre and Toulemont 2021): several playouts between two steps of adapt at level 1."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import OK
from rookery.kernels.nrpa import make_nrpa_parts
from rookery.rng import mix


def make_stabilised_nrpa(spec: Specialisation, **made_for: bool) -> Any:
    """The kernel: NRPA, in which an iteration of level 1 has ``run.playouts_per_adapt`` playouts."""
    parts = make_nrpa_parts(spec, **made_for)
    begin, playout, keep_better, adapt, end = parts.begin, parts.playout, parts.keep_better, parts.adapt, parts.end

    @spec.kernel
    def nrpa(level, key, self, states, policy, trace, run):
        """As in NRPA; each of the playouts may become the best, and adapt follows the last of them."""
        begun = begin(level, key, policy, run)
        best, status = -np.inf, OK
        for i in range(run.iterations[level]):
            for _ in range(run.playouts_per_adapt if level == 1 else 1):
                if level == 1:
                    status = playout(self, states, policy, trace, run)
                else:
                    status = nrpa(level - 1, mix(key, i), self, states, policy, trace, run)
                status, best = keep_better(level, status, best, self, states, policy, trace, run)
                if status != OK:
                    break
            if status == OK and i + 1 < run.iterations[level]:
                status = adapt(policy, trace, trace.row[level], run.alpha, level)
            if status != OK:
                break
        end(level, best, begun, policy, trace)
        return status

    return parts.task(nrpa)
