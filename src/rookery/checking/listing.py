"""What ``moves`` lists, into an ``out`` that is as short as declared and full of nonsense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.checking.report import Broken

if TYPE_CHECKING:
    from rookery.checking.records import RecordCalls

POISONS = (-0x5EED0F0D15C0FFEE, -0x0DDBA11C0FFEE5ED)
"""What ``out`` is filled with before ``moves`` is called; a different one each time."""


class Lister:
    """Calls a function that lists moves, and reads what it wrote."""

    def __init__(self, calls: RecordCalls, name: str) -> None:
        self._calls, self._name = calls, name
        self._most = calls.limits.moves
        self._poison = 0

    def __call__(self, state: Any) -> tuple[int, ...]:
        """What the function writes, into a list of exactly the declared room."""
        out, poison = self._fresh(self._most)
        try:
            n = self._count(state, out)
        except IndexError:
            if not self._writes_past(state):
                raise
            raise Broken from None
        if n > self._most:
            self._too_many(n)
            raise Broken
        if n < 0:
            self._calls.find("negative-count", self._name, f"it returned {n}, which is negative")
        listed = tuple(int(move) for move in out[: max(n, 0)])
        if poison in listed:
            i = listed.index(poison)
            self._calls.fail("moves-not-written", self._name, f"it returned {n}, but wrote nothing to out[{i}]")
        return listed

    def _count(self, state: Any, out: Any) -> int:
        n: int = self._calls.read(self._name, self._calls.raw(self._name, state, out))
        return n

    def _fresh(self, size: int) -> tuple[Any, int]:
        self._poison += 1
        poison = POISONS[self._poison % 2]
        return np.full(size, poison, np.int64), poison

    def _writes_past(self, state: Any) -> bool:
        """Whether the function works once ``out`` has more room; then what is wrong is noted."""
        most = self._most
        out, poison = self._fresh(4 * most + 64)
        try:
            n = self._count(self._calls.copy(state), out)
        except IndexError:
            return False
        if n > most:
            self._too_many(n)
        elif (out[most:] != poison).any():
            i = most + int(np.argmax(out[most:] != poison))
            self._calls.find("writes-past-out", self._name, f"it wrote to out[{i}], but limits() declares moves={most}")
        else:
            return False
        return True

    def _too_many(self, n: int) -> None:
        self._calls.find("too-many-moves", self._name, f"it returned {n}, but limits() declares moves={self._most}")
