"""The busy processes end with the command that they disturb."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

BUSY = Path(__file__).parents[2] / "tools" / "busy.py"
COUNT = "import os, psutil; print(*(child.pid for child in psutil.Process(os.getppid()).children()), flush=True)"


@pytest.mark.parametrize("code", [0, 3])
def test_the_exit_code_is_that_of_the_command_and_no_process_is_left(code: int) -> None:
    command = [sys.executable, str(BUSY), "3", sys.executable, "-c", f"{COUNT}; raise SystemExit({code})"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    started = [int(word) for word in done.stdout.split()]
    assert done.returncode == code
    assert len(started) == 4  # the command and three others
    assert not any(psutil.pid_exists(process) for process in started)


@pytest.mark.timing
@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_asked_to_end_it_ends_the_command_and_all_others() -> None:
    command = [sys.executable, str(BUSY), "3", sys.executable, "-c", f"{COUNT}; input()"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdout is not None
        started = [int(word) for word in process.stdout.readline().split()]
        process.terminate()
        assert process.wait() == 143
    assert len(started) == 4
    assert not any(psutil.pid_exists(other) for other in started)


@pytest.mark.parametrize("arguments", [[], ["3"], ["many", "true"]])
def test_without_a_number_and_a_command_it_says_how_it_is_used(arguments: list[str]) -> None:
    done = subprocess.run([sys.executable, str(BUSY), *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (2, "usage: busy.py NUMBER COMMAND ...\n")
