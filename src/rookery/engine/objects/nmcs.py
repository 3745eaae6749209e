"""NMCS (Cazenave 2009, section 3) on Python objects."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rookery.control import HALT
from rookery.engine.objects.draws import Draws
from rookery.engine.objects.meter import Meter
from rookery.engine.objects.playout import Line, random_playout
from rookery.engine.objects.rules import BoundRules
from rookery.rng import mix_int

RATED = 1 << 62
"""As in the twin: the number that makes the key of a step's ratings."""


def nmcs(  # noqa: PLR0913 - the parameters of two searches
    rules: BoundRules,
    state: Any,
    level: int,
    key: int,
    memorise: bool,
    random_ties: bool,
    sample: int,
    rule: str | None,
    monitor: Meter,
    playouts: int = 0,
    share: float = 1.0,
) -> tuple[Line | None, bool]:
    """The line of a nested call from a state, and whether the call was completed."""
    return _Nested(rules, memorise, random_ties, sample, rule, monitor, playouts, share).call(state, level, key)


@dataclass(frozen=True)
class _Nested:
    """What the nested calls of a task have in common."""

    rules: BoundRules
    memorise: bool
    random_ties: bool
    sample: int
    rule: str | None
    monitor: Meter
    playouts: int
    share: float

    def call(self, state: Any, level: int, key: int) -> tuple[Line | None, bool]:
        """A nested call."""
        rules, cells, sample = self.rules, self.monitor.cells, self.sample
        draws = Draws(key)
        played: list[Any] = []
        best: Line | None = None  # from the start of this call
        calls = 0
        while moves := rules.moves(state):
            if cells[HALT]:
                return best, False
            children = [moves[draws.below(len(moves))] for _ in range(sample)] if sample else moves
            begun: tuple[Any, Line | None, bool] = None, None, True
            keep = max(1, int(self.share * len(children) + 0.5))
            if level > 1 and keep < len(children):
                about = mix_int(key, RATED + calls), children, keep, self.playouts, self.rule
                line, complete, children = rated(rules, state, *about, self.monitor)
                best_of = (None, None) if line is None else (line.moves[0], Line(line.score, line.moves[1:]))
                begun = *best_of, complete
            first, new, complete = self._step(state, children, (level, key, calls), draws, begun)
            calls += len(children)
            if new is not None and (best is None or new.score > best.score or (not self.memorise and complete)):
                best = Line(new.score, [*played, first, *new.moves])
            if not complete:
                return best, False
            assert best is not None
            if len(played) >= len(best.moves):
                break
            move = best.moves[len(played)]
            state = rules.play(state, move)
            played.append(move)
        return Line(rules.value(state), played), True

    def _step(
        self,
        state: Any,
        children: list[Any],
        place: tuple[int, int, int],
        draws: Draws,
        begun: tuple[Any, Line | None, bool],
    ) -> tuple[Any, Line | None, bool]:
        """The best of the calls behind some moves: the move, its line, and whether all were completed.

        It begins with that of the ratings.
        """
        rules, monitor, rule = self.rules, self.monitor, self.rule
        level, key, calls = place
        first, step, complete = begun
        equal = 1
        for number, move in enumerate(children, calls):
            child = rules.play(rules.copy(state), move)
            if level == 1:
                new = random_playout(rules, child, rule, draws, monitor)
                complete = new is not None
            else:
                new, complete = self.call(child, level - 1, mix_int(key, number))
            if new is not None:
                taken = step is None or new.score > step.score
                if taken:
                    equal = 1
                elif self.random_ties and complete and step is not None and new.score == step.score:
                    equal += 1
                    taken = draws.below(equal) == 0
                if taken:
                    first, step = move, new
            if not complete:
                return first, step, False
        return first, step, complete


def rated(
    rules: BoundRules,
    state: Any,
    key: int,
    moves: Sequence[Any],
    keep: int,
    playouts: int,
    rule: str | None,
    monitor: Meter,
) -> tuple[Line | None, bool, list[Any]]:
    """The best playout behind any of some moves, whether all were played, and the moves that are rated best."""
    draws = Draws(key)
    best: Line | None = None
    order: list[tuple[float, int]] = []
    for i, move in enumerate(moves):
        child = rules.play(rules.copy(state), move)
        least = math.inf  # the ratings, negated: the best come first
        for _ in range(playouts):
            new = random_playout(rules, rules.copy(child), rule, draws, monitor)
            if new is None:
                return best, False, []
            least = min(least, -new.score)
            if best is None or new.score > best.score:
                best = Line(new.score, [move, *new.moves])
        order.append((least, i))
    return best, True, [moves[i] for i in sorted(i for _, i in sorted(order)[:keep])]
