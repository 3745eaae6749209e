"""What nested calls and the searches that make them are to a plan."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rookery.rng import Stream
from rookery.tasks import Moves, Sequence, Task

Branch = tuple[Moves, int]
"""A part of a step: the moves that it begins with, and how many nested calls it has, which are one task."""

RATING: Branch = ((), 0)
"""The first part of a step whose moves are rated before some of them get nested calls; the best playout is its result.

Until it is there, the other branches are the moves to be rated."""


@dataclass(eq=False)
class NestedCall:
    """A nested call of a level above the atomic one, in the middle of a step."""

    level: int
    key: int
    prefix: Moves  # the moves that lead to its state
    stream: Stream
    best: Sequence | None = None
    calls: int = 0  # children of earlier steps
    branches: tuple[Branch, ...] = ()  # of the step
    results: list[Sequence] = field(default_factory=list)  # of the first of these branches

    def child(self, i: int) -> tuple[Moves, int]:
        """Prefix and number of the first nested call of the i-th branch."""
        return (*self.prefix, *self.branches[i][0]), self.calls + sum(count for _, count in self.branches[:i])

    @property
    def rates(self) -> bool:
        """Whether the moves of the step are still to be rated."""
        return not self.results and self.branches[:1] == (RATING,)

    @property
    def tried(self) -> tuple[Moves, ...]:
        """What the branches of the step with one nested call begin with."""
        return tuple(moves for moves, count in self.branches if count == 1)

    def state(self) -> dict[str, Any]:
        """The call as plain values."""
        return {**vars(self), "stream": list(self.stream.words), "results": list(self.results)}

    @classmethod
    def of(cls, state: dict[str, Any]) -> NestedCall:
        """The call that gave this state."""
        stream = Stream(0)
        stream.words = list(state["stream"])
        return cls(**{**state, "stream": stream, "results": list(state["results"])})


@dataclass(frozen=True)
class Steps:
    """A search that takes steps, each to the best of some nested calls, as the plan knows it.

    Parameters
    ----------
    memorises
        whether a step follows the best sequence of the call unless it finds a better one
    random_ties
        whether one of equal results of a step is drawn
    branches
        the branches of a step of a call, from the legal moves of its state; the last argument: whether they become
        tasks
    fits
        whether the branches of a call can be those of a step, from the legal moves of its state
    task
        makes the task of a nested call from its level, prefix and key; or, for a call with this key, of its nested
        calls from ``first`` to ``last - 1``
    kept
        how many of so many branches get nested calls, if they are rated
    rate
        makes the task that rates moves of a call; the value of its outcome are those that get nested calls. None: all
        do
    """

    level: int
    memorises: bool
    random_ties: bool
    branches: Callable[[NestedCall, Moves, bool], tuple[Branch, ...]]
    fits: Callable[[NestedCall, Moves], bool]
    task: Callable[[int, Moves, int, tuple[int, int] | None], Task]
    kept: Callable[[int], int] = int
    rate: Callable[[NestedCall, Moves], Task] | None = None
