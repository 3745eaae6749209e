"""Worker processes that are stopped, or die while they start, under a real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = [pytest.mark.timing, pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")]

FILE = Path(__file__).parents[1] / "loops.py"
NRPA = ("--level", "2", "--iterations", "10", "--atomic-level", "1", "--seed", "1", "--json", "--quiet")


def solve(problem: str, *arguments: str, path: Path | None = None) -> subprocess.CompletedProcess[str]:
    """What becomes of a command; ``path`` is a folder whose modules are found before others."""
    command = [sys.executable, "-m", "rookery", "solve", f"{FILE}:{problem}", *NRPA, *arguments]
    environment = os.environ if path is None else os.environ | {"PYTHONPATH": str(path)}
    return subprocess.run(command, capture_output=True, text=True, timeout=180, env=environment)


def answer(done: subprocess.CompletedProcess[str]) -> tuple[float, list[str], int]:
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    return result["score"], result["moves"], result["playouts"]


@pytest.fixture(scope="module")
def undisturbed() -> tuple[float, list[str], int]:
    """The answer of a run that nobody disturbs."""
    return answer(solve("Word", "--workers", "1"))


def test_the_answer_does_not_change_when_a_worker_process_is_stopped(tmp_path, undisturbed):
    file = tmp_path / "stopped"
    done = solve("Stopped", "-p", f"file={file}", "--executor", "processes", "--workers", "2")

    assert answer(done) == undisturbed
    assert file.exists()


def test_a_time_limit_ends_a_run_whose_workers_are_all_stopped():
    done = solve("Stopped", "--executor", "processes", "--workers", "2", "--time", "2s")

    assert (done.returncode, json.loads(done.stdout)["status"]) == (0, "time")


def startup(tmp_path: Path, program: str) -> Path:
    """A folder whose sitecustomize is run by Python when it starts; ``worker`` tells whether it is a worker process."""
    beginning = "import os, signal, sys\nworker = any('process_main' in word for word in sys.orig_argv)\n"
    (tmp_path / "sitecustomize.py").write_text(beginning + textwrap.dedent(program))
    return tmp_path


def test_a_worker_process_that_dies_while_it_starts_is_started_again(tmp_path, undisturbed):
    program = """
    if worker and not os.path.exists(os.path.join(os.path.dirname(__file__), "died")):
        open(os.path.join(os.path.dirname(__file__), "died"), "x").close()
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = solve("Word", "--executor", "processes", "--workers", "2", path=startup(tmp_path, program))

    assert answer(done) == undisturbed
    assert (tmp_path / "died").exists()


def test_worker_processes_that_never_start_end_the_run_in_one_sentence_with_the_cause(tmp_path):
    program = """
    if worker:
        print("Traceback of something", file=sys.stderr)
        print("LicenceError: no seat is free", file=sys.stderr, flush=True)
        os._exit(3)
    """
    done = solve("Word", "--executor", "processes", "--workers", "2", path=startup(tmp_path, program))

    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "rookery: the worker processes cannot be started: LicenceError: no seat is free\n"
