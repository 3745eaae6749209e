from __future__ import annotations

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import rookery as rk

SAMENESS = """
import sys
sys.path.insert(0, {tests!r})
import rookery as rk
from examples_of_problems import Knapsack, Words

for problem in (rk.problems.LeftMove(depth=20), Knapsack.build(), Words()):
    search = rk.NRPA(level=3, iterations=6, ties={{3: 0.3, 2: 0.3}})
    alone = rk.solve(problem, search, seed=1, atomic_level=1)
    result = rk.solve(problem, search, seed=1, atomic_level=1, workers=2, executor="mpi")
    print(result.executor, (result.score, result.moves, result.playouts) == (alone.score, alone.moves, alone.playouts))
"""

FUSSY = """
import os
import rookery as rk

class Fussy(rk.PythonProblem):
    def __init__(self): self.home = os.getpid()
    def start(self): return ""
    def moves(self, state): return "ab" if len(state) < 3 else ""
    def play(self, state, move): return state + move
    def score(self, state):
        return len(state) if os.getpid() == self.home else int("seven")

try:
    rk.solve(Fussy(), rk.NRPA(level=2, iterations=5), seed=1, executor="mpi", atomic_level=1)
except rk.ProblemError as error:
    print(error)
try:
    rk.solve(Fussy(), executor="mpi", workers=3)
except rk.InputError as error:
    print(error)
"""

ENDLESS = """
import rookery as rk

search = rk.NRPA(level=4, iterations=1000)
stop = rk.MaxTime(3)
print(rk.solve(rk.problems.LeftMove(depth=20), search, executor="mpi", workers=2, atomic_level=4, stop=stop).status)
"""


def mpirun(ranks: int, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Python as an MPI job; ``mpirun`` is that of the environment, or of the system."""
    beside = str(Path(sys.executable).parent)
    program = shutil.which("mpirun", path=beside) or shutil.which("mpirun")
    assert program is not None, "mpirun is missing: pip install mpich"
    command = [program, "-n", str(ranks), sys.executable, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd)


def run_script(text: str, folder: Path, ranks: int = 3) -> tuple[str, str]:
    (folder / "script.py").write_text(text)
    done = mpirun(ranks, "-m", "mpi4py.futures", "script.py", cwd=folder)
    return done.stdout, done.stderr


def test_three_ranks_give_the_sequential_result_one_run_after_another(tmp_path):
    script = SAMENESS.format(tests=str(Path(__file__).parents[1]))

    assert run_script(script, tmp_path) == ("mpi True\n" * 3, "")


def test_an_error_in_a_users_code_arrives_with_its_place_and_too_many_workers_are_refused(tmp_path):
    out, err = run_script(FUSSY, tmp_path)

    assert err == ""
    assert out.splitlines() == [
        "script.py:11: ValueError in score: invalid literal for int() with base 10: 'seven'",
        "workers must be at most 2, the ranks of the MPI job but the first, got 3",
    ]


def test_a_task_in_another_rank_keeps_the_time_limit(tmp_path):
    assert run_script(ENDLESS, tmp_path) == ("time\n", "")


@pytest.mark.parametrize("how", ["one rank", "no mpirun"])
def test_a_program_that_has_no_ranks_is_refused(tmp_path, how):
    script = textwrap.dedent(
        """
        import rookery as rk
        try:
            rk.solve(rk.problems.LeftMove(depth=5), executor="mpi")
        except rk.InputError as error:
            print(error)
        """
    )
    (tmp_path / "script.py").write_text(script)
    if how == "one rank":
        done = mpirun(1, "-m", "mpi4py.futures", "script.py", cwd=tmp_path)
    else:
        done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path)

    told = "the executor mpi needs a program that was started with at least 2 ranks, as in mpirun -n 3 python -m"
    assert done.stdout.startswith(told)


def test_the_command_line_runs_in_an_mpi_job(tmp_path):
    command = ["-m", "mpi4py.futures", "-m", "rookery", "solve", "leftmove", "-p", "depth=20"]
    options = ["--level", "2", "--iterations", "20", "--seed", "1", "--executor", "mpi", "--out", "result.json"]
    done = mpirun(3, *command, *options, cwd=tmp_path)
    alone = rk.solve(rk.problems.LeftMove(depth=20), rk.NRPA(level=2, iterations=20), seed=1)

    assert done.returncode == 0
    result = rk.Result.load(tmp_path / "result.json")
    assert (result.score, result.moves, result.executor, result.workers) == (alone.score, alone.moves, "mpi", 2)
