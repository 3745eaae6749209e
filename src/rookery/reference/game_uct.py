"""UCT and PPA for two players in plain Python, after Algorithms 1 to 4 of Cazenave 2015; and MAST."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol

from rookery.reference.game_playout import GameRules, Played, Policy, Step, adapt, count_codes, playout
from rookery.rng import Stream, log_float

WON, LOST, DRAWN = 1, -1, 2
"""What is proven of a position for the player to move, and of a move for the player who moves; 0: nothing."""


@dataclass
class Entry:
    """What is known of a position: for each move, how often it was tried, won, and whether it is decided."""

    moves: list[Any]
    tries: list[int] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)
    hints: list[float] = field(default_factory=list)
    codes: list[Hashable] = field(default_factory=list)
    amaf: dict[Hashable, list[float]] = field(default_factory=dict)
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
    """Positions by their keys, the oldest first; and the policies that are kept from one move of a game to the next."""

    def __init__(self) -> None:
        super().__init__()
        self.policy: Policy = ({}, {})
        self.reclaimed = 0

    def reclaim(self, nodes: int, root: Hashable) -> None:
        """Leave half of the nodes: those with the most visits, of equals the older ones, and the root."""
        ranked = sorted(self, key=lambda key: -self[key].visits)
        kept = set(ranked[: nodes // 2])
        if root in self and root not in kept:
            kept.remove(ranked[nodes // 2 - 1])
            kept.add(root)
        for key in [key for key in self if key not in kept]:
            del self[key]
            self.reclaimed += 1


Path = list[tuple[Entry, int, int]]
"""The moves chosen in the tree: entry, index, player."""


@dataclass(frozen=True)
class Following:
    """How a tree is followed, and what playouts are like."""

    c: float
    unvisited: str | float
    solver: bool
    nodes: int
    features: bool = False
    bias: float = 0.0
    prior: bool = False
    cut: int | None = None
    coded: bool = False
    value: Callable[[Path, Entry, int, int, float], float] | None = None
    """The value of a move by something else than its mean: path, entry, player, index, the value by its mean."""


def mean_of(entry: Entry, i: int, how: Following) -> float:
    """The share that a move has won, or what it is worth without playouts; with a bias, that too."""
    if entry.tries[i]:
        mean = entry.wins[i] / entry.tries[i]
    else:
        mean = math.inf if isinstance(how.unvisited, str) else how.unvisited
    return mean + how.bias * entry.hints[i] / (entry.tries[i] + 1) if how.bias else mean


def select(path: Path, entry: Entry, player: int, how: Following, stream: Stream) -> int:
    """The index of the move with the highest value."""
    width = how.c * math.sqrt(float(entry.visits) if how.prior else log_float(float(max(entry.visits, 1))))
    best, chosen, untried = -math.inf, 0, 0
    for i in range(len(entry.moves)):
        if how.solver and entry.settled[i]:
            continue
        value = mean_of(entry, i, how)
        if how.value is not None:
            value = how.value(path, entry, player, i, value)
        if how.prior:
            value += width * (entry.hints[i] / (entry.tries[i] + 1))
        elif entry.tries[i]:
            value += width * (1.0 / math.sqrt(entry.tries[i]))
        if value > best:
            best, chosen = value, i
        if how.unvisited == "random" and value == math.inf:
            untried += 1
            if stream.below(untried) == 0:
                chosen = i
    return chosen


def first_look(rules: GameRules, state: Any, entry: Entry, how: Following) -> None:
    """What is asked of the game when a move of a position is chosen for the first time."""
    if how.prior:
        priors = [rules.prior(state, move) for move in entry.moves]
        total = 0.0
        for prior in priors:
            total += prior
        entry.hints = [prior / total if total > 0.0 else 1.0 / len(priors) for prior in priors]
    elif how.bias:
        entry.hints = [rules.bias(state, move) for move in entry.moves]
    if how.coded:
        entry.codes = [rules.code(state, move) for move in entry.moves]


def uct(
    rules: GameRules, root: Any, table: Table, how: Following, policy: Policy | None, stream: Stream
) -> tuple[Path, Played]:
    """Algorithm 4: the moves chosen in the tree, and the game that followed."""
    path: Path = []
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
            if how.solver and not moves:
                return path, Played(steps, rules.winner(state), exact=True)
            table[key] = Entry(moves)
            rest = playout(rules, state, policy, stream, len(steps), how.features, how.cut, how.coded)
            return path, Played(steps + rest.steps, rest.winner, exact=False, value=rest.value)
        entry = table[key]
        if not entry.moves:
            return path, Played(steps, rules.winner(state), exact=True)
        player = rules.player(state)
        if not entry.visits:
            first_look(rules, state, entry, how)
        if how.solver and path and entry.proven:
            won = player if entry.proven == WON else 1 - player if entry.proven == LOST else -1
            return path, Played(steps, won, exact=True)
        chosen = select(path, entry, player, how, stream)
        move = entry.moves[chosen]
        path.append((entry, chosen, player))
        if policy is not None:
            steps.append(Step(player, [rules.code(state, m, how.features) for m in entry.moves], chosen))
        else:
            steps.append(Step(player, [entry.codes[chosen]] if how.coded else [], 0))
        line = (*line, move)
        state = rules.play(state, move)


def update(path: Path, played: Played, solver: bool) -> None:
    """Count the result along the path; with ``solver``, follow what is proven upwards."""
    proven, winner = solver and played.exact, played.winner
    for entry, chosen, player in reversed(path):
        entry.visits += 1
        entry.tries[chosen] += 1
        entry.wins[chosen] += played.reward(player)
        if proven:
            entry.settled[chosen] = DRAWN if winner < 0 else WON if winner == player else LOST
            if entry.settled[chosen] == WON:
                entry.proven = WON
            elif all(entry.settled):
                entry.proven = DRAWN if DRAWN in entry.settled else LOST
            proven = entry.proven != 0
            winner = player if entry.proven == WON else 1 - player if entry.proven == LOST else -1


def follow(
    rules: GameRules,
    root: Any,
    table: Table,
    stream: Stream,
    budget: Budget,
    how: Following,
    policy: Policy | None,
    learn: Callable[[Path, Played], None],
) -> Entry:
    """Algorithm 3: playouts as long as the budget lasts; something may be learnt from each."""
    at = rules.key(root, ())
    while budget.lasts():
        if len(table) >= how.nodes:
            table.reclaim(how.nodes, at)
        if how.solver and at in table and table[at].proven:
            break
        path, played = uct(rules, root, table, how, policy, stream)
        update(path, played, how.solver)
        learn(path, played)
        budget.count()
    return table[at] if at in table else Entry(rules.moves(root))  # it was stopped at once


def search(rules: GameRules, root: Any, table: Table, stream: Stream, budget: Budget, **how: Any) -> Entry:
    """UCT: nothing is learnt but the tree."""
    return follow(rules, root, table, stream, budget, Following(**how), None, lambda path, played: None)


def ppa(
    rules: GameRules,
    root: Any,
    table: Table,
    stream: Stream,
    budget: Budget,
    *,
    alpha: float,
    keep: bool,
    shared: bool,
    **how: Any,
) -> Entry:
    """PPA: the winner's policy is adapted after each playout; ``shared``, it is that of both."""
    first, second = table.policy if keep else ({}, {})
    table.policy = policy = (first, first if shared else second)

    def learn(path: Path, played: Played) -> None:
        adapt(policy, played, alpha)

    return follow(rules, root, table, stream, budget, Following(**how), policy, learn)


def mast(
    rules: GameRules, root: Any, table: Table, stream: Stream, budget: Budget, *, temperature: float, **how: Any
) -> Entry:
    """MAST: the mean of each code, of all playouts."""
    policy: Policy = ({}, {})
    counts: tuple[dict[Hashable, list[float]], ...] = ({}, {})

    def learn(path: Path, played: Played) -> None:
        count_codes(policy, counts, played, temperature)

    return follow(rules, root, table, stream, budget, Following(**how), policy, learn)
