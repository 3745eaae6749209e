"""What a driver and a search say to each other.

A plan hands out jobs and takes their outcomes in any order; it commits them in the order of the sequential
search. Only what is committed counts, so the result does not depend on how many workers there are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from rookery.plans.stored import Part
from rookery.tasks import Outcome, Sequence, Task


@dataclass(eq=False, slots=True, weakref_slot=True)
class Job:
    """A task of a plan, with what became of it."""

    task: Task
    outcome: Outcome | None = None
    started: bool = False


@dataclass(frozen=True)
class Replacement:
    """The best sequence of a level above the atomic one was replaced.

    ``tie``: by one of an equal score; ``identical``: by the same sequence once more.
    """

    level: int
    iteration: int
    sequence: Sequence
    tie: bool
    identical: bool = False


@dataclass(frozen=True)
class Commit:
    """What one committed job meant: iterations completed at the top, sequences replaced."""

    iterations: int = 0
    replacements: tuple[Replacement, ...] = ()


class Plan(Protocol):
    """A run of a search, divided into jobs."""

    discards: list[Job]
    """Jobs whose outcome is no longer wanted; the driver takes them away."""
    iteration_is_playout: bool
    """Whether iterations at the top are playouts inside the jobs."""
    keeps_best: bool
    """Whether the best playout is always the answer."""

    @property
    def best(self) -> Sequence | None:
        """The best sequence of what is committed."""

    @property
    def finished(self) -> bool:
        """Whether the whole run is committed."""

    @property
    def risk(self) -> float:
        """The risk that the next job will be in vain, as a negative logarithm: 0 if it is certain to be needed."""

    def next_job(self) -> Job | None:
        """A job that can be computed now."""

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a job; they may come in any order."""

    def frontier(self) -> Job | None:
        """The next job to be committed, once its outcome is there."""

    def retry(self, budget: int) -> None:
        """Compute the frontier again with this budget."""

    def commit(self) -> Commit:
        """Commit the frontier."""

    def prune(self) -> None:
        """The run is about to stop: forget every job behind the frontier."""

    def state(self) -> dict[str, Any]:
        """Everything needed to continue from here, as plain values that :mod:`rookery.running.checkpoint` can write."""

    def check(self, state: Part) -> None:
        """Refuse a state from a file that no such plan can have had; called before :meth:`restore`.

        Before that, sequences are replayed and the codes of policies checked, wherever they are in the state.
        """

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state, of a plan that was made with the same arguments and has handed out no job yet."""
