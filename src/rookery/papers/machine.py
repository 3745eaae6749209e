"""How fast this machine is, beside the one on which the costs of the papers' items were measured."""

from __future__ import annotations

import random
import time
import zlib
from functools import cache

REFERENCE = 0.0100
"""Seconds that :func:`_work` takes on the machine on which costs were measured."""


@cache
def speed() -> float:
    """How many times as fast as that machine, by a short piece of work in C.

    >>> 0.01 < speed() < 100
    True
    """
    return REFERENCE / min(_work() for _ in range(5))


def _work() -> float:
    """Processor seconds of packing some bytes."""
    content = bytes(byte & 7 for byte in random.Random(1).randbytes(100_000))
    began = time.process_time()
    zlib.compress(content, 9)
    return time.process_time() - began
