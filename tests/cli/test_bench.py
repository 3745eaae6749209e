"""``rookery bench``: what it measures and prints."""

from __future__ import annotations

import json

import pytest

from rookery.cli import bench, main

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
