"""``rookery paper``: what it prints and returns."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from rookery.cli import main
from rookery.cli.running import ExitSignals
from rookery.papers import ppa2015


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of Breakthrough alone, with few games."""
    monkeypatch.setattr(ppa2015, "TABLE_1", {("breakthrough", 5): (60.0, 56.2)})
    monkeypatch.setattr(ppa2015, "QUICK_GAMES", 4)
    monkeypatch.setattr(ppa2015, "QUICK_PLAYOUTS", 60)


@pytest.mark.usefixtures("small")
def test_quick_prints_figures_and_no_verdict(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["paper", "ppa-2015", "--out", str(tmp_path), "--workers", "1"]) == 0
    captured = capsys.readouterr()
    heading, row, _, last = captured.out.splitlines()
    assert heading.split()[:4] == ["game", "size", "playouts", "ours"]
    assert row.split()[:3] == ["breakthrough", "5x5", "60"]
    assert "60.0" in row
    assert "agrees" not in captured.out
    assert "too short for a verdict" in last
    assert captured.err.splitlines()[-1].startswith("breakthrough-5x5-60: ")


@pytest.mark.usefixtures("small")
def test_json_is_the_summary_in_the_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["paper", "ppa-2015", "--out", str(tmp_path), "--json", "--quiet"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    data = json.loads(captured.out)
    assert data == json.loads((tmp_path / "summary.json").read_text())
    assert data["rows"][0]["games"] == 4
    assert len(data["rows"][0]["interval_95"]) == 2


@pytest.mark.usefixtures("small")
@pytest.mark.timing
def test_ctrl_c_gives_the_table_so_far_and_130(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Any, played: Any, progress: Any) -> None:
        if progress.score.games == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(ppa2015, "QUICK_GAMES", 1000)
    monkeypatch.setattr(ExitSignals, "on_game", interrupt)
    assert main(["paper", "ppa-2015", "--out", str(tmp_path), "--json", "--quiet", "--workers", "1"]) == 130
    data = json.loads(capsys.readouterr().out)
    assert not data["complete"]
    assert 2 <= data["rows"][0]["games"] < 1000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "Missing argument 'NAME'"),
        ("ppa-2016", "unknown paper 'ppa-2016': there is ppa-2015"),
        ("ppa-2015 --scale huge", "the scale must be quick, half or full, got 'huge'"),
        ("ppa-2015 --only chess", "only must be a part of a name such as atarigo-5x5-100, got 'chess'"),
        ("ppa-2015 --workers 0", "--workers must be at least 1, got 0"),
        ("ppa-2015 --seed x", "--seed must be a whole number, got 'x'"),
        ("ppa-2015 --out FILE", "cannot make FILE: File exists"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str, message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "FILE").write_text("")
    assert main(["paper", *arguments.split()]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["FILE"]
