from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading

import psutil
import pytest

import rookery as rk
from examples_of_problems import HashedMorpion, Knapsack, Words
from rookery.crews.processes import ProcessCrew
from rookery.crews.shipping import ship
from rookery.plans.plan import Job
from rookery.search.sampling import Sampling, SamplingTask

SEARCH = rk.NRPA(level=3, iterations=6, ties={3: 0.3, 2: 0.3})


class Ticks(rk.Callback):
    """Notes what it is told while a run goes on."""

    def __init__(self) -> None:
        self.playouts: list[int] = []

    def on_tick(self, progress):
        self.playouts.append(progress.playouts)


class Fussy(rk.PythonProblem):
    """Raises an error of Python's, in another process only."""

    def __init__(self, home: int) -> None:
        self.home = home

    def start(self):
        return ""

    def moves(self, state):
        return "ab" if len(state) < 3 else ""

    def play(self, state, move):
        return state + move

    def score(self, state):
        return len(state) if os.getpid() == self.home else int("seven")


@pytest.mark.parametrize(
    "problem",
    [rk.problems.LeftMove(depth=20), Knapsack.build(), HashedMorpion(), Words()],
    ids=["dense", "hashed", "morpion", "python"],
)
def test_two_processes_give_the_sequential_result(problem):
    alone = rk.solve(problem, SEARCH, seed=1, atomic_level=1)
    result = rk.solve(problem, SEARCH, seed=1, atomic_level=1, workers=2, executor="processes")

    assert (result.score, result.moves, result.playouts) == (alone.score, alone.moves, alone.playouts)
    assert result.executor == "processes"


@pytest.mark.timing
def test_a_compiled_task_is_halted_and_its_playouts_are_seen_while_it_runs():
    ticks = Ticks()
    endless = rk.NRPA(level=4, iterations=1000)

    result = rk.solve(
        rk.problems.LeftMove(depth=20),
        endless,
        seed=1,
        atomic_level=4,
        executor="processes",
        stop=rk.MaxTime(3),
        callbacks=[ticks],
    )

    assert result.status == "time"
    assert result.playouts > 0
    assert any(seen > 0 for seen in ticks.playouts)


def test_no_process_is_left_of_a_run():
    before = set(psutil.Process().children())
    rk.solve(Words(), SEARCH, seed=1, workers=2, executor="processes")

    assert set(psutil.Process().children()) <= before


@pytest.mark.timing
def test_processes_that_do_not_halt_are_ended():
    before = set(psutil.Process().children())
    crew = ProcessCrew(1, ship(rk.problems.LeftMove(depth=20)), False)
    crew.assemble()
    (process,) = set(psutil.Process().children()) - before
    crew.submit(Job(SamplingTask(search=Sampling(), key=1, first=0, last=1 << 60)), None)
    while crew.playouts() == 0:
        crew.wait(0.01)
        assert not crew.collect()

    crew.close(wait=False)

    assert not process.is_running()


def test_an_error_in_a_users_code_arrives_with_its_place():
    line = Fussy.score.__code__.co_firstlineno + 1

    with pytest.raises(
        rk.ProblemError, match=rf"test_processes.py:{line}: ValueError in score: invalid literal .*seven"
    ):
        rk.solve(Fussy(os.getpid()), SEARCH, seed=1, executor="processes", atomic_level=1)


def test_a_script_without_a_guard_is_run_once(tmp_path):
    script = """
    import rookery as rk
    print("begins")
    print(rk.solve(rk.problems.LeftMove(depth=8), rk.NMCS(level=2), seed=1, workers=2, executor="processes").score)
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path)

    assert (done.stdout, done.stderr) == ("begins\n8.0\n", "")


def test_several_workers_on_a_python_problem_are_processes_unless_told_otherwise():
    alone = rk.solve(Words(), SEARCH, seed=1)
    result = rk.solve(Words(), SEARCH, seed=1, workers=2)

    assert (alone.executor, result.executor, result.workers) == ("threads", "processes", 2)
    assert result.moves == alone.moves
    assert rk.solve(Words(), SEARCH, seed=1, workers=2, executor="threads").executor == "threads"


class Locked(Words):
    """A problem that cannot be sent."""

    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()


def test_a_python_problem_that_cannot_be_sent_is_computed_by_threads_and_it_is_said_why():
    with pytest.warns(
        rk.errors.RookeryWarning, match="workers are threads, which take turns in Python: Locked cannot be sent"
    ):
        result = rk.solve(Locked(), SEARCH, seed=1, workers=2)

    assert result.executor == "threads"


class NoGood(LookupError):
    """An exception of the user's own."""


class Raising(Words):
    """No sequence is good."""

    def score(self, state):
        raise NoGood(state)


def test_an_exception_in_processes_that_nobody_asked_for_is_the_exception_itself():
    with pytest.raises(NoGood) as caught:
        rk.solve(Raising(), SEARCH, seed=1, workers=2, atomic_level=1)

    assert caught.traceback[-1].name == "score"
