"""Chunks of runs: they grow until they are worth handing out, and are committed in order."""

from __future__ import annotations

from dataclasses import dataclass

from rookery.plans.runs import WORTHWHILE, Runs
from rookery.tasks import Outcome, Task


@dataclass(frozen=True, kw_only=True)
class Some(Task):
    first: int
    last: int


def plan(count):
    return Runs(lambda first, last: Some(search=None, key=0, first=first, last=last), count)


def ended(job, seconds=0.0, only=None):
    """The outcome of a chunk in which the score of a run is its number; ``only`` so many of them if it was halted."""
    scores = [float(number) for number in range(job.task.first, job.task.last)][:only]
    value = scores, seconds
    return Outcome(None, len(scores), (), only is None, reached_target=False, seconds=seconds, value=value)


def sizes(made, seconds_of_a_run):
    found = []
    while (job := made.next_job()) is not None:
        found.append(job.task.last - job.task.first)
        made.receive(job, ended(job, seconds_of_a_run * found[-1]))
        made.commit()
    return found


def test_chunks_grow_until_they_take_long_enough():
    assert sizes(plan(100), WORTHWHILE / 20) == [1, 2, 4, 8, *[16] * 5, 5]
    assert sizes(plan(3), 10.0) == [1, 1, 1]


def test_many_short_chunks_of_one_size_let_the_next_ones_grow_once():
    made = plan(100)
    jobs = [made.next_job() for _ in range(5)]
    for job in jobs:
        made.receive(job, ended(job))
    job = made.next_job()
    assert (job.task.first, job.task.last) == (5, 7)


def test_scores_are_in_the_order_of_the_runs_whatever_ends_first():
    made = plan(3)
    jobs = [made.next_job() for _ in range(3)]
    for job in reversed(jobs):
        assert made.frontier() is None
        made.receive(job, ended(job, 0.5))
    while made.frontier() is not None:
        made.commit()
    assert (made.scores, made.core_seconds, made.finished) == ([0.0, 1.0, 2.0], 1.5, True)


def test_of_a_chunk_that_was_halted_the_runs_count_that_had_ended():
    made = plan(100)
    first = made.next_job()
    made.receive(first, ended(first))
    made.commit()
    second = made.next_job()
    made.receive(second, ended(second, only=1))
    assert made.commit().iterations == 1
    assert (made.scores, made.finished) == ([0.0, 1.0], False)
