"""``rookery match``: what it prints, keeps and returns."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main
from rookery.games.sgf import read_sgf

NIM = (Path(__file__).parents[1] / "examples_of_games.py").resolve()
ENDLESS = (f"{NIM}:Nim", "-p", "stones=60", "--a", "uct", "--playouts", "40", "--workers", "2")
SHORT = ("--a", "uct", "--b", "flat:playouts=5", "--playouts", "12", "--games", "4", "--quiet")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["match", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json_is_what_the_library_gives(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, f"{NIM}:PythonNim", *SHORT, "-p", "stones=9", "--seed", "3", "--json")
    data = json.loads(out)
    game = rk.load_game(f"{NIM}:PythonNim", {"stones": "9"})
    expected = rk.match(game, rk.GameUCT(playouts=12), rk.FlatMC(playouts=5), games=4, seed=3).to_json()
    for name in ("seconds", "workers"):
        data.pop(name)
        expected.pop(name)
    assert (code, err) == (0, "")
    assert data == json.loads(json.dumps(expected))
    assert {"game", "size", "a", "b", "games", "wins_a", "wins_b", "draws"} <= set(data)
    assert {"rate_a", "interval_95", "playouts", "seed"} <= set(data)


def test_processes_play_the_same_games(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = (f"{NIM}:PythonNim", *SHORT, "--json")
    here = json.loads(run(capsys, *arguments)[1])
    code, out, err = run(capsys, *arguments, "--executor", "processes", "--workers", "2")
    there = json.loads(out)
    assert (code, err) == (0, "")
    assert (there["executor"], there["workers"]) == ("processes", 2)
    for name in ("wins_a", "wins_b", "wins_a_first", "playouts", "status"):
        assert there[name] == here[name]


def test_a_built_in_game_has_its_size(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ("breakthrough", "--size", "5", "--playouts", "60", "--games", "2", "--workers", "2", "--quiet")
    code, out, _ = run(capsys, *arguments)
    lines = dict(line.split(maxsplit=1) for line in out.splitlines())
    assert code == 0
    assert lines["game"] == "breakthrough 5x5"
    assert lines["games"] == "2"
    assert lines["a"].startswith("won ")  # "a won" is the last line that begins so
    assert json.loads(run(capsys, *arguments, "--json")[1])["size"] == 5


def test_a_record_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    arguments = (f"{NIM}:PythonNim", *SHORT, "--record", str(record), "--json")
    first = json.loads(run(capsys, *arguments)[1])
    content = record.read_bytes()
    record.write_bytes(content[:-10])
    second = json.loads(run(capsys, *arguments)[1])
    assert record.read_bytes() == content
    assert first["wins_a"] == second["wins_a"]
    assert json.loads(run(capsys, *arguments, "--games", "6")[1])["games"] == 6


def test_a_record_from_python_is_verified_and_extended_by_the_command(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    record = str(tmp_path / "record.jsonl")
    sides = rk.GameUCT(playouts=60), rk.GameUCT(playouts=60)
    rk.match(rk.games.Breakthrough(width=5, height=5), *sides, games=2, record=record)
    assert json.loads(Path(record).read_text().splitlines()[0])["parameters"] == {"width": 5, "height": 5}
    assert main(["verify", record]) == 0
    assert "yes, 2 games; the winners are right" in capsys.readouterr().out
    same = ("breakthrough", "--a", "uct", "--playouts", "60", "--games", "3", "--record", record, "--quiet", "--json")
    assert json.loads(run(capsys, *same, "--size", "5")[1])["games"] == 3
    assert json.loads(run(capsys, *same, "-p", "width=5", "-p", "height=5")[1])["games"] == 3
    code, _, err = run(capsys, *same, "--size", "6")
    assert code == 2
    assert 'is the record of another match: its parameters.size is "missing", not 6' in err


def test_games_of_the_go_family_are_written_as_sgf(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = {name: str(tmp_path / name) for name in ("games.sgf", "record.jsonl")}
    sides = ("--a", "flat:playouts=9", "--b", "flat:playouts=3")
    kept = ("--sgf", files["games.sgf"], "--record", files["record.jsonl"])
    code, _, err = run(capsys, "nogo", "--size", "3", "--games", "3", *sides, *kept, "--quiet")
    assert (code, err) == (0, "")
    lines = [json.loads(line) for line in Path(files["record.jsonl"]).read_text().splitlines()[1:]]
    games = read_sgf(Path(files["games.sgf"]).read_text())
    for game, line in zip(games, sorted(lines, key=lambda line: int(line["game"])), strict=True):
        assert list(game.moves) == line["moves"]
        assert game.properties["PB"] == f"flat ({line['first']})"
        assert game.winner == (0 if line["winner"] == line["first"] else 1)
        assert game.properties["RO"] == str(line["game"] + 1)


@pytest.mark.timing
def test_time_per_move_takes_the_place_of_playouts(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(run(capsys, f"{NIM}:PythonNim", "--time-per-move", "1ms", "--games", "1", "-q", "--json")[1])
    assert (data["a"]["playouts"], data["a"]["seconds"]) == (None, 0.001)


def test_what_a_game_prints_is_not_the_result(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = (
        NIM.read_text()
        + "\n\nclass Loud(PythonNim):\n    def start(self):\n        print('!')\n        return super().start()\n"
    )
    (tmp_path / "loud.py").write_text(text)
    code, out, err = run(capsys, f"{tmp_path / 'loud.py'}:Loud", *SHORT, "--json")
    assert code == 0
    json.loads(out)
    assert err.startswith("!")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "Missing argument 'GAME'"),
        ("backgammon", "unknown game 'backgammon': there are amazons, atarigo,"),
        ("tsp", "tsp is a problem, not a game"),
        (
            "breakthrough --a nrpa",
            "--a must be ppa, ppaf, ppafm, uct, rave, grave, mast or flat, "
            "as in uct or ppa:alpha=0.5,playouts=2000, got 'nrpa'",
        ),
        ("breakthrough --b uct:alpha=1", "--b: uct has no parameter 'alpha'; it has playouts, seconds, c,"),
        ("breakthrough --b uct:c=x", "--b: c must be a number, got 'x'"),
        ("breakthrough --size 99", "got 99"),
        ("breakthrough --size 0", "--size must be at least 1, got 0"),
        ("breakthrough --size eight", "--size must be a whole number, got 'eight'"),
        ("breakthrough --size 8 -p size=8", "--size and -p size are the same: give one of them"),
        ("breakthrough --games 0", "--games must be at least 1, got 0"),
        ("breakthrough --playouts 0", "--playouts must be at least 1, got 0"),
        ("breakthrough --playouts 1e12", "--a: playouts must be at most"),
        ("breakthrough --time-per-move 0s", "--time-per-move must be more than 0, got '0s'"),
        ("breakthrough --time-per-move inf", "--time-per-move must be more than 0, got 'inf'"),
        ("breakthrough --time-per-move soon", "--time-per-move must be a time such as 60s,"),
        ("breakthrough --workers 0", "--workers must be at least 1, got 0"),
        ("breakthrough --executor thread", "executor must be threads, processes, mpi, dask or an Executor object"),
        ("breakthrough --address tcp://here:1", "address goes with the executor dask, got 'tcp://here:1' with threads"),
        ("breakthrough --seed -1", "--seed must be at least 0, got -1"),
        ("breakthrough --seed 99999999999999999999999", "seed must be at most"),
        ("breakthrough --sgf games.sgf", "SGF is for go, atarigo, nogo and misere-nogo, not for Breakthrough"),
        ("nogo --sgf none/games.sgf", "cannot write none/games.sgf: No such file or directory"),
        ("NIM:PythonNim --record none/record.jsonl", "cannot write none/record.jsonl: No such file or directory"),
        ("NIM:PythonNim --size 5", "has no parameter 'size'; it has stones, keyed"),
        ("NIM:PythonNim -p stones=0 --playouts 5", "the game is over after 0 moves"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    code, out, err = run(capsys, *arguments.replace("NIM", str(NIM)).split(), "--quiet")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_damaged_record_is_refused_and_left_as_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    arguments = (f"{NIM}:PythonNim", *SHORT, "--record", str(record))
    run(capsys, *arguments)
    content = record.read_bytes() + b"{}\n"
    record.write_bytes(content)
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert f"{record} is damaged, line 6: 'game' must be a whole number of at least 0, got null" in err
    assert record.read_bytes() == content


@contextlib.contextmanager
def endless(record: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    """A match of compiled Nim that would take for ever, once some of its games are over."""
    command = [sys.executable, "-m", "rookery", "match", *ENDLESS, "--games", "1000000", "--record", str(record), *more]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        while not record.exists() or record.read_bytes().count(b"\n") < 4:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.timing
def test_a_signal_ends_a_match_with_the_games_that_are_over(tmp_path: Path, number: int, code: int) -> None:
    record = tmp_path / "record.jsonl"
    with endless(record, "--json", "--quiet") as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    data = json.loads(out)
    assert data["status"] == "interrupted"
    assert data["games"] == len(record.read_text().splitlines()) - 1
    assert err == "rookery: the games are kept: the same command continues with them\n"


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.timing
def test_a_match_that_was_killed_goes_on(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    with endless(record):
        pass
    before = record.read_bytes()
    kept = before[: before.rindex(b"\n") + 1]
    games = str(kept.count(b"\n") + 3)
    code, out, _ = run(capsys, *ENDLESS, "--games", games, "--record", str(record), "--json", "--quiet")
    assert code == 0
    assert json.loads(out)["games"] == int(games)
    assert record.read_bytes().startswith(kept)


def test_a_record_and_sgf_must_be_different_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record, link = tmp_path / "games", tmp_path / "link"
    link.symlink_to(record)
    code, out, err = run(capsys, "nogo", "--size", "3", "--record", str(record), "--sgf", str(link))
    assert (code, out) == (2, "")
    assert err == f"rookery: --record and --sgf must be different files, got {link} for both\n"
    assert not record.exists()


def test_a_game_of_openspiel_is_named_after_a_colon(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    record = tmp_path / "record.jsonl"
    arguments = (
        "openspiel:tic_tac_toe",
        *["--a", "flat", "--b", "flat", "--playouts", "5", "--games", "2", "--json", "--quiet"],
    )
    code, out, _ = run(capsys, *arguments, "--record", str(record))
    assert (code, json.loads(out)["game"]) == (0, "openspiel:tic_tac_toe")
    words = json.loads(record.read_text().splitlines()[1])["words"]
    assert [word[0] for word in words[:3]] == ["x", "o", "x"]  # what a move is called depends on who plays it
    assert run(capsys, *arguments, "--record", str(record))[1].count("\n") == 1  # the games are read again
