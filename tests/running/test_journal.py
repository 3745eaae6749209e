"""The log of a run: one JSON object per line, from start to end, whatever happens to the disk."""

from __future__ import annotations

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from examples_of_games import PythonNim

PROBLEM, SEARCH = rk.problems.LeftMove(depth=30), rk.NRPA(level=2, iterations=10)
STANDS = {
    *("event", "seconds", "score", "playouts", "iteration", "restart", "workers", "running"),
    *("tasks", "discarded", "speedup"),
}


def logged(path: Path, append: bool = False, **how: Any) -> tuple[rk.Result, list[dict[str, Any]]]:
    """A run with a log, and the lines of the log."""
    result = rk.solve(PROBLEM, SEARCH, seed=1, atomic_level=1, callbacks=[rk.RunLog(path, append)], **how)
    return result, read(path)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def of(lines: list[dict[str, Any]], event: str) -> list[dict[str, Any]]:
    return [line for line in lines if line["event"] == event]


def test_a_log_goes_from_start_to_end(tmp_path):
    result, lines = logged(tmp_path / "run.jsonl")
    assert lines[0] == {"event": "start", "problem": str(PROBLEM), "search": str(SEARCH), "seed": 1}
    end = lines[-1]
    assert (end["event"], end["status"]) == ("end", "finished")
    names = ("score", "playouts", "iterations", "tasks", "tasks_discarded", "useful_share", "executor", "workers")
    assert {name: end[name] for name in names} == {name: getattr(result, name) for name in names}


@pytest.mark.parametrize("workers", [1, 2])
def test_every_iteration_and_every_improvement_is_a_line(workers, tmp_path):
    result, lines = logged(tmp_path / "run.jsonl", workers=workers)
    assert [line["iteration"] for line in of(lines, "iteration")] == list(range(1, 11))
    scores = [line["score"] for line in of(lines, "best")]
    assert scores == sorted(set(scores))
    assert scores[-1] == result.score
    assert {line["length"] for line in of(lines, "best")} == {30}


def test_a_line_says_where_the_run_stands(tmp_path):
    _, lines = logged(tmp_path / "run.jsonl", workers=2)
    assert all(set(line) == STANDS for line in of(lines, "iteration"))
    assert all(set(line) == STANDS | {"length"} for line in of(lines, "best"))
    assert [line["tasks"] for line in of(lines, "iteration")] == list(range(1, 11))
    assert {line["workers"] for line in of(lines, "iteration")} == {2}


def test_time_is_told_once_a_second(tmp_path):
    path = tmp_path / "run.jsonl"
    log = rk.RunLog(path)
    for tenth in range(35):
        log.on_tick(rk.Progress(2, 0, 10, 0, 100, tenth / 10, None))
    log.close()
    assert [line["seconds"] for line in of(read(path), "tick")] == [0.0, 1.0, 2.0, 3.0]


def test_a_new_log_replaces_the_old_one_unless_it_goes_on(tmp_path):
    path = tmp_path / "run.jsonl"
    for append, runs in ((False, 1), (False, 1), (True, 2), (True, 3)):
        _, lines = logged(path, append)
        assert len(of(lines, "start")) == len(of(lines, "end")) == runs


def test_a_warning_is_a_line(tmp_path):
    path = tmp_path / "run.jsonl"
    log = rk.RunLog(path)
    log.on_warning("no checkpoint was written: the disk is full")
    log.close()
    assert read(path) == [{"event": "warning", "text": "no checkpoint was written: the disk is full"}]


def test_lines_are_there_while_the_run_goes_on(tmp_path):
    path = tmp_path / "run.jsonl"
    log = rk.RunLog(path)
    log.on_start(PROBLEM, SEARCH, 1)
    assert len(read(path)) == 1
    log.close()


class Full:
    """A file on a disk that is full."""

    def write(self, text: str) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        pass


def test_a_full_disk_ends_the_log_and_not_the_run(tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    log = rk.RunLog(path)
    log._file = Full()
    result = rk.solve(PROBLEM, SEARCH, seed=1, callbacks=[log])
    assert result.status == "finished"
    told = f"rookery: the log ends here: cannot write {path}: No space left on device\n"
    assert capsys.readouterr().err == told


def test_a_log_is_closed_more_than_once_without_harm(tmp_path):
    log = rk.RunLog(tmp_path / "run.jsonl")
    log.close()
    log.close()
    log.on_warning("too late")
    assert not (tmp_path / "run.jsonl").exists()


def test_what_a_file_holds_is_kept_until_there_is_something_to_write(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text("of an earlier run")
    with pytest.raises(rk.InputError):
        rk.solve(PROBLEM, SEARCH, start_from=[99], callbacks=[rk.RunLog(path)])
    assert path.read_text() == "of an earlier run"


def test_a_log_that_cannot_be_written_is_refused(tmp_path):
    with pytest.raises(rk.InputError, match=r"cannot write .*: No such file or directory$"):
        rk.RunLog(tmp_path / "none" / "run.jsonl")
    with pytest.raises(rk.InputError, match=r"cannot write .*: it is a folder$"):
        rk.RunLog(tmp_path)


def test_a_match_is_written_game_by_game(tmp_path: Path) -> None:
    search = rk.FlatMC(playouts=5)
    rk.match(PythonNim(), search, search, games=3, callbacks=[rk.RunLog(tmp_path / "match.jsonl")])
    lines = [json.loads(line) for line in (tmp_path / "match.jsonl").read_text().splitlines()]
    assert [line["number"] for line in lines if line["event"] == "game"] == [0, 1, 2]
    assert [line["games"] for line in lines if line["event"] == "game"] == [1, 2, 3]
    assert (lines[0]["event"], lines[-1]["event"], lines[-1]["asked"]) == ("start", "end", 3)
