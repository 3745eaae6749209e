"""NMCS and reflexive search as steps: a run that is saved after any commit goes on as if nothing had happened."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rookery as rk
from examples_of_problems import Words
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine
from rookery.engine.engines import make_engine
from rookery.engine.interpreted import Interpreted
from rookery.engine.python_worker import PythonEngine
from rookery.plans.nested_steps import NestedSteps
from rookery.plans.stored import Part
from rookery.running.encoding import decode, encode

WORDS = PythonEngine(Words("abcd", 3)).worker()


def drive(plan, worker, generator, workers, commits=10**9):
    """Drive a plan with outcomes in random order, some of them ahead of the frontier; returns playouts and commits."""
    running, playouts, made = [], 0, 0
    while not plan.finished and made < commits:
        while len(running) < workers and (job := plan.next_job()) is not None:
            running.append(job)
        if running:
            job = running.pop(generator.randrange(len(running)))
            plan.receive(job, worker.run(job.task, Signal()))
        while made < commits and (job := plan.frontier()) is not None and (not running or generator.random() < 0.5):
            playouts += job.outcome.playouts
            plan.commit()
            made += 1
    return playouts, made


def through_a_file(state):
    return decode(json.loads(json.dumps(encode(state))))


def check_interrupted_anywhere(make, worker, workers, share, order):
    """Stop a run after a share of its commits and go on with another plan: all must be as in an undisturbed run."""
    whole = make()
    playouts, commits = drive(whole, worker, random.Random(0), 1)
    generator = random.Random(order)
    first, second = make(), make()
    done, _ = drive(first, worker, generator, workers, round(share * commits))
    state = through_a_file(first.state())
    second.check(Part("plan", state))
    second.restore(state)
    assert second.best == first.best
    rest, _ = drive(second, worker, generator, workers)
    assert (second.best, done + rest) == (whole.best, playouts)
    assert second.finished


@given(
    search=st.one_of(
        st.builds(
            rk.NMCS,
            level=st.integers(1, 3),
            memorise=st.booleans(),
            ties=st.sampled_from(["first", "random"]),
            sample=st.sampled_from([None, 1, 2]),
        ),
        st.builds(
            rk.LazyNMCS,
            level=st.integers(1, 3),
            memorise=st.booleans(),
            ties=st.sampled_from(["first", "random"]),
            sample=st.sampled_from([None, 3]),
            playouts=st.integers(1, 2),
            share=st.sampled_from([0.1, 0.6]),
        ),
        st.builds(rk.Reflexive, level=st.integers(1, 3), games=st.integers(1, 3)),
    ),
    atomic=st.integers(1, 3),
    workers=st.integers(1, 5),
    share=st.floats(0, 1),
    order=st.integers(0, 10**6),
    prefix=st.sampled_from([(), ("b",)]),
    batch=st.integers(1, 4),
)
def test_a_run_that_is_saved_anywhere_ends_as_if_undisturbed(search, atomic, workers, share, order, prefix, batch):
    def make():
        batched = {"batch": batch} if isinstance(search, rk.Reflexive) else {}
        return NestedSteps(search.steps(**batched), WORDS, order, atomic, prefix)

    check_interrupted_anywhere(make, WORDS, workers, share, order)


@pytest.mark.parametrize("kind", [lambda problem: problem, Interpreted], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("atomic", [1, 2])
def test_how_many_games_of_reflexive_search_are_a_task_does_not_matter(atomic, kind):
    worker = make_engine(kind(rk.problems.LeftMove(depth=6)), False).worker()
    search = rk.Reflexive(level=3, games=5)
    plans = [NestedSteps(search.steps(batch=batch), worker, 7, atomic) for batch in (1, 2, 3, 9)]
    playouts = [drive(plan, worker, random.Random(0), 3) for plan in plans]
    assert len({plan.best for plan in plans}) == 1
    assert len({made for made, _ in playouts}) == 1
    assert playouts[0][1] > playouts[1][1] > playouts[2][1] > playouts[3][1]


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.99, 1.0])
@pytest.mark.parametrize("search", [rk.NMCS(level=3), rk.NMCS(level=2, memorise=False, ties="random", sample=2)])
def test_a_compiled_run_that_is_saved_anywhere_ends_as_if_undisturbed(search, share):
    worker = CompiledEngine(rk.problems.LeftMove(depth=6)).worker()
    check_interrupted_anywhere(lambda: NestedSteps(search.steps(), worker, 7, 1), worker, 2, share, 3)


def first_step(received):
    """A plan whose first step has four children, and the outcomes of some of them."""
    plan = NestedSteps(rk.NMCS(level=2).steps(), WORDS, 1, 1)
    jobs = [plan.next_job() for _ in range(4)]
    for i in received:
        plan.receive(jobs[i], WORDS.run(jobs[i].task, Signal()))
    return plan, jobs


def test_outcomes_that_came_early_are_not_computed_again():
    plan, jobs = first_step(received=[2, 3])
    again = NestedSteps(rk.NMCS(level=2).steps(), WORDS, 1, 1)
    again.restore(through_a_file(plan.state()))
    assert [again.next_job().task, again.next_job().task] == [jobs[0].task, jobs[1].task]
    assert again.next_job() is None


def test_an_outcome_that_was_cut_short_is_computed_again():
    plan, jobs = first_step(received=[])
    plan.receive(jobs[0], WORDS.run(jobs[0].task.within(1), Signal()))
    assert not plan.frontier().outcome.finished
    again = NestedSteps(rk.NMCS(level=2).steps(), WORDS, 1, 1)
    again.restore(through_a_file(plan.state()))
    assert again.frontier() is None
    assert again.next_job().task == jobs[0].task


def test_a_plan_that_was_pruned_has_all_its_jobs_again_when_restored():
    plan, jobs = first_step(received=[0, 2])
    plan.prune()
    again = NestedSteps(rk.NMCS(level=2).steps(), WORDS, 1, 1)
    again.restore(through_a_file(plan.state()))
    assert again.frontier().outcome == plan.frontier().outcome
    assert [again.next_job().task for _ in range(3)] == [job.task for job in jobs[1:]]


def test_a_budget_is_not_part_of_the_state():
    plan, jobs = first_step(received=[0])
    plan.retry(1)
    again = NestedSteps(rk.NMCS(level=2).steps(), WORDS, 1, 1)
    again.restore(through_a_file(plan.state()))
    assert again.next_job().task == jobs[0].task


@pytest.mark.parametrize("level", [1, 2])
def test_a_finished_run_is_restored_as_finished_with_its_answer(level):
    plan, again = (NestedSteps(rk.NMCS(level=level).steps(), WORDS, 1, 1) for _ in range(2))
    drive(plan, WORDS, random.Random(0), 1)
    again.restore(through_a_file(plan.state()))
    assert again.finished
    assert again.best == plan.best
    assert again.next_job() is None
    assert again.frontier() is None


def test_a_state_stays_as_it_is_when_the_plan_goes_on():
    plan, _ = first_step(received=[0, 1])
    state = plan.state()
    before = encode(state)
    drive(plan, WORDS, random.Random(0), 1, commits=1)
    plan.prune()
    assert encode(state) == before


def test_a_restored_run_keeps_its_atomic_level():
    plan, jobs = first_step(received=[0])
    again = NestedSteps(rk.NMCS(level=2).steps(), WORDS, 1, 2)
    again.restore(through_a_file(plan.state()))
    assert again.next_job().task == jobs[1].task


def test_a_run_without_a_legal_move_is_finished_at_once():
    plan = NestedSteps(rk.NMCS(level=2).steps(), WORDS, 1, 1, prefix=("a", "b", "c"))
    assert plan.finished
    assert plan.best.moves == ("a", "b", "c")


class GivesUp(rk.PythonProblem):
    """Playouts end after two moves at most, the search does not; and long lines score badly."""

    def start(self):
        return ((), 9)

    def moves(self, state):
        line, left = state
        return [0, 1, 2] if len(line) < 6 and left > 0 else []

    def begin_playout(self, state):
        return (state[0], sum(state[0]) % 3)

    def play(self, state, move):
        return ((*state[0], move), state[1] - 1)

    def score(self, state):
        return float(sum((7 * move + 3 * i * move * move + i) % 11 - 8 for i, move in enumerate(state[0])))


@pytest.mark.parametrize("search", [rk.NMCS(level=3), rk.Reflexive(level=3, games=3)], ids=["nmcs", "reflexive"])
@pytest.mark.parametrize("seed", range(4))
def test_the_atomic_level_does_not_matter_where_playouts_end_before_the_search_does(seed, search):
    runs = [rk.solve(GivesUp(), search, seed=seed, atomic_level=level) for level in (1, 2, 3)]
    assert len({(run.score, run.moves, run.playouts) for run in runs}) == 1


def test_replacements_are_told_at_the_commit_that_ends_a_step():
    plan, jobs = first_step(received=[0, 1, 2, 3])
    commits = [plan.commit() for _ in jobs]
    assert [len(commit.replacements) for commit in commits] == [0, 0, 0, 1]
    best = max((job.outcome.sequence for job in jobs), key=lambda sequence: sequence.score)
    assert commits[-1].replacements[0].sequence == best
