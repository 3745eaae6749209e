"""``rookery tune``: what it prints, writes and returns."""

from __future__ import annotations

import json
import shlex
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main

NIM = (Path(__file__).parents[1] / "examples_of_games.py").resolve()
LEFT = ("leftmove", "-p", "depth=30", "--playouts", "200", "--runs", "24", "--quiet")
SLOW = ("--algorithm", "nrpa:level=2,iterations=10,alpha=0.01", "--space", "alpha=0.01,1")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json_is_what_the_library_gives(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run(capsys, "tune", *LEFT, *SLOW, "--json")
    search = rk.NRPA(level=2, iterations=10, alpha=0.01)
    options = {"space": {"alpha": (0.01, 1.0)}, "stop": rk.MaxPlayouts(200), "runs": 24}
    done = rk.tune(rk.problems.LeftMove(depth=30), search, **options)  # type: ignore[arg-type]
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(done.to_json()))


def test_the_last_line_and_the_preset_make_the_winner(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    preset = str(tmp_path / "tuned.json")
    _, out, _ = run(capsys, "tune", *LEFT, *SLOW, "--preset", preset)
    line = shlex.split(out.splitlines()[-1])
    assert line[:5] == ["rookery", "solve", "leftmove", "-p", "depth=30"]
    found = []
    for command in (line[1:], ["solve", "leftmove", "-p", "depth=30", "--preset", preset]):
        code, out, _ = run(capsys, *command, "--playouts", "50", "--seed", "3", "--quiet", "--json")
        assert code == 0
        found.append(json.loads(out))
    assert found[0]["search"] == found[1]["search"] == rk.NRPA(level=2, iterations=10, alpha=1.0).parameters()
    assert found[0]["moves"] == found[1]["moves"]


def test_an_option_changes_a_preset_and_another_algorithm_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "p.json"
    file.write_text('{"format": "rookery preset", "algorithm": "nmcs", "parameters": {"level": 1, "ties": "random"}}')
    solve = ("solve", "leftmove", "--playouts", "20", "--seed", "1", "--quiet", "--json", "--preset", str(file))
    _, out, _ = run(capsys, *solve, "--level", "2")
    assert json.loads(out)["search"] == rk.NMCS(level=2, ties="random").parameters()
    code, _, err = run(capsys, *solve, "--algorithm", "nrpa")
    assert code == 2
    assert "is one of 'nmcs', not of nrpa" in err


def test_a_preset_never_names_code_to_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    evil, ran = tmp_path / "evil.py", tmp_path / "ran"
    evil.write_text(f"open({str(ran)!r}, 'w').close()")
    file = tmp_path / "p.json"
    data = {"format": "rookery preset", "algorithm": f"{evil}:Evil", "parameters": {}}
    file.write_text(json.dumps(data))
    for command in (("solve", "leftmove", "--preset", str(file)), ("match", "nogo", "--a", str(file))):
        code, _, err = run(capsys, *command)
        assert code == 2, err
    assert not ran.exists()


def test_a_game_of_ones_own_is_tuned_and_the_line_is_a_match(capsys: pytest.CaptureFixture[str]) -> None:
    game = f"{NIM}:PythonNim"
    space = ("--space", "c=0.1,1.0", "--space", "unvisited=first,0.9")
    code, out, _ = run(capsys, "tune", game, "--playouts", "5", "--runs", "16", "--quiet", *space)
    assert code == 0
    line = shlex.split(out.splitlines()[-1])
    assert line[:3] == ["rookery", "match", game]
    code, _, err = run(capsys, *line[1:], "--games", "2", "--quiet")
    assert code == 0, err


def test_the_same_command_goes_on_with_its_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    command = ("tune", *LEFT, *SLOW, "--out", str(tmp_path), "--json")
    first = run(capsys, *command)
    assert run(capsys, *command)[1] == first[1]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("leftmove", "--runs", "20"), "give --time or --playouts of a run with --runs"),
        (("leftmove", "--runs", "20", "--budget", "1m"), "--budget and --runs say the same"),
        (("leftmove", "--budget", "soon"), "--budget must be a time"),
        (("leftmove", "--budget", "1m", "--out", "no\0"), "cannot hold trials: embedded null byte"),
        (("leftmove", "--budget", "0s"), "--budget must be more than 0"),
        ((*LEFT, "--space", "depth=1,2"), "there is no parameter 'depth'"),
        ((*LEFT, "--space", "level"), "--space must be given as key=value"),
        ((*LEFT, "--space", "level=two"), "--set level must be a whole number"),
        ((*LEFT, "--space", "ties=a..b"), "a tie rule must be"),
        ((*LEFT, "--algorithm", "nrpb"), "--algorithm must be nrpa"),
        ((*LEFT, "--sampler", "grid"), "sampler must be"),
        ((*LEFT, "--size", "3"), "leftmove has no parameter 'size'"),
        ((*LEFT, "--preset", "tuned.txt"), "--preset must end in .json"),
        (("nogo", "--size", "3", "-p", "size=4", "--runs", "20"), "--size and -p size are the same"),
        (("nogo", "--runs", "20", "--algorithm", "flat"), "flat has no parameter to tune"),
        (("nowhere", "--runs", "20"), "nowhere"),
    ],
)
def test_bad_input_is_one_sentence(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], told: str) -> None:
    code, out, err = run(capsys, "tune", *arguments)
    assert code == 2
    assert out == ""
    assert told in err
    assert err.count("\n") == 1
