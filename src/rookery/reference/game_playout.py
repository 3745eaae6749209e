"""Games in plain Python, their promises checked at every call; and playouts: Algorithms 1 and 2 of Cazenave 2015."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from rookery.errors import ProblemError
from rookery.game import PythonGame
from rookery.reference.playout import not_a_list
from rookery.rng import Stream, exp_float
from rookery.user_code import place_of

MOST_MOVES = 1_000_000
"""A longer game of a PythonGame counts as endless."""


class GameRules:
    """The functions of a game; what they must not return is an error.

    ``longest``: the most moves that a game can still have; ``before``: those that led to the root of a search.
    """

    def __init__(self, game: PythonGame, longest: int | None = None, before: tuple[Any, ...] = ()) -> None:
        self._game = game
        self._before = before
        self._longest = MOST_MOVES if longest is None else longest
        self.start, self.copy, self.sample = game.start, game.copy, game.sample

    def moves(self, state: Any) -> list[Any]:
        """The legal moves."""
        return self._listed("moves", self._game.moves(state))

    def playout_moves(self, state: Any) -> list[Any]:
        """Those that playouts choose from."""
        return self._listed("playout_moves", self._game.playout_moves(state))

    def _listed(self, name: str, moves: Any) -> list[Any]:
        if isinstance(moves, (set, frozenset)):
            raise ProblemError(place_of(self._game, name).says(*not_a_list(moves)))
        return list(moves)

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        after = self._game.play(state, move)
        return state if after is None else after

    def player(self, state: Any) -> int:
        """Who is to move."""
        player = self._game.player(state)
        if player not in (0, 1):
            raise self._broken("player", player, "return 0 or 1, who is to move")
        return int(player)

    def winner(self, state: Any) -> int:
        """Who has won."""
        winner = self._game.winner(state)
        if winner not in (-1, 0, 1):
            raise self._broken("winner", winner, "return 0 or 1, who has won, or -1 for a draw")
        return int(winner)

    def code(self, state: Any, move: Any, features: bool = False) -> Hashable:
        """The code of a move, which must be hashable; with ``features``, together with its feature."""
        code = self._hashable("code", self._game.code(state, move))
        if not features:
            return code
        return code, self._hashable("feature", self._game.feature(state, move))  # type: ignore[attr-defined]

    def bias(self, state: Any, move: Any) -> float:
        """What the game thinks of a move."""
        bias = float(self._game.bias(state, move))  # type: ignore[attr-defined]
        if not math.isfinite(bias):
            raise self._broken("bias", bias, "return a number")
        return bias

    def prior(self, state: Any, move: Any) -> float:
        """How likely a move is to be the best, in any unit."""
        prior = float(self._game.prior(state, move))  # type: ignore[attr-defined]
        if not (math.isfinite(prior) and prior >= 0):
            raise self._broken("prior", prior, "return a number of at least 0")
        return prior

    def estimate(self, state: Any) -> float:
        """The share that the first player is expected to win."""
        estimate = float(self._game.estimate(state))  # type: ignore[attr-defined]
        if not 0 <= estimate <= 1:
            raise self._broken("estimate", estimate, "return the share that the first player wins, 0 to 1")
        return estimate

    def key(self, state: Any, line: tuple[Any, ...]) -> Hashable:
        """What a position is known by: its key, or else the moves that led to it."""
        key = self._game.key(state)
        if key is None:
            return ("line", (*self._before, *line))
        return ("key", self._hashable("key", key))

    def _hashable(self, name: str, value: Any) -> Hashable:
        try:
            hash(value)
        except TypeError:
            raise self._broken(name, value, f"a {name} must be hashable, as a tuple is") from None
        found: Hashable = value
        return found

    def _broken(self, function: str, returned: Any, advice: str) -> ProblemError:
        return ProblemError(place_of(self._game, function).says(f"returned {returned!r}", advice))

    def is_longest(self, ply: int) -> bool:
        """Whether a game has as many moves as one can have."""
        return ply >= self._longest

    def check_length(self, ply: int) -> None:
        """Refuse a game that is not over."""
        if self.is_longest(ply):
            advice = "moves must be empty when the game is over"
            raise ProblemError(place_of(self._game, "moves").says(f"has moves after {self._longest} moves", advice))


Policy = tuple[dict[Hashable, float], dict[Hashable, float]]
"""Weights by code, of each player; what is missing is 0."""


@dataclass(frozen=True)
class Step:
    """What one player chose from, and the index of what was played."""

    player: int
    codes: list[Hashable]
    chosen: int


@dataclass(frozen=True)
class Played:
    """The steps of a game, who won it, and whether that is proven."""

    steps: list[Step]
    winner: int
    exact: bool
    value: float | None = None
    """The share of the first player that the game estimates, if the playout was cut."""

    def reward(self, player: int) -> float:
        """What the game is worth for a player."""
        if self.value is not None:
            return self.value if player == 0 else 1.0 - self.value
        return 0.5 if self.winner < 0 else 1.0 if self.winner == player else 0.0


def playout(
    rules: GameRules,
    state: Any,
    policy: Policy | None,
    stream: Stream,
    ply: int,
    features: bool = False,
    cut: int | None = None,
    coded: bool = False,
) -> Played:
    """Algorithm 1; without a policy, moves at random, their codes noted if ``coded``; at most ``cut`` moves."""
    steps: list[Step] = []
    last = None if cut is None else ply + cut
    while True:
        if ply == last and rules.moves(state):
            rules.check_length(ply)
            return Played(steps, -1, exact=False, value=rules.estimate(state))
        if policy is None:
            move = None if ply == last else rules.sample(state, stream)
            if move is None:
                break
            if coded:
                steps.append(Step(rules.player(state), [rules.code(state, move)], 0))
        else:
            moves = rules.playout_moves(state)
            if not moves:
                break
            player = rules.player(state)
            codes = [rules.code(state, move, features) for move in moves]
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
    """Algorithm 2: the winner's policy learns the winner's moves, all steps by the policy as it was."""
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


def count_codes(
    policy: Policy, counts: tuple[dict[Hashable, list[float]], ...], played: Played, temperature: float
) -> None:
    """MAST: count a playout for all codes that were played; the weight of a code is its mean, 0.5 being nothing."""
    chosen = [(step.player, step.codes[step.chosen]) for step in played.steps]
    for player, code in chosen:
        count = counts[player].setdefault(code, [0.0, 0.0])
        count[0] += 1.0
        count[1] += played.reward(player)
    for player, code in chosen:
        tries, wins = counts[player][code]
        policy[player][code] = (wins / tries - 0.5) / temperature
