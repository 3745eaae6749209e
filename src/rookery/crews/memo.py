"""Outcomes that were computed before, in little room."""

from __future__ import annotations

import struct
from collections.abc import Hashable
from hashlib import blake2b
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.tasks import Outcome, Sequence

HEAD = struct.Struct("<qdd??iiicccc")
"""Playouts, seconds, score, finished, target; then the sizes of moves, codes and improvements, and their types."""


class Memo:
    """Outcomes by what a task of NRPA depends on: its key, its policy, its level and its budget.

    >>> memo = Memo()
    >>> memo.keep(b"name", Outcome(Sequence(3.0, (1, 2), (7, 8)), 5, ((2, 3.0),), True, False))
    >>> memo.find(b"name").sequence.moves
    (1, 2)
    >>> memo.find(b"other") is None
    True
    """

    def __init__(self) -> None:
        self._outcomes: dict[bytes, bytes | Outcome] = {}
        self._numbers: dict[Hashable, int] = {}  # of codes that are not numbers

    def __len__(self) -> int:
        return len(self._outcomes)

    def name(self, task: Any) -> bytes:
        """What tells a task from all others of the same search, in 16 bytes."""
        digest = blake2b(struct.pack("<Qqq", task.key, task.level, task.budget), digest_size=16)
        digest.update(self._codes(task.policy.codes).data)
        digest.update(np.ascontiguousarray(task.policy.weights, np.float64).data)
        digest.update(np.array(task.policy.biases, np.float64).data)
        return digest.digest()

    def keep(self, name: bytes, outcome: Outcome) -> None:
        """Remember an outcome."""
        packed = _packed(outcome)
        self._outcomes[name] = outcome if packed is None else packed

    def find(self, name: bytes) -> Outcome | None:
        """The outcome that was kept under a name."""
        kept = self._outcomes.get(name)
        return _unpacked(kept) if isinstance(kept, bytes) else kept

    def _codes(self, codes: Any) -> npt.NDArray[Any]:
        if isinstance(codes, np.ndarray):
            return np.ascontiguousarray(codes)
        # A number for each code that was ever seen: a text of it might not tell two codes apart.
        return np.array([self._numbers.setdefault(code, len(self._numbers)) for code in codes], np.int64)


def _packed(outcome: Outcome) -> bytes | None:
    """An outcome as bytes; None if its moves or codes are not whole numbers of 64 bits."""
    sequence = outcome.sequence
    if sequence is None:
        return None
    moves, codes = _narrow(sequence.moves), _narrow(sequence.codes)
    if moves is None or codes is None:
        return None
    at = _narrow([at for at, _ in outcome.improvements])
    assert at is not None
    to = np.array([to for _, to in outcome.improvements], np.float64)
    arrays = (moves, codes, at, to)
    kinds = [array.dtype.char.encode() for array in arrays]
    head = HEAD.pack(
        *(outcome.playouts, outcome.seconds, sequence.score, outcome.finished, outcome.reached_target),
        *(len(moves), len(codes), len(at), *kinds),
    )
    return head + b"".join(array.tobytes() for array in arrays)


def _unpacked(packed: bytes) -> Outcome:
    playouts, seconds, score, finished, target, moves, codes, improvements, *kinds = HEAD.unpack_from(packed)
    at, values = HEAD.size, []
    for kind, size in zip(kinds, (moves, codes, improvements, improvements), strict=True):
        dtype = np.dtype(kind.decode())
        values.append(np.frombuffer(packed, dtype, size, at).tolist())
        at += size * dtype.itemsize
    return Outcome(
        sequence=Sequence(score, tuple(values[0]), tuple(values[1])),
        playouts=playouts,
        improvements=tuple(zip(values[2], values[3], strict=True)),
        finished=finished,
        reached_target=target,
        seconds=seconds,
    )


def _narrow(numbers: Any) -> npt.NDArray[Any] | None:
    """Whole numbers in the narrowest type that holds them all; None if they are something else."""
    if not set(map(type, numbers)) <= {int}:
        return None
    low, high = (min(numbers), max(numbers)) if numbers else (0, 0)
    for kind in (np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64):
        limits = np.iinfo(kind)
        if limits.min <= low and high <= limits.max:
            return np.array(numbers, kind)
    return None
