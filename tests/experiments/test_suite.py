"""Suites: cases with best known scores on which searches are judged at equal time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from rookery.cli.suite import about
from rookery.experiments.power import power_suite
from rookery.experiments.suite import Case, Judgement, Known, Suite

KNOWN = {"up": Known(10.0, "theory", "max"), "down": Known(None, "the best run", "min")}
SCORES = {
    1.0: {
        "up": {"a": (9.0, 10.0, 8.0), "b": (5.0, 5.0, 6.0), "c": (9.0, 9.0, 9.0), "d": (1.0, 1.0, 1.0)},
        "down": {"a": (4.0, 2.0, 3.0), "b": (8.0, 8.0, 8.0), "c": (5.0, 5.0, 5.0), "d": (9.0, 9.0, 9.0)},
    }
}
JUDGED = Judgement("small", 3, KNOWN, SCORES, True)


def small(names: str = "abcd") -> Suite:
    """Two small problems, and searches of which more iterations are better."""
    cases = (
        Case("short", "leftmove", {"depth": 8}, 8.0, "all to the left"),
        Case("long", "leftmove", {"depth": 20}, 20.0, "all to the left"),
    )
    return Suite("small", cases, {n: rk.NRPA(level=1, iterations=i) for i, n in enumerate(names, 1)})


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


def test_the_three_best_go_on_to_the_next_limit() -> None:
    judged = small().run([0.2, 0.3], seeds=1)
    ranks = judged.ranks(0.2)
    assert set(judged.searches(0.3)) == set(sorted(ranks, key=lambda name: ranks[name])[:3])
    assert judged.complete


def test_runs_that_are_there_are_not_made_again(tmp_path: Path) -> None:
    first = small("ab").run([0.2], seeds=2, folder=tmp_path)
    files = {file: file.stat().st_mtime_ns for file in (tmp_path / "0.2s").glob("*.run.json")}
    assert len(files) == 8
    assert small("ab").run([0.2], seeds=2, folder=tmp_path) == first
    assert {file: file.stat().st_mtime_ns for file in files} == files


def test_an_interrupt_before_the_first_run_of_a_later_limit_leaves_the_earlier_ones(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*given: Any, stop: rk.Stop, **options: Any) -> Any:
        if stop.time == 0.3:
            raise KeyboardInterrupt
        return rk.experiment(*given, stop=stop, **options)

    monkeypatch.setattr("rookery.experiments.suite.experiment", interrupted)
    judged = small("ab").run([0.2, 0.3], seeds=1)
    assert list(judged.scores) == [0.2]
    assert not judged.complete


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


@pytest.mark.parametrize("seconds", [[], [0], [-1], [2, 1], [1, 1], [float("nan")]])
def test_limits_that_do_not_rise_from_zero_are_refused(seconds: list[float]) -> None:
    with pytest.raises(rk.InputError, match="seconds"):
        small().run(seconds)


def test_every_case_of_the_power_suite_loads_and_every_built_in_search_is_judged() -> None:
    suite = power_suite()
    assert len(suite.cases) == 10
    assert all(case.load().sense in ("max", "min") for case in suite.cases)
    assert set(suite.searches) == set(rk.tools.builtin_searches())


def test_a_folder_with_standard_instances_takes_the_place_of_generated_ones(tmp_path: Path) -> None:
    files = {"samegame/standard20.txt": "0 1\n2 2\n", "tsptw/rc_208.1.txt": "2\n0 3\n4 0\n0 9\n1 5\n"}
    files["jobshop/ft10.txt"] = "1 1\n0 3\n"
    for name, text in files.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text)
    cases = {case.problem: case.load() for case in power_suite(tmp_path).cases}
    assert cases["tsptw"].distance[1, 0] == 4.0  # type: ignore[union-attr]
    assert cases["jobshop"].duration.tolist() == [[3]]  # type: ignore[union-attr]
    assert cases["samegame"].cells.tolist() == [[0, 1], [2, 2]]  # type: ignore[union-attr]


def test_a_folder_without_them_is_refused(tmp_path: Path) -> None:
    with pytest.raises(rk.InputError, match="must have"):
        power_suite(tmp_path)


def test_the_pages_about_searches_are_those_of_the_runs_that_are_kept() -> None:
    docs = Path(__file__).parents[2] / "docs"
    judged = Judgement.load(docs / "data" / "power.json")
    beginning = about("power", [*judged.scores], judged.seeds, True, "images/power.svg")
    assert (docs / "power.md").read_text(encoding="utf-8").startswith(judged.page(beginning))
    assert judged.choices() in (docs / "which-search.md").read_text(encoding="utf-8")
    assert (docs / "images" / "power.svg").is_file()
