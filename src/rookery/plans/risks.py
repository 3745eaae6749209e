"""Which leaf to compute next: the one whose policy most probably stays valid (Nagorko 2019, section V.C).

A leaf's policy assumes that what is unfinished before it replaces no best sequence that the policy was adapted to. The
probability of that is a product over all unfinished calls before the leaf; what is added up here is its negative
logarithm, the risk. A choice never changes the result of a run, only how much speculation is in vain.

Of every node the tree knows two things, so that it need not look at all leaves: the ``risk`` that what is unfinished in
it changes the best of its parent, and its ``cost``, the least risk of a leaf in it that waits, as far as the risk lies
within the node. The risk of a leaf in the whole tree is the sum of the risks of the elder siblings of it and of all
calls that it is in.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from rookery.plans.nodes import Node

NEVER = float("inf")


@dataclass
class Risks:
    """Brings risks up to date when something has changed.

    Parameters
    ----------
    sizes, leaves
        of a call of each level: its iterations, and the tasks in it
    atomic
        the level of leaves
    select
        estimates the risks
    """

    sizes: Sequence[int]
    leaves: Sequence[int]
    atomic: int
    select: Select

    def least(self, node: Node) -> Node | None:
        """The child that has the leaf of least risk; None: one that is still to be added."""
        risk = 0.0
        for child in node.children:
            if risk + child.cost == node.cost:
                return child
            risk += child.risk
        return None

    def bring_up_to_date(self, node: Node) -> None:
        """Something has changed in a node: find the costs and risks from there to the root."""
        while True:
            parent = node.parent
            if node.level > self.atomic:
                self._set_cost(node)
            if parent is None:
                return
            self._set_risk(parent, node)
            node = parent

    def find_all(self, node: Node) -> None:
        """Find the costs and risks in all of a tree."""
        for child in node.children:
            self.find_all(child)
            self._set_risk(node, child)
        if node.level > self.atomic:
            self._set_cost(node)
        else:
            node.cost = 0.0 if node.job is None and not node.committed else NEVER

    def _set_cost(self, node: Node) -> None:
        least, risk = NEVER, 0.0
        for child in node.children:
            cost = risk + child.cost
            if cost < least:
                least = cost
            risk += child.risk
            if risk >= least:
                break
        else:
            if risk < least and self._may_grow(node):
                least = risk
        node.cost = least

    def _set_risk(self, parent: Node, child: Node) -> None:
        if child.unfinished == 0:
            child.risk = 0.0
        elif child.best is None:
            child.risk = NEVER
        else:
            leaves = self.leaves[child.level]
            size = 0 if child.level == self.atomic else self.sizes[child.level]
            child.risk = self.select.risk(parent.level, child.index, child.best.score, child.unfinished, leaves, size)

    def _may_grow(self, node: Node) -> bool:
        """Whether a child can be added, whose policy is known or can be assumed."""
        if not node.children:
            return True
        last = node.children[-1]
        return last.index + 1 < self.sizes[node.level] and last.best is not None


class Select(Protocol):
    """Estimates how probable it is that a best sequence stays.

    A child is a nested call within its parent of ``level``. It is a task, of ``size`` 0, or it has ``size`` iterations
    of its own.
    """

    def risk(self, level: int, iteration: int, best: float, unfinished: int, leaves: int, size: int) -> float:
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

    def learn(self, level: int, iteration: int, best: float, replaced: bool, left: int) -> None:
        """Learn from a finished task (``left`` 0), or from an iteration of a child, the ``left``-th from its end.

        ``replaced``: whether it replaced the best of the parent, which has the score ``best``.
        """


class Table:
    """The table of the paper's program: how probable it is that a sequence of a given length is beaten.

    It falls with the length. Each unfinished elder sibling counts once, however much of it is left. A sequence that is
    shorter than all of the table is certain to be beaten: nothing is computed ahead of what may beat it.

    >>> table = Table()
    >>> [table.probability(length) for length in (63, 64, 119, 120, 178)]
    [1.0, 0.95, 0.5, 0.3, 0.1]
    """

    POINTS: Mapping[float, float] = {150.0: 0.1, 140.0: 0.2, 120.0: 0.3, 80.0: 0.5, 64.0: 0.95}
    """From this length on, this probability."""

    def __init__(self, points: Mapping[float, float] = POINTS) -> None:
        self._lengths = sorted(points)
        self._probabilities = [1.0, *(points[length] for length in self._lengths)]
        self._risks = [-math.log1p(-p) if p < 1.0 else NEVER for p in self._probabilities]

    def probability(self, best: float) -> float:
        """The probability that a sequence of this score is beaten."""
        return self._probabilities[bisect_right(self._lengths, best)]

    def risk(self, level: int, iteration: int, best: float, unfinished: int, leaves: int, size: int) -> float:
        """The same for a task and for a call of any level."""
        return self._risks[bisect_right(self._lengths, best)]

    def learn(self, level: int, iteration: int, best: float, replaced: bool, left: int) -> None:
        """Do nothing: the table is fixed."""


class LiteralTable:
    """What the paper's sentence about its table says if it is read literally.

    The probability that one task beats a sequence is 10% for a length of 130, 20% for 140 "and so on": in between and
    beyond, a straight line, so that it rises with the length.

    >>> table = LiteralTable()
    >>> round(table.probability(130), 3), round(table.probability(145), 3)
    (0.1, 0.25)
    """

    LEAST, MOST = 0.01, 0.99

    def __init__(self, points: Mapping[float, float] | None = None) -> None:
        (self._from, low), (to, high) = sorted((points or {130.0: 0.1, 140.0: 0.2}).items())
        self._low = low
        self._slope = (high - low) / (to - self._from)

    def probability(self, best: float) -> float:
        """The probability that a task beats this score."""
        return min(self.MOST, max(self.LEAST, self._low + (best - self._from) * self._slope))

    def risk(self, level: int, iteration: int, best: float, unfinished: int, leaves: int, size: int) -> float:
        """Every unfinished task may beat the best, each with the same probability."""
        return -unfinished * math.log1p(-self.probability(best))

    def learn(self, level: int, iteration: int, best: float, replaced: bool, left: int) -> None:
        """Do nothing: the table is fixed."""


@dataclass
class Learned:
    """Counts, during the run, how often the best of a level was replaced, by score and iteration.

    A task is counted by its number among the iterations of its parent: the first ones replace the best more often. What
    happens two levels further up is counted by how many iterations of the child are left, because a search finds its
    best near its end. Iterations are taken together by powers of two, scores by three digits. Where little was counted,
    an estimate builds on what was counted without the finer distinction.

    >>> learned = Learned()
    >>> before = learned.risk(2, 5, 60.0, 1, 1, 0)
    >>> for _ in range(20):
    ...     learned.learn(2, 5, 60.0, replaced=False, left=0)
    >>> learned.risk(2, 5, 60.0, 1, 1, 0) < before
    True
    """

    WEIGHT = 8.0
    """How many observations an estimate counts as where a finer one builds on it."""
    FIRST = 0.1
    """The estimate before anything was counted."""

    counts: dict[tuple[int, ...], list[int]] = field(default_factory=dict)  # [observed, replaced]

    def risk(self, level: int, iteration: int, best: float, unfinished: int, leaves: int, size: int) -> float:
        """For a task, the risk as counted; for other children, the sum over the iterations that are left."""
        if size == 0:
            return self._estimate(_task_cells(level, iteration, best))
        left = -(-unfinished * size // leaves)
        risk = 0.0
        for octave in range(1, left.bit_length() + 1):  # iterations 2^(octave - 1) to 2^octave - 1 from the end
            first = 1 << octave - 1
            number = min(left, 2 * first - 1) - first + 1
            risk += number * self._estimate(_iteration_cells(level, octave, best))
        return risk

    def learn(self, level: int, iteration: int, best: float, replaced: bool, left: int) -> None:
        """Count an observation."""
        cells = _iteration_cells(level, left.bit_length(), best) if left else _task_cells(level, iteration, best)
        for cell in cells:
            counted = self.counts.setdefault(cell, [0, 0])
            counted[0] += 1
            counted[1] += replaced

    def _estimate(self, cells: tuple[tuple[int, ...], ...]) -> float:
        estimate = self.FIRST
        for cell in cells:
            counted = self.counts.get(cell)
            if counted is None:
                break
            estimate = (counted[1] + self.WEIGHT * estimate) / (counted[0] + self.WEIGHT)
        return -math.log1p(-estimate)


def _task_cells(level: int, iteration: int, best: float) -> tuple[tuple[int, ...], ...]:
    """Where a task is counted, from coarse to fine."""
    digits, exponent = math.frexp(best)
    octave = iteration.bit_length()
    return (level,), (level, -octave), (level, -octave, round(digits * 1024), exponent)  # apart from those below


def _iteration_cells(level: int, octave: int, best: float) -> tuple[tuple[int, ...], ...]:
    """Where an iteration of a child is counted, from coarse to fine."""
    digits, exponent = math.frexp(best)
    return (level, octave), (level, octave, round(digits * 1024), exponent)


SELECTS = {"learned": Learned, "table": Table, "literal": LiteralTable}
"""The rules by name; a run begins with one that has learned nothing yet."""
