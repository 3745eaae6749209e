"""A crew in virtual time: what ends when, and what is computed."""

from __future__ import annotations

import random
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.control import Signal
from rookery.crews.memo import Memo
from rookery.crews.threads import Ended, ThreadCrew, timed_run
from rookery.crews.virtual import AHEAD, LogNormal, VirtualCrew, measured
from rookery.plans.plan import Job
from rookery.plans.risks import SELECTS
from rookery.plans.speculation_tree import SpeculationTree
from rookery.rng import mix_int
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.search.nrpa import NRPA
from rookery.search.nrpa_tasks import NRPATask
from rookery.simulation.oracle import Trajectory, oracle_seconds
from rookery.stop import Stop
from rookery.tasks import Outcome, Sequence, Task, Weights


class FakeWorker:
    """Results that depend on the key and the policy alone, as real ones do; no two are the same sequence."""

    def __init__(self, spread=5):
        self.spread = spread
        self.computed = []
        self.stops = False

    def run(self, task, signal):
        self.computed.append(task.key)
        if task.key == 13:
            raise ZeroDivisionError("thirteen")
        generator = random.Random(f"{task.key}{task.policy.codes}")
        score = float(generator.randint(0, self.spread))
        moves = (int(score), generator.getrandbits(60))
        return Outcome(Sequence(score, moves, moves), 1, ((1, score),), not self.stops, False)

    def value(self, task):
        return Weights((*task.policy.codes, task.sequence), np.zeros(len(task.policy) + 1))


def job(key):
    task = NRPATask(search=NRPA(level=1, iterations=1), key=key, policy=Weights(), level=1)
    return Job(task, started=True)


class AtOnce:
    """A real crew that computes in this thread, as soon as it is asked to."""

    size = 1

    def __init__(self, worker):
        self._worker, self._ended, self.halted = worker, [], []

    def submit(self, job, seconds):
        try:
            self._ended.append(Ended(job, timed_run(self._worker, job.task, Signal())))
        except ZeroDivisionError as error:
            self._ended.append(Ended(job, None, error))

    def collect(self):
        ended, self._ended = self._ended, []
        return ended

    def halt(self, job):
        self.halted.append(job)


def crew_of(worker, duration, delay=0.0, memo=None, cancel=False):
    return VirtualCrew(AtOnce(worker), 4, duration, delay, memo, cancel)


def by_key(task):
    """A task of key 3 takes 3 seconds."""
    return float(task.key)


def next_keys(crew):
    crew.wait(0.1)
    return [ended.job.task.key for ended in crew.collect()]


def test_jobs_end_in_the_order_of_virtual_time_and_together_if_at_once():
    crew = crew_of(FakeWorker(), by_key)
    for key in (3, 2, 3, 1):
        crew.submit(job(key), None)
    seen = [(next_keys(crew), crew.clock()) for _ in range(3)]
    assert seen == [([1], 1.0), ([2], 2.0), ([3, 3], 3.0)]


def test_tasks_are_computed_in_the_order_of_their_ends_a_few_of_them_ahead():
    worker = FakeWorker()
    crew = VirtualCrew(AtOnce(worker), 40, by_key, 0.0, None, False)
    for key in range(40, 20, -1):
        crew.submit(job(key), None)
    assert worker.computed == []
    for done in range(1, 15):
        next_keys(crew)
        assert worker.computed == list(range(21, 21 + len(worker.computed)))
        assert done <= len(worker.computed) < done + AHEAD


def test_a_task_that_was_discarded_is_neither_begun_nor_counted_among_those_ahead():
    worker = FakeWorker()
    crew = VirtualCrew(AtOnce(worker), 40, by_key, 0.0, None, False)
    jobs = {key: job(key) for key in range(1, 13)}
    for each in jobs.values():
        crew.submit(each, None)
    assert next_keys(crew) == [1]
    assert worker.computed == [1, 2, 3, 4]
    for key in (2, 3, 6):
        crew.halt(jobs[key])
    assert [next_keys(crew) for _ in range(3)] == [[2], [3], [4]]
    assert worker.computed == [1, 2, 3, 4, 5, 7, 8]
    assert [halted.task.key for halted in crew._computing.halted] == [2, 3]


def test_a_message_takes_its_time_both_ways():
    crew = crew_of(FakeWorker(), by_key, delay=0.25)
    crew.submit(job(2), None)
    next_keys(crew)
    assert crew.clock() == 2.5


def test_an_outcome_tells_the_virtual_seconds_of_its_task():
    crew = crew_of(FakeWorker(), by_key, delay=0.25)
    crew.submit(job(2), None)
    crew.wait(0.1)
    assert crew.collect()[0].outcome.seconds == 2.0


def test_a_discarded_job_is_finished_in_vain_and_not_computed():
    worker = FakeWorker()
    crew = crew_of(worker, by_key)
    crew.submit(unwanted := job(3), None)
    crew.halt(unwanted)
    crew.wait(0.1)
    (ended,) = crew.collect()
    assert (crew.clock(), ended.job, ended.outcome.sequence) == (3.0, unwanted, None)
    assert worker.computed == []


def test_a_cancelled_job_frees_its_worker_after_one_delay():
    worker = FakeWorker()
    crew = crew_of(worker, by_key, delay=0.25, cancel=True)
    unwanted, wanted = job(3), job(1)
    crew.submit(unwanted, None)
    crew.submit(wanted, None)
    assert next_keys(crew) == [1]
    crew.halt(unwanted)
    crew.halt(unwanted)
    assert (next_keys(crew), crew.clock()) == ([3], 1.75)
    assert next_keys(crew) == []


def test_cancelling_never_takes_longer_than_finishing():
    crew = crew_of(FakeWorker(), by_key, delay=10.0, cancel=True)
    crew.submit(first := job(1), None)
    crew.submit(job(2), None)
    next_keys(crew)
    crew.submit(unwanted := job(3), None)
    next_keys(crew)
    crew.halt(unwanted)
    next_keys(crew)
    assert crew.clock() == 32.0
    crew.halt(first)  # long gone


def test_a_measured_task_is_computed_when_it_is_dispatched():
    worker = FakeWorker()
    crew = crew_of(worker, measured)
    crew.submit(job(1), None)
    assert worker.computed == [1]
    crew.wait(0.1)
    (ended,) = crew.collect()
    assert ended.outcome.seconds == crew.clock() > 0


@pytest.mark.parametrize("duration", [by_key, measured])
def test_an_error_of_a_task_is_handed_on(duration):
    crew = crew_of(FakeWorker(), duration)
    crew.submit(job(13), None)
    crew.wait(0.1)
    (ended,) = crew.collect()
    assert isinstance(ended.error, ZeroDivisionError)


def test_what_is_in_the_memo_is_not_computed_again():
    worker, memo = FakeWorker(), Memo()
    outcomes = []
    for _ in range(2):
        crew = crew_of(worker, by_key, memo=memo)
        crew.submit(job(5), None)
        crew.wait(0.1)
        outcomes.append(crew.collect()[0].outcome)
    assert worker.computed == [5]
    assert outcomes[0] == outcomes[1]


def test_a_task_that_was_halted_on_its_way_is_not_in_the_memo():
    worker, memo = FakeWorker(), Memo()
    worker.stops = True
    crew = crew_of(worker, by_key, memo=memo)
    crew.submit(job(5), None)
    crew.submit(unwanted := job(6), None)
    next_keys(crew)
    crew.halt(unwanted)
    next_keys(crew)
    assert len(memo) == 0


def test_threads_serve_one_virtual_crew_after_the_other():
    computing = ThreadCrew([FakeWorker(), FakeWorker()], None)
    try:
        for keys in ([1, 2, 3, 4], [5, 6, 7, 8]):
            crew = VirtualCrew(computing, 4, by_key, 0.0, None, False)
            for key in keys:
                crew.submit(job(key), None)
            assert [next_keys(crew) for _ in keys[1:]] == [[key] for key in keys[:-1]]
            crew.close(wait=False)
    finally:
        computing.close(wait=True)


def test_durations_have_the_mean_and_the_spread_that_were_asked_for():
    seconds = [LogNormal(25.0, 0.2)(Task(search=None, key=mix_int(1, i))) for i in range(4000)]
    assert statistics.mean(seconds) == pytest.approx(25.0, rel=0.02)
    assert statistics.stdev(seconds) == pytest.approx(5.0, rel=0.05)


def simulated(search, key, size, duration, cancel, rule="learned", spread=5):
    """Virtual seconds, the answer, and the trajectory of a run."""
    run = Trajectory(search.iterations_by_level[2:])

    class Recorded(SpeculationTree):
        def commit(self):
            seconds = self.frontier().outcome.seconds
            commit = super().commit()
            run.add(seconds, [r.level - 2 for r in commit.replacements if not r.identical])
            return commit

    worker = FakeWorker(spread)
    crew = VirtualCrew(AtOnce(worker), size, duration, 0.0, None, cancel)
    tree = Recorded(search.nesting(worker), key, 1, select=SELECTS[rule]())
    driver = Driver(tree, crew, Stop(), (), 1.0, crew.clock, (search.level, None), Interrupts())
    assert driver.run() == "finished"
    return crew.clock(), tree.best, run


@given(
    key=st.integers(0, 10**6),
    size=st.integers(2, 40),
    spread=st.sampled_from([1, 5, 1000]),
    width=st.sampled_from([0.0, 0.5]),
    cancel=st.booleans(),
    rule=st.sampled_from(list(SELECTS)),
    ties=st.sampled_from([">=", ">", 0.3]),
)
def test_any_cluster_has_the_sequential_answer_and_none_outruns_perfect_prediction(
    key, size, spread, width, cancel, rule, ties
):
    search = NRPA(level=3, iterations=5, ties=ties)
    duration = LogNormal(25.0, width)
    alone, answer, run = simulated(search, key, 1, duration, cancel, rule, spread)
    seconds, best, same = simulated(search, key, size, duration, cancel, rule, spread)
    assert best == answer
    assert same.suppliers == run.suppliers
    assert alone == pytest.approx(sum(run.seconds))
    assert seconds >= oracle_seconds(run, 25) - 1e-6
