"""The speculation tree gives the sequential answer, whatever the order in which results arrive."""

from __future__ import annotations

import json
import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.plans.risks import Learned, LiteralTable, Table
from rookery.plans.speculation_tree import SpeculationTree
from rookery.rng import mix_int
from rookery.running.encoding import decode, encode
from rookery.search.nrpa import NRPA
from rookery.tasks import Outcome, Sequence, Weights


class FakeWorker:
    """Adapt without a problem: a policy is the history of what it was adapted to."""

    def value(self, task):
        return Weights((*task.policy.codes, task.sequence), np.zeros(len(task.policy) + 1))


def fake_result(task, spread):
    """A result that depends on the task's key and policy alone, as real ones do."""
    generator = random.Random(f"{task.key}{tuple(task.policy.codes)}")
    score = generator.randint(0, spread)
    moves = (score, generator.randint(0, 3))
    return Outcome(Sequence(float(score), moves, moves), 1, ((1, float(score)),), True, False)


class Told(SpeculationTree):
    """Remembers every replacement: the level, the iteration, the sequence and whether it was a tie."""

    def __init__(self, *given):
        super().__init__(*given)
        self.told = []

    def commit(self):
        commit = super().commit()
        self.told += [(r.level, r.iteration, r.sequence, r.tie) for r in commit.replacements]
        return commit


def sequential(search, level, policy, key, atomic, spread, told=None):
    """Algorithm 3 of Nagorko 2019 on the fake problem; every replacement is told."""
    told = [] if told is None else told
    if level == atomic:

        class Task:
            pass

        task = Task()
        task.key, task.policy = key, policy
        return fake_result(task, spread).sequence
    best = None
    for i in range(search.iterations_by_level[level]):
        new = sequential(search, level - 1, policy, mix_int(key, i), atomic, spread, told)
        tie = search.ties_by_level[level]
        codes = set(new.codes)
        if (
            best is None
            or new.score > best.score
            or (new.score == best.score and (tie < 0 or len(codes - set(best.codes)) / len(codes) > tie))
        ):
            told.append((level, i, new, best is not None and new.score == best.score))
            best = new
        policy = search.adapted(FakeWorker(), (), policy, best.moves)
    return best


def run(tree, workers, generator, spread):
    """Drive a tree with results in random order; returns the number of rounds and of jobs."""
    running, rounds, jobs = [], 0, 0
    while not tree.finished:
        while len(running) < workers:
            job = tree.next_job()
            if job is None:
                break
            running.append(job)
            jobs += 1
        rounds += 1
        job = running.pop(generator.randrange(len(running)))
        tree.receive(job, fake_result(job.task, spread))
        while tree.frontier() is not None:
            tree.commit()
        for unwanted in tree.discards:
            if unwanted in running:
                running.remove(unwanted)
    return rounds, jobs


TIES = st.sampled_from([">=", ">", 0.3, 0.6])


@given(
    order=st.integers(0, 10**6),
    workers=st.integers(1, 9),
    key=st.integers(0, 10**6),
    ties=st.tuples(TIES, TIES, TIES),
    spread=st.sampled_from([1, 4, 1000]),
    atomic=st.integers(1, 3),
)
def test_any_order_of_completion_gives_the_sequential_result(order, workers, key, ties, spread, atomic):
    search = NRPA(level=4, iterations=3, ties={2: ties[0], 3: ties[1], 4: ties[2]})
    tree, told = Told(search.nesting(FakeWorker()), key, atomic), []
    run(tree, workers, random.Random(order), spread)
    assert tree.best == sequential(search, 4, Weights(), key, atomic, spread, told)
    assert tree.told == told  # identical sequences included


@given(key=st.integers(0, 10**6))
def test_one_worker_computes_every_leaf_once(key):
    search = NRPA(level=3, iterations=4)
    tree = SpeculationTree(search.nesting(FakeWorker()), key, 1)
    assert run(tree, 1, random.Random(0), 5) == (16, 16)


def test_an_identical_sequence_discards_nothing():
    search = NRPA(level=2, iterations=4, ties=">=")
    tree = SpeculationTree(search.nesting(FakeWorker()), 0, 1)
    same = Outcome(Sequence(5.0, (1,), (1,)), 1, ((1, 5.0),), True, False)
    first = tree.next_job()
    assert tree.next_job() is None  # nothing is known that a policy could be adapted to
    tree.receive(first, same)
    later = [tree.next_job() for _ in range(3)]
    assert None not in later
    tree.receive(later[0], same)
    assert tree.discards == []


def test_a_replacement_by_an_identical_sequence_is_told_if_ties_replace():
    told = {}
    for ties in (">=", ">", 0.0):
        tree = SpeculationTree(NRPA(level=2, iterations=3, ties=ties).nesting(FakeWorker()), 0, 1)
        told[ties] = []
        while not tree.finished:
            again = Sequence(5.0, (1,), (1,))  # equal, and never the same object
            tree.receive(tree.next_job(), Outcome(again, 1, ((1, 5.0),), True, False))
            told[ties] += [(r.iteration, r.tie, r.identical) for r in tree.commit().replacements]
    assert told == {
        ">=": [(0, False, False), (1, True, True), (2, True, True)],
        ">": [(0, False, False)],
        0.0: [(0, False, False)],
    }


def test_a_better_result_discards_what_was_built_on_the_old_best():
    search = NRPA(level=2, iterations=4)
    tree = SpeculationTree(search.nesting(FakeWorker()), 0, 1)
    first = tree.next_job()
    tree.receive(first, Outcome(Sequence(5.0, (1,), (1,)), 1, (), True, False))
    later = [tree.next_job() for _ in range(3)]
    tree.receive(later[0], Outcome(Sequence(6.0, (2,), (2,)), 1, (), True, False))
    assert tree.discards == later[1:]


def test_memory_does_not_grow_with_the_iterations():
    search = NRPA(level=2, iterations=500)
    tree = SpeculationTree(search.nesting(FakeWorker()), 0, 1)
    most = 0
    while not tree.finished:
        tree.receive(job := tree.next_job(), fake_result(job.task, 5))
        tree.commit()
        most = max(most, len(tree._root.children))
    assert most <= 2


def test_a_stopped_job_is_the_end_of_the_prefix():
    search = NRPA(level=2, iterations=4)
    tree = SpeculationTree(search.nesting(FakeWorker()), 0, 1)
    tree.receive(tree.next_job(), Outcome(Sequence(5.0, (1,), (1,)), 1, (), True, False))
    tree.commit()
    running = [tree.next_job(), tree.next_job()]
    tree.receive(running[1], Outcome(Sequence(9.0, (3,), (3,)), 1, (), True, False))
    tree.receive(running[0], Outcome(Sequence(4.0, (2,), (2,)), 1, (), False, False))
    tree.prune()
    tree.commit()
    assert tree.best.score == 5.0  # not 9: the sequential search had not come that far
    assert not tree.finished


@pytest.mark.parametrize("budget", [1, 5])
def test_a_retried_job_has_the_new_budget(budget):
    tree = SpeculationTree(NRPA(level=2, iterations=4).nesting(FakeWorker()), 0, 1)
    tree.receive(tree.next_job(), Outcome(Sequence(5.0, (1,), (1,)), 10, (), True, False))
    tree.retry(budget)
    assert tree.frontier() is None
    task = tree.next_job().task
    assert (task.budget, task.target) == (budget, math.inf)


# --- workers that die ---


def run_with_deaths(tree, workers, generator, spread):
    """Drive a tree with workers that die: their jobs are computed later, by others; some answer after all."""
    running, lost, answered = [], [], []
    while not tree.finished:
        while len(running) < workers:
            job = lost.pop(generator.randrange(len(lost))) if lost else tree.next_job()
            if job is None:
                break
            running.append(job)
        job = running.pop(generator.randrange(len(running)))
        if generator.random() < 0.4:
            lost.append(job)
            continue
        outcome = fake_result(job.task, spread)
        tree.receive(job, outcome)
        answered.append((job, outcome))
        if generator.random() < 0.3:
            tree.receive(*generator.choice(answered))
        while tree.frontier() is not None:
            tree.commit()
        unwanted, tree.discards = tree.discards, []
        running = [job for job in running if job not in unwanted]
        lost = [job for job in lost if job not in unwanted]


@given(
    order=st.integers(0, 10**6),
    workers=st.integers(1, 9),
    key=st.integers(0, 10**6),
    ties=st.tuples(TIES, TIES),
    spread=st.sampled_from([1, 4, 1000]),
    atomic=st.integers(1, 2),
)
def test_any_death_of_workers_gives_the_sequential_result(order, workers, key, ties, spread, atomic):
    search = NRPA(level=3, iterations=4, ties={2: ties[0], 3: ties[1]})
    tree = SpeculationTree(search.nesting(FakeWorker()), key, atomic)
    run_with_deaths(tree, workers, random.Random(order), spread)
    assert tree.best == sequential(search, 3, Weights(), key, atomic, spread)


def test_an_answer_that_comes_twice_counts_once():
    tree = SpeculationTree(NRPA(level=2, iterations=3).nesting(FakeWorker()), 0, 1)
    job = tree.next_job()
    for _ in range(2):
        tree.receive(job, fake_result(job.task, 5))
    assert tree._root.unfinished == 2


# --- a tree on disk ---


def through_a_file(state):
    return decode(json.loads(json.dumps(encode(state))))


def drive(tree, workers, generator, spread, events=10**9):
    """Let so many things happen, also commits that come late; returns how many commits there were."""
    running, commits = [], 0
    for _ in range(events):
        if tree.finished:
            break
        while len(running) < workers and (job := tree.next_job()) is not None:
            running.append(job)
        if running:
            job = running.pop(generator.randrange(len(running)))
            tree.receive(job, fake_result(job.task, spread))
        while tree.frontier() is not None and (not running or generator.random() < 0.6):
            tree.commit()
            commits += 1
        unwanted, tree.discards = tree.discards, []
        running = [job for job in running if job not in unwanted]
    return commits


@settings(max_examples=300)
@given(
    order=st.integers(0, 10**6),
    workers=st.tuples(st.integers(1, 9), st.integers(1, 9), st.integers(1, 9)),
    key=st.integers(0, 10**6),
    ties=st.tuples(TIES, TIES, TIES),
    spread=st.sampled_from([1, 4, 1000]),
    atomic=st.integers(1, 3),
    events=st.tuples(st.integers(0, 40), st.integers(0, 40)),
)
def test_a_tree_that_is_saved_at_any_moment_goes_on_to_the_sequential_result(
    order, workers, key, ties, spread, atomic, events
):
    search = NRPA(level=4, iterations=3, ties={2: ties[0], 3: ties[1], 4: ties[2]})
    generator = random.Random(order)
    commits, best, state, told, expected = 0, None, None, [], []
    for moment, size in zip((*events, 10**9), workers, strict=True):
        tree = Told(search.nesting(FakeWorker()), key, atomic)
        if state is not None:
            tree.restore(through_a_file(state))
            assert tree.best == best
        commits += drive(tree, size, generator, spread, moment)
        state, best, told = tree.state(), tree.best, told + tree.told
    assert tree.finished
    assert tree.best == sequential(search, 4, Weights(), key, atomic, spread, expected)
    assert told == expected
    assert commits == 3 ** (4 - atomic)


def test_leaves_that_were_finished_ahead_of_their_turn_are_not_computed_again():
    search = NRPA(level=3, iterations=4)
    tree, again = (SpeculationTree(search.nesting(FakeWorker()), 7, 1) for _ in range(2))
    worst = Outcome(Sequence(0.0, (0,), (0,)), 1, (), True, False)
    tree.receive(tree.next_job(), Outcome(Sequence(5.0, (1,), (1,)), 1, (), True, False))
    jobs = [tree.next_job() for _ in range(5)]
    for job in jobs[1:]:
        tree.receive(job, worst)
    again.restore(through_a_file(tree.state()))
    keys = {job.task.key for job in jobs[1:]}
    handed_out = []
    while (job := again.next_job()) is not None:
        handed_out.append(job.task.key)
    assert handed_out[0] == jobs[0].task.key
    assert not keys & set(handed_out)


def test_what_was_stopped_and_what_follows_it_is_no_part_of_the_state():
    search = NRPA(level=2, iterations=4)
    tree, again = (SpeculationTree(search.nesting(FakeWorker()), 7, 1) for _ in range(2))
    tree.receive(tree.next_job(), Outcome(Sequence(5.0, (1,), (1,)), 1, (), True, False))
    jobs = [tree.next_job() for _ in range(3)]
    tree.receive(jobs[0], Outcome(Sequence(9.0, (2,), (2,)), 1, (), False, False))
    again.restore(through_a_file(tree.state()))
    assert [again.frontier().outcome.sequence.score, again.next_job().task.key] == [5.0, jobs[0].task.key]


def test_a_state_stays_as_it_is_when_the_tree_goes_on():
    tree = SpeculationTree(NRPA(level=3, iterations=4).nesting(FakeWorker()), 7, 1)
    generator = random.Random(1)
    drive(tree, 4, generator, 4, 6)
    state = tree.state()
    before = json.dumps(encode(state))
    drive(tree, 4, generator, 4, 6)
    assert json.dumps(encode(state)) == before


# --- what is discarded, and what is kept ---


@given(order=st.integers(0, 10**6), workers=st.integers(1, 9), ties=TIES)
def test_an_identical_sequence_discards_nothing_at_any_level(order, workers, ties):
    tree = SpeculationTree(NRPA(level=4, iterations=3, ties=ties).nesting(FakeWorker()), 0, 1)
    generator = random.Random(order)
    running, jobs, discarded = [], 0, []
    while not tree.finished:
        while len(running) < workers and (job := tree.next_job()) is not None:
            running.append(job)
            jobs += 1
        job = running.pop(generator.randrange(len(running)))
        again = tuple([3, 1])  # equal, and never the same object
        tree.receive(job, Outcome(Sequence(5.0, again, again), 1, ((1, 5.0),), True, False))
        while tree.frontier() is not None:
            tree.commit()
        discarded += tree.discards
        tree.discards = []
    assert (jobs, discarded) == (27, [])


def policies(node):
    """The policies that a tree holds on to below a node, by their identity."""
    held = {id(policy): policy for policy in (node.policy, node.base_policy) if policy is not None}
    task = None if node.job is None else node.job.task
    if hasattr(task, "policy"):
        held[id(task.policy)] = task.policy
    for child in node.children:
        held |= policies(child)
    return held


@pytest.mark.parametrize("workers", [1, 4, 16])
@pytest.mark.parametrize("spread", [4, 1000])
def test_the_policies_alive_do_not_grow_with_the_iterations(workers, spread):
    generator = random.Random(1)
    tree = SpeculationTree(NRPA(level=3, iterations=40, ties=">").nesting(FakeWorker()), 0, 1)
    running, most = [], 0
    while not tree.finished:
        while len(running) < workers and (job := tree.next_job()) is not None:
            running.append(job)
        most = max(most, len(policies(tree._root)))
        job = running.pop(generator.randrange(len(running)))
        tree.receive(job, fake_result(job.task, spread))
        while tree.frontier() is not None:
            tree.commit()
        unwanted, tree.discards = tree.discards, []
        running = [job for job in running if job not in unwanted]
    assert most <= 3 * (workers + 2)  # of 1,640 calls


# --- select ---


class Fixed:
    """Risks in eighths, so that sums of them are exact in any order; many are equal."""

    def __init__(self, salt):
        self._salt = salt

    def risk(self, level, iteration, best, unfinished, leaves, size):
        return unfinished * random.Random(f"{self._salt} {level} {iteration} {best}").randint(0, 3) / 8

    def learn(self, level, iteration, best, replaced, left):
        pass


class Taught(Learned):
    """Has learned from some run, and learns no more: what it says does not change behind the tree's back."""

    def __init__(self, salt):
        super().__init__()
        generator = random.Random(salt)
        for _ in range(300):
            level, left = generator.randint(2, 4), generator.choice([0, 0, 1, 2, 3])
            score, replaced = float(generator.randint(0, 4)), generator.random() < 0.4
            super().learn(level, generator.randint(0, 2), score, replaced, left)

    def learn(self, level, iteration, best, replaced, left):
        pass


SELECTS = {
    "fixed": Fixed,
    "taught": Taught,
    "table": lambda salt: Table({1.0: 0.95, 2.0: 0.5, 4.0: 0.1}),  # of a best of 0, nothing is computed ahead
    "literal": lambda salt: LiteralTable({1.0: 0.1, 4.0: 0.5}),
}


def finished_tasks(tree, node):
    """Counted one by one; children that were forgotten are finished."""
    if node.committed or node.level == tree._atomic:
        done = node.committed or (node.job is not None and node.job.outcome is not None)
        return 3 ** (node.level - tree._atomic) if done else 0
    forgotten = node.first * 3 ** (node.level - 1 - tree._atomic)
    return forgotten + sum(finished_tasks(tree, child) for child in node.children)


def candidates(tree, node, key, risk=0.0):
    """Risk and key of every leaf that could be computed now, in order, from the definition in section V.C."""
    if node.committed:
        return
    if node.level == tree._atomic:
        if node.job is None:
            yield risk, key
        return
    for child in node.children:
        yield from candidates(tree, child, mix_int(key, child.index), risk)
        leaves = 3 ** (child.level - tree._atomic)
        unfinished = leaves - finished_tasks(tree, child)
        if unfinished and child.best is None:
            return  # nothing is known that later policies could be adapted to
        if unfinished:
            size = 0 if child.level == tree._atomic else 3
            risk += tree._risks.select.risk(node.level, child.index, child.best.score, unfinished, leaves, size)
        if risk == math.inf:
            return  # never
    index = node.first + len(node.children)
    if index < 3:
        key = mix_int(key, index)
        for _ in range(node.level - 1 - tree._atomic):
            key = mix_int(key, 0)
        yield risk, key


@pytest.mark.parametrize("name", SELECTS)
@given(
    order=st.integers(0, 10**6),
    workers=st.integers(1, 9),
    key=st.integers(0, 10**6),
    atomic=st.integers(1, 3),
    spread=st.sampled_from([1, 4]),
)
def test_the_leaf_of_the_least_risk_is_next_and_the_first_of_equals(order, workers, key, name, atomic, spread):
    search = NRPA(level=4, iterations=3, ties=0.3)
    tree = SpeculationTree(search.nesting(FakeWorker()), key, atomic, select=SELECTS[name](order))
    generator, running = random.Random(order), []
    while not tree.finished:
        while len(running) < workers:
            possible = list(candidates(tree, tree._root, key))
            least = min((risk for risk, _ in possible), default=math.inf)
            assert tree.risk == pytest.approx(least, abs=1e-12)
            job = tree.next_job()
            if job is None:
                assert possible == []
                break
            close = [leaf for risk, leaf in possible if risk <= least + 1e-9]
            assert job.task.key in (close[:1] if name == "fixed" else close)
            running.append(job)
        job = running.pop(generator.randrange(len(running)))
        tree.receive(job, fake_result(job.task, spread))
        while tree.frontier() is not None:
            tree.commit()
        unwanted, tree.discards = tree.discards, []
        running = [job for job in running if job not in unwanted]
