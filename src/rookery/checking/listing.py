"""What ``moves`` lists, into an ``out`` that is as short as declared and full of nonsense."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.checking.report import Broken

if TYPE_CHECKING:
    from rookery.checking.calls import Caller

POISONS = (-0x5EED0F0D15C0FFEE, -0x0DDBA11C0FFEE5ED)
"""What ``out`` is filled with before ``moves`` is called; a different one each time."""


class Lister:
    """Calls ``moves`` and reads what it wrote."""

    def __init__(self, call: Caller) -> None:
        self._call = call
        self._poison = 0

    def __call__(self, state: Any) -> tuple[int, tuple[int, ...]]:
        """What ``moves`` returns and writes, into a list of exactly the declared room."""
        most = self._call.limits.moves
        out, poison = self._fresh(most)
        try:
            n = self._call.whole("moves", self._call.raw("moves", state, out))
        except IndexError:
            if not self._writes_past(state):
                raise
            raise Broken from None
        if n > most:
            self._too_many(n)
        if n < 0:
            self._call.find("negative-count", "moves", f"it returned {n}, which is negative{self._call.place('moves')}")
        listed = tuple(int(move) for move in out[: max(n, 0)])
        if poison in listed:
            i = listed.index(poison)
            text = f"it returned {n}, but wrote nothing to out[{i}]{self._call.place('moves')}"
            self._call.find("moves-not-written", "moves", text)
            raise Broken
        return max(n, 0), listed

    def _fresh(self, size: int) -> tuple[Any, int]:
        self._poison += 1
        poison = POISONS[self._poison % 2]
        return np.full(size, poison, np.int64), poison

    def _writes_past(self, state: Any) -> bool:
        """Whether ``moves`` works once ``out`` has more room; then what is wrong is noted."""
        most = self._call.limits.moves
        out, poison = self._fresh(4 * most + 64)
        try:
            n = self._call.whole("moves", self._call.raw("moves", self._call.states.copy(state), out))
        except IndexError:
            return False
        if n > most:
            self._too_many(n, raised=False)
        elif (out[most:] != poison).any():
            i = most + int(np.argmax(out[most:] != poison))
            text = f"it wrote to out[{i}], but limits() declares moves={most}{self._call.place('moves')}"
            self._call.find("writes-past-out", "moves", text)
        else:
            return False
        return True

    def _too_many(self, n: int, raised: bool = True) -> None:
        text = f"it returned {n}, but limits() declares moves={self._call.limits.moves}{self._call.place('moves')}"
        self._call.find("too-many-moves", "moves", text)
        if raised:
            raise Broken
