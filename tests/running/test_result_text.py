"""A result in words, and its moves as a table."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.cli import main

LEFT, SEARCH = rk.problems.LeftMove(depth=3), rk.NMCS(level=1)


def test_a_result_prints_as_the_command_does(capsys: pytest.CaptureFixture[str]) -> None:
    result = rk.solve(LEFT, SEARCH, seed=1)
    search = ("--algorithm", "nmcs", "--level", "1", "--seed", "1", "--workers", "1", "--quiet")
    assert main(["solve", "leftmove", "-p", "depth=3", *search]) == 0
    timed = ("playouts", "time")
    told = [line for line in capsys.readouterr().out.splitlines() if not line.startswith(timed)]
    assert [line for line in str(result).splitlines() if not line.startswith(timed)] == told
    assert told[-1] == "left, left, left"


def test_a_loaded_result_of_a_built_in_problem_prints_the_same(tmp_path) -> None:
    result = rk.solve(LEFT, SEARCH, seed=1)
    result.save(tmp_path / "result.json")
    assert str(rk.Result.load(tmp_path / "result.json")) == str(result)


def test_a_result_whose_problem_is_not_known_prints_its_moves() -> None:
    result = rk.Result("my.py:Own", {}, {}, 1, 1, 2.5, ("a", 3), 1, 1, 0, 0.1, 0.0, "finished", "0.1.0")
    assert str(result).splitlines()[0] == "score     2.5"
    assert str(result).splitlines()[-1] == "a, 3"


def test_what_a_hook_raises_is_a_note_below_the_rest() -> None:
    class Mute(rk.problems.LeftMove):
        def describe_move(self, move):
            raise KeyError("no words")

    lines = str(rk.Result("x", {}, {}, 1, 1, 2.0, (1,), 1, 1, 0, 0.1, 0.0, "finished", "1", of=Mute(3))).splitlines()
    assert lines[-2] == "1"
    assert lines[-1].startswith("describe_move failed: ")


def test_the_moves_are_saved_as_csv(tmp_path) -> None:
    rk.solve(LEFT, SEARCH, seed=1).save(tmp_path / "moves.CSV")
    assert (tmp_path / "moves.CSV").read_text() == "number,move,words\n1,1,left\n2,1,left\n3,1,left\n"


def test_another_ending_is_refused(tmp_path) -> None:
    with pytest.raises(rk.InputError, match=r"a result is saved as .json, or its moves as .csv, got .*result.txt"):
        rk.solve(LEFT, SEARCH, seed=1).save(tmp_path / "result.txt")
    assert list(tmp_path.iterdir()) == []
