"""``rookery paper``: what it prints and returns."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from typing import Any

import pytest

from rookery.cli import main
from rookery.cli.running import ExitSignals
from small_paper import SMALL
from small_paper import small as small


def test_without_a_name_every_item_is_listed_with_what_it_costs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["quick", "half", "full"]
    table = next(line for line in lines if line.startswith("ppa-2015 ") and " table 1 " in line)
    assert [word for word in table.split() if word in ("s", "h")] == ["s", "h", "h"]
    assert next(line for line in lines if "a game of 78 moves" in line).endswith("not available")


def test_the_list_as_json_has_core_seconds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["paper", "--json"]) == 0
    items = json.loads(capsys.readouterr().out)
    table = next(item for item in items if (item["paper"], item["item"]) == ("ppa-2015", "table 1"))
    assert 0 < table["quick"] < table["half"] < table["full"]


@pytest.mark.usefixtures("small")
def test_a_table_is_printed_beside_the_papers_with_progress(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["paper", "small-2000", "--table", "1", "--out", str(tmp_path), "--workers", "1"]) == 0
    captured = capsys.readouterr()
    title, heading, row = captured.out.splitlines()
    assert title == "table 1: PPA against UCT"
    assert heading.split()[:4] == ["game", "size", "runs", "ours"]
    assert row.split()[:3] == ["breakthrough", "5x5", "4"]
    assert "[1 of 1] breakthrough-5x5-60: 4 samples, about 1 core-second" in captured.err
    assert captured.err.splitlines()[-1].startswith("breakthrough-5x5-60: ")


@pytest.mark.usefixtures("small")
def test_json_csv_picture_and_data_are_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    files = {name: str(tmp_path / f"x.{name}") for name in ("csv", "svg")}
    line = ["paper", "small-2000", "--figure", "2", "--out", str(tmp_path / "kept"), "--json", "--quiet"]
    assert main([*line, "--csv", files["csv"], "--plot", files["svg"], "--data", str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    data = json.loads(captured.out)
    assert data == json.loads((tmp_path / "kept" / "summary.json").read_text())
    assert data == json.loads((tmp_path / "small-2000.json").read_text())
    assert Path(files["csv"]).read_text().count("\n") == 3
    assert "</svg>" in Path(files["svg"]).read_text()


@pytest.mark.usefixtures("small")
def test_outcomes_of_several_items_are_kept_together(tmp_path: Path) -> None:
    for item in (["--figure", "2"], ["--figure", "3"]):
        line = ["paper", "small-2000", *item, "--out", str(tmp_path / "kept"), "--data", str(tmp_path), "--quiet"]
        assert main(line) == 0
    kept = json.loads((tmp_path / "small-2000.json").read_text())
    assert [item["item"] for item in kept["items"]] == ["figure 2", "figure 3"]


@pytest.mark.usefixtures("small")
@pytest.mark.timing
def test_ctrl_c_gives_the_table_so_far_says_what_is_missing_and_returns_130(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(self: Any, played: Any, progress: Any) -> None:
        if progress.score.games == 2:
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setitem(SMALL.items[0].cells[0].samples, "quick", 1000)  # type: ignore[arg-type]
    monkeypatch.setattr(ExitSignals, "on_game", interrupt)
    line = ["paper", "small-2000", "--table", "1", "--out", str(tmp_path), "--json", "--quiet", "--workers", "1"]
    assert main(line) == 130
    captured = capsys.readouterr()
    row = json.loads(captured.out)["items"][0]["rows"][0]
    assert 2 <= row["done"] < 1000
    assert row["verdict"] == f"incomplete: {row['done']} of 1,000"
    assert captured.err.startswith("rookery: table 1 has 1 figure without all of its samples")
    assert captured.err.endswith(": the same command continues with them\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("ppa-2016", "unknown paper 'ppa-2016': there are "),
        ("ppa-2015 --scale huge", "the scale must be quick, half or full, got 'huge'"),
        ("ppa-2015 --table 9", "ppa-2015 has no table 9: there are table 1, claim rules"),
        ("ppa-2015 --table 1 --figure 2", "only one of --table, --figure and --item can be given"),
        ("ppa-2015 --only chess", "only must be a part of a name such as 'atarigo 5x5 1,000', got 'chess'"),
        ("ppa-2015 --workers 0", "--workers must be at least 1, got 0"),
        ("ppa-2015 --seed x", "--seed must be a whole number, got 'x'"),
        ("ppa-2015 --out FILE", "cannot make FILE: File exists"),
        ("ppa-2015 --plot x.png", "--plot FILE draws one item: give --table N, --figure N or --item TEXT too"),
        ("ppa-2015 --table 1 --plot x.gif", "--plot must end in .png, .svg or .pdf, got 'x.gif'"),
        ("ppa-2015 --page FILE", "--page FILE goes with --data DIR, and without the name of a paper"),
        ("--page FILE --data .", "FILE must have the lines <!-- "),
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
