"""Nagorko 2019: what its works compute."""

from __future__ import annotations

from pathlib import Path

import rookery as rk
from rookery.papers.parallel2019.depth import Deeper, wins
from rookery.papers.parallel2019.records import RUNS
from rookery.papers.parallel2019.speed_up import SIZES, Size, simulated
from rookery.papers.works import Hands


def test_the_sample_run_takes_nine_eight_and_six_steps(tmp_path: Path) -> None:
    found = rk.papers.reproduce("parallel-nrpa-2019", "figure 1", out=tmp_path)
    assert [(row.ours, row.theirs, row.verdict) for row in found.items[0].rows] == [
        ("9", "9", "agrees"),
        ("8", "8", "agrees"),
        ("6", "6", "agrees"),
    ]


def test_full_has_as_many_tasks_as_the_paper() -> None:
    assert SIZES[-1].iterations ** 3 == 512_000
    assert SIZES[-1].workers == 768


def test_simulated_runs_tell_the_efficiency_of_each_rule_their_bound_and_their_courses() -> None:
    sample = simulated("5D", Size(4, 8, 0.0, "quick"), 1, Hands())
    assert set(sample["efficiency"]) == set(sample["speedup"]) == {"table", "literal", "learned"}
    assert all(0 < efficiency <= sample["oracle"] <= 1 for efficiency in sample["efficiency"].values())
    assert all(len(speedup) == len(sample["best"]) for speedup in sample["speedup"].values())
    assert sample["best"][-1] == sample["score"]
    assert sample["playouts"] == 4 * (3 * 64 + sum(sample["in_vain"].values()))


def test_the_deeper_search_is_better_only_if_a_sign_test_says_so() -> None:
    claim = Deeper("deeper is better", 50.0)
    assert claim.p([1.0] * 19 + [0.0]) == 1.0
    assert claim.p([0.0] * 19 + [1.0]) == 0.0
    assert claim.p([1.0] * 6 + [0.0] * 4 + [0.5] * 9) is None
    assert wins([{"deep": 75, "wide": 70}, {"deep": 70, "wide": 70}, {"deep": 69, "wide": 70}]) == [1.0, 0.5, 0.0]


def test_the_counts_of_records_are_the_papers() -> None:
    assert RUNS == {80: (10, {178: 10}), 70: (20, {178: 10, 177: 9})}
