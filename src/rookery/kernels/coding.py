"""What names a move of a game for whatever a search learns: its code, or its code together with its feature."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_MOVE, CODE_RANGE, CODES_MOST, FEATURE_RANGE
from rookery.kernels.policy import u


class Coding(NamedTuple):
    """Three kernels; a ``range`` is the codes that a game has, the features that count, and the product of both."""

    range: Any
    """``range(control, trace)``: outside the loop over moves, since it takes a division."""
    coded: Any
    """``coded(self, s, move, range)``: the number of a move, below the product; that itself if something is wrong."""
    why: Any
    """``why(self, s, out, n, range)``: what is wrong with the first such move: a status, and the value."""


def make_coding(spec: Specialisation, features: bool) -> Coding:
    """Moves by their codes; with ``features``, the number is code * features + feature."""
    code, feature = spec.functions.code, spec.functions.feature

    if features:

        @spec.inlined
        def coded(self, s, move, within):
            codes, there, most = within
            c, f = u(np.int64(code(self, s, move))), u(np.int64(feature(self, s, move)))
            return c * there + f if c < codes and f < there else most
    else:

        @spec.inlined
        def coded(self, s, move, within):
            return min(u(np.int64(code(self, s, move))), within[2])

    @spec.inlined
    def number_range(control, trace):
        codes, most = u(control[CODES_MOST]), u(trace.weight.shape[1] - 1)
        return codes, most // codes if features else u(1), most

    @spec.kernel
    def why(self, s, out, n, within):
        codes, there, _ = within
        for k in range(n):
            if out[u(k)] < 0:
                return BAD_MOVE, out[u(k)]
            c = np.int64(code(self, s, out[u(k)]))
            if u(c) >= codes:
                return CODE_RANGE, c
            if features:
                f = np.int64(feature(self, s, out[u(k)]))
                if u(f) >= there:
                    return FEATURE_RANGE, f
        return CODE_RANGE, np.int64(0)

    return Coding(number_range, coded, why)
