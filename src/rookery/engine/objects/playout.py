"""Playouts by a rule, which most searches share, and the search that is nothing but playouts."""

from __future__ import annotations

from typing import Any

from rookery.control import HALT
from rookery.engine.objects.draws import Draws
from rookery.engine.objects.meter import Meter
from rookery.engine.objects.rules import BoundRules
from rookery.rng import mix_int


class Line:
    """The moves of a finished playout, or of a better one's beginning and end, and its score."""

    __slots__ = ("moves", "score")

    codes = ()

    def __init__(self, score: float, moves: list[Any]) -> None:
        self.score, self.moves = score, moves


def random_playout(rules: BoundRules, state: Any, rule: str | None, draws: Draws, monitor: Meter) -> Line | None:
    """A playout by a rule; None if the task must stop."""
    if not monitor.may_begin():
        return None
    played: list[Any] = []
    state = rules.begin_playout(state)
    moves_of, play_of, below, cells = rules.moves_of, rules.play_of, draws.below, monitor.cells
    uniform = rule == "uniform" or (rule != "mobility" and rules.choose_of is None)
    while True:
        moves = moves_of(state)
        if type(moves) is not list:
            moves = rules.listed(moves, state)
        if not moves:
            break
        if cells[HALT]:
            return None
        if uniform:
            move = moves[below(len(moves))]
        elif rule == "mobility":
            move = moves[most_mobile(rules, state, list(moves), draws)]
        else:
            move = moves[rules.chosen(state, list(moves), draws)]
        played.append(move)
        after = play_of(state, move)
        if after is not None:
            state = after
    score = rules.value(state)
    monitor.finish(score)
    return Line(score, played)


def most_mobile(rules: BoundRules, state: Any, moves: list[Any], draws: Draws) -> int:
    """Cazenave 2007, section 2.3: the index of one of the moves that lead to the most possible moves."""
    most, equal, chosen = -1, 0, 0
    for i, move in enumerate(moves):
        mobility = len(rules.moves(rules.play(rules.copy(state), move)))
        if mobility > most:
            most, equal, chosen = mobility, 1, i
        elif mobility == most:
            equal += 1
            if draws.below(equal) == 0:
                chosen = i
    return chosen


def sampled(
    rules: BoundRules, root: Any, first: int, last: int, key: int, rule: str | None, monitor: Meter
) -> tuple[Line | None, bool]:
    """The first of the best of the playouts ``first`` to ``last - 1``, and whether all were played."""
    best: Line | None = None
    for i in range(first, last):
        line = random_playout(rules, rules.copy(root), rule, Draws(mix_int(key, i)), monitor)
        if line is None:
            return best, False
        if best is None or line.score > best.score:
            best = line
    return best, True
