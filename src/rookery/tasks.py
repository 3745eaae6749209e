"""Tasks: the pieces of a run that a worker computes, as pure functions of what they hold."""

from __future__ import annotations

from collections.abc import Hashable
from collections.abc import Sequence as Several
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any, ClassVar, Protocol

import numpy as np

from rookery.control import Signal

Moves = tuple[Any, ...]

UNLIMITED = 1 << 62


@dataclass(frozen=True, eq=False)
class Weights:
    """A policy as the (code, weight) pairs that have changed; codes in an array, or in a list of hashables.

    ``biases`` are the weights of biases, if they are learned; there are none before the first step of adapt.
    """

    codes: Any = ()
    weights: Any = field(default_factory=partial(np.zeros, 0))
    biases: tuple[float, ...] = ()

    def __len__(self) -> int:
        return len(self.weights)


@dataclass(frozen=True)
class BiasNumber:
    """What stands for a bias among the codes of a policy in plain Python; no code is equal to it."""

    number: int


@dataclass(frozen=True)
class Sequence:
    """The moves of one finished playout, its score (to be maximised) and the codes of its moves."""

    score: float
    moves: Moves
    codes: tuple[Hashable, ...] = ()


@dataclass(frozen=True)
class Keep:
    """How many candidates a task keeps for the pool; ``exact``: all that differ, else only those that differ much.

    Codes count from the move ``fixed`` on: those before it are the same in all sequences of the run.
    """

    most: int
    exact: bool
    fixed: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of a task.

    ``sequence`` is None if the task was stopped before its first playout. ``improvements`` are pairs of
    (playouts of the task so far, score) at which its best score rose. ``seconds`` is how long a worker took.
    ``kept`` are the candidates for the pool, the best first.
    ``value`` is the outcome of a task that does not find a sequence, such as a game of a match; or what a later task
    continues from.
    """

    sequence: Sequence | None
    playouts: int
    improvements: tuple[tuple[int, float], ...]
    finished: bool
    reached_target: bool
    seconds: float = 0.0
    kept: tuple[Sequence, ...] = ()
    value: Any = field(default=None, metadata={"kept": False})  # never part of a checkpoint

    @property
    def whole(self) -> bool:
        """Whether it is part of the search whatever the limits are: no limit, halt or target has cut it short."""
        return self.finished and not self.reached_target


@dataclass(frozen=True, kw_only=True)
class Task:
    """What every task has: the search that it is part of, a key, moves that are fixed, a budget of playouts, a target.

    The tasks of a search are classes in its module: they say which kernel computes them
    (:meth:`call`), and what their twin in plain Python is given (:meth:`plain`).
    """

    search: Any
    key: int
    prefix: Moves = ()
    budget: int = UNLIMITED
    target: float = np.inf
    keep: Keep | None = None
    alike: ClassVar[bool] = True
    """Whether tasks of one kind take about as long: then one that takes far longer is given to another worker too."""

    def within(self, budget: int) -> Task:
        """The same task with another budget."""
        return replace(self, budget=budget)

    @property
    def kind(self) -> Any:
        """What kind of task it is; tasks of one kind need the same machine code."""
        return type(self), repr(self.search), self.keep is None

    def warm(self, worker: Any) -> None:
        """Have a worker compile what tasks of this kind need, or read it from disk."""
        worker.warm(self)

    def compute(self, worker: Any, signal: Signal) -> Outcome:
        """Have a worker compute the task."""
        outcome: Outcome = worker.run(self, signal)
        return outcome

    def call(self, memory: Any, signal: Signal) -> Any:
        """The :class:`rookery.kernels.memory.Call` that computes the task in a worker's memory."""
        raise NotImplementedError(f"{type(self).__name__} has no kernel")

    @property
    def twin(self) -> str | None:
        """The function in plain Python that computes the same, as ``module:function``."""
        found: str | None = self.search.twin
        return found

    def plain(self) -> dict[str, Any]:
        """What the twin is given in addition to the rules, the state and the monitor."""
        return {}

    def from_twin(self, found: Any) -> Any:
        """The outcome of the task, from what the twin returned; for tasks that do not find a sequence."""
        return found


class Worker(Protocol):
    """Computes tasks, one at a time."""

    def warm(self, task: Task) -> None:
        """Compile all that a task of this kind needs."""

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task that finds a sequence."""

    def value(self, task: Task) -> Any:
        """Compute a task that finds something else."""

    def repeat(self, task: Task, keys: Several[int], signal: Signal) -> tuple[list[float], int] | None:
        """The scores of a task with each of these keys, as far as the signal let it get, and their playouts in all.

        None: it must be computed with one key at a time.
        """

    def has(self, function: str) -> bool:
        """Whether the problem defines a function that it may leave out."""

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""

    def replay(self, moves: Moves) -> tuple[float, Moves]:
        """The score (to be maximised) and the legal moves after these moves."""
