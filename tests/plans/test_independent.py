"""Tasks that do not depend on each other: handed out in order, committed as they end."""

from __future__ import annotations

from rookery.plans.independent import Independent
from rookery.tasks import Outcome, Task


def tasks(n: int) -> list[Task]:
    return [Task(search=None, key=key) for key in range(n)]


def outcome(finished: bool = True) -> Outcome:
    return Outcome(sequence=None, playouts=1, improvements=(), finished=finished, reached_target=False)


def test_tasks_are_handed_out_in_order_and_each_once() -> None:
    plan = Independent(tasks(3))
    jobs = [plan.next_job() for _ in range(4)]
    assert [job and job.task.key for job in jobs] == [0, 1, 2, None]


def test_whatever_ends_first_is_committed_first() -> None:
    plan = Independent(tasks(3))
    first, second, third = (plan.next_job() for _ in range(3))
    for job in (third, first, second):
        assert job is not None
        assert not plan.finished
        plan.receive(job, outcome())
        assert plan.frontier() is job
        assert plan.commit().iterations == 1
    assert plan.finished
    assert plan.frontier() is None


def test_what_was_halted_does_not_count() -> None:
    plan = Independent(tasks(1))
    job = plan.next_job()
    assert job is not None
    plan.receive(job, outcome(finished=False))
    assert plan.frontier() is None
    assert not plan.finished


def test_a_task_that_had_too_many_playouts_is_handed_out_again_with_a_budget() -> None:
    plan = Independent(tasks(2))
    job = plan.next_job()
    assert job is not None
    plan.receive(job, outcome())
    plan.retry(7)
    again = plan.next_job()
    assert again is not None
    assert (again.task.key, again.task.budget) == (0, 7)


def test_a_restored_plan_hands_out_what_is_not_committed() -> None:
    plan = Independent(tasks(3))
    first, second = plan.next_job(), plan.next_job()
    assert first is not None
    assert second is not None
    plan.receive(second, outcome())
    plan.commit()
    plan.receive(first, outcome())
    other = Independent(tasks(3))
    other.restore(plan.state())
    assert [job.task.key for job in iter(other.next_job, None)] == [0, 2]
    assert not other.finished


def test_no_tasks_are_finished_at_once() -> None:
    assert Independent([]).finished
