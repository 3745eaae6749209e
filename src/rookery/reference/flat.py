"""Flat Monte Carlo in plain Python."""

from __future__ import annotations

from typing import Any

from rookery.reference.game_playout import GameRules, playout
from rookery.reference.game_uct import Budget, Entry, Table
from rookery.rng import Stream


def search(rules: GameRules, root: Any, table: Table, stream: Stream, budget: Budget) -> Entry:
    """A playout for each of the moves in turn, as long as the budget lasts; the table is not needed."""
    entry, player, i = Entry(rules.moves(root)), rules.player(root), 0
    while budget.lasts():
        state = rules.play(rules.copy(root), entry.moves[i])
        won = playout(rules, state, None, stream, 1).winner
        entry.tries[i] += 1
        entry.wins[i] += 0.5 if won < 0 else 1.0 if won == player else 0.0
        i = (i + 1) % len(entry.moves)
        budget.count()
    return entry
