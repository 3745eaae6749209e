"""What NumPy has no function for: powers of two from the bits of a float, the place of the n-th bit of a word.

A power of two takes one addition and one shift, where a table would not vectorise. The n-th bit takes two instructions
on processors with BMI2, and a loop over the bits elsewhere.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rookery.compiler.settings import INTERPRETED, cpu_identity

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


def _nth_by_loop(word: Any, n: Any) -> int:
    word, place = int(word), 0
    for _ in range(int(n)):
        word &= word - 1
    while word and not word & 1:
        word >>= 1
        place += 1
    return place


def _nth_by_deposit(typing_context: Any, word: Any, n: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        kind = ir.IntType(64)
        binary = ir.FunctionType(kind, [kind, kind])
        deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", fnty=binary)
        bit = builder.call(deposit, [builder.shl(ir.Constant(kind, 1), arguments[1]), arguments[0]])
        return builder.cttz(bit, ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64, types.uint64), generate


def _nth_compiled_loop(typing_context: Any, word: Any, n: Any) -> Any:
    def clear(word: Any, n: Any) -> Any:
        one = np.uint64(1)
        for _ in range(n):
            word &= word - one
        place = np.int64(0)
        while word != 0 and not word & one:
            word >>= one
            place += 1
        return place

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return context.compile_internal(builder, clear, signature, arguments)

    return types.int64(types.uint64, types.uint64), generate


def _has_bmi2() -> bool:
    return "+bmi2" in cpu_identity()[1].split(",")


place_of_nth: Any
"""``place_of_nth(word, n)``: where the n-th lowest of the set bits is, from 0 on."""
place_of_nth = _nth_by_loop if INTERPRETED else intrinsic(_nth_by_deposit if _has_bmi2() else _nth_compiled_loop)
