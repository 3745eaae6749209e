"""A portfolio: everything is tried, what finds more gets more, and only what is committed decides."""

from __future__ import annotations

import copy
import json

import pytest

from rookery.errors import InputError
from rookery.plans.plan import Commit, Job
from rookery.plans.portfolio import Arm, Portfolio
from rookery.plans.stored import Part
from rookery.running.encoding import decode, encode
from rookery.tasks import Outcome, Sequence, Task


class Chain:
    """A plan of tasks of 10 playouts, of which two can be computed at a time; the n-th scores ``scores(n)``."""

    iteration_is_playout, keeps_best, finished, risk = True, True, False, 0.0

    def __init__(self, scores) -> None:
        self.scores, self.made, self.done, self.gifts = scores, 0, 0, []
        self.best, self.discards, self.jobs = None, [], []

    def next_job(self):
        if len(self.jobs) == 2:
            return None
        self.jobs.append(Job(Task(search=self, key=self.made)))
        self.made += 1
        return self.jobs[-1]

    def receive(self, job, outcome):
        job.outcome = outcome

    def frontier(self):
        return self.jobs[0] if self.jobs and self.jobs[0].outcome is not None else None

    def commit(self):
        found = self.jobs.pop(0).outcome.sequence
        self.done += 1
        if self.best is None or found.score > self.best.score:
            self.best = found
        return Commit()

    def prune(self):
        del self.jobs[1:]

    def state(self):
        return {"done": self.done, "best": self.best}

    def check(self, state):
        state["done"].whole(0, 1000)

    def restore(self, state):
        self.done = self.made = state["done"]
        self.best = state["best"]


class Welcoming(Chain):
    def welcome(self, line):
        self.gifts.append(line.score)


def outcome(job) -> Outcome:
    score = float(job.task.search.scores(job.task.key))
    return Outcome(
        Sequence(score, (job.task.key,)), 10, ((10, score),), finished=True, reached_target=False, seconds=2.0
    )


SLOW, FAST, OTHER, BAD = (lambda n: n, lambda n: 3 * n, lambda n: 2 * n, lambda n: -n)


def made(*scores, families="aabb", budget=1000, unit="playouts"):
    plans = []

    def arm(i, of):
        def make():
            plans.append(Welcoming(of))
            return plans[-1]

        return Arm(f"arm {i}", families[i], make)

    arms = [arm(i, of) for i, of in enumerate(scores or (SLOW, FAST, OTHER, BAD))]
    return Portfolio(lambda playouts, unit: arms, 1000.0, budget, unit), plans


def driven(plan, commits, last_first=False):
    """Commit so many tasks, their outcomes coming in order or the other way round; who had its turn each time."""
    turns = []
    while len(turns) < commits:
        jobs = []
        while (job := plan.next_job()) is not None:
            jobs.append(job)
        for job in reversed(jobs) if last_first else jobs:
            plan.receive(job, outcome(job))
        while plan.frontier() is not None and len(turns) < commits:
            turns.append(plan._turns[0][0])
            plan.commit()
    return turns


def test_all_are_tried_then_the_better_half_and_then_most_goes_to_the_winner():
    plan, _ = made(budget=10_000)
    turns = driven(plan, 920)
    assert turns[:80] == [i for i in range(4) for _ in range(20)]  # 8% of 10,000 playouts, 10 at a time
    assert turns[80:120] == [*[1] * 20, *[2] * 20]  # 4%
    assert turns[120:520] == [*[1] * 70, *[2] * 30] * 4
    assert turns[520:] == [*[1] * 85, *[2] * 15] * 4  # half of the budget is spent
    assert plan.best.score == max(FAST(n) for n in range(turns.count(1)))


def test_decisions_are_told_with_the_scores_that_made_them():
    plan, _ = made()
    driven(plan, 80)
    assert plan.decisions == [
        "try arm 0, arm 1, arm 2, arm 3",
        "arm 1 3, arm 2 2, arm 0 1, arm 3 0: go on with arm 1 and arm 2",
        "arm 1 9, arm 2 6: go on with arm 1 and arm 2",
        "shares of the playouts: arm 0 2%, arm 1 71%, arm 2 24%, arm 3 2%",
    ]


def test_another_family_stays_in_however_bad_it_is():
    plan, _ = made(FAST, OTHER, SLOW, BAD, families="aaab")
    turns = driven(plan, 40)
    assert set(turns[8:]) == {0, 1, 3}
    assert set(turns[14:]) == {0, 3}
    assert turns[14:].count(0) > turns[14:].count(3)


def test_of_two_there_is_nothing_to_halve():
    plan, _ = made(FAST, SLOW, families="ab")
    assert driven(plan, 18) == [*[0] * 4, *[1] * 4, *[0] * 7, *[1] * 3]


def test_a_second_that_is_far_behind_gets_little_once_half_of_the_budget_is_spent():
    plan, _ = made(lambda n: 100 + n, BAD, families="ab", budget=2500)
    turns = driven(plan, 145)
    assert turns[:120] == [*[0] * 10, *[1] * 10, *[*[0] * 18, *[1] * 8, *[0] * 17, *[1] * 7] * 2]
    assert turns[120:] == [*[0] * 23, 1, 1]


def test_plans_are_compared_by_what_they_had_found_at_equal_cost():
    plan, _ = made(lambda n: 15 + n // 10, lambda n: n, families="ab", budget=2500)
    turns = driven(plan, 46)
    assert turns == [*[0] * 10, *[1] * 10, *[0] * 18, *[1] * 8]
    assert plan.decisions[-2] == "arm 1 17, arm 0 16: go on with arm 1 and arm 0"


def test_what_is_found_after_a_gift_decides_nothing():
    plan, plans = made(FAST, lambda n: n if not plans[1].gifts else 10_000, families="ab")
    turns = driven(plan, 200)
    assert plan.best.score == 10_000
    assert turns[100:].count(0) > 4 * turns[100:].count(1)


def test_what_a_task_costs_more_than_its_turn_is_taken_from_later_turns():
    plan, _ = made(FAST, SLOW, families="ab", budget=100)
    turns = driven(plan, 200)
    assert turns[:2] == [0, 1]  # 10 playouts each, where 4 were due
    assert 7 <= turns[100:].count(1) <= 9  # 8% of them


def test_who_overtakes_the_winner_becomes_the_winner():
    plan, _ = made(lambda n: 10 if n < 20 else 11, lambda n: n, families="ab")
    turns = driven(plan, 200)
    later = turns[-40:]
    assert later.count(1) > 3 * later.count(0)
    assert any("go on with arm 1 and arm 0" in told for told in plan.decisions)


def test_the_order_in_which_outcomes_come_decides_nothing():
    one, other = made()[0], made()[0]
    assert driven(one, 60) == driven(other, 60, last_first=True)
    assert one.decisions == other.decisions


def test_seconds_count_where_the_budget_is_time():
    plan, _ = made(budget=200.0, unit="seconds")
    assert driven(plan, 16)[:8] == [0, 0, 1, 1, 2, 2, 3, 3]


def test_the_best_is_given_to_those_who_go_on_in_the_last_fifth_of_the_budget():
    plan, plans = made(budget=10_000)
    driven(plan, 819)
    assert [chain.gifts for chain in plans] == [[], [], [], []]
    driven(plan, 1)  # 82% have had their turns
    assert [len(chain.gifts) for chain in plans] == [0, 1, 1, 0]


def test_who_is_given_up_has_its_jobs_taken_away():
    plan, plans = made()
    driven(plan, 7)
    left = plan.next_job()  # one more of the last arm
    assert left.task.search is plans[3]
    plan.receive(plans[3].jobs[0], outcome(plans[3].jobs[0]))
    plan.commit()
    assert left in plan.discards
    plan.receive(left, outcome(left))  # too late


def test_a_plan_that_is_restored_continues_as_if_nothing_had_happened():
    for cut in (3, 8, 11, 30):
        plan, again = made()[0], made()[0]
        driven(plan, cut)
        plan.prune()
        state = decode(json.loads(json.dumps(encode(plan.state()))))
        again.check(Part("plan", state))
        again.restore(state)
        assert driven(again, 60 - cut) == driven(made()[0], 60)[cut:]


@pytest.mark.parametrize(
    ("place", "value", "message"),
    [
        (("budget",), -1.0, "budget must be at least 0"),
        (("unit",), "hours", "unit must be one of playouts, seconds"),
        (("playouts",), -1.0, "playouts must be"),
        (("number",), 1.5, "number must be a whole number"),
        (("turns",), [], "turns must have 1 to 4 parts"),
        (("turns",), [[1, 5.0], [1, 5.0]], "turns must be turns of different plans"),
        (("turns", 0), [0, 5.0], r"turns\[0\]\[0\] must be a plan that was not given up"),
        (("turns", 0), [4, 5.0], r"turns\[0\]\[0\] must be from 0 to 3"),
        (("spent",), "much", "spent must be a finite number"),
        (("plans",), [None], "plans must have 4 parts"),
        (("found", 1), None, "best must be of the score 6"),
        (("log",), [7], r"log\[0\] must be a text"),
        (("had", 2), -1.0, r"had\[2\] must be at least 0"),
        (("owed", 0), -1.0, r"owed\[0\] must be at least 0"),
        (("curves",), [], "curves must have 4 parts"),
        (("curves", 1, 0, 0), 1e9, r"curves\[1\]\[0\]\[0\] must be from 0 to"),
        (("curves", 1, 1, 1), 0.0, r"curves\[1\]\[1\]\[1\] must be above"),
    ],
)
def test_a_state_that_cannot_be_is_refused(place, value, message):
    plan, _ = made()
    driven(plan, 12)
    state = copy.deepcopy(plan.state())
    inside = state
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = value
    with pytest.raises(InputError, match=message):
        made()[0].check(Part("plan", state))
