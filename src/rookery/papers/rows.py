"""The rows of a reproduced table: ours beside the paper's, each with a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from rookery.disk import check_fields
from rookery.errors import InputError
from rookery.experiments.statistics import holm

LEVEL = 0.05
"""A row differs from the paper if chance alone gives such a difference less often, corrected for all rows."""

AGREES, LOWER, HIGHER = "agrees", "lower", "higher"
NO_VERDICT = "no verdict at this scale"
NOT_AVAILABLE = "not available"


@dataclass(frozen=True)
class Row:
    """A figure of ours beside the paper's.

    ``done`` of ``asked`` samples are there, none is asked for at this scale if that is 0; ``needs`` is how many
    core-seconds the rest, or the paper's own number of samples, would take. ``number`` is ours,
    ``low`` to ``high`` its spread, ``their_number`` the paper's; ``ours``, ``spread`` and ``theirs`` are the same in
    words. ``p`` is that of the ``test``, ``least_p`` the smallest it could have been, ``p_holm`` is corrected for all
    rows (Holm). ``date`` is the day of the last sample.

    >>> row = Row("1000x1", ("1,000", "1"), asked=20, done=20, ours="66", theirs="71", test="a percentile", p=0.1)
    >>> judged([row])[0].verdict
    'agrees'
    """

    name: str
    labels: tuple[str, ...]
    asked: int
    done: int = 0
    needs: float = 0.0
    ours: str = ""
    spread: str = ""
    theirs: str = ""
    number: float | None = None
    low: float | None = None
    high: float | None = None
    their_number: float | None = None
    test: str = ""
    p: float | None = None
    least_p: float = 0.0
    p_holm: float | None = None
    verdict: str = ""
    playouts: int = 0
    core_seconds: float = 0.0
    date: str = ""

    @property
    def complete(self) -> bool:
        """Whether all samples are there."""
        return self.done >= self.asked

    @classmethod
    def from_json(cls, data: Any) -> Row:
        """A row from its JSON object."""
        if not isinstance(data, dict):
            raise InputError("a row must be an object")
        check_fields(data, {"name": "a text", "labels": "a list", "asked": "a whole number", "done": "a whole number"})
        known = {name: data[name] for name in cls.__dataclass_fields__ if name in data}
        return cls(**{**known, "labels": tuple(map(str, data["labels"]))})


def judged(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The rows with verdicts, their p values corrected for their number.

    >>> same = Row("a", (), 500, done=500, number=50.0, their_number=50.0, test="Fisher", p=1.0)
    >>> [row.verdict for row in judged([same, replace(same, number=20.0, p=1e-9), replace(same, done=20, p=None)])]
    ['agrees', 'lower', 'incomplete: 20 of 500']
    """
    tested = [row for row in rows if row.asked and row.complete and row.p is not None]
    corrected = iter(holm([row.p for row in tested if row.p is not None]))
    return tuple(_with_verdict(row, next(corrected) if row in tested else None, len(tested)) for row in rows)


def _with_verdict(row: Row, p_holm: float | None, tests: int) -> Row:
    if row.verdict == NOT_AVAILABLE:
        return row
    if not row.done:
        return replace(row, p_holm=None, verdict=f"not run: needs {hours(row.needs)}")
    if not row.complete:
        return replace(row, p_holm=None, verdict=f"incomplete: {row.done:,} of {row.asked:,}")
    if p_holm is None:
        return replace(row, p_holm=None, verdict=NO_VERDICT if row.test else "")
    if p_holm < LEVEL:
        below = (row.number or 0.0) < (row.their_number or 0.0)
        return replace(row, p_holm=p_holm, verdict=LOWER if below else HIGHER)
    assert row.p is not None
    blind = row.p <= row.least_p and row.least_p * tests >= LEVEL  # as far away as this test can tell, and not enough
    return replace(row, p_holm=p_holm, verdict=NO_VERDICT if blind else AGREES)


def hours(seconds: float) -> str:
    """Core-seconds in words.

    >>> hours(0.2), hours(90), hours(7200), hours(3.6e8)
    ('1 core-second', '90 core-seconds', '2.0 core-hours', '100,000 core-hours')
    """
    if seconds < 600:
        count = max(1, round(seconds))
        return f"{count} core-second{'s' * (count != 1)}"
    value = seconds / 3600
    return f"{value:,.1f} core-hours" if value < 100 else f"{value:,.0f} core-hours"
