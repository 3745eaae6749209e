"""NRPA above the atomic level: the speculation tree of Nagorko 2019, Algorithm 4.

A node is a nested call; its children are its iterations; a leaf is a task of the atomic level. The policy
of a child follows from its elder siblings' results. While those are incomplete, the tree assumes that they
will not replace the best: leaves behind them can be computed meanwhile, and are discarded when the
assumption fails. With one worker nothing is ever assumed, and the tree is the sequential search.
"""

from __future__ import annotations

from dataclasses import dataclass

from rookery.parallel.plan import Commit, Discards, Job, Replacement
from rookery.rng import mix_int
from rookery.search.nrpa import NRPA
from rookery.tasks import Moves, NRPATask, Outcome, Sequence, Weights, Worker


@dataclass(eq=False)
class Node:
    """A nested call. ``result`` is its best so far; ``best`` the parent's best after it."""

    level: int
    index: int
    key: int
    parent: Node | None
    policy: Weights | None
    children: list[Node]
    result: Sequence | None = None
    best: Sequence | None = None
    job: Job | None = None
    committed: bool = False
    first: int = 0  # iteration number of children[0]; those before it are committed and forgotten
    best_before: Sequence | None = None  # the best after the forgotten ones


class SpeculationTree:
    """One run of NRPA.

    Parameters
    ----------
    worker
        adapts policies
    atomic_level
        nested calls of this level are tasks
    """

    iteration_is_playout = False
    keeps_best = True

    def __init__(
        self,
        search: NRPA,
        worker: Worker,
        key: int,
        atomic_level: int,
        prefix: Moves = (),
        policy: Weights | None = None,
        target: float = float("inf"),
    ) -> None:
        self._search = search
        self._worker = worker
        self._atomic = min(atomic_level, search.level)
        self._prefix = prefix
        self._target = target
        self._root = Node(search.level, 0, key, None, policy or Weights(), [])
        self._cut = False  # a job was committed that had been stopped
        self.discards = Discards()
        self.iteration_is_playout = search.level == 1

    # --- what the driver asks ---

    @property
    def best(self) -> Sequence | None:
        """The best sequence so far; of committed jobs only once the tree is pruned."""
        return self._committed_best(self._root)

    @property
    def finished(self) -> bool:
        """Whether every leaf is committed."""
        return self._root.committed and not self._cut

    def next_job(self) -> Job | None:
        """The first leaf, in the order of the sequential search, that waits and whose policy can be assumed."""
        leaf = self._waiting(self._root)
        if leaf is None:
            return None
        if leaf.job is None:
            assert leaf.policy is not None
            search = self._search
            leaf.job = Job(
                NRPATask(
                    key=leaf.key,
                    prefix=self._prefix,
                    target=self._target,
                    policy=leaf.policy,
                    level=leaf.level,
                    iterations=search.iterations_by_level,
                    ties=search.ties_by_level,
                    alpha=search.alpha,
                    layers=search.layers,
                )
            )
        leaf.job.started = True
        return leaf.job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take a result; if it replaces a best that later leaves were built on, discard those."""
        leaf = self._leaf_of(self._root, job)
        if leaf is None:
            return
        job.outcome = outcome
        leaf.result = outcome.sequence
        node = leaf
        while node.parent is not None:
            parent = node.parent
            best = self._replace(parent.level, self._best_before(node), node.result)
            if not _same(best, node.best):
                self._discard_after(node)
            node.best = best
            parent.result = parent.children[-1].best
            node = parent

    def frontier(self) -> Job | None:
        """The first leaf that is not committed, once its outcome is there."""
        leaf = self._first_uncommitted()
        if leaf is None or leaf.job is None or leaf.job.outcome is None:
            return None
        return leaf.job

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""
        leaf = self._first_uncommitted()
        assert leaf is not None
        assert leaf.job is not None
        self._discard_right_of(leaf)
        leaf.job = Job(leaf.job.task.within(budget))
        leaf.result = None

    def commit(self) -> Commit:
        """Commit the frontier, and with it every call whose last iteration it was."""
        node = self._first_uncommitted()
        assert node is not None
        assert node.job is not None
        assert node.job.outcome is not None
        complete = node.job.outcome.finished
        self._cut = not complete
        replacements = []
        iterations = 0
        if node.parent is None and complete and not self.iteration_is_playout:
            iterations = self._search.iterations_by_level[node.level]
        node.committed = True
        while node.parent is not None:
            parent = node.parent
            before = self._best_before(node)
            if node.best is not None and node.best is node.result and not _same(node.best, before):
                tie = before is not None and before.score == node.best.score
                replacements.append(Replacement(parent.level, node.index, node.best, tie))
            iterations += parent.parent is None and complete
            self._forget_before(node)
            if node.index + 1 < self._search.iterations_by_level[parent.level]:
                break
            parent.committed = complete
            node = parent
        return Commit(iterations, tuple(replacements))

    def prune(self) -> None:
        """Forget every leaf behind the frontier."""
        leaf = self._first_uncommitted()
        if leaf is not None:
            self._discard_right_of(leaf)

    # --- the tree ---

    def _waiting(self, node: Node) -> Node | None:
        if node.level == self._atomic:
            return node if node.job is None or not node.job.started else None
        size = self._search.iterations_by_level[node.level]
        for i in range(node.first, size):
            if i - node.first == len(node.children) and not self._add_child(node):
                return None
            child = node.children[i - node.first]
            found = None if child.committed else self._waiting(child)
            if found is not None:
                return found
        return None

    def _add_child(self, node: Node) -> bool:
        """Add the next child of a node, if its policy can be known or assumed."""
        index = node.first + len(node.children)
        key = mix_int(node.key, index)
        if index == 0:
            node.children.append(Node(node.level - 1, 0, key, node, node.policy, []))
            return True
        elder = node.children[-1]
        if elder.best is None:
            return False
        assert elder.policy is not None
        moves = elder.best.moves[len(self._prefix) :]
        policy = self._worker.adapt(elder.policy, moves, self._search.alpha, self._prefix, self._search.layers)
        child = Node(node.level - 1, index, key, node, policy, [])
        child.best = elder.best  # assumed until its own result is there
        node.children.append(child)
        return True

    def _best_before(self, node: Node) -> Sequence | None:
        assert node.parent is not None
        place = node.index - node.parent.first
        return node.parent.children[place - 1].best if place > 0 else node.parent.best_before

    def _replace(self, level: int, best: Sequence | None, result: Sequence | None) -> Sequence | None:
        """The best after a result, by the tie rule of the level."""
        if result is None or best is None:
            return best or result
        if result.score != best.score:
            return result if result.score > best.score else best
        tie = self._search.ties_by_level[level]
        if tie >= 1.0:
            return best
        new = set(result.codes)
        if tie < 0.0 or (new and len(new - set(best.codes)) / len(new) > tie):
            return result
        return best

    def _committed_best(self, node: Node) -> Sequence | None:
        if node.level == self._atomic:
            return node.result if node.committed else None
        best = node.best_before
        for child in node.children:
            best = self._replace(node.level, best, self._committed_best(child))
            if not child.committed:
                break
        return best if not node.committed else node.result

    def _first_uncommitted(self) -> Node | None:
        node = self._root
        if node.committed:
            return None
        while node.level > self._atomic:
            if not node.children and not (node.first == 0 and self._add_child(node)):
                return None
            last = node.children[-1]
            child = next((c for c in node.children if not c.committed), None)
            if child is None:
                if last.index + 1 == self._search.iterations_by_level[node.level] or not self._add_child(node):
                    return None
                child = node.children[-1]
            node = child
        return node

    def _leaf_of(self, node: Node, job: Job) -> Node | None:
        if node.level == self._atomic:
            return node if node.job is job else None
        for child in node.children:
            if not child.committed:
                found = self._leaf_of(child, job)
                if found is not None:
                    return found
        return None

    def _forget_before(self, node: Node) -> None:
        """Keep of the committed children only the last, whose policy the next one may need."""
        parent = node.parent
        assert parent is not None
        node.children = []
        place = node.index - parent.first
        if place > 0:
            parent.best_before = parent.children[place - 1].best
            parent.children = parent.children[place:]
            parent.first = node.index

    def _discard_after(self, node: Node) -> None:
        parent = node.parent
        assert parent is not None
        place = node.index - parent.first
        for younger in parent.children[place + 1 :]:
            self._discard(younger)
        del parent.children[place + 1 :]

    def _discard_right_of(self, node: Node) -> None:
        while node.parent is not None:
            self._discard_after(node)
            node.parent.result = node.best
            node = node.parent

    def _discard(self, node: Node) -> None:
        if node.job is not None and node.job.started:
            self.discards.jobs.append(node.job)
        for child in node.children:
            self._discard(child)


def _same(a: Sequence | None, b: Sequence | None) -> bool:
    """Whether two bests are the same sequence: replacing one by the other changes nothing that follows."""
    return a is b or (a is not None and b is not None and a.moves == b.moves)
