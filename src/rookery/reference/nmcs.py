"""NMCS in plain Python, after Cazenave 2009, section 3, and Rosin 2011, Figure 1."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rookery.reference.playout import Line, Monitor, Rules, random_playout
from rookery.rng import Stream, mix_int

RATED = 1 << 62


def nmcs(  # noqa: C901, PLR0913 - line by line after the paper; the parameters of two searches
    rules: Rules,
    state: Any,
    level: int,
    key: int,
    memorise: bool,
    random_ties: bool,
    sample: int,
    rule: str | None,
    monitor: Monitor,
    playouts: int = 0,
    share: float = 1.0,
) -> tuple[Line | None, bool]:
    """The line of a nested call from a state, and whether the call was completed.

    At level 2 and above, lazy NMCS tries only a share of the moves, rated by playouts.
    """
    stream = Stream(key)
    played: list[Any] = []
    best: Line | None = None  # from the start of this call
    calls = 0
    while moves := rules.moves(state):
        if monitor.halted():
            return best, False
        children = [moves[stream.below(len(moves))] for _ in range(sample)] if sample else moves
        step: Line | None = None
        equal = 0
        complete = True
        keep = max(1, int(share * len(children) + 0.5))
        if level > 1 and keep < len(children):
            rating_key = mix_int(key, RATED + calls)
            found, complete, children = rated(rules, state, rating_key, children, keep, playouts, rule, monitor)
            if found is not None:
                step, equal = Line(found.score, [*played, *found.moves]), 1
        for move in children:
            child = rules.play(rules.copy(state), move)
            if level == 1:
                new = random_playout(rules, child, rule, stream, monitor)
                complete = new is not None
            else:
                below = mix_int(key, calls)
                lazy = playouts, share
                new, complete = nmcs(
                    rules, child, level - 1, below, memorise, random_ties, sample, rule, monitor, *lazy
                )
            calls += 1
            if new is not None:
                taken = step is None or new.score > step.score
                if taken:
                    equal = 1
                elif random_ties and complete and step is not None and new.score == step.score:
                    equal += 1
                    taken = stream.below(equal) == 0
                if taken:
                    step = Line(new.score, [*played, move, *new.moves])
            if not complete:
                break
        best_score = -math.inf if best is None else best.score
        if step is not None and (step.score > best_score or (not memorise and complete)):
            best = step
        if not complete:
            return best, False
        assert best is not None
        if len(played) >= len(best.moves):
            break
        move = best.moves[len(played)]
        state = rules.play(state, move)
        played.append(move)
    return Line(rules.value(state), played), True


def rated(
    rules: Rules,
    state: Any,
    key: int,
    moves: Sequence[Any],
    keep: int,
    playouts: int,
    rule: str | None,
    monitor: Monitor,
) -> tuple[Line | None, bool, list[Any]]:
    """The best playout behind any of some moves, whether all were played, and the moves that are rated best."""
    stream = Stream(key)
    best: Line | None = None
    ratings: list[float] = []
    for move in moves:
        child = rules.play(rules.copy(state), move)
        rating = -math.inf
        for _ in range(playouts):
            new = random_playout(rules, rules.copy(child), rule, stream, monitor)
            if new is None:
                return best, False, []
            rating = max(rating, new.score)
            if best is None or new.score > best.score:
                best = Line(new.score, [move, *new.moves])
        ratings.append(rating)
    order = sorted(range(len(moves)), key=lambda i: -ratings[i])
    return best, True, [moves[i] for i in sorted(order[:keep])]
