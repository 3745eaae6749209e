"""What names a move of a game for whatever a search learns: its code, or its code together with its feature."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import BAD_MOVE, CODE_RANGE, FEATURE_RANGE
from rookery.kernels.policy import u


class Coding(NamedTuple):
    """Two kernels; ``codes`` is what the game declares, ``most`` that times its features, if these count."""

    coded: Any
    """``coded(self, s, move, codes, most)``: the number of a move, below ``most``; ``most`` if something is wrong."""
    why: Any
    """``why(self, s, out, n, codes, most)``: what is wrong with the first such move: a status, and the value."""


def make_coding(spec: Specialisation, features: bool) -> Coding:
    """Moves by their codes; with ``features``, the number is code * features + feature."""
    code, feature = spec.functions.code, spec.functions.feature

    if features:

        @spec.inlined
        def coded(self, s, move, codes, most):
            c, f = u(np.int64(code(self, s, move))), u(np.int64(feature(self, s, move)))
            there = most // codes
            return c * there + f if c < codes and f < there else most
    else:

        @spec.inlined
        def coded(self, s, move, codes, most):
            return min(u(np.int64(code(self, s, move))), most)

    @spec.kernel
    def why(self, s, out, n, codes, most):
        for k in range(n):
            if out[u(k)] < 0:
                return BAD_MOVE, out[u(k)]
            c = np.int64(code(self, s, out[u(k)]))
            if u(c) >= codes:
                return CODE_RANGE, c
            if features:
                f = np.int64(feature(self, s, out[u(k)]))
                if u(f) >= most // codes:
                    return FEATURE_RANGE, f
        return CODE_RANGE, np.int64(0)

    return Coding(coded, why)
