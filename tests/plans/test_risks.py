"""Risks: the paper's table, as its program has it and as its text words it, and what is learned from the run itself."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.plans.risks import SELECTS, Learned, LiteralTable, Table


def task_risk(select, iteration=5, best=60.0, level=2):
    return select.risk(level, iteration, best, 1, 1, 0)


def child_risk(select, left, size=100, best=60.0, level=3):
    """Of a child with so many of its iterations left, each of them one task."""
    return select.risk(level, 5, best, left, size, size)


def probability(risk):
    return 1 - math.exp(-risk)


# --- the table ---


@pytest.mark.parametrize(
    ("length", "expected"),
    [(178, 0.1), (150, 0.1), (149, 0.2), (140, 0.2), (120, 0.3), (119, 0.5), (64, 0.95), (63, 1.0), (-5, 1.0)],
)
def test_in_the_table_a_sequence_is_the_safer_the_longer_it_is(length, expected):
    assert Table().probability(length) == expected


def test_in_the_table_a_call_counts_once_however_many_of_its_tasks_are_unfinished():
    one = task_risk(Table(), best=140.0)
    assert probability(one) == pytest.approx(0.2)
    assert Table().risk(3, 5, 140.0, 7, 100, 100) == Table().risk(4, 0, 140.0, 100, 100, 100) == one


def test_what_is_certain_to_be_beaten_is_an_infinite_risk():
    assert task_risk(Table(), best=63.0) == math.inf
    assert task_risk(Table({10.0: 1.0, 20.0: 0.5}), best=10.0) == math.inf


def test_a_table_can_have_other_points():
    table = Table({10.0: 0.7, 20.0: 0.5})
    assert [table.probability(score) for score in (9, 10, 19, 20, 99)] == [1.0, 0.7, 0.7, 0.5, 0.5]


@pytest.mark.parametrize(
    ("length", "expected"), [(130, 0.1), (140, 0.2), (150, 0.3), (135, 0.15), (0, 0.01), (125, 0.05), (10_000, 0.99)]
)
def test_the_sentence_of_the_paper_read_literally_is_a_straight_line(length, expected):
    assert LiteralTable().probability(length) == pytest.approx(expected)


def test_read_literally_every_unfinished_task_is_a_risk_of_its_own():
    one = task_risk(LiteralTable(), best=140.0)
    assert probability(one) == pytest.approx(0.2)
    assert LiteralTable().risk(3, 5, 140.0, 7, 100, 100) == pytest.approx(7 * one)


@pytest.mark.parametrize("rule", [Table, LiteralTable])
def test_a_fixed_table_learns_nothing(rule):
    table = rule()
    table.learn(2, 5, 140.0, replaced=True, left=0)
    assert probability(task_risk(table, best=140.0)) == pytest.approx(0.2)


# --- what is learned ---


def taught(observations, **where):
    """A rule that has seen a task replace its best, or not, so often."""
    learned = Learned()
    for replaced in observations:
        learned.learn(where.get("level", 2), where.get("iteration", 5), where.get("best", 60.0), replaced, 0)
    return learned


def test_before_anything_was_seen_every_task_has_the_same_risk():
    assert probability(task_risk(Learned())) == pytest.approx(Learned.FIRST)
    assert task_risk(Learned(), iteration=99, best=-7.5) == task_risk(Learned())


def test_the_estimate_comes_to_what_was_seen():
    learned = taught([True, False, False, False] * 500)
    assert probability(task_risk(learned)) == pytest.approx(0.25, abs=0.01)


def test_a_best_that_was_always_replaced_is_not_certain_to_be():
    assert math.isfinite(task_risk(taught([True] * 10_000)))


def test_a_best_that_was_never_replaced_may_be():
    assert task_risk(taught([False] * 10_000)) > 0


def test_levels_are_told_apart():
    assert task_risk(taught([True] * 50), level=3) == task_risk(Learned())


def test_scores_are_told_apart_and_lean_on_the_level_where_little_was_seen():
    learned = taught([True] * 50, best=70.0)
    for _ in range(50):
        learned.learn(2, 5, 60.0, False, 0)
    low, unseen, high = (task_risk(learned, best=best) for best in (60.0, 65.0, 70.0))
    assert low < unseen < high


def test_early_iterations_are_told_apart_from_late_ones():
    learned = taught([True] * 50, iteration=1)
    for _ in range(50):
        learned.learn(2, 90, 60.0, False, 0)
    assert task_risk(learned, iteration=90) < task_risk(learned, iteration=1)
    assert task_risk(learned, iteration=70) == task_risk(learned, iteration=90)  # by powers of two


def test_the_more_iterations_of_a_call_are_left_the_greater_its_risk():
    risks = [child_risk(Learned(), left) for left in (1, 2, 3, 10, 50, 100)]
    assert risks == sorted(set(risks))


def test_a_call_of_which_half_an_iteration_is_left_has_the_risk_of_one():
    learned = Learned()
    assert learned.risk(4, 5, 60.0, 50, 10_000, 100) == learned.risk(4, 5, 60.0, 100, 10_000, 100)


def test_what_happens_near_the_end_of_a_call_is_learned_apart():
    learned = Learned()
    for _ in range(100):
        learned.learn(3, 5, 60.0, replaced=True, left=1)
        learned.learn(3, 5, 60.0, replaced=False, left=40)
    last, others = child_risk(learned, 1), child_risk(learned, 63) - child_risk(learned, 31)
    assert probability(last) > 0.8
    assert others / 32 < 0.01


@given(
    seen=st.lists(
        st.tuples(
            st.integers(2, 5),
            st.integers(0, 200),
            st.floats(allow_nan=False, allow_infinity=False),
            st.booleans(),
            st.integers(0, 100),
        ),
        max_size=20,
    ),
    asked=st.tuples(st.integers(2, 5), st.integers(0, 200), st.floats(allow_nan=False, allow_infinity=False)),
    left=st.integers(1, 100),
)
def test_a_risk_is_a_number_above_zero_whatever_was_seen(seen, asked, left):
    learned = Learned()
    for observation in seen:
        learned.learn(*observation)
    for risk in (learned.risk(*asked, 1, 1, 0), learned.risk(*asked, left, 100, 100)):
        assert 0 < risk < math.inf


def test_a_rule_is_made_by_its_name_and_knows_nothing_of_other_runs():
    assert [type(SELECTS[name]()) for name in SELECTS] == [Learned, Table, LiteralTable]
    SELECTS["learned"]().learn(2, 5, 60.0, True, 0)
    assert task_risk(SELECTS["learned"]()) == task_risk(Learned())
