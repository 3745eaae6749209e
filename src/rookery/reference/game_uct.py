"""UCT and PPA for two players in plain Python, after Algorithms 1 to 4 of Cazenave 2015."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

from rookery.reference.game_playout import GameRules, Played, Policy, Step, adapt, playout
from rookery.rng import Stream, log_float


@dataclass
class Entry:
    """What is known of a position: for each move, how often it was tried, won, and whether it is decided."""

    moves: list[Any]
    tries: list[int] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)
    visits: int = 0
    proven: int = 0

    def __post_init__(self) -> None:
        n = len(self.moves)
        self.tries, self.wins, self.settled = [0] * n, [0.0] * n, [0] * n


class Budget(Protocol):
    """How long a search continues."""

    def lasts(self) -> bool:
        """Whether one more playout may be played."""

    def count(self) -> None:
        """One more was played."""


class Table(dict[Hashable, Entry]):
    """Positions by their keys, and the policies that a search keeps from one move of a game to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.policy: Policy = ({}, {})


@dataclass(frozen=True)
class Following:
    """How a tree is followed."""

    c: float
    unvisited: str | float
    solver: bool
    features: bool


def select(entry: Entry, how: Following, stream: Stream) -> int:
    """The index of the move with the highest value."""
    width = how.c * math.sqrt(log_float(float(max(entry.visits, 1))))
    best, chosen, untried = -math.inf, 0, 0
    for i in range(len(entry.moves)):
        if how.solver and entry.settled[i]:
            continue
        if entry.tries[i]:
            value = entry.wins[i] / entry.tries[i] + width * (1.0 / math.sqrt(entry.tries[i]))
        else:
            value = math.inf if isinstance(how.unvisited, str) else how.unvisited
        if value > best:
            best, chosen = value, i
        if how.unvisited == "random" and value == math.inf:
            untried += 1
            if stream.below(untried) == 0:
                chosen = i
    return chosen


def uct(
    rules: GameRules, root: Any, table: Table, how: Following, policy: Policy | None, stream: Stream
) -> tuple[list[tuple[Entry, int, int]], Played]:
    """Algorithm 4: the moves chosen in the tree as (entry, index, player), and the game that followed."""
    path: list[tuple[Entry, int, int]] = []
    steps: list[Step] = []
    state = rules.copy(root)
    line: tuple[Any, ...] = ()
    while True:
        if rules.is_longest(len(steps)):  # positions may recur, but no game is longer
            if rules.moves(state):
                rules.check_length(len(steps))
            return path, Played(steps, rules.winner(state), exact=False)
        key = rules.key(state, line)
        if key not in table:
            moves = rules.moves(state)
            if not moves:
                return path, Played(steps, rules.winner(state), exact=True)
            table[key] = Entry(moves)
            rest = playout(rules, state, policy, stream, len(steps), how.features)
            return path, Played(steps + rest.steps, rest.winner, exact=False)
        entry, player = table[key], rules.player(state)
        if how.solver and path and entry.proven:
            return path, Played(steps, player if entry.proven > 0 else 1 - player, exact=True)
        chosen = select(entry, how, stream)
        move = entry.moves[chosen]
        path.append((entry, chosen, player))
        codes = [] if policy is None else [rules.code(state, m, how.features) for m in entry.moves]
        steps.append(Step(player, codes, chosen))
        line = (*line, move)
        state = rules.play(state, move)


def update(path: list[tuple[Entry, int, int]], played: Played, solver: bool) -> None:
    """Count the result along the path; with ``solver``, follow what is proven upwards."""
    proven = solver and played.exact and played.winner >= 0
    for entry, chosen, player in reversed(path):
        entry.visits += 1
        entry.tries[chosen] += 1
        entry.wins[chosen] += 0.5 if played.winner < 0 else 1.0 if played.winner == player else 0.0
        if proven:
            entry.settled[chosen] = 1 if played.winner == player else -1
            if entry.settled[chosen] == 1:
                entry.proven = 1
            elif all(value == -1 for value in entry.settled):
                entry.proven = -1
            proven = entry.proven != 0


def search(
    rules: GameRules,
    root: Any,
    table: Table,
    stream: Stream,
    budget: Budget,
    *,
    c: float,
    unvisited: str | float,
    solver: bool,
    alpha: float | None = None,
    features: bool = False,
    keep: bool = False,
) -> Entry:
    """Algorithm 3: playouts as long as the budget lasts; with ``alpha``, the winner's policy is adapted after each."""
    how = Following(c, unvisited, solver, features)
    if not keep:
        table.policy = ({}, {})
    policy = None if alpha is None else table.policy
    at = rules.key(root, ())
    while budget.lasts():
        if solver and at in table and table[at].proven:
            break
        path, played = uct(rules, root, table, how, policy, stream)
        update(path, played, solver)
        if policy is not None and alpha is not None:
            adapt(policy, played, alpha)
        budget.count()
    return table[at] if at in table else Entry(rules.moves(root))  # it was stopped at once
