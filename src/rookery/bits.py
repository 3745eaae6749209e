"""Bits of 64-bit words, in compiled functions: how many, which is the lowest, which the n-th."""

from __future__ import annotations

import numpy as np

from rookery.compiler.bits import place_of_nth
from rookery.compiler.settings import kernel

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
    """The place of the n-th lowest bit that is set, from 0 on; there must be so many.

    >>> int(nth(u(0b10110), 2))
    4
    """
    return place_of_nth(u(x), u(n))


@kernel
def nth_bit(x, n):
    """The n-th lowest bit that is set, from 0 on, as a word; there must be so many.

    >>> int(nth_bit(u(0b10110), 1))
    4
    """
    return u(1) << u(place_of_nth(u(x), u(n)))
