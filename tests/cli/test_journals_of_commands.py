"""Every command that runs long writes a journal that says what command it was; and serves a page if it is asked to."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import rookery as rk
from rookery.cli import main
from rookery.experiments.suite import Case, Suite
from small_paper import small as small

GAME = f"{Path(__file__).resolve().parents[1] / 'examples_of_games.py'}:PythonNim"
EXPERIMENT = """
playouts = 100
seeds = 2
[problems.left]
problem = "leftmove"
parameters = {depth = 30}
[searches.flat]
algorithm = "nrpa"
level = 1
"""


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stories(path: Path) -> list[rk.files.RunStory]:
    reader = rk.files.JournalReader(path)
    reader.update()
    assert reader.broken == 0
    return list(reader.runs.values())


def test_solve_tells_its_command_its_workers_and_its_files(here):
    command = ["solve", "leftmove", "-p", "depth=30", "--level", "2", "--iterations", "10", "--seed", "1"]
    command += ["--log", "run.jsonl", "--out", "r.json", "--checkpoint", "c.ckpt", "--workers", "2", "-q"]
    assert main(command) == 0
    (story,) = stories(here / "run.jsonl")
    assert story.start["command"] == ["rookery", *command]
    assert (story.start["workers"], story.start["executor"]) == (2, "threads")
    assert story.start["files"] == {"checkpoint": "c.ckpt", "result": "r.json"}
    assert story.result() == rk.Result.load(here / "r.json")


def test_resume_goes_on_with_the_journal(here):
    command = ["solve", "leftmove", "-p", "depth=30", "--level", "2", "--iterations", "10", "--seed", "1", "-q"]
    assert main([*command, "--checkpoint", "c.ckpt", "--log", "run.jsonl", "--playouts", "50"]) == 0
    assert main(["resume", "c.ckpt", "--no-limits", "--log", "run.jsonl", "-q"]) == 0
    (story,) = stories(here / "run.jsonl")
    assert (story.start["command"][1], story.end["status"], story.end["playouts"]) == ("resume", "finished", 100)
    assert [row[1] for row in story.bests.rows()] == [i.playouts for i in story.result().history]


def test_a_match_tells_its_score(here):
    sides = ["--a", "flat", "--b", "flat", "--playouts", "5", "--games", "4"]
    assert main(["match", GAME, *sides, "--log", "match.jsonl", "-q"]) == 0
    (story,) = stories(here / "match.jsonl")
    assert (story.is_match, story.end["games"], story.last["games"]) == (True, 4, 4)


def test_a_tournament_tells_its_matches_apart(here):
    sides = ["--players", "flat,uct,flat:playouts=3", "--playouts", "5", "--games", "2"]
    assert main(["tournament", GAME, *sides, "--log", "matches.jsonl", "-q"]) == 0
    told = [(story.name, story.end["games"]) for story in stories(here / "matches.jsonl")]
    assert told == [("1", 2), ("2", 2), ("3", 2)]


def test_tune_tells_its_runs_and_its_games_apart(here):
    few = ["--runs", "16", "--playouts", "5", "--workers", "1", "-q", "--log"]
    assert main(["tune", "leftmove", "--space", "alpha=0.5,1", *few, "runs.jsonl"]) == 0
    names = [story.name for story in stories(here / "runs.jsonl")]
    assert names[:2] == ["nrpa, seed 2000001", "nrpa alpha=0.5, seed 2000001"]
    assert len(set(names)) == len(names)
    assert main(["tune", GAME, "--space", "c=0.1,0.4,1.0", *few, "games.jsonl"]) == 0
    told = [story.name for story in stories(here / "games.jsonl")]
    assert told[:2] == ["1", "2"]


def test_an_experiment_tells_its_runs_apart(here):
    (here / "small.toml").write_text(EXPERIMENT)
    assert main(["experiment", "small.toml", "--log", "runs.jsonl", "-q"]) == 0
    assert [story.name for story in stories(here / "runs.jsonl")] == ["flat on left, seed 1", "flat on left, seed 2"]


def test_a_suite_tells_its_runs_apart(here, monkeypatch):
    cases = (Case("left", "leftmove", {"depth": 30}, best=30.0, source="all moves to the left"),)
    small = Suite("power", cases, {"flat": rk.NRPA(level=1)})
    monkeypatch.setattr("rookery.cli.suite.SUITES", {"power": lambda data: small})
    assert main(["bench", "--suite", "power", "--seconds", "0.1", "--seeds", "1", "--log", "suite.jsonl"]) == 0
    assert [story.name for story in stories(here / "suite.jsonl")] == ["flat on left, seed 1"]


def test_a_simulation_tells_its_rows(here):
    command = ["simulate", "leftmove", "-p", "depth=30", "--level", "2", "--iterations", "10", "--workers", "1,4"]
    assert main([*command, "--log", "cluster.jsonl", "-q"]) == 0
    told = [
        (story.start["executor"], story.end["workers"], story.end["tasks"]) for story in stories(here / "cluster.jsonl")
    ]
    assert told == [("virtual", 1, 10), ("virtual", 4, 10)]


@pytest.mark.usefixtures("small")
def test_a_paper_tells_its_matches_and_its_runs_apart(here):
    command = ["paper", "small-2000", "--log", "paper.jsonl", "--workers", "1", "-q"]
    assert main(command) == 0
    told = stories(here / "paper.jsonl")
    assert [story.name for story in told] == [
        "breakthrough-5x5-60",
        *(f"left on leftmove, seed {seed}" for seed in range(1, 6)),
    ]
    assert all(story.start["command"] == ["rookery", *command] and story.end for story in told)
    kept = here / "small-2000" / "left" / "leftmove--left--3.run.json"
    assert told[3].result() == rk.Result.load(kept)


def test_only_bench_with_a_suite_has_a_journal(capsys):
    assert main(["bench", "leftmove", "--log", "x.jsonl"]) == 2
    assert capsys.readouterr().err == "rookery: --log goes with --suite\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["none"], "serve needs a folder, got none"),
        ([".", "--port", "x"], "--port must be a whole number, got 'x'"),
        ([".", "--port", "99999"], "cannot listen on 127.0.0.1, port 99999: "),
        ([".", "--host", "256.1.1.1"], "cannot listen on 256.1.1.1, port "),
        ([".", "--own", "none.py:Game"], "none.py"),
    ],
)
def test_serve_refuses_in_one_sentence(arguments, said, here, capsys):
    assert main(["serve", *arguments]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1


@pytest.mark.timing
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_a_run_is_served_while_it_goes_on_and_until_somebody_ends_it(number, code, here):
    run = ["solve", "leftmove", "-p", "depth=30", "--level", "2", "--iterations", "10", "--seed", "1", "--json", "-q"]
    command = [sys.executable, "-m", "rookery", *run, "--serve"]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # in the background it would be ignored
    ) as process:
        address = re.fullmatch(r"rookery: see (http://127.0.0.1:\d+/\?token=\S+)\n", process.stderr.readline())[1]
        assert process.stderr.readline() == "rookery: the page stays until Ctrl-C\n"
        opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        with opener.open(address) as page:
            assert b"<title>Rookery</title>" in page.read()
        with opener.open(f"{address.partition('?')[0]}api/run?file=run.jsonl") as story:
            assert b'"status": "finished"' in story.read()
        process.send_signal(number)
        out, err = process.communicate()
    assert (process.returncode, err, out.count("\n"), out[:23]) == (code, "", 1, '{"problem": "leftmove",')
    assert list(here.iterdir()) == []
