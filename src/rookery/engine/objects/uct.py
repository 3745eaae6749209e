"""UCT for one player (Cazenave 2007, section 4) and SP-MCTS (Schadd et al. 2008) on Python objects."""

from __future__ import annotations

from math import inf, sqrt
from typing import Any

from rookery.control import INFEASIBLE_SCORE
from rookery.engine.objects.draws import Draws
from rookery.engine.objects.meter import Meter
from rookery.engine.objects.playout import Line, random_playout
from rookery.engine.objects.rules import BoundRules
from rookery.rng import log_float


class _Node:
    """What is known of a state: its playouts, their scores summed and squared, and the moves tried from it in order."""

    __slots__ = ("children", "moves", "squares", "total", "untried", "visits")

    def __init__(self) -> None:
        self.visits, self.total, self.squares = 0, 0.0, 0.0
        self.moves: list[Any] = []
        self.children: list[_Node] = []
        self.untried: list[Any] | None = None  # None: the state has not been seen yet

    def settle(self, score: float) -> None:
        """Count all playouts so far, here and below, as of this score."""
        self.total, self.squares = self.visits * score, self.visits * (score * score)
        for child in self.children:
            child.settle(score)


def uct(
    rules: BoundRules,
    root: Any,
    playouts: int,
    key: int,
    c: float,
    d: float,
    deviates: bool,
    rule: str | None,
    monitor: Meter,
) -> tuple[Line | None, bool]:
    """The first of the best playouts, and whether all were played."""
    draws, tree = Draws(key), _Node()
    best: Line | None = None
    lowest = inf
    for _ in range(playouts):
        node, state = tree, rules.copy(root)
        path, played = [tree], []
        added = False
        while not added and (legal := rules.moves(state)):
            if node.untried is None:
                node.untried = legal
            if node.untried:
                chosen, added = _add(node, draws), True
            else:
                chosen = _best(node, c, d, deviates)
            move, node = node.moves[chosen], node.children[chosen]
            state = rules.play(state, move)
            played.append(move)
            path.append(node)
        line = random_playout(rules, state, rule, draws, monitor)
        if line is None:
            return best, False
        if line.score == INFEASIBLE_SCORE:  # counts as the lowest score so far
            reward = 0.0 if lowest == inf else lowest
        else:
            reward = line.score
            if lowest == inf:  # the first feasible end: all before it count as this one
                tree.settle(reward)
            lowest = min(lowest, reward)
        _count(path, reward)
        if best is None or line.score > best.score:
            best = Line(line.score, played + line.moves)
    return best, True


def _count(path: list[_Node], reward: float) -> None:
    squared = reward * reward
    for node in path:
        node.visits += 1
        node.total += reward
        node.squares += squared


def _add(node: _Node, draws: Draws) -> int:
    """Try a move that has not been tried yet, and all that equal it."""
    untried = node.untried
    assert untried
    move = untried[draws.below(len(untried))]
    node.untried = [other for other in untried if other is not move and not other == move]  # noqa: SIM201 - as `in` does
    node.moves.append(move)
    node.children.append(_Node())
    return len(node.moves) - 1


def _best(node: _Node, c: float, d: float, deviates: bool) -> int:
    """By the formula of Cazenave 2007, on scores as they are; or that of Schadd et al. 2008, with a deviation."""
    log_t = log_float(float(node.visits))
    values = []
    for child in node.children:
        s, mean = float(child.visits), child.total / child.visits
        if deviates:
            spread = max(child.squares - s * (mean * mean) + d, 0.0)
            values.append(mean + c * sqrt(log_t / s) + sqrt(spread / s))
        else:
            values.append(mean + sqrt(log_t / (c * s)))
    return values.index(max(values))
