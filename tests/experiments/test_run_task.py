"""An experiment is the same on every executor; a run whose worker died is made again."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from rookery.control import Signal
from rookery.crews import processes
from rookery.engine.compiled import CompiledEngine
from rookery.experiments.run_task import Contest, RunTask

STOP = rk.MaxPlayouts(100)
SEARCHES = {"flat": rk.NRPA(level=1), "nested": rk.NRPA(level=2, iterations=10)}


class Word(rk.PythonProblem):
    """Letters b are worth a point each."""

    def start(self) -> str:
        return ""

    def moves(self, state: str) -> str:
        return "ab" if len(state) < 9 else ""

    def play(self, state: str, move: str) -> str:
        return state + move

    def score(self, state: str) -> float:
        return state.count("b")


PROBLEMS = {"left": rk.problems.LeftMove(depth=30), "word": Word()}


def runs(problems: Any = PROBLEMS, searches: Any = SEARCHES, **how: Any) -> dict[Any, Any]:
    """The runs of an experiment by problem and search, without what depends on the clock."""
    done = rk.experiment(problems, searches, stop=STOP, **{"seeds": 2, **how})
    return {(one, name): list(map(what, made)) for one in done.of for name, made in done[one].runs.items()}


def what(run: rk.Result) -> rk.Result:
    history = tuple(replace(improvement, seconds=0.0) for improvement in run.history)
    return replace(run, seconds=0.0, compile_seconds=0.0, history=history, tasks=0)


@pytest.fixture(scope="module")
def expected() -> dict[Any, Any]:
    return runs()


def test_processes_make_the_same_runs(expected: Any) -> None:
    assert runs(executor="processes", workers=2) == expected


def test_an_executor_that_was_handed_in_makes_the_same_runs_and_stays(expected: Any) -> None:
    with ThreadPoolExecutor(2) as threads:
        assert runs(executor=threads) == expected
        assert threads.submit(int, "7").result() == 7


def test_a_cluster_of_dasks_makes_the_same_runs(expected: Any) -> None:
    assert runs(executor="dask", workers=1) == expected


MPI = """
import sys
sys.path.insert(0, {tests!r})
from test_run_task import runs
print(runs(executor="mpi") == runs())
"""


def test_the_ranks_of_an_mpi_job_make_the_same_runs(tmp_path: Path) -> None:
    program = shutil.which("mpirun", path=str(Path(sys.executable).parent)) or shutil.which("mpirun")
    assert program is not None, "mpirun is missing: pip install mpich"
    (tmp_path / "script.py").write_text(MPI.format(tests=str(Path(__file__).parent)))
    command = [program, "-n", "2", sys.executable, "-m", "mpi4py.futures", "script.py"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("True\n", "")


def test_another_executor_goes_on_with_the_runs_of_a_folder(expected: Any, tmp_path: Path) -> None:
    runs(seeds=1, folder=tmp_path)
    files = {file: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    assert runs(folder=tmp_path, executor="processes", workers=1) == expected
    assert {file: file.stat().st_mtime_ns for file in files} == files
    assert len(list(tmp_path.iterdir())) == len(files) + 4


class Elsewhere(Word):
    """Does something in other processes only."""

    def __init__(self, marks: Path) -> None:
        self.marks, self.home = marks, os.getpid()

    def score(self, state: str) -> float:
        if os.getpid() != self.home:
            self.elsewhere()
        return super().score(state)

    def elsewhere(self) -> None:
        raise NotImplementedError


class Mortal(Elsewhere):
    """The first process that comes to the middle of a run ends there."""

    scores = 0

    def elsewhere(self) -> None:
        self.scores += 1
        if self.scores == 50 and not (self.marks / "died").exists():
            (self.marks / "died").touch()
            os._exit(1)


def test_a_run_whose_process_died_is_made_again(expected: Any, tmp_path: Path) -> None:
    made = runs({"word": Mortal(tmp_path)}, executor="processes", workers=1)
    assert (tmp_path / "died").exists()
    for name in SEARCHES:
        assert [run.moves for run in made["word", name]] == [run.moves for run in expected["word", name]]


class Fussy(Elsewhere):
    """Fails in other processes."""

    def elsewhere(self) -> None:
        int("seven")


def test_an_error_in_a_users_code_arrives_with_its_place(tmp_path: Path) -> None:
    with pytest.raises(rk.errors.RemoteError, match=r"test_run_task.py:\d+: ValueError in elsewhere: invalid literal"):
        runs({"word": Fussy(tmp_path)}, executor="processes", workers=1)


class Leisurely(Elsewhere):
    """Says in which process it is, and takes its time."""

    def elsewhere(self) -> None:
        (self.marks / str(os.getpid())).touch()
        time.sleep(0.03)


def test_a_run_far_longer_than_others_is_made_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "AT_LEAST", 0.0)
    monkeypatch.setattr(processes, "BY_FAR", 1.0)
    searches = {"short": rk.NRPA(level=1, iterations=1), "long": rk.NRPA(level=1, iterations=100)}
    runs({"word": Leisurely(tmp_path)}, searches, executor="processes", workers=1, seeds=1, restarts=False)
    assert len(list(tmp_path.iterdir())) == 1


def test_no_run_of_a_worker_compiles_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = {"left": rk.problems.LeftMove(depth=30)}
    pairs = (("left", "flat"), ("left", "nested"))
    contest = Contest(problems, SEARCHES, pairs, STOP, True)
    compiled: list[Any] = []
    warm = CompiledEngine.warm

    def noted(self: CompiledEngine, name: str, make: Any, *arguments: Any) -> Any:
        compiled.append(make)
        return warm(self, name, make, *arguments)

    monkeypatch.setattr(CompiledEngine, "warm", noted)
    RunTask(problem="left", search="flat", key=1).warm(contest.worker())
    before = set(compiled)
    for name in SEARCHES:
        RunTask(problem="left", search=name, key=1).compute(contest.worker(), Signal())
    assert set(compiled) == before


@pytest.mark.timing
def test_ctrl_c_does_not_wait_for_the_runs_of_other_processes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Impatient:
        """Standard error on which the first line presses Ctrl-C."""

        def write(self, text: str) -> int:
            if "(1 of 2 runs)" in text:
                import _thread

                _thread.interrupt_main()
            return len(text)

        def flush(self) -> None: ...

    monkeypatch.setattr(sys, "stderr", Impatient())
    searches = {"short": rk.NRPA(level=1, iterations=1), "endless": rk.NRPA(level=9)}
    stop, how = rk.MaxTime(300), {"executor": "processes", "workers": 2, "restarts": False, "progress": True}
    began = time.monotonic()
    some = rk.experiment(Word(), searches, seeds=1, stop=stop, **how)  # type: ignore[call-overload]
    assert time.monotonic() - began < 100
    assert {name: len(made) for name, made in some.runs.items()} == {"short": 1, "endless": 0}
    assert not some.complete


def test_a_problem_that_cannot_be_sent_is_refused() -> None:
    class Locked(Word):
        def __init__(self) -> None:
            self.lock = threading.Lock()

    with pytest.raises(rk.InputError, match="cannot be sent to other processes"):
        runs({"word": Locked()}, executor="processes", workers=1)


def test_what_cannot_work_is_refused_at_once() -> None:
    with pytest.raises(rk.InputError, match="executor must be threads, processes, mpi, dask or an Executor object"):
        runs(executor="thread")
