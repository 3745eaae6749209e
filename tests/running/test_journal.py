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
    start, end = lines[0], lines[-1]
    about = {"event": "start", "journal": 1, "problem": "leftmove", "parameters": {"depth": 30}, "sense": "max"}
    about |= {"search": SEARCH.parameters(), "seed": 1, "executor": "threads", "workers": 1}
    assert {name: start[name] for name in about} == about
    assert (end["event"], end["status"]) == ("end", "finished")
    names = ("score", "playouts", "iterations", "tasks", "tasks_discarded", "useful_share", "executor", "workers")
    assert {name: end[name] for name in names} == {name: getattr(result, name) for name in names}


@pytest.mark.parametrize("workers", [1, 2])
def test_every_improvement_is_told_and_the_last_one_has_the_moves_of_the_result(workers, tmp_path):
    result, lines = logged(tmp_path / "run.jsonl", workers=workers)
    told = [tuple(row) for line in of(lines, "best") for row in line["improvements"]]
    assert told == [(i.seconds, i.playouts, i.score) for i in result.history]
    assert of(lines, "best")[-1]["moves"] == list(result.moves)
    assert all(set(line) == STANDS | {"moves", "improvements"} for line in of(lines, "best"))


def test_the_last_line_is_the_result(tmp_path):
    result, lines = logged(tmp_path / "run.jsonl")
    assert rk.Result.from_json({**lines[0], **lines[-1]}) == result


class Hands(rk.RunLog):
    """A log whose clock is moved by hand."""

    now = 0.0

    def clock(self) -> float:
        return self.now


@pytest.mark.parametrize(("began", "told"), [(0.0, [0, 2, 4, 6, 8, 10]), (500.0, [0, 5, 10]), (9e9, [0, 10])])
def test_progress_is_told_five_times_a_second_at_first_and_once_a_second_later(began, told, tmp_path):
    log = Hands(tmp_path / "run.jsonl")
    for tenth in range(11):
        log.now = tenth / 10 * 1.01
        log.on_tick(rk.Progress(2, tenth, 10, 0, 100, began + tenth / 10, None))
    log.close()
    assert [line["iteration"] for line in of(read(tmp_path / "run.jsonl"), "tick")] == told


def test_of_improvements_in_quick_succession_the_last_is_told_with_the_next_tick(tmp_path):
    log = Hands(tmp_path / "run.jsonl")
    for score in (1.0, 2.0, 3.0):
        improved = (rk.tools.Improvement(0.01, 1, score),)
        log.on_best(rk.Progress(2, 0, 10, 0, 100, 0.01, score, improvements=improved), [0])
    log.now = 0.2
    log.on_tick(rk.Progress(2, 0, 10, 0, 100, 0.2, 3.0))
    log.close()
    bests = of(read(tmp_path / "run.jsonl"), "best")
    assert [(line["score"], len(line["improvements"])) for line in bests] == [(1.0, 1), (3.0, 2)]


def test_replacements_are_counted_by_level_better_ones_and_ties(tmp_path):
    log = Hands(tmp_path / "run.jsonl")
    for level, tie in ((2, False), (2, True), (2, True), (3, False)):
        log.on_replace(level, 1, [0], tie)
    log.on_tick(rk.Progress(2, 0, 10, 0, 100, 0.0, None))
    log.close()
    assert read(tmp_path / "run.jsonl")[0]["replaced"] == {"2": [1, 2], "3": [1, 0]}


def test_a_journal_that_goes_on_after_a_kill_begins_with_a_new_line(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"event": "start"}\n{"event": "ti')
    log = rk.RunLog(path, append=True)
    log.on_warning("again")
    log.close()
    assert path.read_text().splitlines()[1:] == ['{"event": "ti', '{"event": "warning", "text": "again"}']


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

    def write(self, line: bytes) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    def close(self) -> None:
        pass


def test_a_full_disk_ends_the_log_and_not_the_run(tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    log = rk.RunLog(path)
    log.journal._file = Full()
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
    assert [line["games"] for line in lines if line["event"] == "game"][-1] == 3
    assert (lines[0]["game"], lines[0]["a"]["algorithm"]) == ("examples_of_games:PythonNim", "flat")
    assert (lines[0]["event"], lines[-1]["event"], lines[-1]["asked"]) == ("start", "end", 3)
