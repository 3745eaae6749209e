"""UCT for one player (Kocsis and Szepesvari 2006, as in Cazenave 2007), and SP-MCTS (Schadd et al. 2008)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from rookery.arguments import Rule, finite, shown, whole
from rookery.compiler.specialise import Specialisation
from rookery.control import INFEASIBLE_SCORE, OK, PLY, STOPPED, Signal
from rookery.errors import InputError
from rookery.kernels.buffers import NO_NODE, NODES, PLAYOUT_STREAM, STREAM_BEFORE
from rookery.kernels.memory import Call, Memory
from rookery.kernels.playout import check_step, may_begin
from rookery.kernels.policy import u
from rookery.kernels.repeat import Repeat
from rookery.kernels.rules import make_copy_line, make_random_playout
from rookery.plans.independent import OneTask
from rookery.plans.plan import Plan
from rookery.rng import below, log, seed_stream
from rookery.search.protocol import RuleSearch, Setting
from rookery.tasks import Moves, Task

MOST_PLAYOUTS = 1 << 28
"""The most playouts of one run; its tree has a node for each."""


class TreeSearch(RuleSearch):
    """What UCT and SP-MCTS share: a run is one task, since every playout depends on all before it."""

    playouts: int
    c: float
    d: float
    deviates: ClassVar[bool]
    """Whether the tree also favours moves whose scores vary."""

    twin = "rookery.reference.uct:uct"

    def smallest_task(self, prefix: Moves) -> Task:
        """One playout."""
        return UCTTask(search=replace(self, playouts=1), key=0, prefix=prefix)  # type: ignore[type-var]

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """The run as one task."""
        return lambda key: OneTask(UCTTask(search=self, key=key, prefix=setting.prefix, target=setting.target))


@dataclass(frozen=True)
class UCT(TreeSearch):
    """UCT for one player (Cazenave 2007, section 4): a tree that grows where playouts were good or are few.

    A playout follows the tree by mean + sqrt(log(t) / (c * s)): t playouts came through the node, s of them with
    this move, and the mean is of their scores. Moves that were never played come first. The best playout is the answer.

    Parameters
    ----------
    playouts
        playouts of one run; each adds a node to its tree
    c
        inverse weight of exploration: the smaller it is, the more is explored; scores are not scaled, so it must fit
        their size
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` function ``choose``, which is the default if it has one

    >>> UCT(playouts=1000)
    UCT(playouts=1000, c=0.1, rule=None)
    """

    playouts: int = field(default=10_000, metadata={"option": "games"})
    c: float = 0.1
    rule: Rule | None = None

    name = "uct"
    d = 0.0
    deviates = False

    def __post_init__(self) -> None:
        whole("playouts", self.playouts, 1, MOST_PLAYOUTS)
        object.__setattr__(self, "c", finite("c", self.c))
        if self.c <= 0:
            raise InputError(f"c must be more than 0, got {shown(self.c)}")
        self.check_rule()

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """The size of a tree, and exploration."""
        return {"c": (0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0), "playouts": (1000, 10_000, 100_000)}


@dataclass(frozen=True)
class SPMCTS(TreeSearch):
    """Single-player Monte Carlo tree search (Schadd et al. 2008): UCT that also favours moves whose scores vary.

    A playout follows the tree by mean + c * sqrt(log(t) / s) + sqrt((sum of squares - s * mean^2 + d) / s). With a
    limit, it starts again and again with a new tree: the paper's randomised restarts.

    Parameters
    ----------
    playouts
        playouts of one run; each adds a node to its tree
    c
        weight of exploration: the larger it is, the more is explored
    d
        the larger it is, the more often rarely played moves are explored; like c, it must fit the size of the scores
    rule
        how a playout chooses its moves: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or the problem's
        ``"own"`` function ``choose``, which is the default if it has one

    >>> SPMCTS(playouts=1000, c=0.1, d=32)
    SPMCTS(playouts=1000, c=0.1, d=32.0, rule=None)
    """

    playouts: int = field(default=10_000, metadata={"option": "games"})
    c: float = 0.5
    d: float = 10_000.0
    rule: Rule | None = None

    name = "spmcts"
    deviates = True

    def __post_init__(self) -> None:
        whole("playouts", self.playouts, 1, MOST_PLAYOUTS)
        for name in ("c", "d"):
            value = finite(name, getattr(self, name))
            if value < 0:
                raise InputError(f"{name} must be at least 0, got {shown(getattr(self, name))}")
            object.__setattr__(self, name, value)
        self.check_rule()

    def space(self, problem: Any) -> dict[str, tuple[Any, ...]]:
        """The size of a tree, and exploration."""
        return {"c": (0.1, 0.5, 2.0, 8.0), "d": (10.0, 100.0, 1000.0, 10_000.0), "playouts": (1000, 10_000, 100_000)}


@dataclass(frozen=True, kw_only=True)
class UCTTask(Task):
    """A whole run."""

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search, first = self.search, len(self.prefix)
        memory.make_nodes(min(search.playouts, self.budget))
        states, lines, run = memory.states, memory.lines, memory.assign(self, signal)

        def again(by: Any) -> Any:
            leaf, rng = max(first, int(run.control[PLY])), run.rng[STREAM_BEFORE]
            return by.below(states[0], lines.moves[lines.best[0], first:], first, leaf, search.rule, rng)

        return Call(
            kernel=search.by_rule("uct", make_uct, memory.spec),
            arguments=(
                *(search.playouts, np.uint64(self.key), first, memory.constants, states, lines, run),
                *(memory.tree, search.c, search.d, search.deviates),
            ),
            again=again,
            found=lambda: memory.line(lines.step[0], first),
            repeat=Repeat(1, lines.scores, lines.step, 0),
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        return {
            "playouts": search.playouts,
            "key": self.key,
            "c": search.c,
            "d": search.d,
            "deviates": search.deviates,
            "rule": search.rule,
            **search.own_parameters(),
        }


def make_uct(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of a whole run of UCT or SP-MCTS."""
    functions = spec.functions
    moves, play = functions.moves, functions.play
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)

    @spec.kernel
    def add_node(tree, parent, move):
        """A node after the other children of its parent; the root has no parent."""
        node = tree.size[NODES]
        tree.size[NODES] = node + 1
        i = u(node)
        tree.move[i] = move
        tree.first[i], tree.last[i], tree.next[i] = NO_NODE, NO_NODE, NO_NODE
        tree.visits[i], tree.total[i], tree.squares[i] = 0, 0.0, 0.0
        tree.complete[i] = False
        if parent != NO_NODE:
            if tree.first[u(parent)] == NO_NODE:
                tree.first[u(parent)] = node
            else:
                tree.next[u(tree.last[u(parent)])] = node
            tree.last[u(parent)] = node
        return node

    @spec.kernel
    def keep_untried(tree, node, out, n):
        """Move those of the first ``n`` moves in ``out`` that have no child yet to the front; returns how many."""
        untried = 0
        for k in range(n):
            child = tree.first[u(node)]
            while child != NO_NODE and tree.move[u(child)] != out[u(k)]:
                child = tree.next[u(child)]
            if child == NO_NODE:
                out[u(untried)] = out[u(k)]
                untried += 1
        return untried

    @spec.kernel
    def select(tree, node, c, d, deviates):
        """The child of the highest value; the first of equals."""
        log_t = log(np.float64(tree.visits[u(node)]))
        best, chosen = -np.inf, NO_NODE
        child = tree.first[u(node)]
        while child != NO_NODE:
            s = np.float64(tree.visits[u(child)])
            mean = tree.total[u(child)] / s
            if deviates:
                spread = max(tree.squares[u(child)] - s * (mean * mean) + d, 0.0)
                value = mean + c * np.sqrt(log_t / s) + np.sqrt(spread / s)
            else:
                value = mean + np.sqrt(log_t / (c * s))
            if value > best or chosen == NO_NODE:
                best, chosen = value, child
            child = tree.next[u(child)]
        return chosen

    @spec.kernel
    def descend(self, s, ply, tree, lines, run, c, d, deviates):
        """Follow the tree and add a node to it; returns the status and how many nodes ``tree.path`` has."""
        rng, out, line = run.rng[PLAYOUT_STREAM], lines.out[1], lines.moves[lines.best[0]]
        node, steps = np.int64(0), 1
        tree.path[0] = node
        added = False
        while not added:
            run.control[PLY] = ply
            untried = 0
            if not tree.complete[u(node)]:
                n = np.int64(moves(self, s, out))
                status = check_step(n, ply, run.control)
                if status != OK or n == 0:
                    return status, steps
                untried = keep_untried(tree, node, out, n)
            if untried > 0:
                node = add_node(tree, node, out[u(below(rng, untried))])
                added = True
            else:
                tree.complete[u(node)] = True
                node = select(tree, node, c, d, deviates)
            line[u(ply)] = tree.move[u(node)]
            play(self, s, line[u(ply)])
            tree.path[u(steps)] = node
            ply += 1
            steps += 1
        run.control[PLY] = ply
        return OK, steps

    @spec.kernel
    def rewarded(tree, score, lowest):
        """The score to count, and the lowest of the run so far: an infeasible end counts as that one."""
        if score == INFEASIBLE_SCORE:
            return (lowest if lowest < np.inf else 0.0), lowest
        if lowest == np.inf:  # the first feasible end: all those before it count as this one
            for node in range(tree.size[NODES]):
                visits = tree.visits[u(node)]
                tree.total[u(node)], tree.squares[u(node)] = visits * score, visits * (score * score)
        return score, min(score, lowest)

    @spec.kernel
    def update(tree, steps, score):
        for i in range(steps):
            node = u(tree.path[u(i)])
            tree.visits[node] += 1
            tree.total[node] += score
            tree.squares[node] += score * score

    def uct_task(playouts, key, ply, self, states, lines, run, tree, c, d, deviates):
        """A run from ``states[0]``; the first of the best playouts is left in its row."""
        last_row, best_row = lines.best[0], lines.step[0]
        seed_stream(run.rng[PLAYOUT_STREAM], key)
        lines.scores[best_row] = -np.inf
        tree.size[NODES] = 0
        add_node(tree, np.int64(NO_NODE), np.int64(0))
        lowest = np.inf
        for _ in range(playouts):
            if not may_begin(run.control):
                return STOPPED
            states[1] = states[0]
            s = states[1]
            status, steps = descend(self, s, ply, tree, lines, run, c, d, deviates)
            if status == OK:
                status = random_playout(self, s, states, ply + steps - 1, last_row, run.rng[PLAYOUT_STREAM], lines, run)
            if status != OK:
                return status
            reward, lowest = rewarded(tree, lines.scores[last_row], lowest)
            update(tree, steps, reward)
            if lines.scores[last_row] > lines.scores[best_row]:
                lines.scores[best_row] = lines.scores[last_row]
                copy_line(lines, last_row, best_row, ply)
        return OK

    return uct_task
