"""``rookery tournament``: what it prints, writes and returns."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main

NIM = (Path(__file__).parents[1] / "examples_of_games.py").resolve()
SHORT = ("--players", "uct,flat:playouts=5,uct:c=1.0,playouts=3", "--playouts", "12", "--games", "4", "--quiet")


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(["tournament", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def test_json_is_what_the_library_gives(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run(capsys, f"{NIM}:PythonNim", *SHORT, "--seed", "3", "--json")
    data = json.loads(out)
    players = {
        "uct": rk.GameUCT(playouts=12),
        "flat:playouts=5": rk.FlatMC(playouts=5),
        "uct:c=1.0,playouts=3": rk.GameUCT(playouts=3, c=1.0),
    }
    game = rk.load_game(f"{NIM}:PythonNim", {})
    expected = json.loads(json.dumps(rk.tournament(game, players, games=4, seed=3).to_json()))
    for of in (data, expected, *data["matches"], *expected["matches"]):
        of.pop("seconds")
        of.pop("workers")
    assert (code, err) == (0, "")
    assert data == expected


def test_files_are_written_and_what_is_kept_is_not_played_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    files = {name: str(tmp_path / name) for name in ("games", "elo.csv", "elo.svg")}
    written = ("--out", files["games"], "--csv", files["elo.csv"], "--plot", files["elo.svg"])
    code, out, err = run(capsys, f"{NIM}:PythonNim", *SHORT, *written)
    assert (code, err) == (0, "")
    assert out.splitlines()[2].split() == ["player", "elo", "95%", "points", "games", "1", "2", "3"]
    kept = {path.name: path.read_bytes() for path in Path(files["games"]).iterdir()}
    assert len(kept) == 3
    assert Path(files["elo.csv"]).read_text().count("\n") == 4
    assert Path(files["elo.svg"]).read_text().startswith("<?xml")
    again = run(capsys, f"{NIM}:PythonNim", *SHORT, *written)
    assert again[1].splitlines()[2:] == out.splitlines()[2:]
    assert {path.name: path.read_bytes() for path in Path(files["games"]).iterdir()} == kept


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "Missing argument 'GAME'"),
        ("nogo", "Missing option '--players'"),
        ("nogo --players uct", "--players must be at least two, as in uct,ppa, got 'uct'"),
        ("nogo --players uct,uct", "--players must differ, got 'uct' twice"),
        ("nogo --players uct,", "--players must be ppa, ppaf, ppafm, uct,"),
        ("nogo --players uct,nrpa", "as in uct or ppa:alpha=0.5,playouts=2000, got 'nrpa'"),
        ("nogo --players uct,ppa:beta=1", "--players: ppa has no parameter 'beta'; it has playouts,"),
        ("nogo --players uct,none.py:X", "--players: cannot read none.py: No such file or directory"),
        ("nogo --players uct,flat --games 3", "games must be an even number, so that both players of a pair begin"),
        ("nogo --players uct,flat --games 0", "--games must be at least 2, got 0"),
        ("nogo --players uct,flat --playouts 0", "--playouts must be at least 1, got 0"),
        ("nogo --players uct,flat --time-per-move 0", "--time-per-move must be more than 0, got '0'"),
        ("nogo --players uct,flat --seed -1", "--seed must be at least 0, got -1"),
        ("nogo --players uct,flat --workers 0", "--workers must be at least 1, got 0"),
        ("nogo --players uct,flat --plot elo.doc", "--plot must end in .png, .svg or .pdf, got 'elo.doc'"),
        ("nogo --players uct,flat --csv none/elo.csv", "cannot write none/elo.csv: No such file or directory"),
        ("nogo --players uct,flat --csv elo.svg --plot elo.svg", "--csv and --plot must be different files"),
        ("nogo --players uct,flat --out NIM", "cannot hold a tournament: "),
        ("backgammon --players uct,flat", "unknown game 'backgammon': there are amazons, atarigo,"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    code, out, err = run(capsys, *arguments.replace("NIM", str(NIM)).split(), "--quiet")
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.timing
def test_ctrl_c_prints_what_is_complete_and_what_is_missing(tmp_path: Path) -> None:
    players = ("--players", "flat:playouts=2,uct:playouts=2,ppa:playouts=2", "--games", "20000")
    command = [sys.executable, "-m", "rookery", "tournament", f"{NIM}:PythonNim", *players, "--out", str(tmp_path)]
    record = tmp_path / "flat_playouts=2--ppa_playouts=2.jsonl"
    process = subprocess.Popen(
        [*command, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=tmp_path
    )
    try:
        while not record.exists() or record.read_bytes().count(b"\n") < 4:
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert "missing: 20,000 of 20,000 games of ppa:playouts=2 against uct:playouts=2\n" in out
    assert err == "rookery: the games are kept: the same command continues with them\n"
