"""Workers and schedulers that die, and the process that waits for them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import psutil
import pytest

import rookery as rk
from rookery.errors import ExecutorError

pytestmark = pytest.mark.timing

SEARCH = rk.NRPA(level=2, iterations=6)
SCHEDULER = [
    *(sys.executable, "-m", "distributed.cli.dask_scheduler"),
    *("--host", "127.0.0.1", "--port", "0", "--no-dashboard"),
]
WORKER = [
    *(sys.executable, "-m", "distributed.cli.dask_worker"),
    *("--nworkers", "1", "--nthreads", "1", "--no-dashboard"),
]


class Fatal(rk.PythonProblem):
    """Kills the process that computes it, once: unless the file is there, or always if it cannot be made."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.home = os.getpid()

    def start(self):
        return ""

    def moves(self, state):
        return "abc" if len(state) < 4 else ""

    def code(self, state, move):
        return (len(state), move)

    def play(self, state, move):
        return state + move

    def score(self, state):
        if os.getpid() != self.home and not Path(self.file).exists():
            if Path(self.file).parent.is_dir():
                Path(self.file).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return float(sum(ord(c) * (i + 1) for i, c in enumerate(state)) % 97)


class Leaves(rk.PythonProblem):
    """Ends a process that it is told of, once a task is being computed elsewhere."""

    def __init__(self, victim: int) -> None:
        self.victim = victim
        self.home = os.getpid()

    def start(self):
        return 0

    def moves(self, state):
        return [0, 1] if state < 5 else []

    def play(self, state, move):
        return state + 1

    def score(self, state):
        if os.getpid() != self.home:
            os.kill(self.victim, signal.SIGKILL)
            time.sleep(600)
        return 0.0


def result_on(executor: str, file: Path) -> tuple[float, tuple[str, ...], int]:
    result = rk.solve(Fatal(str(file)), SEARCH, seed=1, workers=2, executor=executor, atomic_level=1)
    return result.score, result.moves, result.playouts


@pytest.mark.parametrize("executor", ["processes", "dask"])
def test_the_result_does_not_change_when_a_worker_is_killed(tmp_path, executor):
    alone = result_on("threads", tmp_path / "file")

    assert result_on(executor, tmp_path / "file") == alone
    assert (tmp_path / "file").exists()


@pytest.mark.parametrize("executor", ["processes", "dask"])
def test_a_task_that_always_kills_its_worker_ends_the_run_in_one_sentence(tmp_path, executor):
    with pytest.raises(ExecutorError, match=r"died (three|several) times while they computed the same task"):
        result_on(executor, tmp_path / "no folder" / "file")


def test_a_pool_that_was_handed_in_and_breaks_ends_the_run_in_one_sentence(tmp_path):
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
        pytest.raises(ExecutorError, match="^the executor is broken: BrokenProcessPool: "),
    ):
        rk.solve(Fatal(str(tmp_path / "file")), SEARCH, seed=1, executor=pool, atomic_level=1)


@pytest.mark.parametrize("executor", ["processes", "dask"])
def test_an_interrupt_from_the_terminal_is_answered_by_one_process(tmp_path, executor):
    script = f"""
    import rookery as rk

    class Tell(rk.Callback):
        def on_iteration(self, progress):
            print("iteration", flush=True)

    search = rk.NRPA(level=3, iterations=1000)
    options = dict(workers=2, executor="{executor}", atomic_level=2, callbacks=[Tell()])
    print(rk.solve(rk.problems.LeftMove(depth=20), search, **options).status)
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    pipes = dict.fromkeys(("stdout", "stderr"), subprocess.PIPE)
    command = [sys.executable, "script.py"]
    with subprocess.Popen(command, text=True, cwd=tmp_path, start_new_session=True, **pipes) as process:
        assert process.stdout.readline() == "iteration\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        out, err = process.communicate()

    assert (out.split()[-1], err) == ("interrupted", "")


def test_no_worker_outlives_a_process_that_was_killed(tmp_path):
    script = """
    import psutil
    import rookery as rk

    class Tell(rk.Callback):
        def on_tick(self, progress):
            if progress.playouts:
                print(*(child.pid for child in psutil.Process().children()), flush=True)

    problem, search = rk.problems.LeftMove(depth=20), rk.NRPA(level=4, iterations=1000)
    rk.solve(problem, search, workers=2, executor="processes", atomic_level=3, callbacks=[Tell()])
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    parent = subprocess.Popen([sys.executable, "script.py"], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    children = [psutil.Process(int(pid)) for pid in parent.stdout.readline().split()]
    assert len(children) == 2

    parent.kill()
    parent.wait()
    parent.stdout.close()

    for child in children:
        while child.is_running() and child.status() != psutil.STATUS_ZOMBIE:
            time.sleep(0.05)


def test_a_dask_scheduler_that_goes_away_ends_the_run_in_one_sentence(capfd):
    scheduler = subprocess.Popen(SCHEDULER, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
        worker = subprocess.Popen([*WORKER, address], stderr=subprocess.DEVNULL, env=os.environ | paths())
        try:
            while not connected(address):
                time.sleep(0.1)
            with pytest.raises(ExecutorError, match=f"^the connection to the Dask scheduler at {address} is lost$"):
                rk.solve(Leaves(scheduler.pid), SEARCH, executor="dask", address=address, atomic_level=1)
        finally:
            end(worker)
    finally:
        end(scheduler)
    assert capfd.readouterr().err == ""


def test_a_dask_cluster_without_workers_is_refused():
    scheduler = subprocess.Popen(SCHEDULER, stderr=subprocess.PIPE, text=True)
    try:
        address = next(line.split()[-1] for line in scheduler.stderr if "Scheduler at:" in line)
        with pytest.raises(rk.InputError, match=f"^the Dask cluster at {address} has no workers: start some with"):
            rk.solve(Leaves(scheduler.pid), SEARCH, executor="dask", address=address)
    finally:
        end(scheduler)


def connected(address: str) -> bool:
    from rookery.crews.dask import check

    try:
        return check(None, address) > 0
    except rk.InputError:
        return False


def paths() -> dict[str, str]:
    return {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")])}


def end(process: subprocess.Popen) -> None:
    """Kill a process and what it has started."""
    if process.poll() is None:
        for child in psutil.Process(process.pid).children(recursive=True):
            child.kill()
        process.kill()
    process.wait()
    if process.stderr is not None:
        process.stderr.close()
