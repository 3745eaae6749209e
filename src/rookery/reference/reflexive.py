"""Reflexive Monte Carlo search in plain Python, after Cazenave 2007, section 3."""

from __future__ import annotations

from typing import Any

from rookery.reference.playout import Line, Monitor, Rules, random_playout
from rookery.rng import Stream, mix_int


def reflexive_games(
    rules: Rules,
    state: Any,
    level: int,
    key: int,
    children: tuple[int, int] | None,
    games: tuple[int, ...],
    rule: str | None,
    monitor: Monitor,
) -> tuple[Line | None, bool]:
    """A game with this key; or the best of the children of such a game, by their numbers."""
    best: Line | None = None
    for game in [key] if children is None else [mix_int(key, i) for i in range(*children)]:
        new, complete = reflexive(rules, rules.copy(state), level, game, games, rule, monitor)
        if new is not None and (best is None or new.score > best.score):
            best = new
        if not complete:
            return best, False
    return best, True


def reflexive(
    rules: Rules, state: Any, level: int, key: int, games: tuple[int, ...], rule: str | None, monitor: Monitor
) -> tuple[Line | None, bool]:
    """``playMetaGame``: the line of a game from a state, and whether it was completed; ``games`` by level."""
    stream = Stream(key)
    prefix: list[Any] = []
    best: Line | None = None  # bestVariation, from the start of this game: what the paper shifts is read further on
    calls = 0
    while rules.moves(state):
        if monitor.halted():
            return best, False
        for _ in range(games[level]):  # findBestMove, findBestMetaMove
            board = rules.copy(state)
            if level == 1:
                new = random_playout(rules, board, rule, stream, monitor)
                complete = new is not None
            else:
                new, complete = reflexive(rules, board, level - 1, mix_int(key, calls), games, rule, monitor)
            calls += 1
            if new is not None and (best is None or new.score > best.score):
                best = Line(new.score, prefix + new.moves)
            if not complete:
                return best, False
        assert best is not None
        if len(prefix) >= len(best.moves):
            break
        move = best.moves[len(prefix)]
        state = rules.play(state, move)
        prefix.append(move)
    return Line(rules.value(state), prefix), True
