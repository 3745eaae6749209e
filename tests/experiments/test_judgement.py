"""Judgements: medians, ranks, ties and distances of the runs of a suite, and how they are told and kept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rookery as rk
from rookery.experiments.judgement import Judgement, Known

KNOWN = {"up": Known(10.0, "theory", "max"), "down": Known(None, "the best run", "min")}
SCORES = {
    1.0: {
        "up": {"a": (9.0, 10.0, 8.0), "b": (5.0, 5.0, 6.0), "c": (9.0, 9.0, 9.0), "d": (1.0, 1.0, 1.0)},
        "down": {"a": (4.0, 2.0, 3.0), "b": (8.0, 8.0, 8.0), "c": (5.0, 5.0, 5.0), "d": (9.0, 9.0, 9.0)},
    }
}
JUDGED = Judgement("small", 3, KNOWN, SCORES, True)


def test_medians_of_a_problem_to_be_minimised_are_ranked_from_below() -> None:
    assert JUDGED.ranks(1.0) == {"a": 1.25, "b": 3.0, "c": 1.75, "d": 4.0}


def test_searches_that_a_test_does_not_tell_from_the_best_are_tied_with_it() -> None:
    runs = {"a": (8.0, 9.0, 9.0, 9.0, 10.0), "b": (1.0, 2.0, 3.0, 4.0, 5.0), "c": (7.0, 8.0, 8.5, 9.5, 10.0)}
    judged = Judgement("small", 5, {"up": KNOWN["up"]}, {1.0: {"up": runs}}, True)
    assert judged.first(1.0) == {"up": ("a", "c")}
    assert judged.tables(1.0)[0][1:] == [
        ["up", "10", "9 *", "3", "8.5 ="],
        ["mean rank", "", "1.00", "3.00", "2.00"],
        ["first or tied", "", "1", "0", "1"],
    ]


def test_where_less_is_better_the_least_is_first() -> None:
    judged = Judgement("small", 5, {"down": KNOWN["down"]}, {1.0: {"down": {"a": (9.0,) * 5, "b": (8.0,) * 5}}}, True)
    assert judged.first(1.0) == {"down": ("b",)}


def test_distances_are_shares_of_the_best_known_score() -> None:
    distances = JUDGED.distances(1.0)
    assert distances["up"] == {"a": 0.1, "b": 0.5, "c": 0.1, "d": 0.9}
    assert distances["down"]["b"] == 3.0  # the best run has 2


def test_a_median_beyond_the_best_known_score_has_a_distance_below_zero() -> None:
    better = Judgement("small", 1, {"up": KNOWN["up"]}, {1.0: {"up": {"a": (11.0,)}}}, True)
    assert better.distances(1.0)["up"]["a"] == pytest.approx(-0.1)


def test_a_judgement_is_read_as_it_was_saved(tmp_path: Path) -> None:
    JUDGED.save(tmp_path / "judged.json")
    assert Judgement.load(tmp_path / "judged.json") == JUDGED


@pytest.mark.parametrize("part", ["suite", "seeds", "known", "scores", "complete"])
def test_a_file_without_one_of_its_parts_is_refused(tmp_path: Path, part: str) -> None:
    data = JUDGED.to_json()
    del data[part]
    (tmp_path / "judged.json").write_text(json.dumps(data))
    with pytest.raises(rk.InputError, match=part):
        Judgement.load(tmp_path / "judged.json")


def test_tables_say_that_runs_are_missing() -> None:
    partial = Judgement("small", 4, KNOWN, SCORES, False)
    assert "runs are missing" in str(partial)
    assert "runs are missing" not in str(JUDGED)


def test_the_page_has_tables_and_sources() -> None:
    page = JUDGED.page("# About")
    assert page.startswith("# About\n\n## Which search is best\n\n| a problem like | in the suite | with 1 s |\n")
    assert "\n\n## Medians of 3 runs of 1 s\n" in page
    assert "| up | 10 | 9 * | 5 = | 9 * | 1 = |" in page
    assert "| down | 2 | the best run |" in page


def test_a_plot_has_a_panel_for_each_limit(tmp_path: Path) -> None:
    figure = Judgement("small", 3, KNOWN, {1.0: SCORES[1.0], 2.0: SCORES[1.0]}, True).plot(tmp_path / "plot.png")
    assert len(figure.axes) == 2
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")


def test_a_search_looks_the_same_in_all_panels() -> None:
    few = {case: {name: of[name] for name in "bd"} for case, of in SCORES[1.0].items()}
    left, right = Judgement("small", 3, KNOWN, {1.0: SCORES[1.0], 2.0: few}, True).plot().axes
    looks = {line.get_label(): (line.get_marker(), line.get_color()) for line in left.lines}
    assert {line.get_label(): (line.get_marker(), line.get_color()) for line in right.lines} == {
        name: looks[name] for name in "bd"
    }
