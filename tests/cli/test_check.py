"""``rookery check``: its report, its exit codes, its mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import numba
import pytest

from rookery.cli import main

LETTERS = """
import rookery as rk


class Letters(rk.PythonProblem):
    def __init__(self, length: int = 3) -> None:
        self.length = length

    def start(self):
        return ""

    def moves(self, state):
        return "ab" if len(state) < self.length else ""

    def code(self, state, move):
        return (len(state), move)

    def play(self, state, move):
        return state + move

    def score(self, state):
        return state.count("b")


class Same(Letters):
    def code(self, state, move):
        return len(state)
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("letters.py").write_text(LETTERS)
    return "letters.py"


def test_a_sound_problem_exits_with_0_and_is_measured(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{file}:Letters", "-p", "length=5", "--playouts", "20"]) == 0
    captured = capsys.readouterr()
    assert captured.out.startswith("Letters keeps its contract: nothing was found in 20 playouts\n\n")
    assert "moves in a playout   5 to 5" in captured.out
    assert "the search itself" in captured.out
    assert captured.err == ""


def test_a_broken_problem_exits_with_1_and_names_the_line(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{file}:Same", "--playouts", "20"]) == 1
    out = capsys.readouterr().out
    assert out.startswith(
        "Same breaks its contract: 1 error in 20 playouts\n\nerror: codes-not-distinct in Same.code\n"
    )
    assert "the legal moves a and b both have the code 0 (letters.py:26)" in out


def test_an_error_that_is_allowed_exits_with_0(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["check", f"{file}:Same", "--allow", "codes-not-distinct", "--playouts", "20", "--no-measure"]
    assert main(arguments) == 0
    assert "warning: codes-not-distinct" in capsys.readouterr().out


def test_json_is_one_object(file: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", f"{file}:Same", "--playouts", "20", "--json"]) == 1
    captured = capsys.readouterr()
    report = json.loads(captured.out)
    assert (report["ok"], report["parameters"], report["measures"]) == (False, {"length": 3}, None)
    assert report["findings"][0]["name"] == "codes-not-distinct"
    assert captured.err == ""


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="there is nothing compiled to measure")
def test_a_built_in_problem_is_compared_with_its_compiled_self(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "leftmove", "-p", "depth=12", "--playouts", "20", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["findings"] == []
    assert report["measures"]["depth"] == [12, 12.0, 12]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.py:X"], "cannot read none.py"),
        (["brakethrough"], "unknown problem or game 'brakethrough': did you mean breakthrough? there are colouring, "),
        (["leftmove", "--allow", "nothing"], "allow must name errors of a check, got 'nothing'; there are "),
        (["leftmove", "--playouts", "many"], "--playouts must be a whole number, got 'many'"),
        (["leftmove", "--time", "0s"], "seconds must be more than 0, got 0"),
        (["leftmove", "--time", "soon"], "--time must be a time such as"),
        (["leftmove", "--seed", "-1"], "seed must be at least 0, got -1"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["check", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1


GAME = """
import rookery as rk
print("a file is run")

class Race(rk.PythonGame):
    def start(self): return ""
    def moves(self, state): return "ab" if len(state) < 3 else ""
    def play(self, state, move): return state + move
    def player(self, state): return len(state) % 2
    def winner(self, state): return state.count("b") % 2
"""


def test_the_file_of_a_game_is_run_once_and_what_it_prints_is_not_the_report(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("race.py").write_text(GAME)
    assert main(["check", "race.py:Race", "--playouts", "20", "--no-measure", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["ok"]
    assert captured.err == "a file is run\n"


def test_a_file_without_the_name_of_a_class_is_told_which_games_it_has(
    file: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("race.py").write_text(GAME)
    assert main(["check", "race.py"]) == 2
    assert capsys.readouterr().err.endswith("race.py needs the name of a class, as in race.py:Race\n")
