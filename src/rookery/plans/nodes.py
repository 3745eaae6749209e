"""The nodes of a speculation tree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from rookery.plans.plan import Job
from rookery.tasks import Sequence, Weights


@dataclass(eq=False, slots=True)
class Node:
    """A nested call. ``result`` is its best so far; ``best`` the parent's best after it.

    Children before number ``first`` are committed and forgotten, except for what the policies of the others follow
    from: a policy that was kept, ``base_policy``, and the bests ``forgotten`` that it was adapted to after that.
    """

    level: int
    index: int
    key: int
    parent: Node | None
    unfinished: int  # tasks in it that are not finished
    policy: Weights | None = None
    children: list[Node] = field(default_factory=list)
    result: Sequence | None = None
    best: Sequence | None = None
    job: Job | None = None
    committed: bool = False
    first: int = 0
    before: Sequence | None = None  # the best before children[0]
    base_policy: Weights | None = None  # None: this node's own, which the first child has too
    forgotten: list[Sequence] = field(default_factory=list)
    cost: float = 0.0  # the least risk of a waiting leaf in it
    risk: float = 0.0  # the risk that it changes the parent's best

    def best_before(self, child: Node) -> Sequence | None:
        """The best before a child."""
        place = child.index - self.first
        return self.children[place - 1].best if place > 0 else self.before

    def first_uncommitted(self) -> Node | None:
        """The first child that is not committed, if there is one."""
        return next((child for child in self.children if not child.committed), None)

    def leaves(self) -> Iterator[tuple[tuple[int, ...], Node]]:
        """The nodes below that have no children, in order, with the iterations that lead to them."""
        for child in self.children:
            if child.children:
                yield from (((child.index, *path), leaf) for path, leaf in child.leaves())
            else:
                yield (child.index,), child

    def steps_to(self, child: Node) -> tuple[Weights | None, list[Sequence]]:
        """The nearest policy that was kept (None: this node's own) and the bests that lead from it to a child's."""
        steps: list[Sequence] = []
        for elder in reversed(self.children[: child.index - self.first]):
            assert elder.best is not None
            steps.append(elder.best)
            if elder.policy is not None:
                return elder.policy, steps[::-1]
        return self.base_policy, self.forgotten + steps[::-1]

    def forget_before(self, child: Node) -> None:
        """A child is committed: forget its children, and its elder siblings."""
        child.children = []
        child.forgotten = []
        place = child.index - self.first
        for elder in self.children[:place]:
            if elder.policy is not None:
                self.base_policy, self.forgotten = elder.policy, []
            assert elder.best is not None
            self.forgotten.append(elder.best)
            self.before = elder.best
        del self.children[:place]
        self.first = child.index

    def take_after(self, child: Node) -> list[Node]:
        """Take away the younger siblings of a child."""
        place = child.index - self.first + 1
        younger = self.children[place:]
        del self.children[place:]
        return younger

    def add_unfinished(self, tasks: int) -> None:
        """Note that this many tasks of this node must be computed again."""
        node: Node | None = self
        while node is not None:
            node.unfinished += tasks
            node = node.parent


def same(a: Sequence | None, b: Sequence | None) -> bool:
    """Whether two bests are the same sequence: replacing one by the other changes nothing that follows."""
    return a is b or (a is not None and b is not None and a.moves == b.moves)
