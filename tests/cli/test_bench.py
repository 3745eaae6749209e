"""``rookery bench``: what it measures and prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import bench, main, suite
from rookery.experiments.suite import Case, Suite

SMALL = ("bench", "leftmove", "-p", "depth=8", "--iterations", "10", "--repetitions", "3")


def test_each_repetition_has_a_seed_and_a_rate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--json", "--seed", "7"]) == 0
    (case,) = json.loads(capsys.readouterr().out)["cases"]
    assert case["seeds"] == [7, 8, 9]
    assert case["playouts"] == [100, 100, 100]
    assert case["best"] == max(case["rates"])
    assert case["median"] == sorted(case["rates"])[1]


def test_the_table_has_a_line_for_each_case(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL]) == 0
    head, line = capsys.readouterr().out.splitlines()
    assert head.split() == ["case", "playouts", "best/s", "median/s", "each", "run"]
    assert line.startswith("leftmove depth=8 nrpa level 2 ")


def test_sampling_makes_the_playouts_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("bench", "leftmove", "--algorithm", "sampling", "--playouts", "50", "--repetitions", "1", "--json")
    main(arguments)
    assert json.loads(capsys.readouterr().out)["cases"][0]["playouts"] == [50]


def test_without_a_problem_the_standard_set_is_measured(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    small = tuple(("leftmove", {"depth": "8"}, case[2]) for case in bench.STANDARD[:2])
    monkeypatch.setattr(bench, "STANDARD", small)
    assert main(["bench", "--repetitions", "1", "--playouts", "100", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["cases"]) == 2


def test_the_standard_set_has_the_cases_that_are_promised() -> None:
    cases = [(name, given, search.name) for name, given, search in bench.STANDARD]
    assert cases == [
        ("morpion", {"variant": "5T"}, "nrpa"),
        ("morpion", {"variant": "5D"}, "nrpa"),
        ("tsp", {"n": "50"}, "nrpa"),
        ("morpion", {"variant": "5D"}, "nmcs"),
        ("morpion", {"variant": "5T"}, "sampling"),
    ]


@pytest.fixture
def small_suite(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A suite of one small problem under the name of the real one, in a folder of its own."""
    cases = (Case("left", "leftmove", {"depth": 8}, 8.0, "all to the left"),)
    small = Suite("power", cases, {"flat": rk.NRPA(level=1, iterations=9), "sampling": rk.Sampling()})
    monkeypatch.setattr(suite, "SUITES", {"power": lambda data: small})
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_suite_takes_several_times_and_continues(small_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bench", "--suite", "power", "--seconds", "0.2", "0.3", "--seeds", "2", "--json"]
    assert main(command) == 0
    first = capsys.readouterr()
    assert list(json.loads(first.out)["scores"]) == ["0.2", "0.3"]
    assert "(4 of 4 runs)" in first.err
    assert main(command) == 0
    assert capsys.readouterr() == (first.out, "")  # nothing was run again


def test_a_search_of_a_suite_is_run_again_beside_what_was_kept(
    small_suite: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["bench", "--suite", "power", "--seconds", "0.2", "--seeds", "1", "--json"]
    assert main(command) == 0
    kept = capsys.readouterr().out
    Path("kept.json").write_text(kept)
    assert main([*command, "--out", "other", "--searches", "sampling", "--kept", "kept.json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["scores"]["0.2"]["left"]["flat"] == json.loads(kept)["scores"]["0.2"]["left"]["flat"]
    assert len(list(Path("other/0.2s").glob("*.run.json"))) == 1


def test_a_suite_writes_a_page_a_table_and_a_plot(small_suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = ["--page", "power.md", "--csv", "power.csv", "--plot", "power.svg"]
    assert main(["bench", "--suite", "power", "--seconds", "0.2", "--seeds", "1", *files]) == 0
    assert (small_suite / "power.md").read_text().startswith("# What each search is worth\n")
    assert (small_suite / "power.csv").read_text().startswith("seconds,problem,search,score\n0.2,left,flat,")
    assert "</svg>" in (small_suite / "power.svg").read_text()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--suite", "weak"), "--suite must be power, got 'weak'"),
        (("--suite", "power", "--seconds", "soon"), "--seconds"),
        (("--suite", "power", "--seconds", "60", "10"), "seconds must be more than 0 and rise"),
        (("--suite", "power", "--seeds", "0"), "--seeds must be at least 1"),
        (("--suite", "power", "--level", "3"), "--suite has its own problems"),
        (("--suite", "power", "--page", "no/such/folder/page.md"), "no/such/folder"),
        (("--suite", "power", "--plot", "power.gif"), "--plot must end in .png, .svg or .pdf, got 'power.gif'"),
        (("--suite", "power", "--searches", "best"), "searches must be some of flat, sampling, got 'best'"),
        (("--suite", "power", "--kept", "none.json"), "none.json"),
        (("--seconds", "10"), "--seconds goes with --suite"),
        (("leftmove", "tsp"), "bench takes one problem, got 2"),
    ],
)
def test_what_does_not_go_with_a_suite_is_refused(
    small_suite: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    assert main(["bench", *arguments]) == 2
    assert message in capsys.readouterr().err
