"""The same seed gives the same answer everywhere: atomic levels, threads, processes, MPI, Dask, a simulated cluster."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.simulation.cluster import simulate

PROBLEMS: dict[str, Any] = {
    "leftmove": rk.problems.LeftMove(depth=30),
    "morpion": rk.problems.Morpion("5D"),
    "knapsack": Knapsack.build(),
    "words": Words("abcdefghij", 7),
}
"""Dense codes twice, hashed codes, and a PythonProblem."""
SEED = 3
TIES = {"always": ">=", "never": ">", "enough": 0.3}
CASES = [(problem, ties) for problem in PROBLEMS for ties in TIES]
OTHERS: dict[str, tuple[Any, dict[str, Any]]] = {
    "nmcs": (rk.NMCS(level=2), {}),
    "nmcs, the last best": (rk.NMCS(level=2, memorise=False, ties="random"), {}),
    "runs of nrpa": (rk.NRPA(level=2, iterations=12), {"restarts": 5}),
    "runs of nmcs": (rk.NMCS(level=1), {"restarts": 5}),
    "restarts of nrpa": (rk.NRPA(level=2, iterations=7), {"stop": rk.MaxPlayouts(301)}),
    "sampling": (rk.Sampling(), {"stop": rk.MaxPlayouts(2000)}),
    "reflexive": (rk.Reflexive(level=2, games=4), {}),
    "restarts of uct": (rk.UCT(playouts=100, rule="mobility"), {"stop": rk.MaxPlayouts(301)}),
    "ladders of tempering": (rk.Tempering(replicas=3, proposals=5, rounds=2, ladders=3), {"stop": rk.MaxPlayouts(301)}),
    "runs of annealing": (rk.Annealing(playouts=60, population=2), {"restarts": 5}),
}
"""Other ways to use many workers: the children of a step, independent runs, and sampling."""
each_case = pytest.mark.parametrize(("problem", "ties"), CASES)
each_other = pytest.mark.parametrize("name", OTHERS)


def answer(result: rk.Result) -> tuple[float, tuple[Any, ...], int]:
    return result.score, result.moves, result.playouts


def nrpa(ties: str) -> rk.NRPA:
    return rk.NRPA(level=3, iterations=6, ties={3: TIES[ties], 2: TIES[ties]})


def speculate(problem: str, ties: str, **how: Any) -> rk.Result:
    """As many tasks as there can be, so that much is computed ahead of its turn."""
    return rk.solve(PROBLEMS[problem], nrpa(ties), seed=SEED, **{"atomic_level": 1, **how})


def otherwise(name: str, **how: Any) -> rk.Result:
    search, options = OTHERS[name]
    edits = isinstance(search, (rk.Tempering, rk.Annealing))  # these take long to compile
    return rk.solve(PROBLEMS["words" if edits else "knapsack"], search, seed=SEED, atomic_level=1, **options, **how)


@cache
def alone(problem: str, ties: str) -> tuple[float, tuple[Any, ...], int]:
    """The sequential answer, with the whole search as one task: no tree is involved."""
    return answer(speculate(problem, ties, atomic_level=3))


@cache
def otherwise_alone(name: str) -> tuple[float, tuple[Any, ...], int]:
    return answer(otherwise(name))


@pytest.fixture(scope="module")
def pool() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize(("problem", "searches"), [("leftmove", 2), ("morpion", 3), ("knapsack", 2), ("words", 3)])
def test_the_tie_rules_make_a_difference_here(problem, searches):
    assert len({alone(problem, ties)[1] for ties in TIES}) == searches


@pytest.mark.parametrize("level", [1, 2])
@each_case
def test_the_atomic_level_does_not_matter(problem, ties, level):
    assert answer(speculate(problem, ties, atomic_level=level)) == alone(problem, ties)


@pytest.mark.parametrize("workers", [1, 2, 4])
@each_case
def test_threads_give_the_sequential_answer(problem, ties, workers):
    result = speculate(problem, ties, workers=workers, executor="threads")
    assert answer(result) == alone(problem, ties)
    assert (result.executor, result.workers) == ("threads", workers)


@each_case
def test_two_processes_that_were_handed_in_give_the_sequential_answer(problem, ties, pool):
    assert answer(speculate(problem, ties, workers=2, executor=pool)) == alone(problem, ties)


@pytest.mark.parametrize("problem", PROBLEMS)
def test_two_processes_give_the_sequential_answer(problem):
    result = speculate(problem, "enough", workers=2, executor="processes")
    assert answer(result) == alone(problem, "enough")
    assert (result.executor, result.workers) == ("processes", 2)


@each_case
def test_two_workers_of_dask_give_the_sequential_answer(problem, ties, address):
    result = speculate(problem, ties, workers=2, executor="dask", address=address)
    assert answer(result) == alone(problem, ties)
    assert (result.executor, result.workers) == ("dask", 2)


def test_three_ranks_of_mpi_give_the_sequential_answer(tmp_path):
    done = mpirun(3, "-m", "mpi4py.futures", str(Path(__file__)), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [tuple(line["case"]) for line in lines] == CASES + [(name,) for name in OTHERS]
    for line in lines:
        expected = alone(*line["case"]) if len(line["case"]) == 2 else otherwise_alone(*line["case"])
        assert (line["score"], tuple(line["moves"]), line["playouts"]) == expected
        assert (line["executor"], line["workers"]) == ("mpi", 2)


@pytest.mark.parametrize("select", ["learned", "table", "literal"])
@each_case
def test_768_simulated_workers_give_the_sequential_answer(problem, ties, select):
    done = simulate(PROBLEMS[problem], nrpa(ties), seed=SEED, workers=[768], select=select)
    score, moves, playouts = alone(problem, ties)
    assert (done.score, done.moves) == (score, moves)
    assert done.rows[0].tasks * 6 == playouts
    assert done.rows[0].tasks_discarded > 0 or select == "table"  # by which short sequences are certain to be beaten


# --- other ways to use many workers ---


@pytest.mark.parametrize("workers", [2, 4])
@each_other
def test_other_searches_give_the_sequential_answer_on_threads(name, workers):
    assert answer(otherwise(name, workers=workers, executor="threads")) == otherwise_alone(name)


@each_other
def test_other_searches_give_the_sequential_answer_on_processes(name, pool):
    assert answer(otherwise(name, workers=2, executor=pool)) == otherwise_alone(name)


@each_other
def test_other_searches_give_the_sequential_answer_on_dask(name, address):
    assert answer(otherwise(name, workers=2, executor="dask", address=address)) == otherwise_alone(name)


def test_independent_runs_are_the_runs_of_a_limit_that_is_filled_with_them():
    search, _ = OTHERS["runs of nrpa"]
    filled = rk.solve(PROBLEMS["knapsack"], search, seed=SEED, stop=rk.MaxPlayouts(5 * 144))
    assert answer(filled) == otherwise_alone("runs of nrpa")


# --- what speculation found beyond ---


class Instant(Executor):
    """Computes at once, in this thread: as many as there are workers are then speculated on together."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def test_what_speculation_found_beyond_the_answer_is_kept_apart():
    problem, search = PROBLEMS["knapsack"], rk.NRPA(level=2, iterations=6)
    beyond = 0
    for seed in range(20):
        sequential = rk.solve(problem, search, seed=seed, atomic_level=1)
        result = rk.solve(problem, search, seed=seed, atomic_level=1, workers=8, executor=Instant())
        assert answer(result) == answer(sequential)
        assert sequential.best_seen is None
        if result.best_seen is not None:
            beyond += 1
            assert result.best_seen["score"] > result.score
            assert rk.replay(problem, result.best_seen["moves"]) == (result.best_seen["score"], ())
    assert beyond > 0


def test_a_thread_pool_that_was_handed_in_gives_the_sequential_answer():
    with ThreadPoolExecutor(3) as threads:
        assert answer(speculate("morpion", "enough", executor=threads)) == alone("morpion", "enough")


# --- an MPI job: this file is its program ---


def mpirun(ranks: int, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run Python as an MPI job; ``mpirun`` is that of the environment, or of the system."""
    program = shutil.which("mpirun", path=str(Path(sys.executable).parent)) or shutil.which("mpirun")
    assert program is not None, "mpirun is missing: pip install mpich"
    command = [program, "-n", str(ranks), sys.executable, *arguments]
    tests = str(Path(__file__).parents[1])  # where the problems are that this file imports
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, env={**os.environ, "PYTHONPATH": tests})


def print_all_cases() -> None:
    """Every case as a line of JSON, computed by the other ranks."""
    runs = [(case, speculate(*case, executor="mpi")) for case in CASES]
    runs += [((name,), otherwise(name, executor="mpi")) for name in OTHERS]
    for case, result in runs:
        print(json.dumps({"case": case, **result.to_json()}))


if __name__ == "__main__":
    print_all_cases()
