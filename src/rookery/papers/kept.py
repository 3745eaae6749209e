"""Samples of any kind that are computed from a seed, and kept in one file: a line of JSON each."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rookery.disk import as_text, check_fields, file_bytes, write_text
from rookery.errors import InputError
from rookery.papers.works import Found, Hands, Work, day

Sample = Mapping[str, Any]
"""What JSON can hold, with the ``playouts`` and core-``seconds`` that it took."""


@dataclass(frozen=True)
class Kept(Work):
    """Samples that a function computes from a seed; Ctrl-C in it is KeyboardInterrupt.

    >>> import tempfile
    >>> work = Kept("squares", 0.0, lambda seed, hands: {"square": seed**2, "playouts": 1, "seconds": 0.0})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     work.compute(Path(folder), 3, Hands())
    ...     [sample["square"] for sample in work.found(Path(folder), 2, Hands()).samples]
    [1, 4]
    """

    sample: Callable[[int, Hands], Sample]

    def compute(self, folder: Path, count: int, hands: Hands) -> None:
        """Compute the samples that the file does not hold; it is written anew after each, whole or not at all."""
        known = self._read(folder)
        for seed in range(hands.seed, hands.seed + count):
            if seed not in known:
                known[seed] = {"seed": seed, **self.sample(seed, hands)}
                write_text(self._file(folder), "".join(json.dumps(known[n]) + "\n" for n in sorted(known)))

    def found(self, folder: Path, count: int, hands: Hands) -> Found:
        """The samples in the file."""
        known = self._read(folder)
        samples = [known[seed] for seed in range(hands.seed, hands.seed + count) if seed in known]
        playouts, seconds = (sum(sample[name] for sample in samples) for name in ("playouts", "seconds"))
        return Found(tuple(samples), playouts, seconds, day(self._file(folder)) if samples else "")

    def _read(self, folder: Path) -> dict[int, Sample]:
        file = self._file(folder)
        if not file.exists():
            return {}
        known: dict[int, Sample] = {}
        for number, line in enumerate(as_text(file_bytes(file)).splitlines(), 1):
            try:
                sample = json.loads(line)
                if not isinstance(sample, dict):
                    raise InputError("not an object")
                check_fields(sample, {"seed": "a whole number", "playouts": "a whole number", "seconds": "a number"})
            except ValueError as error:
                raise InputError(f"{file}, line {number}, is not a sample: {error}") from None
            known[sample["seed"]] = sample
        return known

    def _file(self, folder: Path) -> Path:
        return folder / f"{self.name}.jsonl"


def field(name: str, samples: Sequence[Sample]) -> list[float]:
    """A figure of all samples.

    >>> field("score", [{"score": 82.0}])
    [82.0]
    """
    return [sample[name] for sample in samples]
