"""Many whole runs, in chunks that grow until they are worth handing out."""

from __future__ import annotations

from collections.abc import Callable

from rookery.plans.independent import Samples
from rookery.plans.plan import Commit, Job
from rookery.tasks import Outcome, Task

WORTHWHILE = 0.2
"""Seconds that a chunk should take: enough not to count what it costs to hand it out, few enough to stop at."""


class Runs(Samples):
    """Runs that do not depend on each other; the value of an outcome is a pair: their scores, and seconds of a core.

    They are committed in order. So after a halt those that count are the first ones: not the short ones, which would
    end first and may differ from the others in their scores.

    Parameters
    ----------
    task
        makes the task of the runs ``first`` to ``last - 1``
    count
        how many runs there are

    >>> plan = Runs(lambda first, last: Task(search=None, key=first), count=2)
    >>> for job in (plan.next_job(), plan.next_job()):
    ...     plan.receive(job, Outcome(None, 5, (), finished=True, reached_target=False, value=([7.0], 0.5)))
    >>> plan.commit().iterations, plan.finished, plan.commit().iterations, plan.finished
    (1, False, 1, True)
    >>> plan.scores, plan.core_seconds
    ([7.0, 7.0], 1.0)
    """

    iteration_is_playout = False

    def __init__(self, task: Callable[[int, int], Task], count: int) -> None:
        super().__init__(task, 1, count)
        self.scores: list[float] = []  # of what is committed, to be maximised
        self.core_seconds = 0.0

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take the outcome of a chunk; if it took too little time, chunks will have twice as many runs."""
        super().receive(job, outcome)
        largest = any(chunk.job is job and chunk.last - chunk.first == self._size for chunk in self._chunks)
        if largest and 2 * outcome.seconds < WORTHWHILE:
            self._size *= 2

    def commit(self) -> Commit:
        """Commit the next chunk; every run is an iteration."""
        outcome = self._chunks[0].job.outcome
        assert outcome is not None
        scores, seconds = outcome.value
        self.scores += scores
        self.core_seconds += seconds
        super().commit()
        return Commit(len(scores))
