"""The risks in a speculation tree, kept up to date: which leaf is the least risky, without a look at all of them.

Of every node the tree knows two things: the ``risk`` that what is unfinished in it changes the best of its parent, and
its ``cost``, the least risk of a leaf in it that waits, as far as the risk lies within the node. The risk of a leaf in
the whole tree is the sum of the risks of the elder siblings of it and of all calls that it is in.
"""

from __future__ import annotations

from collections.abc import Sequence

from rookery.plans.nodes import Node
from rookery.plans.select import Select

NEVER = float("inf")


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

    def __init__(self, sizes: Sequence[int], leaves: Sequence[int], atomic: int, select: Select) -> None:
        self._sizes, self._leaves, self._atomic = sizes, leaves, atomic
        self.select = select

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
            if node.level > self._atomic:
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
        if node.level > self._atomic:
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
            leaves = self._leaves[child.level]
            size = 0 if child.level == self._atomic else self._sizes[child.level]
            child.risk = self.select.risk(parent.level, child.index, child.best.score, child.unfinished, leaves, size)

    def _may_grow(self, node: Node) -> bool:
        """Whether a child can be added, whose policy is known or can be assumed."""
        if not node.children:
            return True
        last = node.children[-1]
        return last.index + 1 < self._sizes[node.level] and last.best is not None
