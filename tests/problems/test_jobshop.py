"""Job shops: against all schedules, known optima, files."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

import rookery as rk
from data_folders import OWN, REFERENCE
from rookery.engine.interpreted import Interpreted
from rookery.errors import IllegalSolution
from rookery.testing import check_problem

JobShop = rk.problems.JobShop
SMALL = "2 2 / 0 3 1 2 / 1 4 0 1 /"
KNOWN = {OWN / "jobshop" / "own10x3.txt": None}
if REFERENCE.is_dir():
    KNOWN |= {REFERENCE / "jobshop" / "ft06.txt": 55, REFERENCE / "jobshop" / "la01.txt": 666}


def makespan(problem, moves):
    """The end of a schedule that starts each step as early as its job and its machine allow."""
    ready, free, step = {}, {}, {}
    for job in (move // problem.machine.shape[1] for move in moves):
        k = step[job] = step.get(job, -1) + 1
        machine = problem.machine[job, k]
        end = max(ready.get(job, 0), free.get(machine, 0)) + problem.duration[job, k]
        ready[job] = free[machine] = end
    return max(ready.values())


def bound(problem):
    """No schedule ends before: a machine does all its work after the least of what comes before it, and so on."""
    job, step = (places.tolist() for places in np.nonzero(problem.machine >= 0))
    found = [int(problem.duration.sum(axis=1).max())]
    for machine in range(int(problem.machine.max()) + 1):
        own = [(j, k) for j, k in zip(job, step, strict=True) if problem.machine[j, k] == machine]
        work = sum(problem.duration[j, k] for j, k in own)
        before = min(problem.duration[j, :k].sum() for j, k in own)
        found.append(int(work + before + min(problem.duration[j, k + 1 :].sum() for j, k in own)))
    return max(found)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_nrpa_finds_the_shortest_of_all_schedules(seed):
    problem = JobShop.build(jobs=3, machines=3, seed=seed)
    best = min(makespan(problem, order) for order in set(permutations([0, 0, 0, 3, 3, 3, 6, 6, 6])))
    result = rk.solve(problem, rk.NRPA(level=2, iterations=20), seed=1)
    assert result.score == best == makespan(problem, result.moves)


def test_it_keeps_its_contract():
    check_problem(JobShop.build(jobs=3, machines=3, seed=1), playouts=40, measure=False)


@pytest.mark.parametrize(("path", "best"), KNOWN.items(), ids=lambda value: getattr(value, "stem", None))
def test_the_best_schedule_of_a_file_is_found_and_read_again(path, best):
    problem = JobShop.build(str(path))
    best = best or bound(problem)
    result = rk.solve(problem, rk.NRPA(level=3), seed=2, stop=rk.MaxPlayouts(300_000) | rk.Target(best))
    assert (result.score, result.status) == (best, "target")
    assert makespan(problem, problem.read(problem.write(result.moves))) == best


def test_a_step_that_takes_no_time_can_be_started():
    problem = JobShop.build("1 2 / 0 0 1 2 /")
    assert rk.solve(problem, rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1).moves == (0, 1)


def test_a_move_is_a_step_of_a_job_and_said_so():
    problem = JobShop.build(SMALL)
    assert [problem.describe_move(move) for move in range(4)] == [
        "job 0, step 0",
        "job 0, step 1",
        "job 1, step 0",
        "job 1, step 1",
    ]
    with pytest.raises(rk.InputError, match="a move must be the next step of a job, got 1"):
        problem.draw([1])


def test_steps_on_different_machines_commute():
    problem = Interpreted(JobShop.build(SMALL))
    assert [problem.commute(0, other) for other in range(4)] == [False, True, True, False]


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("0 1", rk.InputError, "a schedule must have 2 lines, one for each machine, got 1"),
        ("0 0\n1 0", rk.InputError, r"line 1: each step on machine 0 must be there, jobs \[0, 1\]"),
        ("1 0\n0 1", IllegalSolution, "the schedule must be active and without a cycle"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(text, error, message):
    with pytest.raises(error, match=message):
        JobShop.build(SMALL).read(text)


@pytest.mark.parametrize(
    ("instance", "message"),
    [
        ("2 / 1 /", "line 1: there must be two numbers, jobs and machines"),
        ("2 1 / 0 3 /", "line 1: 2 jobs must follow, one to a line, got 1"),
        ("1 2 / 0 3 1 /", "line 2: a job must have 2 pairs of machine and time, 4 numbers, got 3"),
        ("1 1 / 0 x /", 'line 2: a machine or a time must be 0 to 1000000, got "x"'),
        ("1 1 / 1 5 /", "line 2: a machine must be 0 to 0, got 1"),
    ],
)
def test_a_bad_instance_is_refused_with_its_line(instance, message):
    with pytest.raises(rk.InputError, match=f"the instance is not a job shop: {message}"):
        JobShop.build(instance)


def test_an_instance_travels_in_the_parameters():
    assert JobShop.build(SMALL).parameters() == {"instance": SMALL}
