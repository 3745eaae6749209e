"""The pool of a run: its best sequences that differ, a function of the seed alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from rookery.arguments import finite, whole
from rookery.errors import InputError
from rookery.rng import SIGNATURE_SALT, mix_int
from rookery.tasks import Keep, Sequence

MOST_KEPT = 1000
CANDIDATES = 16
"""Candidates kept for each place in a pool that demands a difference: some of them are too much alike."""


@dataclass(frozen=True)
class Keeping:
    """How many sequences a run keeps, and the share of its codes in which each must differ from the better ones.

    >>> Keeping(10, 0.2).asked()
    Keep(most=160, exact=False, fixed=0)
    """

    number: int = 0
    differ: float = 0.1

    def __post_init__(self) -> None:
        whole("keep", self.number, 0, MOST_KEPT)
        if not 0 <= finite("differ", self.differ) < 1:
            raise InputError(f"differ must be at least 0 and less than 1, got {self.differ}")

    def asked(self, fixed: int = 0) -> Keep:
        """What tasks are asked to keep; the first ``fixed`` moves are the same in all sequences."""
        return Keep(self.number if self.differ == 0 else CANDIDATES * self.number, self.differ == 0, fixed)


NO_POOL = Keeping()


class Pool:
    """Gathers what tasks have kept, in the order of the sequential search.

    >>> pool = Pool(Keep(most=2, exact=True))
    >>> pool.add([Sequence(3.0, (1,), (1,)), Sequence(3.0, (2,), (2,)), Sequence(4.0, (3,), (3,))])
    >>> [s.score for s in pool.sequences], [s.moves for s in pool.differing(2, 0.0)]
    ([4.0, 3.0], [(3,), (1,)])
    """

    def __init__(self, keep: Keep) -> None:
        self.keep = keep
        self.sequences: list[Sequence] = []

    def add(self, sequences: Iterable[Sequence]) -> None:
        """Keep the best of each signature, the first found of equals."""
        best: dict[int, Sequence] = {}
        for sequence in (*self.sequences, *sequences):
            mark = signature(sequence.codes, self.keep.exact)
            if mark not in best or sequence.score > best[mark].score:
                best.pop(mark, None)  # so that it is where it was found
                best[mark] = sequence
        self.sequences = sorted(best.values(), key=lambda sequence: -sequence.score)[: self.keep.most]

    def takes(self, score: float) -> bool:
        """Whether a sequence of this score may get a place."""
        return len(self.sequences) < self.keep.most or score > self.sequences[-1].score

    def differing(self, number: int, differ: float) -> list[Sequence]:
        """The best, and then always the next that differs from all before it in more than a share of its codes."""
        chosen: list[Sequence] = []
        for sequence in self.sequences:
            codes = set(sequence.codes)
            if all(len(codes - set(other.codes)) > differ * len(codes) for other in chosen):
                chosen.append(sequence)
            if len(chosen) == number:
                break
        return chosen


def signature(codes: Iterable[Hashable], exact: bool) -> int:
    """The signature of a sequence with these codes, as kernels compute it.

    >>> signature([3, 5], exact=True) == signature([5, 3], exact=True)
    True
    """
    hashes = [mix_int(_number(code), SIGNATURE_SALT) for code in codes]
    return sum(hashes) % (1 << 64) if exact else min(hashes, default=(1 << 64) - 1)


def _number(code: Any) -> int:
    """A number for a code that does not depend on the process."""
    if isinstance(code, int):
        return code % (1 << 64)
    return int.from_bytes(blake2b(repr(code).encode(), digest_size=8).digest(), "little")
