"""Which leaf to compute next: the one whose policy most probably stays valid (Nagorko 2019, section V.C).

A leaf's policy assumes that what is unfinished before it replaces no best sequence that the policy was adapted to. The
probability of that is a product over all unfinished calls before the leaf; what is added up here is its negative
logarithm, the risk. A choice never changes the result of a run, only how much speculation is in vain.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

SELECTS = ("learned", "table")
"""The names of the rules."""


class Select(Protocol):
    """Estimates how probable it is that a best sequence stays."""

    def risk(self, level: int, iteration: int, best: float, unfinished: int, leaves: int) -> float:
        """The risk that a child changes the best of its parent.

        Parameters
        ----------
        level
            of the parent
        iteration
            number of the child
        best
            score of the parent's best sequence, as it is assumed after the child
        unfinished, leaves
            how many tasks of the child are not finished, and how many there are
        """

    def learn(self, level: int, iteration: int, best: float, replaced: bool) -> None:
        """A child is finished: it has replaced the best of its parent, of this score, or not."""


class Table:
    """The paper's fixed table: how probable it is that one task beats a sequence of a given score.

    The paper states 10% for a length of 130, 20% for 140 "and so on": in between and beyond, a straight line.

    >>> table = Table()
    >>> round(table.probability(130), 3), round(table.probability(145), 3)
    (0.1, 0.25)
    """

    LEAST, MOST = 0.01, 0.99

    def __init__(self, points: Mapping[float, float] | None = None) -> None:
        (self._from, low), (to, high) = sorted((points or {130.0: 0.1, 140.0: 0.2}).items())
        self._low = low
        self._slope = (high - low) / (to - self._from)

    def probability(self, best: float) -> float:
        """That a task beats this score."""
        return min(self.MOST, max(self.LEAST, self._low + (best - self._from) * self._slope))

    def risk(self, level: int, iteration: int, best: float, unfinished: int, leaves: int) -> float:
        """Every unfinished task may beat the best, each with the same probability."""
        return -unfinished * math.log1p(-self.probability(best))

    def learn(self, level: int, iteration: int, best: float, replaced: bool) -> None:
        """Nothing: the table is fixed."""


class Learned:
    """Counts, during the run, how often a child at this level, iteration and score replaced the best.

    Iterations are taken together by powers of two, scores by three digits. Where little was counted, the estimate leans
    on what was counted at the same level and iteration whatever the score, and that on the level as a whole.

    >>> learned = Learned()
    >>> before = learned.risk(2, 5, 60.0, 1, 1)
    >>> for _ in range(20):
    ...     learned.learn(2, 5, 60.0, replaced=False)
    >>> learned.risk(2, 5, 60.0, 1, 1) < before
    True
    """

    WEIGHT = 4.0
    """An estimate counts as so many observations where a finer one leans on it."""
    FIRST = 0.25
    """The estimate before anything was counted."""

    def __init__(self) -> None:
        self._counts: dict[tuple[int, ...], list[int]] = {}  # [observed, replaced]

    def risk(self, level: int, iteration: int, best: float, unfinished: int, leaves: int) -> float:
        """The share of a child that is unfinished has that share of the risk."""
        estimate = self.FIRST
        for cell in self._cells(level, iteration, best):
            counted = self._counts.get(cell)
            if counted is None:
                break
            estimate = (counted[1] + self.WEIGHT * estimate) / (counted[0] + self.WEIGHT)
        return -math.log1p(-estimate) * unfinished / leaves

    def learn(self, level: int, iteration: int, best: float, replaced: bool) -> None:
        """Count an observation."""
        for cell in self._cells(level, iteration, best):
            counted = self._counts.setdefault(cell, [0, 0])
            counted[0] += 1
            counted[1] += replaced

    @staticmethod
    def _cells(level: int, iteration: int, best: float) -> tuple[tuple[int, ...], ...]:
        """From coarse to fine."""
        when = iteration.bit_length()
        digits, exponent = math.frexp(best)
        return (level,), (level, when), (level, when, round(digits * 1024), exponent)


def make_select(name: str) -> Select:
    """A rule by its name, that has learned nothing yet.

    >>> type(make_select("table")).__name__
    'Table'
    """
    return Table() if name == "table" else Learned()
