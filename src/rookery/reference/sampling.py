"""Independent playouts in plain Python."""

from __future__ import annotations

from typing import Any

from rookery.reference.playout import Line, Monitor, Rules, random_playout
from rookery.rng import Stream, mix_int


def sample(
    rules: Rules, root: Any, first: int, last: int, key: int, rule: str | None, monitor: Monitor
) -> tuple[Line | None, bool]:
    """The first of the best of the playouts ``first`` to ``last - 1``, and whether all were played."""
    best: Line | None = None
    for i in range(first, last):
        line = random_playout(rules, rules.copy(root), rule, Stream(mix_int(key, i)), monitor)
        if line is None:
            return best, False
        if best is None or line.score > best.score:
            best = line
    return best, True
