"""UCT for one player (Kocsis and Szepesvari 2006, as in Cazenave 2007), and SP-MCTS (Schadd et al. 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rookery.compiler.buffers import NO_NODE, OK, PLY, STOPPED
from rookery.compiler.specialise import Specialisation
from rookery.errors import InputError
from rookery.playout import check_step, may_begin
from rookery.playout_rules import make_copy_line, make_random_playout
from rookery.policy import u
from rookery.rng import below, log, seed_stream
from rookery.search.parameters import Rule, finite, playout_rule, shown, whole

MOST_PLAYOUTS = 1 << 28
"""Of one tree, which has a node for each of them."""


@dataclass(frozen=True)
class UCT:
    """UCT for one player (Cazenave 2007, section 4): a tree that grows where playouts were good or are few.

    A playout follows the tree by mean + sqrt(log(t) / (c * s)): the mean score of the playouts that began with a move,
    s of the t that came through the node. Moves that were never played come first. The best playout is the answer.

    Parameters
    ----------
    playouts
        of one run; each adds a node to its tree
    c
        the smaller, the more is explored; it is measured against scores as they are
    rule
        how a playout chooses its moves below the tree: ``"uniform"``, ``"mobility"`` (Cazenave 2007, section 2.3), or
        the problem's ``"own"`` ``choose``, as by default if it has one

    >>> UCT(playouts=1000)
    UCT(playouts=1000, c=0.1, rule=None)
    """

    playouts: int = 10_000
    c: float = 0.1
    rule: Rule | None = None

    name = "uct"

    def __post_init__(self) -> None:
        whole("playouts", self.playouts, 1, MOST_PLAYOUTS)
        object.__setattr__(self, "c", finite("c", self.c))
        if self.c <= 0:
            raise InputError(f"c must be more than 0, got {shown(self.c)}")
        playout_rule(self.rule)


@dataclass(frozen=True)
class SPMCTS:
    """Single-player Monte Carlo tree search (Schadd et al. 2008): UCT that also follows what deviates.

    A playout follows the tree by mean + c * sqrt(log(t) / s) + sqrt((sum of squares - s * mean^2 + d) / s). With a
    limit, it starts again and again with a new tree: the paper's randomised restarts.

    Parameters
    ----------
    playouts
        of one run; each adds a node to its tree
    c
        the larger, the more is explored
    d
        the larger, the more moves are explored that were rarely played; as c, measured against scores as they are
    rule
        as in :class:`UCT`

    >>> SPMCTS(playouts=1000, c=0.1, d=32)
    SPMCTS(playouts=1000, c=0.1, d=32.0, rule=None)
    """

    playouts: int = 10_000
    c: float = 0.5
    d: float = 10_000.0
    rule: Rule | None = None

    name = "spmcts"

    def __post_init__(self) -> None:
        whole("playouts", self.playouts, 1, MOST_PLAYOUTS)
        for name in ("c", "d"):
            value = finite(name, getattr(self, name))
            if value < 0:
                raise InputError(f"{name} must be at least 0, got {shown(getattr(self, name))}")
            object.__setattr__(self, name, value)
        playout_rule(self.rule)


def make_uct(spec: Specialisation, rule: str | None = None) -> Any:
    """The kernel of a whole run of UCT or SP-MCTS."""
    functions = spec.functions
    moves, play = functions.moves, functions.play
    random_playout, copy_line = make_random_playout(spec, rule), make_copy_line(spec)

    @spec.kernel
    def add_node(tree, parent, move):
        """A node behind the children that its parent has; the root has none."""
        node = tree.size[0]
        tree.size[0] = node + 1
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
        """Move those of the first ``n`` in ``out`` to its front that have no child yet; returns how many."""
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
        rng, out, line = run.rng[0], lines.out[1], lines.moves[0]
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
    def update(tree, steps, score):
        for i in range(steps):
            node = u(tree.path[u(i)])
            tree.visits[node] += 1
            tree.total[node] += score
            tree.squares[node] += score * score

    def uct_task(playouts, key, ply, self, states, lines, run, tree, c, d, deviates):
        """A run from ``states[0]``; the first of the best playouts is left in row 1."""
        seed_stream(run.rng[0], key)
        lines.scores[1] = -np.inf
        tree.size[0] = 0
        add_node(tree, np.int64(NO_NODE), np.int64(0))
        for _ in range(playouts):
            if not may_begin(run.control):
                return STOPPED
            states[1] = states[0]
            s = states[1]
            status, steps = descend(self, s, ply, tree, lines, run, c, d, deviates)
            if status == OK:
                status = random_playout(self, s, states, ply + steps - 1, 0, run.rng[0], lines, run)
            if status != OK:
                return status
            update(tree, steps, lines.scores[0])
            if lines.scores[0] > lines.scores[1]:
                lines.scores[1] = lines.scores[0]
                copy_line(lines, 0, 1, ply)
        return OK

    return uct_task
