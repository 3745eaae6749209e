"""Journals are read while they grow, whatever is in them, and of long ones only as much as a picture needs."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

import rookery as rk

START = {"event": "start", "journal": 1, "version": "0.1.0", "problem": "leftmove", "parameters": {"depth": 5}}
START |= {"search": {"algorithm": "nrpa"}, "seed": 1, "sense": "max"}


def line(event: str, **values: Any) -> str:
    return json.dumps({"event": event, **values}) + "\n"


def tick(second: float, **more: Any) -> str:
    return line("tick", seconds=second, score=3.0, playouts=int(100 * second), workers=1, running=1, **more)


def journal(path: Path, *lines: str) -> rk.files.JournalReader:
    path.write_text(json.dumps(START) + "\n" + "".join(lines))
    return rk.files.JournalReader(path)


def test_a_reader_goes_on_where_it_stopped(tmp_path):
    reader = journal(tmp_path / "run.jsonl", tick(1))
    assert (reader.update(), reader.update()) == (True, False)
    with (tmp_path / "run.jsonl").open("a") as file:
        file.write(tick(2) + tick(3)[:20])
    assert (reader.update(), reader.update()) == (True, False)
    assert [row[0] for row in reader.runs[""].ticks.rows()] == [1, 2]
    with (tmp_path / "run.jsonl").open("a") as file:
        file.write(tick(3)[20:])
    assert reader.update()
    assert [row[0] for row in reader.runs[""].ticks.rows()] == [1, 2, 3]
    assert reader.broken == 0


def test_a_file_that_was_replaced_is_read_from_its_beginning(tmp_path):
    reader = journal(tmp_path / "run.jsonl", tick(1), tick(2))
    reader.update()
    (tmp_path / "run.jsonl").write_text(json.dumps({**START, "seed": 2}) + "\n" + tick(5) * 9)
    assert reader.update()
    assert reader.runs[""].start["seed"] == 2
    assert len(reader.runs[""].ticks.rows()) == 9


@pytest.mark.parametrize(
    "bad", ["nonsense", "{", "[1, 2]", '{"event": "other"}', "[" * 100_000, '{"event": 3}', "\udcff", "1" * 5000]
)
def test_a_broken_line_is_counted_and_passed_over(bad, tmp_path):
    path = tmp_path / "run.jsonl"
    reader = journal(path)
    with path.open("a", errors="surrogateescape") as file:
        file.write(bad + "\n" + tick(1))
    reader.update()
    assert (reader.broken, len(reader.runs[""].ticks.rows())) == (1, 1)


@pytest.mark.parametrize("bad", [{"seconds": "x"}, {"playouts": None}, {"score": [1]}, {"workers": 1e999}])
def test_values_of_the_wrong_kind_are_left_out(bad, tmp_path):
    path = tmp_path / "run.jsonl"
    journal(path)
    with path.open("a") as file:
        file.write(json.dumps({"event": "tick", "seconds": 1.0, "playouts": 5, "score": 1.0, **bad}) + "\n")
        file.write(json.dumps({"event": "best", **bad, "moves": 3, "improvements": {}}) + "\n")
    reader = rk.files.JournalReader(path)
    reader.update()
    assert None in reader.runs[""].ticks.rows()[0]
    assert (reader.runs[""].moves(), reader.runs[""].result()) == ((), None)


def test_a_journal_of_a_later_format_is_refused_in_one_sentence(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({**START, "journal": 2}) + "\n")
    with pytest.raises(rk.InputError, match=r"run.jsonl is a journal of format 2; this version reads formats up to 1$"):
        rk.files.JournalReader(path).update()


@pytest.mark.skipif(os.name == "nt", reason="devices of POSIX")
def test_a_device_that_never_ends_is_refused():
    with pytest.raises(rk.InputError, match=r"cannot read /dev/zero: it is not a file$"):
        rk.files.JournalReader("/dev/zero").update()


def test_of_a_long_journal_a_few_points_are_kept_and_all_improvements(tmp_path):
    bests = [line("best", seconds=k, playouts=k, score=k, moves=[k]) for k in (0, 15_000, 29_999)]
    lines = [tick(k) for k in range(30_000)]
    for k in (0, 15_000, 29_999):
        lines[k] += bests.pop(0)
    reader = journal(tmp_path / "run.jsonl", *lines)
    tracemalloc.start()
    reader.update()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    story = reader.runs[""]
    ticks = [row[0] for row in story.ticks.rows()]
    assert [row[2] for row in story.bests.rows()] == [0, 15_000, 29_999]
    assert 200 < len(ticks) <= 1501
    assert ticks == sorted(ticks)
    assert (ticks[0] < 100, ticks[-1]) == (True, 29_999)
    assert most < 8 << 20, "not in proportion to the file"


def test_the_runs_of_a_command_are_told_apart(tmp_path):
    path = tmp_path / "runs.jsonl"
    log = rk.files.Journal(path, about={"command": ["rookery", "experiment", "x.toml"]})
    problem, searches = rk.problems.LeftMove(depth=30), {"flat": rk.NRPA(level=1)}
    observers = lambda _, search, seed: [log.run(f"{search}, seed {seed}")]  # noqa: E731
    done = rk.experiment(problem, searches, seeds=2, stop=rk.MaxPlayouts(50), observers=observers)
    log.close()
    reader = rk.files.JournalReader(path)
    reader.update()
    assert [story.result() for story in reader.runs.values()] == list(done.runs["flat"])
    assert {story.start["command"][1] for story in reader.runs.values()} == {"experiment"}


def test_a_run_that_has_not_ended_has_a_result_so_far(tmp_path):
    best = line("best", seconds=1.5, playouts=70, score=4, moves=[0, 1], iteration=2, improvements=[[1.2, 60, 4]])
    reader = journal(tmp_path / "run.jsonl", best, tick(2))
    reader.update()
    result = reader.runs[""].result()
    assert (result.status, result.score, result.moves, result.playouts) == ("interrupted", 3.0, (0, 1), 200)
    assert result.history == (rk.tools.Improvement(1.2, 60, 4.0),)


def test_a_glance_reads_the_first_line_and_the_last_that_is_whole(tmp_path):
    path = tmp_path / "run.jsonl"
    journal(path, *(tick(k) for k in range(5000)), tick(5000)[:-5])
    start, last = rk.files.glance(path)
    assert (start["problem"], last["seconds"]) == ("leftmove", 4999)
    (tmp_path / "other.jsonl").write_text('{"rookery_match": 1}\n')
    assert rk.files.glance(tmp_path / "other.jsonl") is None
    assert rk.files.glance(tmp_path / "none.jsonl") is None


WRITER = """
import sys
import rookery as rk

class Busy(rk.RunLog):
    ticks = 0

    def clock(self):
        self.ticks += 1
        return self.ticks

log = Busy(sys.argv[1], append=True)
log.on_start(rk.problems.LeftMove(depth=5), rk.NRPA(level=1), 1)
second = 0
while True:
    second += 1
    log.on_tick(rk.Progress(1, second, None, 0, second, float(second), None))
    if second == 100:
        print("written", flush=True)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_journal_is_whole_after_a_kill_and_goes_on(tmp_path):
    path = tmp_path / "run.jsonl"
    for runs in (1, 2):
        with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE) as process:
            assert process.stdout.readline() == b"written\n"
            process.send_signal(signal.SIGKILL)
        reader = rk.files.JournalReader(path)
        reader.update()
        assert reader.broken < runs, "but for the line that was being written"
        assert len(reader.runs[""].ticks.rows()) > 90
