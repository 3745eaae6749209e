"""``rookery resume``: a run goes on from its checkpoint, on the command line."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from rookery.cli import main
from rookery.plans.restarts import Restarts

SEARCH = ("leftmove", "-p", "depth=30", "--level", "3", "--iterations", "6", "--seed", "1", "--atomic-level", "1")

WORDS = """
import rookery as rk


class Words(rk.PythonProblem):
    def __init__(self, length: int = 8):
        self.length = length

    def start(self):
        return ""

    def moves(self, state):
        return "abc" if len(state) < self.length else ""

    def code(self, state, move):
        return (len(state), move)

    def play(self, state, move):
        return state + move

    def score(self, state):
        scored.append(state)
        if len(scored) > LAST:
            raise ZeroDivisionError("no score today")
        return float(sum(ord(c) * (i + 1) for i, c in enumerate(state)) % 97)


LAST = 100
scored = []
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main([*arguments, "--quiet"])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def told(output: str) -> dict[str, Any]:
    """All of a result that must be the same."""
    result = json.loads(output)
    names = (
        "problem",
        "parameters",
        "search",
        "seed",
        "score",
        "moves",
        "playouts",
        "iterations",
        "restarts",
        "status",
    )
    return {name: result[name] for name in names}


def whole(capsys: pytest.CaptureFixture[str], *limits: str) -> dict[str, Any]:
    """The result of the run that was never interrupted."""
    return told(run(capsys, "solve", *SEARCH, *limits, "--json")[1])


def begin(capsys: pytest.CaptureFixture[str], *limits: str) -> None:
    code, _, _ = run(capsys, "solve", *SEARCH, "--checkpoint", "run.ckpt", *limits)
    assert code == 0


def test_a_run_goes_on_beyond_its_limit(capsys):
    begin(capsys, "--playouts", "50")
    code, out, _ = run(capsys, "resume", "run.ckpt", "--playouts", "150", "--json")
    assert (code, told(out)) == (0, whole(capsys, "--playouts", "150"))


def test_a_run_goes_on_without_limits(capsys):
    begin(capsys, "--playouts", "50", "--no-restarts")
    _, out, _ = run(capsys, "resume", "run.ckpt", "--no-limits", "--json")
    assert told(out) == whole(capsys)


def test_limits_that_are_not_changed_stay(capsys):
    begin(capsys, "--playouts", "50", "--target", "30")
    _, out, _ = run(capsys, "resume", "run.ckpt", "--target", "29", "--json")
    assert (json.loads(out)["status"], json.loads(out)["playouts"]) == ("playouts", 50)


@pytest.mark.parametrize("how", [("--workers", "3"), ("--executor", "processes", "--workers", "2")], ids=" ".join)
def test_a_run_goes_on_with_other_workers(how, capsys):
    begin(capsys, "--playouts", "50", "--workers", "1")
    _, out, _ = run(capsys, "resume", "run.ckpt", "--playouts", "150", *how, "--json")
    assert told(out) == whole(capsys, "--playouts", "150")


def test_a_run_that_is_finished_is_told_again(capsys):
    begin(capsys)
    code, out, _ = run(capsys, "resume", "run.ckpt", "--json")
    assert (code, told(out)) == (0, whole(capsys))


def test_the_result_is_put_into_words_and_saved(capsys):
    begin(capsys)
    code, out, _ = run(capsys, "resume", "run.ckpt", "--out", "result.json")
    assert (code, out.split()[:2]) == (0, ["score", f"{rk.Result.load('result.json').score:g}"])


def test_from_now_on_the_run_is_kept_in_another_file(folder, capsys):
    begin(capsys, "--playouts", "50")
    before = (folder / "run.ckpt").read_bytes()
    run(capsys, "resume", "run.ckpt", "--playouts", "100", "--checkpoint", "next.ckpt")
    assert (folder / "run.ckpt").read_bytes() == before
    _, out, _ = run(capsys, "resume", "next.ckpt", "--playouts", "150", "--json")
    assert told(out) == whole(capsys, "--playouts", "150")


def test_the_log_goes_on(folder, capsys):
    begin(capsys, "--playouts", "50", "--log", "run.jsonl")
    run(capsys, "resume", "run.ckpt", "--playouts", "150", "--log", "run.jsonl")
    events = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    assert [event["event"] for event in events if event["event"] in ("start", "end")] == ["start", "end"] * 2
    assert [event["playouts"] for event in events if event["event"] == "end"] == [50, 150]


def test_what_is_printed_is_the_result_and_nothing_else(capsys):
    begin(capsys, "--playouts", "50")
    _, out, _ = run(capsys, "resume", "run.ckpt", "--playouts", "150", "--json")
    assert (out.count("\n"), json.loads(out)["playouts"]) == (1, 150)


# --- problems of one's own ---


def sound(text: str) -> str:
    return text.replace("LAST = 100", "LAST = 10**9")


def begin_words(folder: Path, capsys: pytest.CaptureFixture[str], text: str, *limits: str) -> tuple[int, str, str]:
    (folder / "words.py").write_text(text)
    search = ("--level", "2", "--iterations", "15", "--seed", "1", "--atomic-level", "1", "--checkpoint", "run.ckpt")
    return run(capsys, "solve", "words.py:Words", "-p", "length=9", *search, *limits, "--json")


def test_after_an_error_the_best_so_far_is_told_and_with_the_mended_problem_the_run_goes_on(folder, capsys):
    expected = told(begin_words(folder, capsys, sound(WORDS))[1])
    code, out, err = begin_words(folder, capsys, WORDS)
    assert (code, json.loads(out)["status"], 0 < json.loads(out)["playouts"] < 225) == (1, "failed", True)
    assert "ZeroDivisionError in score: no score today" in err
    (folder / "words.py").write_text(sound(WORDS))
    code, out, _ = run(capsys, "resume", "run.ckpt", "--problem", "words.py:Words", "--json")
    assert (code, told(out)) == (0, expected)


def test_a_file_that_was_edited_is_not_run_unless_it_is_named(folder, capsys):
    begin_words(folder, capsys, sound(WORDS), "--playouts", "50")
    (folder / "words.py").write_text(sound(WORDS) + "\nopen('was-run', 'w').close()\n")
    code, out, err = run(capsys, "resume", "run.ckpt", "--playouts", "60")
    assert (code, out) == (2, "")
    assert "no code is run because a file names it" in err
    assert "`rookery resume run.ckpt --problem words.py:Words`" in err
    assert not (folder / "was-run").exists()
    code, out, _ = run(capsys, "resume", "run.ckpt", "--problem", "words.py:Words", "--playouts", "60", "--json")
    assert (code, json.loads(out)["playouts"]) == (0, 60)
    assert (folder / "was-run").exists()


def test_a_problem_that_was_moved_is_named_anew(folder, capsys):
    begin_words(folder, capsys, sound(WORDS), "--playouts", "50")
    (folder / "words.py").rename(folder / "moved.py")
    given = ("--problem", "moved.py:Words", "-p", "length=9")
    _, out, _ = run(capsys, "resume", "run.ckpt", *given, "--playouts", "60", "--json")
    assert (json.loads(out)["playouts"], json.loads(out)["problem"]) == (60, "moved.py:Words")


def test_a_problem_that_does_something_else_now_is_refused(folder, capsys):
    begin_words(folder, capsys, sound(WORDS), "--playouts", "50")
    (folder / "words.py").write_text(sound(WORDS).replace("% 97", "% 89"))
    code, out, err = run(capsys, "resume", "run.ckpt", "--problem", "words.py:Words", "--playouts", "60")
    assert (code, out) == (2, "")
    assert err == "rookery: the checkpoint is of another problem than words.py:Words is now\n"


def test_what_a_problem_has_computed_from_its_parameters_is_none_of_them(folder, capsys):
    begin_words(folder, capsys, sound(WORDS).replace("= length\n", "= length\n        self.last = length - 1\n"))
    code, out, _ = run(capsys, "resume", "run.ckpt", "--json")
    assert (code, json.loads(out)["status"]) == (0, "finished")


def test_a_parameter_that_a_problem_does_not_keep_is_recorded_verified_and_resumed(folder, capsys):
    text = sound(WORDS).replace("self.length = length", "self.size = length").replace("self.length", "self.size")
    _, out, _ = begin_words(folder, capsys, text, "--playouts", "50", "--out", "result.json")
    assert json.loads(out)["parameters"] == {"length": 9}
    assert main(["verify", "result.json", "--problem", "words.py:Words"]) == 0
    assert "yes, 9 moves" in capsys.readouterr().out
    code, out, _ = run(capsys, "resume", "run.ckpt", "--playouts", "60", "--json")
    assert (code, json.loads(out)["parameters"]) == (0, {"length": 9})


# --- signals ---


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
@pytest.mark.timing
def test_a_signal_in_the_middle_of_a_commit_waits_until_it_is_whole(number, code, capsys, monkeypatch):
    commits = 0

    def commit(plan: Restarts) -> Any:
        nonlocal commits
        commits += 1
        done = original(plan)
        if commits == 20:
            signal.raise_signal(number)
        return done

    original = Restarts.commit
    expected = whole(capsys)
    with monkeypatch.context() as patch:
        patch.setattr(Restarts, "commit", commit)
        ended, out, _ = run(capsys, "solve", *SEARCH, "--checkpoint", "run.ckpt", "--json")
    assert (ended, json.loads(out)["status"]) == (code, "interrupted")
    assert told(run(capsys, "resume", "run.ckpt", "--json")[1]) == expected
