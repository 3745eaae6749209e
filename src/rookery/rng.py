"""Random streams, keys, the exponential and the logarithm: the same bits on every machine, compiled or not.

Every nested call of a search has a *key*; the key of its i-th child is ``mix(key, i)``. A stream is a
xoshiro256** generator filled from a key by splitmix64. What a search draws depends on its seed alone.

Each function comes twice: compiled (on ``uint64[4]`` arrays, for kernels and for the ``choose`` of a
problem) and as :class:`Stream` in plain Python, for the reference engine and for tests.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rookery.bits import ROUND_TO_INTEGER, power_of_two
from rookery.settings import kernel

STREAM_VERSION = 1
"""Changes whenever a seed would give a different result; stable within a major release."""

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15
_MUL_1 = 0xBF58476D1CE4E5B9
_MUL_2 = 0x94D049BB133111EB

_U_GOLDEN = np.uint64(_GOLDEN)
_U_MUL_1 = np.uint64(_MUL_1)
_U_MUL_2 = np.uint64(_MUL_2)
_U1 = np.uint64(1)
_U5 = np.uint64(5)
_U7 = np.uint64(7)
_U9 = np.uint64(9)
_U11 = np.uint64(11)
_U17 = np.uint64(17)
_U19 = np.uint64(19)
_U27 = np.uint64(27)
_U30 = np.uint64(30)
_U31 = np.uint64(31)
_U32 = np.uint64(32)
_U45 = np.uint64(45)
_U57 = np.uint64(57)
_TWO_TO_MINUS_53 = 2.0**-53


@kernel
def _finalise(z: np.uint64) -> np.uint64:
    z = (z ^ (z >> _U30)) * _U_MUL_1
    z = (z ^ (z >> _U27)) * _U_MUL_2
    return z ^ (z >> _U31)


@kernel
def mix(key: np.uint64, index: int) -> np.uint64:
    """Key of the ``index``-th child of a nested call.

    >>> int(mix(np.uint64(1), 0)) == mix_int(1, 0)
    True
    """
    return _finalise(key ^ (_U_GOLDEN * (np.uint64(index) + _U1)))


SIGNATURE_SALT = 0x706F6F6C
"""The index that codes are mixed with for the signature of a sequence."""


@kernel
def seed_stream(rng: npt.NDArray[np.uint64], key: np.uint64) -> None:
    """Fill the four words of a stream from a key, by splitmix64."""
    z = key
    for i in range(4):
        z = z + _U_GOLDEN
        rng[i] = _finalise(z)


@kernel
def copy_stream(target: npt.NDArray[np.uint64], source: npt.NDArray[np.uint64]) -> None:
    """Make one stream continue as another does."""
    for i in range(4):
        target[i] = source[i]


@kernel
def next_word(rng: npt.NDArray[np.uint64]) -> np.uint64:
    """One 64-bit draw of xoshiro256**."""
    s1 = rng[1]
    product = s1 * _U5
    result = ((product << _U7) | (product >> _U57)) * _U9
    s2 = rng[2] ^ rng[0]
    s3 = rng[3] ^ s1
    rng[1] = s1 ^ s2
    rng[0] = rng[0] ^ s3
    rng[2] = s2 ^ (s1 << _U17)
    rng[3] = (s3 << _U45) | (s3 >> _U19)
    return result


@kernel
def uniform(rng: npt.NDArray[np.uint64]) -> float:
    """A number in [0, 1), for use inside a problem's ``choose``.

    >>> rng = np.zeros(4, np.uint64)
    >>> seed_stream(rng, np.uint64(7))
    >>> uniform(rng) == Stream(7).uniform()
    True
    """
    return np.int64(next_word(rng) >> _U11) * _TWO_TO_MINUS_53


@kernel
def below(rng: npt.NDArray[np.uint64], n: int) -> int:
    """A whole number in 0..n-1, for use inside a problem's ``choose``.

    >>> rng = np.zeros(4, np.uint64)
    >>> seed_stream(rng, np.uint64(7))
    >>> below(rng, 10) == Stream(7).below(10)
    True
    """
    return np.int64(((next_word(rng) >> _U32) * np.uint64(n)) >> _U32)


# --- the exponential -------------------------------------------------------------------------------
# exp(x) = 2^k exp(r), r = x - k ln 2 in two parts, exp(r) by its Taylor polynomial (|r| < 0.35, twelve
# terms: relative error below 1e-15). Only +, -, * in a fixed order: equal bits everywhere.

EXP_RANGE = 600.0
"""Arguments are cut to +-600, so that neither a weight nor a sum of weights overflows."""
LOG2_E = 1.4426950408889634
LN2_HIGH = 0.6931471803691238
LN2_LOW = 1.9082149292705877e-10
E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12 = (1.0 / math.factorial(i) for i in range(2, 13))


@kernel
def exp(x: float) -> float:
    """The library's own exponential, of one value.

    >>> abs(exp(1.0) / math.e - 1) < 1e-15
    True
    """
    x = -EXP_RANGE if x < -EXP_RANGE else EXP_RANGE if x > EXP_RANGE else x
    shifted = x * LOG2_E + ROUND_TO_INTEGER
    k = shifted - ROUND_TO_INTEGER
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    p = E11 + r * E12
    p = E10 + r * p
    p = E9 + r * p
    p = E8 + r * p
    p = E7 + r * p
    p = E6 + r * p
    p = E5 + r * p
    p = E4 + r * p
    p = E3 + r * p
    p = E2 + r * p
    p = 1.0 + r * p
    p = 1.0 + r * p
    return p * power_of_two(shifted)


@kernel
def exp_all(values: npt.NDArray[np.float64], n: int) -> None:
    """``values[:n] = exp(values[:n])``; the loop vectorises.

    >>> values = np.array([0.0, 1.0])
    >>> exp_all(values, 2)
    >>> bool(values[1] == exp(1.0))
    True
    """
    for i in range(n):
        values[i] = exp(values[i])


# log(x) = k ln 2 + log(m) with x = 2^k m and m in (0.75, 1.5], log(m) = 2 artanh(z) with z = (m - 1) / (m + 1), by its
# Taylor polynomial (|z| <= 0.2, twelve terms: error below 1e-16). Again only +, -, *, / in a fixed order.

LN2 = 0.6931471805599453
LOG_TERMS = tuple(1.0 / i for i in range(23, 0, -2))


@kernel
def log(x: float) -> float:
    """The library's own logarithm, of a number of at least 1.

    >>> abs(log(10.0) - math.log(10.0)) < 1e-15
    True
    """
    k = 0.0
    while x > 1.5:
        x *= 0.5
        k += 1.0
    z = (x - 1.0) / (x + 1.0)
    p = 0.0
    for term in LOG_TERMS:
        p = term + z * z * p
    return k * LN2 + 2.0 * z * p


# --- the same in plain Python ----------------------------------------------------------------------


def _finalise_int(z: int) -> int:
    z = ((z ^ (z >> 30)) * _MUL_1) & _MASK
    z = ((z ^ (z >> 27)) * _MUL_2) & _MASK
    return z ^ (z >> 31)


def mix_int(key: int, index: int) -> int:
    """:func:`mix` on Python integers.

    >>> mix_int(0, 0) != mix_int(0, 1)
    True
    """
    return _finalise_int(key ^ ((_GOLDEN * (index + 1)) & _MASK))


def root_key(seed: int) -> int:
    """Key of a whole run.

    >>> root_key(1) != root_key(2)
    True
    """
    return mix_int(_finalise_int((seed + _GOLDEN) & _MASK), STREAM_VERSION)


def part_key(seed: int, number: int) -> int:
    """Key of one of the parts at the top of a run: a restart, a game of a match, ...

    >>> part_key(1, 0) == mix_int(root_key(1), 0)
    True
    """
    return mix_int(root_key(seed), number)


def exp_float(x: float) -> float:
    """:func:`exp` on Python floats.

    >>> exp_float(0.0)
    1.0
    """
    x = min(max(x, -EXP_RANGE), EXP_RANGE)
    k = (x * LOG2_E + ROUND_TO_INTEGER) - ROUND_TO_INTEGER
    r = (x - k * LN2_HIGH) - k * LN2_LOW
    p = E12
    for term in (E11, E10, E9, E8, E7, E6, E5, E4, E3, E2, 1.0, 1.0):
        p = term + r * p
    return math.ldexp(p, int(k))


def log_float(x: float) -> float:
    """:func:`log` on Python floats.

    >>> log_float(1.0)
    0.0
    """
    k = 0.0
    while x > 1.5:
        x, k = x * 0.5, k + 1.0
    z = (x - 1.0) / (x + 1.0)
    p = 0.0
    for term in LOG_TERMS:
        p = term + z * z * p
    return k * LN2 + 2.0 * z * p


class Stream:
    """A random stream in plain Python: the draws of the compiled one.

    >>> stream = Stream(root_key(1))
    >>> 0 <= stream.below(6) < 6
    True
    """

    def __init__(self, key: int) -> None:
        words = []
        for _ in range(4):
            key = (key + _GOLDEN) & _MASK
            words.append(_finalise_int(key))
        self.words = words

    def next_word(self) -> int:
        """One 64-bit draw."""
        s0, s1, s2, s3 = self.words
        product = (s1 * 5) & _MASK
        result = ((((product << 7) | (product >> 57)) & _MASK) * 9) & _MASK
        s2 ^= s0
        s3 ^= s1
        self.words = [
            s0 ^ s3,
            s1 ^ s2,
            s2 ^ ((s1 << 17) & _MASK),
            ((s3 << 45) | (s3 >> 19)) & _MASK,
        ]
        return result

    def uniform(self) -> float:
        """A number in [0, 1)."""
        return (self.next_word() >> 11) * _TWO_TO_MINUS_53

    def below(self, n: int) -> int:
        """A whole number in 0..n-1."""
        return ((self.next_word() >> 32) * n) >> 32
