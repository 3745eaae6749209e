"""Rows: verdicts, corrected for their number."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rookery as rk
from rookery.papers.rows import NOT_AVAILABLE, Row, judged

ROW = Row("a", ("a",), asked=500, done=500, number=50.0, their_number=50.0, test="Fisher", p=1.0)


def verdicts(*rows: Row) -> list[str]:
    return [row.verdict for row in judged(rows)]


def test_verdicts_tell_the_direction() -> None:
    assert verdicts(ROW, replace(ROW, number=70.0, p=1e-9), replace(ROW, number=30.0, p=1e-9)) == [
        "agrees",
        "higher",
        "lower",
    ]


def test_holm_corrects_by_rank_as_in_a_worked_example() -> None:
    rows = judged([replace(ROW, p=p) for p in (0.9, 0.001, 0.02, 0.004)])
    assert [row.p_holm for row in rows] == pytest.approx([0.9, 0.004, 0.04, 0.012])


def test_a_difference_that_one_row_would_show_may_agree_among_many() -> None:
    odd = replace(ROW, number=55.0, p=0.02)
    assert verdicts(odd) == ["higher"]
    assert verdicts(odd, *[ROW] * 19)[0] == "agrees"


def test_rows_without_all_samples_have_no_verdict_and_do_not_count() -> None:
    short, full = judged([replace(ROW, done=20), replace(ROW, number=55.0, p=0.04)])
    assert short.verdict == "incomplete: 20 of 500"
    assert short.p_holm is None
    assert full.p_holm == 0.04


def test_a_row_that_its_scale_does_not_run_says_what_it_needs() -> None:
    assert verdicts(Row("a", (), asked=0, needs=7200.0)) == ["not run: needs 2.0 core-hours"]


def test_a_test_that_could_not_have_found_a_difference_gives_no_verdict() -> None:
    farthest = replace(ROW, number=66.0, their_number=71.0, p=0.095, least_p=0.095)
    assert verdicts(farthest) == ["no verdict at this scale"]
    assert verdicts(replace(farthest, p=0.4)) == ["agrees"]


def test_a_figure_without_a_test_has_no_verdict_and_one_whose_test_needs_more_runs_says_so() -> None:
    assert verdicts(replace(ROW, test="", p=None), replace(ROW, p=None)) == ["", "no verdict at this scale"]


def test_what_is_not_available_stays_so() -> None:
    assert verdicts(Row("figure 3", (), asked=0, verdict=NOT_AVAILABLE)) == ["not available"]


@pytest.mark.parametrize("data", [3, {}, {"name": "a", "labels": 3, "asked": 1, "done": 1}])
def test_what_is_no_row_is_refused(data: object) -> None:
    with pytest.raises(rk.InputError):
        Row.from_json(data)
