"""Bits of 64-bit words, in compiled functions: how many are set, which is the lowest, which is the n-th; powers of two.

A power of two takes one addition and one shift, where a table would not vectorise. The n-th bit takes two instructions
on processors with BMI2, and a loop over the bits elsewhere.
And a hint to the compiler that Numba has no word for.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from rookery.settings import INTERPRETED, cpu_identity, kernel

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


def _as_it_is(condition: Any) -> Any:
    return condition


def _seldom(typing_context: Any, condition: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        bit = ir.IntType(1)
        expect = builder.module.declare_intrinsic("llvm.expect", [bit], ir.FunctionType(bit, [bit, bit]))
        return builder.call(expect, [arguments[0], ir.Constant(bit, 0)])

    return types.boolean(types.boolean), generate


seldom: Any = _as_it_is if INTERPRETED else intrinsic(_seldom)
"""``seldom(condition)`` is the condition, and tells the compiler that it is hardly ever true: what is done then takes
no registers from the loop around it."""


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
"""``place_of_nth(word, n)``: where the n-th lowest of the set bits is, counted from 0."""
place_of_nth = _nth_by_loop if INTERPRETED else intrinsic(_nth_by_deposit if _has_bmi2() else _nth_compiled_loop)


u = np.uint64
ONE = u(1)
ZERO = u(0)
WORD = 64

_PAIRS = u(0x5555555555555555)
_FOURS = u(0x3333333333333333)
_BYTES = u(0x0F0F0F0F0F0F0F0F)
_SUM = u(0x0101010101010101)


def ones(x):
    """How many bits are set. The compiler knows this pattern: one instruction.

    >>> int(ones(u(0b1011)))
    3
    """
    x = x - ((x >> ONE) & _PAIRS)
    x = (x & _FOURS) + ((x >> u(2)) & _FOURS)
    x = (x + (x >> u(4))) & _BYTES
    return np.int64((x * _SUM) >> u(56))


def lowest(x):
    """The place of the lowest bit that is set; there must be one.

    >>> int(lowest(u(0b1000)))
    3
    """
    return ones(~x & (x - ONE))


@kernel
def nth(x, n):
    """The place of the n-th lowest bit that is set, counted from 0; there must be one.

    >>> int(nth(u(0b10110), 2))
    4
    """
    return place_of_nth(u(x), u(n))


@kernel
def nth_bit(x, n):
    """The n-th lowest bit that is set, counted from 0, as a word; there must be one.

    >>> int(nth_bit(u(0b10110), 1))
    4
    """
    return u(1) << u(place_of_nth(u(x), u(n)))
