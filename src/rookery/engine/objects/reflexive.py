"""Reflexive Monte Carlo search (Cazenave 2007, section 3) on Python objects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.control import HALT
from rookery.engine.objects.draws import Draws
from rookery.engine.objects.meter import Meter
from rookery.engine.objects.playout import Line, random_playout
from rookery.engine.objects.rules import BoundRules
from rookery.rng import mix_int


def reflexive_games(
    rules: BoundRules,
    state: Any,
    level: int,
    key: int,
    children: tuple[int, int] | None,
    games: tuple[int, ...],
    rule: str | None,
    monitor: Meter,
) -> tuple[Line | None, bool]:
    """A game with this key; or the best of the children of such a game, by their numbers."""
    search = _Reflexive(rules, games, rule, monitor)
    best: Line | None = None
    for game in [key] if children is None else [mix_int(key, i) for i in range(*children)]:
        new, complete = search.game(rules.copy(state), level, game)
        if new is not None and (best is None or new.score > best.score):
            best = new
        if not complete:
            return best, False
    return best, True


@dataclass(frozen=True)
class _Reflexive:
    """What the games of a task have in common; ``games`` by level."""

    rules: BoundRules
    games: tuple[int, ...]
    rule: str | None
    monitor: Meter

    def game(self, state: Any, level: int, key: int) -> tuple[Line | None, bool]:
        """``playMetaGame``: the line of a game from a state, and whether it was completed."""
        rules, cells = self.rules, self.monitor.cells
        draws = Draws(key) if level == 1 else None
        played: list[Any] = []
        best: Line | None = None  # from the start of this game
        calls = 0
        while rules.moves(state):
            if cells[HALT]:
                return best, False
            for _ in range(self.games[level]):
                if draws is not None:
                    new = random_playout(rules, rules.copy(state), self.rule, draws, self.monitor)
                    complete = new is not None
                else:
                    new, complete = self.game(rules.copy(state), level - 1, mix_int(key, calls))
                calls += 1
                if new is not None and (best is None or new.score > best.score):
                    best = Line(new.score, played + new.moves)
                if not complete:
                    return best, False
            assert best is not None
            if len(played) >= len(best.moves):
                break
            move = best.moves[len(played)]
            state = rules.play(state, move)
            played.append(move)
        return Line(rules.value(state), played), True
