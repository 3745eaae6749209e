"""Playouts of games in plain Python: Algorithms 1 and 2 of Cazenave 2015."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from rookery.reference.game_rules import GameRules
from rookery.rng import Stream, exp_float

Policy = tuple[dict[Hashable, float], dict[Hashable, float]]
"""Weights by code, of each player; what is missing is 0."""


@dataclass(frozen=True)
class Step:
    """What one player chose from, and the index of what he played."""

    player: int
    codes: list[Hashable]
    chosen: int


@dataclass(frozen=True)
class Played:
    """The steps of a game, who won it, and whether that is proven."""

    steps: list[Step]
    winner: int
    exact: bool


def playout(rules: GameRules, state: Any, policy: Policy | None, stream: Stream, ply: int) -> Played:
    """Algorithm 1; without a policy, moves at random."""
    steps: list[Step] = []
    while True:
        if policy is None:
            move = rules.sample(state, stream)
            if move is None:
                break
        else:
            moves = rules.playout_moves(state)
            if not moves:
                break
            player = rules.player(state)
            codes = [rules.code(state, move) for move in moves]
            sums = list(accumulate(exp_float(policy[player].get(code, 0.0)) for code in codes))
            limit = stream.uniform() * sums[-1]
            chosen = min(sum(total <= limit for total in sums), len(moves) - 1)
            steps.append(Step(player, codes, chosen))
            move = moves[chosen]
        rules.check_length(ply)
        state = rules.play(state, move)
        ply += 1
    return Played(steps, rules.winner(state), exact=False)


def adapt(policy: Policy, played: Played, alpha: float) -> None:
    """Algorithm 2: the winner's policy learns his moves, all steps by the policy as it was."""
    if played.winner < 0:
        return
    old = policy[played.winner]
    new = dict(old)
    for step in played.steps:
        if step.player == played.winner:
            factors = [exp_float(old.get(code, 0.0)) for code in step.codes]
            total = 0.0
            for factor in factors:
                total += factor
            code = step.codes[step.chosen]
            new[code] = new.get(code, 0.0) + alpha
            for code, factor in zip(step.codes, factors, strict=True):
                new[code] = new.get(code, 0.0) - alpha / total * factor
    old.clear()
    old.update(new)
