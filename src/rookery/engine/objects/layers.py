"""Given sequences as playouts, and playouts in layers."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rookery.engine.objects.policy import Line
from rookery.engine.objects.rules import BoundRules
from rookery.errors import ProblemError
from rookery.user_code import place_of


def followed(rules: BoundRules, state: Any, moves: list[Any]) -> Line:
    """A given sequence as a playout."""
    codes: list[Hashable] = []
    legal: list[list[Hashable]] = []
    factors: list[list[float]] = []
    line = Line(0.0, moves, codes, legal, factors)
    state = rules.begin_playout(state)
    for move in moves:
        possible = rules.moves(state)
        codes.append(rules.code(state, move))
        legal.append(rules.codes(state, possible))
        _weigh(rules, state, possible, [move], line)
        state = rules.play(state, move)
    line.score = rules.value(state)
    return line


def _weigh(rules: BoundRules, state: Any, possible: list[Any], chosen: list[Any], line: Line) -> None:
    """Add what the biases of a state are to a line: their factors, or all of them if their weights are learned."""
    if rules.learns:
        line.biases.append(rules.biases(state, possible))
        line.taken += [line.biases[-1][possible.index(move)] for move in chosen]
    elif line.factors is not None:
        line.factors.append(rules.factors(state, possible))


def layered(rules: BoundRules, state: Any, line: Line) -> Line:
    """A playout seen in layers: each move with what was legal when its layer began.

    A layer takes all moves left that are legal now and may change places with those before them.
    """
    seen = Line(line.score, line.moves, [], [], [], [])
    assert seen.sizes is not None
    state = rules.begin_playout(state)
    left = list(line.moves)
    while left:
        possible = rules.moves(state)
        codes = rules.codes(state, possible)
        members: list[Any] = []
        kept: list[Any] = []
        for move in left:
            free = move in possible and all(rules.commute(other, move) for other in (*members, *kept))
            (members if free else kept).append(move)
        if not members:
            place = place_of(rules.problem, "commute")
            advice = "return False for them; rookery check finds such moves"
            raise ProblemError(place.says("let moves change places that may not", advice))
        seen.codes += [codes[possible.index(move)] for move in members]
        seen.legal.append(codes)
        _weigh(rules, state, possible, members, seen)
        seen.sizes.append(len(members))
        for move in members:
            state = rules.play(state, move)
        left = kept
    return seen
