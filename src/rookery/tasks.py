"""Tasks: the pieces of a run that a worker computes, as pure functions of what they hold."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from rookery.compiler.buffers import HALT, HALT_ASKED, PLAYOUTS

Moves = tuple[Any, ...]

UNLIMITED = 1 << 62


@dataclass(frozen=True, eq=False)
class Weights:
    """A policy as the (code, weight) pairs that were touched; codes in an array, or in a list of hashables."""

    codes: Any = ()
    weights: Any = field(default_factory=lambda: np.zeros(0))

    def __len__(self) -> int:
        return len(self.weights)


@dataclass(frozen=True)
class Sequence:
    """The moves of one finished playout, its score (to be maximised) and the codes of its moves."""

    score: float
    moves: Moves
    codes: tuple[Hashable, ...] = ()


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a task came to.

    ``sequence`` is None if the task was stopped before its first playout. ``improvements`` are pairs of
    (playouts of the task so far, score) at which its best score rose. ``seconds`` is what a worker was busy with it.
    """

    sequence: Sequence | None
    playouts: int
    improvements: tuple[tuple[int, float], ...]
    finished: bool
    reached_target: bool
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Task:
    """What every task has: a prefix of moves that is fixed, a key, a budget of playouts, a target."""

    key: int
    prefix: Moves = ()
    budget: int = UNLIMITED
    target: float = np.inf

    def within(self, budget: int) -> Task:
        """The same task with another budget."""
        return replace(self, budget=budget)


@dataclass(frozen=True, kw_only=True)
class NRPATask(Task):
    """A nested call of NRPA from a policy; ``iterations`` and ``ties`` are indexed by level."""

    policy: Weights
    level: int
    iterations: tuple[int, ...]
    ties: tuple[float, ...]
    alpha: float
    layers: bool = False


@dataclass(frozen=True, kw_only=True)
class NMCSTask(Task):
    """A nested call of NMCS from the state after the prefix; ``sample`` 0: all children; ``rule`` of its playouts."""

    level: int
    memorise: bool
    random_ties: bool
    sample: int
    rule: str | None = None


@dataclass(frozen=True, kw_only=True)
class ReflexiveTask(Task):
    """A game of reflexive search from the state after the prefix; ``games`` is indexed by level.

    With ``children`` (first, last) the best of so many games: those that a game with this key begins at a step, by
    their numbers up to ``last - 1``.
    """

    level: int
    games: tuple[int, ...]
    children: tuple[int, int] | None = None
    rule: str | None = None


@dataclass(frozen=True, kw_only=True)
class UCTTask(Task):
    """A whole run of UCT; ``deviates``: of SP-MCTS."""

    playouts: int
    c: float
    d: float
    deviates: bool
    rule: str | None = None


@dataclass(frozen=True, kw_only=True)
class SamplingTask(Task):
    """The playouts ``first`` to ``last - 1`` of a run."""

    first: int
    last: int
    rule: str | None = None


class Signal:
    """The line between a running task and whoever waits for it: a halt flag and a count of playouts."""

    def __init__(self) -> None:
        self.control = np.zeros(16, np.int64)

    def halt(self) -> None:
        """Make the task return within a move, also if it has not begun."""
        self.control[HALT] = HALT_ASKED

    @property
    def playouts(self) -> int:
        """Playouts of the task so far."""
        return int(self.control[PLAYOUTS])


class Worker(Protocol):
    """Computes tasks, one at a time."""

    def warm(self, task: Task) -> None:
        """Compile all that a task of this kind needs."""

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task."""

    def adapt(self, policy: Weights, sequence: Moves, alpha: float, prefix: Moves, layers: bool) -> Weights:
        """One step of adapt towards a sequence (without its prefix)."""

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""

    def replay(self, moves: Moves) -> tuple[float, Moves]:
        """Score (to be maximised) and legal moves after these moves."""
