from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.crews.dask import DaskCrew, hidden_main
from rookery.crews.shipping import ship
from rookery.plans.plan import Job
from rookery.search.sampling import Sampling, SamplingTask

SEARCH = rk.NRPA(level=3, iterations=5, ties={3: 0.3, 2: 0.3})


@pytest.fixture(scope="module")
def address():
    """A cluster that runs by itself, with two workers."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address="127.0.0.1:0") as cluster:
        yield cluster.scheduler_address


@pytest.mark.parametrize(
    "problem", [rk.problems.LeftMove(depth=20), Knapsack.build(), Words()], ids=["dense", "hashed", "python"]
)
def test_a_dask_cluster_gives_the_sequential_result(problem, address):
    alone = rk.solve(problem, SEARCH, seed=1, atomic_level=1)
    result = rk.solve(problem, SEARCH, seed=1, atomic_level=1, workers=2, executor="dask", address=address)

    assert (result.score, result.moves, result.playouts) == (alone.score, alone.moves, alone.playouts)
    assert result.executor == "dask"


def test_an_executor_of_dasks_that_was_handed_in_gives_the_sequential_result_and_stays(address):
    from distributed import Client

    alone = rk.solve(Words(), SEARCH, seed=1, atomic_level=1)
    with Client(address, set_as_default=False) as client:
        executor = client.get_executor()
        result = rk.solve(Words(), SEARCH, seed=1, atomic_level=1, workers=2, executor=executor)
        assert executor.submit(int, "7").result() == 7

    assert (result.score, result.moves) == (alone.score, alone.moves)


@pytest.mark.timing
def test_a_task_on_a_cluster_keeps_the_time_limit_and_what_it_found_counts(address):
    endless = rk.NRPA(level=4, iterations=1000)
    result = rk.solve(
        rk.problems.LeftMove(depth=20),
        endless,
        executor="dask",
        address=address,
        atomic_level=4,
        stop=rk.MaxTime(3),
    )

    assert result.status == "time"
    assert result.playouts > 0


@pytest.mark.timing
def test_a_job_on_a_cluster_is_taken_back(address):
    crew = DaskCrew(1, ship(rk.problems.LeftMove(depth=20)), False, address)
    job = Job(SamplingTask(search=Sampling(), key=1, first=0, last=1 << 60))
    try:
        crew.submit(job, 3.0)
        crew.halt(job)
        while not (ended := crew.collect()):
            crew.wait(1)
    finally:
        crew.close(wait=True)

    assert ended[0].error is None
    assert not ended[0].outcome.finished


def test_a_cluster_made_for_a_run_ends_with_it_and_a_script_needs_no_guard(tmp_path):
    script = """
    import rookery as rk
    print("begins")
    print(rk.solve(rk.problems.LeftMove(depth=8), rk.NMCS(level=2), seed=1, workers=2, executor="dask").score)
    import psutil
    print(*(child.cmdline() for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())))
    """
    (tmp_path / "script.py").write_text(textwrap.dedent(script))
    done = subprocess.run([sys.executable, "script.py"], capture_output=True, text=True, cwd=tmp_path)

    assert (done.stdout, done.stderr) == ("begins\n8.0\n\n", "")


def test_the_main_module_is_hidden_only_while_processes_start():
    main = sys.modules["__main__"]
    spec = main.__spec__

    with hidden_main(), hidden_main():
        assert main.__spec__ is None
        assert not hasattr(main, "__file__")

    assert main.__spec__ is spec
