"""Beam search in plain Python, and Monte Carlo beam search after Cazenave 2012."""

from __future__ import annotations

import math
from typing import Any

from rookery.reference.playout import Line, Monitor, Rules, random_playout
from rookery.rng import Stream


def beam_search(  # noqa: C901 - one loop over plies, states and moves
    rules: Rules,
    root: Any,
    width: int,
    widest: int,
    playouts: int,
    key: int,
    rule: str | None,
    monitor: Monitor,
) -> tuple[Line | None, bool, bool]:
    """The best line found, whether the search was completed, and whether a wider beam would be of no use."""
    stream = Stream(key)
    best: Line | None = None
    cut = False
    beam: list[tuple[Any, list[Any]]] = [(root, [])]
    if not rules.moves(root):
        line = random_playout(rules, rules.copy(root), rule, stream, monitor)
        return line, line is not None, playouts == 0
    while beam:
        children: list[tuple[float, Any, list[Any]]] = []
        for state, played in beam:
            for move in rules.moves(state):
                if monitor.halted():
                    return best, False, False
                child, moves = rules.play(rules.copy(state), move), [*played, move]
                finished, rating = not rules.moves(child), -math.inf
                if playouts == 0 and not finished:
                    rating = rules.estimate(child)
                for _ in range(1 if finished else playouts):
                    line = random_playout(rules, rules.copy(child), rule, stream, monitor)
                    if line is None:
                        return best, False, False
                    rating = max(rating, line.score)
                    if best is None or line.score > best.score:
                        best = Line(line.score, [*moves, *line.moves])
                if not finished:
                    children.append((rating, child, moves))
        children.sort(key=lambda one: -one[0])  # equal ones stay in order
        beam, seen = [], set()
        for _, child, moves in children:
            name = rules.key(child)
            if name is not None and name in seen:
                continue
            if len(beam) == width:
                cut = True
                break
            seen.add(name)
            beam.append((child, moves))
    return best, True, playouts == 0 and (not cut or width >= widest)
