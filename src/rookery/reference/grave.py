"""RAVE and GRAVE in plain Python, after Cazenave, Generalized Rapid Action Value Estimation, 2015."""

from __future__ import annotations

from typing import Any

from rookery.reference.game_playout import GameRules, Played
from rookery.reference.game_uct import Budget, Entry, Following, Path, Table, follow
from rookery.rng import Stream


def reference_of(path: Path, entry: Entry, ref: int) -> Entry:
    """The deepest position with more than ``ref`` playouts, this one or one on the path to it; else the root."""
    for at in (entry, *(position for position, _, _ in reversed(path))):
        if at.visits > ref:
            return at
    return path[0][0] if path else entry


def count_amaf(path: Path, played: Played) -> None:
    """Count a playout for every position on its path: each code played from there on, for its player."""
    for depth, (entry, _, _) in enumerate(path):
        for step in played.steps[depth:]:
            count = entry.amaf.setdefault((step.player, step.codes[0]), [0.0, 0.0])
            count[0] += 1.0
            count[1] += played.reward(step.player)


def search(
    rules: GameRules,
    root: Any,
    table: Table,
    stream: Stream,
    budget: Budget,
    *,
    ref: int,
    bias: float,
    **how: Any,
) -> Entry:
    """Playouts at random; moves in the tree by their means and their AMAF values."""

    def value(path: Path, entry: Entry, player: int, i: int, mean: float) -> float:
        played, won = reference_of(path, entry, ref).amaf.get((player, entry.codes[i]), (0.0, 0.0))
        if not played:
            return mean
        weight = 1.0 + bias * played  # (1 - beta) * mean + beta * won / played, with one division
        return (entry.wins[i] * weight + won) / (entry.tries[i] * weight + played)

    following = Following(**how, coded=True, value=value)
    return follow(rules, root, table, stream, budget, following, None, count_amaf)
