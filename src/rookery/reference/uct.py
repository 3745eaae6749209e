"""UCT for one player in plain Python, after Cazenave 2007, section 4; and SP-MCTS, after Schadd et al. 2008."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from rookery.control import INFEASIBLE_SCORE
from rookery.reference.playout import Line, Monitor, Rules, random_playout
from rookery.rng import Stream, log_float


@dataclass
class TreeNode:
    """What is known of a state: its playouts, their scores summed and squared, and the moves tried from it in order."""

    visits: int = 0
    total: float = 0.0
    squares: float = 0.0
    moves: list[Any] = field(default_factory=list)
    children: list[TreeNode] = field(default_factory=list)

    def update(self, score: float) -> None:
        """Count a playout."""
        self.visits += 1
        self.total += score
        self.squares += score * score

    def settle(self, score: float) -> None:
        """Count all playouts so far, here and below, as of this score."""
        self.total, self.squares = self.visits * score, self.visits * (score * score)
        for child in self.children:
            child.settle(score)


def uct(
    rules: Rules,
    root: Any,
    playouts: int,
    key: int,
    c: float,
    d: float,
    deviates: bool,
    rule: str | None,
    monitor: Monitor,
) -> tuple[Line | None, bool]:
    """The first of the best playouts, and whether all were played."""
    stream = Stream(key)
    tree = TreeNode()
    best: Line | None = None
    lowest = math.inf
    for _ in range(playouts):
        node, state = tree, rules.copy(root)
        path, played = [tree], []
        added = False
        while not added and (legal := rules.moves(state)):
            untried = [move for move in legal if move not in node.moves]
            if untried:
                node.moves.append(untried[stream.below(len(untried))])
                node.children.append(TreeNode())
                chosen, added = len(node.moves) - 1, True
            else:
                values = [value(node, child, c, d, deviates) for child in node.children]
                chosen = values.index(max(values))
            state = rules.play(state, node.moves[chosen])
            played.append(node.moves[chosen])
            node = node.children[chosen]
            path.append(node)
        line = random_playout(rules, state, rule, stream, monitor)
        if line is None:
            return best, False
        if line.score == INFEASIBLE_SCORE:  # counts as the lowest score so far
            reward = 0.0 if lowest == math.inf else lowest
        else:
            reward = line.score
            if lowest == math.inf:  # the first feasible end: all before it count as this one
                tree.settle(reward)
            lowest = min(lowest, reward)
        for node in path:
            node.update(reward)
        if best is None or line.score > best.score:
            best = Line(line.score, played + line.moves)
    return best, True


def value(node: TreeNode, child: TreeNode, c: float, d: float, deviates: bool) -> float:
    """The formula of Cazenave 2007, on scores as they are; or that of Schadd et al. 2008, with a term of deviation."""
    log_t, s, mean = log_float(float(node.visits)), float(child.visits), child.total / child.visits
    if not deviates:
        return mean + math.sqrt(log_t / (c * s))
    spread = max(child.squares - s * (mean * mean) + d, 0.0)
    return mean + c * math.sqrt(log_t / s) + math.sqrt(spread / s)
