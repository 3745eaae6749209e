"""Powers of two made from the bits of a float: one addition and one shift, where a table would not vectorise."""

from __future__ import annotations

import math
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rookery.compiler.settings import INTERPRETED

ROUND_TO_INTEGER = 6755399441055744.0
"""1.5 * 2^52: adding it to a float leaves the nearest integer, ties to even, in the lowest bits."""
_BITS = 0x4338000000000000
_BIAS, _EXPONENT = 1023, 52


def _interpreted(shifted: float) -> float:
    return math.ldexp(1.0, int(shifted - ROUND_TO_INTEGER))


def _compiled(typing_context: Any, shifted: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        k = builder.sub(builder.bitcast(arguments[0], word), ir.Constant(word, _BITS - _BIAS))
        return builder.bitcast(builder.shl(k, ir.Constant(word, _EXPONENT)), ir.DoubleType())

    return types.float64(types.float64), generate


power_of_two: Any = _interpreted if INTERPRETED else intrinsic(_compiled)
"""``power_of_two(k + ROUND_TO_INTEGER)`` is 2**k."""
