"""Bad input: one line on standard error, exit code 2, no traceback, nothing half-written."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rookery.cli import main

CASES = [
    ("solve", "Missing argument 'PROBLEM'"),
    ("nothing", "No such command 'nothing'"),
    ("solve leftmove --nothing", "No such option: --nothing"),
    ("solve leftmove more", "more"),
    ("solve leftmove --level", "--level"),
    ("solve tps", "unknown problem 'tps': did you mean tsp?"),
    ("solve none.py:X", "cannot read none.py: No such file or directory"),
    ("solve leftmove -p depth", "-p must be given as key=value, got 'depth'"),
    ("solve leftmove -p depth=3 -p depth=4", "-p depth is given twice"),
    ("solve leftmove -p depth=x", "-p depth=x: depth must be a whole number, got 'x'"),
    ("solve leftmove -p width=3", "leftmove has no parameter 'width'; it has depth"),
    ("solve leftmove --algorithm uct", "--algorithm must be nrpa, nmcs or sampling, got 'uct'"),
    ("solve leftmove --algorithm nmcs --alpha 1", "--alpha goes with nrpa, not with nmcs"),
    ("solve leftmove --algorithm nmcs --iterations 5", "--iterations goes with nrpa, not with nmcs"),
    ("solve leftmove --algorithm nmcs --warm-start 1", "--warm-start goes with nrpa, not with nmcs"),
    ("solve leftmove --algorithm nmcs --ties '>'", 'ties must be "first" or "random" for NMCS, got'),
    ("solve leftmove --algorithm nmcs --ties first --ties first", "--ties must be given once"),
    ("solve leftmove --no-memorise", "--memorise goes with nmcs, not with nrpa"),
    ("solve leftmove --sample 3", "--sample goes with nmcs, not with nrpa"),
    ("solve leftmove --algorithm sampling --level 2", "--level goes with nrpa and nmcs, not with sampling"),
    ("solve leftmove --algorithm sampling --restarts", "--restarts goes with nrpa and nmcs, not with sampling"),
    ("solve leftmove --algorithm sampling", "sampling has no end of its own"),
    ("solve leftmove --level 0", "level must be at least 1, got 0"),
    ("solve leftmove --level two", "--level must be a whole number, got 'two'"),
    ("solve leftmove --iterations 0", "iterations must be at least 1, got 0"),
    ("solve leftmove --iterations 2.5", "--iterations must be a whole number, got '2.5'"),
    ("solve leftmove --alpha nan", "--alpha must be a number, got 'nan'"),
    ("solve leftmove --alpha inf", "alpha must be a finite number, got inf"),
    ("solve leftmove --ties 2", "a tie rule must be"),
    ("solve leftmove --ties 9:0.3", "a level in ties must be at most 3, got 9"),
    ("solve leftmove --ties x:0.3", "the level in --ties x:0.3 must be a whole number, got 'x'"),
    ("solve leftmove --ties 2:0.3 --ties 2:0.4", "--ties is given twice for level 2"),
    ("solve leftmove --ties 2:0.3 --ties 0.4", "--ties must be given once, or each time as LEVEL:VALUE, got '0.4'"),
    ("solve leftmove --time soon", "--time must be a time such as 60s, 1.5m, 2h or 500ms, got 'soon'"),
    ("solve leftmove --time 5x", "--time must be a time such as"),
    ("solve leftmove --time nan", "--time must be a time such as"),
    ("solve leftmove --time -5", "time must be more than 0 seconds, got -5.0"),
    ("solve leftmove --time inf", "time must be a finite number, got inf"),
    ("solve leftmove --target nan", "--target must be a number, got 'nan'"),
    ("solve leftmove --playouts 0", "playouts must be at least 1, got 0"),
    ("solve leftmove --max-iterations 0", "iterations must be at least 1, got 0"),
    ("solve leftmove --no-improvement 0", "iterations without improvement must be at least 1, got 0"),
    ("solve leftmove --seed -1", "seed must be at least 0, got -1"),
    ("solve leftmove --workers 0", "workers must be at least 1, got 0"),
    ("solve leftmove --atomic-level 0", "atomic_level must be at least 1, got 0"),
    ("solve leftmove --start-from 5", "move 1 (right) is not legal in LeftMove"),
    ("solve leftmove --start-from '[1'", "--start-from must be a result file or moves such as 3,7,12, got '[1'"),
    ("solve leftmove --start-from none.json", "cannot read none.json: No such file or directory"),
    ("solve leftmove --out none/result.json", "cannot write none/result.json: No such file or directory"),
    ("solve leftmove --out .", "cannot write .: it is a folder"),
    ("bench --level 3", "go with a problem: rookery bench PROBLEM"),
    ("bench leftmove --repetitions 0", "--repetitions must be at least 1, got 0"),
    ("bench leftmove --algorithm sampling --level 2", "--level goes with nrpa and nmcs, not with sampling"),
    ("bench leftmove --playouts 0", "playouts must be at least 1, got 0"),
]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("line", "message"), CASES, ids=[line for line, _ in CASES])
def test_a_mistake_is_one_line_and_exit_code_2(
    line: str, message: str, capsys: pytest.CaptureFixture[str], empty_folder: Path
) -> None:
    code = main(shlex.split(line))
    captured = capsys.readouterr()
    assert (code, captured.out) == (2, "")
    assert captured.err.startswith("rookery: ")
    assert message in captured.err
    assert captured.err.find("\n") == len(captured.err) - 1
    assert list(empty_folder.iterdir()) == []


def test_an_output_path_is_tried_before_the_problem_is_made(capsys: pytest.CaptureFixture[str]) -> None:
    main(["solve", "leftmove", "-p", "depth=0", "--out", "none/result.json"])
    assert "cannot write none/result.json" in capsys.readouterr().err


def test_a_file_that_is_no_result_is_refused_as_a_start(empty_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (empty_folder / "other.json").write_text("{}")
    assert main(["solve", "leftmove", "--start-from", "other.json"]) == 2
    assert "other.json is not a result file: 'problem' is missing" in capsys.readouterr().err


@pytest.mark.parametrize("line", ["solve tps", "solve leftmove --level two", "solve leftmove --nothing"])
def test_the_real_command_says_the_same(line: str) -> None:
    process = subprocess.run(
        [sys.executable, "-m", "rookery", *line.split()], capture_output=True, text=True, check=False, timeout=60
    )
    assert (process.returncode, process.stdout) == (2, "")
    assert process.stderr.startswith("rookery: ")
    assert process.stderr.count("\n") == 1
