"""``rookery list``, ``--version`` and the help."""

from __future__ import annotations

import json
import re

import pytest

import rookery as rk
from rookery.cli import main


def test_every_problem_is_listed_with_its_parameters_and_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    for name, description in rk.tools.builtin_problems().items():
        assert re.search(rf"^  {re.escape(name)} +{re.escape(description)}$", out, re.MULTILINE)
    assert "n=50 (a whole number), seed=0 (a whole number)" in out
    assert "variant=5T (5T, 5D, 4T or 4D)" in out


def test_every_algorithm_is_listed_with_its_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    main(["list"])
    out = capsys.readouterr().out
    assert "level=3, iterations=100, alpha=1.0, ties=>=" in out
    assert "level=3, memorise=True, ties=first, sample=None" in out
    assert "level=2, games=10, rule=None" in out
    assert "playouts=10000, c=0.5, d=10000.0, rule=None" in out
    assert "\n  sampling  " in out


def test_every_game_and_its_searches_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    main(["list"])
    out = capsys.readouterr().out
    for name, description in rk.tools.builtin_games().items():
        assert re.search(rf"^  {re.escape(name)} +{re.escape(description)}$", out, re.MULTILINE)
    assert "playouts=1000, seconds=None, c=0.4, alpha=1.0, unvisited=first, reuse=False, solver=False" in out
    assert "\n  flat  " in out


def test_json_has_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    main(["list", "--json"])
    data = json.loads(capsys.readouterr().out)
    assert data["problems"]["tsp"]["parameters"]["n"] == {"default": 50, "must_be": "a whole number"}
    assert set(data["problems"]) == set(rk.tools.builtin_problems())
    assert set(data["games"]) == set(rk.tools.builtin_games())
    assert data["games"]["breakthrough"]["parameters"]["size"] == {"default": 8, "must_be": "a whole number"}
    assert set(data["game_searches"]) == {"ppa", "ppaf", "ppafm", "uct", "rave", "grave", "mast", "flat"}
    assert set(data["algorithms"]) == {
        "nrpa",
        "nmcs",
        "lazynmcs",
        "reflexive",
        "beam",
        "uct",
        "spmcts",
        "sampling",
        "tempering",
        "annealing",
        "auto",
    }


def test_the_version_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rookery {rk.__version__}\n"


def test_without_a_command_the_help_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    out = capsys.readouterr().out
    assert out.startswith("Usage: rookery")
    assert all(f"\n  {command} " in out for command in ("solve", "match", "paper", "list", "bench"))


def test_the_help_of_solve_names_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--help"]) == 0
    out = capsys.readouterr().out
    options = "algorithm level iterations alpha ties seed time target playouts max-iterations no-improvement workers"
    options += (
        " restarts no-restarts atomic-level memorise no-memorise sample start-from warm-start out json quiet debug"
    )
    assert all(f"--{option}" in out for option in options.split())
