"""What a game thinks of its moves, in the tree: a progressive bias, or priors."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_BIAS, BAD_PRIOR, OK
from rookery.kernels.policy import u


def make_bias_hint(spec: Specialisation) -> Any:
    """Note ``bias`` of each move; one without playouts has it times its weight on top of its value."""
    bias = spec.functions.bias

    @spec.inlined
    def bias_hint(self, s, table, first, n, own):
        for k in range(first, first + n):
            i = u(k)
            value = np.float64(bias(self, s, table.moves[i]))
            if not np.isfinite(value):
                return BAD_BIAS
            table.hint[i] = value
            table.mean[i] += own[0] * value
        return OK

    return bias_hint


def make_prior_hint(spec: Specialisation) -> Any:
    """Note ``prior`` of each move as a share of all; equal shares if all are 0."""
    prior = spec.functions.prior

    @spec.inlined
    def prior_hint(self, s, table, first, n, own):
        total = 0.0
        for k in range(first, first + n):
            value = np.float64(prior(self, s, table.moves[u(k)]))
            if not (np.isfinite(value) and value >= 0.0):
                return BAD_PRIOR
            table.hint[u(k)] = value
            total += value
        for k in range(first, first + n):
            i = u(k)
            table.hint[i] = table.hint[i] / total if total > 0.0 else 1.0 / n
            table.shrink[i] = table.hint[i]
        return OK

    return prior_hint
