"""Functions of a user's that do not return: limits and Ctrl-C end the run all the same, and the function is named."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import loops
import rookery as rk
from rookery.control import Signal
from rookery.running.interrupts import Interrupts
from rookery.running.watched import Watched

pytestmark = pytest.mark.timing
posix = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

FILE = Path(__file__).parents[1] / "loops.py"
NRPA = ("--level", "3", "--iterations", "10", "--atomic-level", "1", "--seed", "1", "--workers", "1")
LIMIT = 120
"""Seconds after which a command counts as hung."""


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "rookery", *arguments, "--quiet"]


def interrupted(arguments: list[str], times: int = 1) -> tuple[int, str, str]:
    """Ctrl-C once a command has said that it is stuck: its exit code, output, and what else it says."""
    with subprocess.Popen(arguments, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            for line in process.stderr:
                if line == "stuck\n":
                    break
            for _ in range(times):
                process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=LIMIT)
        finally:
            process.kill()
    return process.returncode, out, err


@pytest.mark.parametrize("executor", ["threads", "processes"])
def test_a_time_limit_ends_a_run_whose_compiled_function_does_not_return_and_names_it(executor):
    where = loops.FUNCTIONS.index("moves")
    solve = command("solve", f"{FILE}:Loop", "-p", f"function={where}", *NRPA, "--time", "3s", "--json")
    done = subprocess.run([*solve, "--executor", executor], capture_output=True, text=True, timeout=LIMIT)

    assert done.stdout, done.stderr
    result = json.loads(done.stdout)
    line = loops.Loop.moves.__code__.co_firstlineno + 1  # of the loop, or the one in it
    assert (done.returncode, result["status"], result["score"] > 0) == (0, "time", True)
    place = rf"Loop\.moves\(\) at \S*loops\.py:({line}|{line + 1}), `.*`"
    assert re.fullmatch(f"rookery: warning: {place}: did not return when the run had to end.*\n", done.stderr)


def test_whichever_compiled_function_does_not_return_is_named():
    program = f"""
    import sys, warnings
    sys.path.insert(0, {str(FILE.parent)!r})
    import loops, rookery as rk

    for number, name in enumerate(loops.FUNCTIONS[1:], 1):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            search = rk.NRPA(level=3, iterations=10)
            try:
                rk.solve(loops.Loop(function=number), search, seed=1, atomic_level=1, stop=rk.MaxTime(2))
                said = str(caught[0].message)
            except rk.InputError as error:
                said = str(error).partition("finished: ")[2]
        print(name, said.partition("() at")[0])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=300)

    assert done.stderr == ""
    assert done.stdout.split("\n")[:-1] == [f"{name} Loop.{name}" for name in loops.FUNCTIONS[1:]]


@posix
@pytest.mark.parametrize("times", [1, 2])
def test_ctrl_c_ends_a_run_whose_function_does_not_return_with_the_best_so_far(times):
    solve = command("solve", f"{FILE}:Endless", *NRPA, "--json")
    code, out, err = interrupted(solve, times)

    assert (code, json.loads(out)["status"]) == (130, "interrupted")
    assert "Traceback" not in err
    assert "Endless.score() at " in err


@posix
def test_ctrl_c_ends_a_match_whose_game_does_not_return():
    code, _, err = interrupted(command("match", f"{FILE}:Race", "--playouts", "50", "--workers", "1"))

    assert code == 130
    assert "Traceback" not in err
    assert "Race.moves() at " in err


@posix
def test_ctrl_c_ends_a_simulation_whose_function_does_not_return():
    simulate = command("simulate", f"{FILE}:Endless", "--level", "3", "--iterations", "10", "--workers", "8")
    code, out, err = interrupted([*simulate, "--threads", "2"])

    assert (code, out) == (130, "")
    assert "Traceback" not in err
    assert "Endless.score() at " in err


def test_an_answer_that_comes_together_with_ctrl_c_is_not_waited_for_again(monkeypatch):
    class Together(queue.SimpleQueue):
        """Python raises what a signal asks for when the wait is over, but before its outcome is there."""

        def get(self, *arguments, **options):
            super().get(*arguments, **options)
            raise KeyboardInterrupt

    class Worker:
        def run(self, task, signal):
            return "outcome"

    watched = Watched(Worker(), None, Interrupts())
    monkeypatch.setattr("rookery.running.watched.queue.SimpleQueue", Together)
    with pytest.raises(KeyboardInterrupt):
        watched.run(None, Signal())
    watched.close()


def test_a_decision_whose_game_does_not_return_ends_after_its_time():
    loops.Race.calls = 1990  # a busy machine may not get to 2,000 in that time
    try:
        with pytest.raises(rk.ProblemError, match=r"Race\.moves\(\) at .*loops\.py:\d+, .*: did not return"):
            rk.decide(loops.Race(), rk.GameUCT(playouts=None, seconds=0.3))
    finally:
        loops.Race.patient = False  # the thread that was left behind can end


def test_a_function_that_does_not_return_before_the_first_playout_is_named_in_the_error():
    class Long(loops.Word):
        returns = False

        def moves(self, state):
            while not self.returns:
                pass
            return super().moves(state)

    problem = Long()
    try:
        with pytest.raises(rk.InputError, match=r"before its first playout was finished: Long\.moves\(\) at "):
            rk.solve(problem, rk.NRPA(level=1), stop=rk.MaxTime(0.1))
    finally:
        problem.returns = True
