"""Suites: cases with best known scores on which searches are judged at equal time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from rookery.cli.suite import about
from rookery.experiments.judgement import Judgement
from rookery.experiments.power import power_suite
from rookery.experiments.suite import Case, Suite


def small(names: str = "abcd") -> Suite:
    """Two small problems, and searches of which more iterations are better."""
    cases = (
        Case("short", "leftmove", {"depth": 8}, 8.0, "all to the left"),
        Case("long", "leftmove", {"depth": 20}, 20.0, "all to the left"),
    )
    return Suite("small", cases, {n: rk.NRPA(level=1, iterations=i) for i, n in enumerate(names, 1)})


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


def test_only_some_searches_are_run_and_the_scores_of_the_others_are_those_that_were_kept(tmp_path: Path) -> None:
    kept = small("abc").run([0.2], seeds=1)
    marked = Judgement.from_json(
        {**kept.to_json(), "scores": {"0.2": {case: {n: [-1.0] for n in "abc"} for case in kept.known}}}
    )
    judged = small("abcd").run([0.2, 0.3], seeds=1, folder=tmp_path, only=["d"], kept=marked)
    assert judged.searches(0.2) == ("a", "b", "c", "d")
    assert judged.scores[0.2]["long"]["a"] == (-1.0,)
    assert judged.scores[0.2]["long"]["d"][0] > 0
    assert judged.searches(0.3) == ("d",)  # the only one of the three best that is run
    assert len(list(tmp_path.glob("0.2s/*.run.json"))) == 2


def test_only_some_problems_are_run_and_the_scores_on_the_others_are_those_that_were_kept(tmp_path: Path) -> None:
    kept = small("ab").run([0.2], seeds=1)
    marked = Judgement.from_json(
        {**kept.to_json(), "scores": {"0.2": {case: {n: [-1.0] for n in "ab"} for case in kept.known}}}
    )
    judged = small("ab").run([0.2], seeds=1, folder=tmp_path, only=["b"], on=["long"], kept=marked)
    assert judged.scores[0.2]["short"] == marked.scores[0.2]["short"]
    assert judged.scores[0.2]["long"]["a"] == (-1.0,)
    assert judged.scores[0.2]["long"]["b"][0] > 0
    assert len(list(tmp_path.glob("0.2s/*.run.json"))) == 1


def test_searches_that_do_not_go_on_leave_what_was_kept() -> None:
    kept = small("abcd").run([0.2], seeds=1)
    low = {case: {n: [0.0 if n == "d" else 9.0] for n in "abcd"} for case in kept.known}
    marked = Judgement.from_json({**kept.to_json(), "scores": {"0.2": low, "0.3": low}})
    judged = small("abcd").run([0.2, 0.3], seeds=1, only=[], kept=marked)
    assert judged == marked


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"only": ["e"]}, "searches must be some of a, b, got 'e'"),
        ({"on": ["e"]}, "problems must be some of short, long, got 'e'"),
        ({"seeds": 2}, "what is kept must have seeds 2 and the problems of this suite, got seeds 1 and short, long"),
    ],
)
def test_what_does_not_fit_the_suite_is_refused(more: dict[str, Any], message: str) -> None:
    kept = Judgement.from_json({**small("ab").run([0.1], seeds=1).to_json()})
    with pytest.raises(rk.InputError, match=message):
        small("ab").run([0.1], **{"seeds": 1, "kept": kept, **more})
