"""``rookery simulate``: what it prints and refuses."""

from __future__ import annotations

import io
import json
import shlex
import signal
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main
from rookery.cli import simulate as command

SMALL = ("simulate", "leftmove", "-p", "depth=20", "--level", "3", "--iterations", "8", "--quiet")


def test_the_json_object_has_what_was_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--workers", "1,16", "--seed", "7", "--select", "table", "--cancel", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert [row["workers"] for row in data["rows"]] == [1, 16]
    assert (data["problem"], data["seed"], data["select"], data["cancel"]) == ("leftmove", 7, "table", True)
    assert (data["duration"], data["spread"], data["delay"]) == (25.0, 0.2, 0.001)
    assert data["score"] == rk.solve(rk.problems.LeftMove(depth=20), rk.NRPA(level=3, iterations=8), seed=7).score


def test_the_table_has_a_line_for_each_number_of_workers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--workers", "1,16", "--duration", "2m", "--spread", "0.5", "--delay", "10ms"]) == 0
    head, _, first, second, *rest = capsys.readouterr().out.splitlines()
    assert " ".join(head.split()) == "workers time speed-up efficiency tasks in vain useful oracle of oracle"
    assert (first.split()[0], second.split()[0]) == ("1", "16")
    assert (
        rest[1]
        == "tasks last 120 s on average, spread 0.5; a message takes 0.01 s; discarded tasks are finished in vain"
    )


def test_several_rules_stand_beside_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SMALL, "--workers", "4", "--select", "learned,table", "--threads", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[2:4]] == [["4", "learned"], ["4", "table"]]


def test_the_papers_figure_stands_beside_768_workers_on_morpion(capsys: pytest.CaptureFixture[str]) -> None:
    line = "simulate morpion -p variant=4D --level 2 --iterations 2:3 --iterations 1:4 --workers 2,768 --quiet"
    assert main(shlex.split(line)) == 0
    out = capsys.readouterr().out
    rows = [row for row in out.splitlines() if row.split()[:1] in (["2"], ["768"])]
    assert [row.endswith("547.48 (0.71)") for row in rows] == [False, True]
    assert "level 6, N = 80 at each, tasks of level 3" in out
    assert "Here: level 2, N = 3 at level 2, 4 at level 1, tasks of level 1, 3 of them." in out


def test_the_figure_is_written(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    assert main([*SMALL, "--workers", "2", "--plot", str(tmp_path / "cluster.svg")]) == 0
    assert (tmp_path / "cluster.svg").read_bytes().startswith(b"<?xml")
    assert "speed-up" in capsys.readouterr().out


CASES = [
    ("--workers 0", "--workers must be at least 1, got 0"),
    ("--workers two", "--workers must be a whole number, got 'two'"),
    ("--workers 1,,2", "--workers must be a whole number, got ''"),
    ("--workers 8,8", "--workers must not repeat a number, got 8 twice"),
    ("--workers 1e9", "workers must be at most 1000000, got 1000000000"),
    ("--algorithm nmcs", "only nrpa is simulated: --algorithm must be nrpa, got 'nmcs'"),
    ("--select best", "select must be all or some of learned, table, literal, got 'best'"),
    ("--threads none", "--threads must be a whole number, got 'none'"),
    ("--duration soon", "--duration must be a time such as"),
    ("--duration 0s", "--duration must be above 0, got '0s'"),
    ("--duration measured --spread 0.1", "spread goes with a stated duration, not with measured ones, got 0.1"),
    ("--spread much", "--spread must be a number, got 'much'"),
    ("--delay -1s", "delay must be at least 0, got -1.0"),
    ("--atomic-level 0", "--atomic-level must be at least 1, got 0"),
    ("--seed -1", "--seed must be at least 0, got -1"),
    ("--level 0", "--level must be at least 1, got 0"),
    ("--plot cluster.txt", "--plot must end in .png, .svg or .pdf, got 'cluster.txt'"),
    ("--plot none/cluster.png", "cannot write none/cluster.png: No such file or directory"),
]


@pytest.mark.parametrize(("line", "message"), CASES, ids=[line for line, _ in CASES])
def test_a_mistake_is_one_line_and_exit_code_2(
    line: str, message: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "leftmove", *shlex.split(line)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"rookery: {message}")
    assert captured.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


class Stopping(command.SimulationLine):
    """Sends itself a signal in the second run."""

    number = signal.SIGTERM
    runs = 0

    def on_start(self, *given: object) -> None:
        self.runs += 1

    def on_tick(self, progress: rk.Progress) -> None:
        if self.runs == 2:
            signal.raise_signal(self.number)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.timing
def test_a_request_to_stop_prints_the_rows_that_are_complete(
    number: signal.Signals, code: int, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Stopping, "number", number)
    monkeypatch.setattr(command, "SimulationLine", Stopping)
    assert main([*SMALL[:-1], "--workers", "2,4,8", "--json"]) == code
    data = json.loads(capsys.readouterr().out)
    assert ([row["workers"] for row in data["rows"]], data["complete"]) == ([2], False)


@pytest.mark.timing
def test_sigterm_stops_a_job_in_the_background_to_which_ctrl_c_means_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "SimulationLine", Stopping)
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        assert main([*SMALL[:-1], "--workers", "2,4,8", "--json"]) == 143
    finally:
        signal.signal(signal.SIGINT, before)


def test_progress_tells_the_tasks_and_the_virtual_time() -> None:
    line = command.SimulationLine(io.StringIO(), rk.NRPA(level=3, iterations=8), 1)
    progress = rk.Progress(
        *(3, 2, 8, 0, 500, 7200.0, 17.0),
        workers=768,
        running=700,
        tasks=40,
        discarded=3,
        busy=72000.0,
    )
    assert line.text(progress) == "768 workers | 40/64 tasks, 3 in vain | 2.0 h of virtual time, speed-up 10 | best 17"
