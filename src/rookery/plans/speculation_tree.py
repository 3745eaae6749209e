"""NRPA above the atomic level: the speculation tree of Nagorko 2019, Algorithm 4.

A node is a nested call; its children are its iterations; a leaf is a task of the atomic level. The policy
of a child follows from its elder siblings' results. While those are incomplete, the tree assumes that they
will not replace the best: leaves behind them can be computed meanwhile, and are discarded when the
assumption fails. With one worker nothing is ever assumed, and the tree is the sequential search.

Policies are large, so only those that may be needed soon are kept: of calls that are under way, and of the last
child of each. Any other is computed again when it is needed after all. Of a finished leaf whose sequence is not the
best of its parent, only the count of its playouts is kept.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from rookery.plans.nodes import Node, same
from rookery.plans.plan import Commit, Job, Replacement
from rookery.plans.risks import NEVER, Learned, Risks, Select
from rookery.plans.stored import Part
from rookery.plans.tree_state import check_tree
from rookery.rng import mix_int
from rookery.tasks import Moves, Outcome, Sequence, Task, Weights


@dataclass(frozen=True)
class Nesting:
    """A search whose nested calls adapt a policy, as the tree knows it.

    Parameters
    ----------
    iterations, ties
        by level
    task
        makes the task of a nested call, from its level, its key and its policy
    adapted
        a policy after one step towards a sequence
    playouts
        of an iteration of the top level; 0: they differ
    """

    level: int
    iterations: tuple[int, ...]
    ties: tuple[float, ...]
    task: Callable[..., Task]
    adapted: Callable[[Weights, Moves], Weights]
    playouts: int = 0


class SpeculationTree:
    """One run of NRPA.

    Parameters
    ----------
    atomic_level
        nested calls of this level are tasks
    select
        estimates how probable it is that a best sequence stays
    """

    iteration_is_playout = False
    keeps_best = True

    def __init__(
        self,
        search: Nesting,
        key: int,
        atomic_level: int,
        policy: Weights | None = None,
        select: Select | None = None,
    ) -> None:
        self._search = search
        self._atomic = min(atomic_level, search.level)
        self._leaves = [1] * (search.level + 1)  # tasks in a call of each level
        for level in range(self._atomic + 1, search.level + 1):
            self._leaves[level] = self._leaves[level - 1] * search.iterations[level]
        self._root = Node(search.level, 0, key, None, self._leaves[-1], policy=Weights() if policy is None else policy)
        self._risks = Risks(search.iterations, self._leaves, self._atomic, select or Learned())
        self._of: dict[Job, Node] = {}
        self.best: Sequence | None = None
        self.finished = False
        self.risk = 0.0  # of the leaf that is next: 0 if it is certain to be needed, infinite if there is none
        self.discards: list[Job] = []
        self.iteration_is_playout = search.level == 1

    # --- what the driver asks ---

    def next_job(self) -> Job | None:
        """The leaf that waits and whose policy most probably stays valid; the first in order of equal ones."""
        if self.risk == NEVER:
            return None
        leaf = self._descend()
        if leaf.job is None:
            leaf.job = self._job(leaf)
        leaf.job.started = True
        leaf.cost = NEVER
        self._of[leaf.job] = leaf
        self._changed(leaf)
        return leaf.job

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take a result; if it replaces a best that later leaves were built on, discard those."""
        leaf = self._of.pop(job, None)
        if leaf is None:
            return  # discarded
        job.outcome = outcome
        leaf.result = outcome.sequence
        leaf.unfinished = 0
        node = leaf
        left: int | None = 0  # iterations of the call below, with the one that is finished; None: none is
        while node.parent is not None:
            parent = node.parent
            before = parent.best_before(node)
            best = self._replace(parent.level, before, node.result)
            if same(best, before):
                if best is node.result:
                    node.result = before  # replaced by itself, which changes nothing that follows
                best = before  # one object: what a leaf has found can be forgotten
            replaced = not same(best, node.best)
            if node.best is not None and left is not None:
                self._risks.select.learn(parent.level, node.index, node.best.score, replaced, left)
            if replaced:
                self._discard_after(node)
            node.best = best
            left = None
            if node.unfinished == 0:
                left = self._search.iterations[parent.level] - node.index
                if parent.children[-1] is not node:
                    self._drop_policy(node)
            parent.unfinished -= 1
            parent.result = parent.children[-1].best
            node = parent
        if leaf.parent is not None and leaf.best is not leaf.result:
            leaf.result = None
        if leaf.result is not outcome.sequence:
            job.outcome = replace(outcome, sequence=leaf.result)
        self._changed(leaf)

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
        if leaf.unfinished == 0:
            leaf.add_unfinished(1)
        leaf.job = self._job(leaf)
        leaf.job.task = leaf.job.task.within(budget)
        leaf.result = None
        leaf.cost = 0.0
        self._changed(leaf)

    def commit(self) -> Commit:
        """Commit the frontier, and with it every call whose last iteration it was."""
        node = self._first_uncommitted()
        assert node is not None
        assert node.job is not None
        assert node.job.outcome is not None
        complete = node.job.outcome.finished
        replacements = []
        iterations = 0
        if node.parent is None and not self.iteration_is_playout:  # as many as smaller tasks would have completed
            iterations = self._search.iterations[node.level] if complete else self._iterations_of(node.job.outcome)
        node.committed = True
        node.job = None
        while node.parent is not None:
            parent = node.parent
            before = parent.best_before(node)
            if node.best is not None and node.best is node.result:
                tie = before is not None and before.score == node.best.score
                replacements.append(Replacement(parent.level, node.index, node.best, tie, same(node.best, before)))
            iterations += parent.parent is None and complete
            parent.forget_before(node)
            if not complete or node.index + 1 < self._search.iterations[parent.level]:
                break  # of a call that was cut, what it has found so far counts
            parent.committed = True
            node = parent
        self.best, self.finished = self._committed_best(self._root), self._root.committed and complete
        return Commit(iterations, tuple(replacements))

    def _iterations_of(self, outcome: Outcome) -> int:
        """Iterations of the top level in a task that was cut."""
        return outcome.playouts // self._search.playouts if self._search.playouts else 0

    def prune(self) -> None:
        """Forget every leaf behind the frontier."""
        leaf = self._first_uncommitted()
        if leaf is not None:
            self._discard_right_of(leaf)
            self._changed(leaf)

    def state(self) -> dict[str, Any]:
        """Where the sequential search stands, and the finished leaves beyond that."""
        if self._root.committed:
            return {"result": self._root.result}
        calls: list[dict[str, Any]] = []
        policy, node = self._policy(self._root), self._root
        while node.level > self._atomic:
            child = node.first_uncommitted()
            if child is None:  # not there yet
                last = node.children[-1] if node.children else None
                index, best = node.first + len(node.children), node.before if last is None else last.best
                if last is not None and best is not None:
                    policy = self._adapt(self._policy(last), best)
                child = Node(node.level - 1, index, 0, node, 0, policy=policy)
            else:
                index, best, policy = child.index, node.best_before(child), self._policy(child)
            calls.append({"iteration": index, "best": best, "policy": policy})
            node = child
        return {"calls": calls, "finished": self._finished_leaves()}

    def check(self, state: Part) -> None:
        """Either the result, or an iteration of each level above the atomic one and finished leaves from there on."""
        check_tree(state, self._search.iterations[self._atomic + 1 :][::-1])

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state."""
        if "result" in state:
            self._root.result = state["result"]
            self._root.committed = True
            self._root.unfinished, self._root.cost, self.risk = 0, NEVER, NEVER
            self.best, self.finished = self._root.result, True
            return
        node, spine = self._root, [self._root]
        for call in state["calls"]:
            node.first, node.before, node.base_policy = call["iteration"], call["best"], call["policy"]
            spine.append(node := self._add_child(node))
        for node in reversed(spine[:-1]):
            child = node.children[0]
            child.best = self._replace(node.level, node.before, child.result)
            node.result = child.best
            node.unfinished -= node.first * self._leaves[child.level] + self._leaves[child.level] - child.unfinished
        for path, outcome in state["finished"]:
            leaf = self._root
            for index in path:
                while leaf.first + len(leaf.children) <= index:
                    self._add_child(leaf, with_policy=False)
                leaf = leaf.children[index - leaf.first]
            leaf.job = Job(Task(search=None, key=leaf.key), started=True)
            leaf.cost = NEVER
            self._of[leaf.job] = leaf
            self.receive(leaf.job, outcome)
        self._risks.find_all(self._root)
        self.risk = self._root.cost
        self.best = self._committed_best(self._root)

    def _finished_leaves(self) -> list[tuple[tuple[int, ...], Outcome]]:
        """Leaves that are finished and not committed; none that may have assumed what a stopped one had found."""
        found = []
        for path, node in self._root.leaves():
            outcome = None if node.job is None else node.job.outcome
            if outcome is not None and not outcome.whole:
                break
            if outcome is not None and not node.committed:
                found.append((path, outcome))
        return found

    def _changed(self, leaf: Node) -> None:
        """Find the risks that a change of a leaf has changed."""
        self._risks.bring_up_to_date(leaf)
        self.risk = self._root.cost

    def _descend(self) -> Node:
        """Select: the leaf of the least risk."""
        node = self._root
        while node.level > self._atomic:
            node = self._risks.least(node) or self._add_child(node)
        return node

    # --- policies ---

    def _add_child(self, node: Node, with_policy: bool = True) -> Node:
        """Add the next child of a node; its policy is known or assumed."""
        index = node.first + len(node.children)
        child = Node(node.level - 1, index, mix_int(node.key, index), node, self._leaves[node.level - 1])
        node.children.append(child)
        child.best = node.best_before(child)  # assumed until its own result is there
        if with_policy:
            child.policy = self._policy(child)
        if len(node.children) > 1 and node.children[-2].unfinished == 0:
            self._drop_policy(node.children[-2])
        return child

    def _policy(self, node: Node) -> Weights:
        """The policy of a node; what was dropped is computed again from the nearest one that was kept."""
        if node.policy is not None:
            return node.policy
        parent = node.parent
        assert parent is not None
        policy, steps = parent.steps_to(node)
        if policy is None:
            policy = self._policy(parent)
        for best in steps:
            policy = self._adapt(policy, best)
        return policy

    def _adapt(self, policy: Weights, best: Sequence) -> Weights:
        return self._search.adapted(policy, best.moves)

    def _drop_policy(self, node: Node) -> None:
        node.policy = None
        if node.job is not None:
            node.job.task = Task(search=None, key=node.key)  # the same policy
        for child in node.children:
            self._drop_policy(child)

    def _job(self, leaf: Node) -> Job:
        return Job(self._search.task(level=leaf.level, key=leaf.key, policy=self._policy(leaf)))

    # --- results ---

    def _replace(self, level: int, best: Sequence | None, result: Sequence | None) -> Sequence | None:
        """The best after a result, by the tie rule of the level."""
        if result is None or best is None:
            return best or result
        if result.score != best.score:
            return result if result.score > best.score else best
        tie = self._search.ties[level]
        if tie >= 1.0:
            return best
        new = set(result.codes)
        if tie < 0.0 or (new and len(new - set(best.codes)) / len(new) > tie):
            return result
        return best

    def _committed_best(self, node: Node) -> Sequence | None:
        if node.committed:
            return node.result
        best = node.before
        for child in node.children:
            best = self._replace(node.level, best, self._committed_best(child))
            if not child.committed:
                break
        return best

    def _first_uncommitted(self) -> Node | None:
        node = self._root
        if node.committed:
            return None
        while node.level > self._atomic:
            child = node.first_uncommitted()
            if child is None:
                return None
            node = child
        return node

    def _discard_after(self, node: Node) -> None:
        parent = node.parent
        assert parent is not None
        finished = 0
        for younger in parent.take_after(node):
            finished += self._leaves[younger.level] - younger.unfinished
            self._discard(younger)
        if finished:
            parent.add_unfinished(finished)

    def _discard_right_of(self, node: Node) -> None:
        while node.parent is not None:
            self._discard_after(node)
            node.parent.result = node.best
            node = node.parent

    def _discard(self, node: Node) -> None:
        if node.job is not None and node.job.started:
            self._of.pop(node.job, None)
            self.discards.append(node.job)
        for child in node.children:
            self._discard(child)
