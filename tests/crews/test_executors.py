from __future__ import annotations

from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import pytest

import rookery as rk
from examples_of_problems import Knapsack, Words
from rookery.crews import executors, remote
from rookery.crews.executors import ExecutorCrew
from rookery.crews.hiring import check_executor
from rookery.crews.shipping import ship
from rookery.errors import ExecutorError, InputError
from rookery.plans.plan import Job
from rookery.search.sampling import Sampling, SamplingTask

SEARCH = rk.NRPA(level=3, iterations=6)


class Counting(Executor):
    """Computes at once, in this process, and counts the parcels."""

    def __init__(self) -> None:
        self.contents: list[bool] = []

    def submit(self, fn, /, *args, **kwargs):
        (order,) = args
        self.contents.append(order.content is not None)
        future: Future = Future()
        future.set_result(fn(order))
        return future


class Never(Executor):
    """Takes tasks and begins none."""

    def __init__(self) -> None:
        self.futures: list[Future] = []

    def submit(self, fn, /, *args, **kwargs):
        self.futures.append(Future())
        return self.futures[-1]


def sampling(last: int = 5) -> Job:
    return Job(SamplingTask(search=Sampling(), key=1, first=0, last=last))


def same(a: rk.Result, b: rk.Result) -> bool:
    return (a.score, a.moves, a.playouts) == (b.score, b.moves, b.playouts)


@pytest.mark.parametrize(
    "problem", [rk.problems.LeftMove(depth=20), Knapsack.build(), Words()], ids=["dense", "hashed", "python"]
)
def test_threads_that_were_handed_in_give_the_sequential_result_and_stay(problem):
    alone = rk.solve(problem, SEARCH, seed=1, atomic_level=1)

    with ThreadPoolExecutor(2) as pool:
        assert same(rk.solve(problem, SEARCH, seed=1, atomic_level=1, workers=2, executor=pool), alone)
        assert pool.submit(int, "7").result() == 7


def test_processes_that_were_handed_in_give_the_sequential_result_and_stay():
    problem = Knapsack.build()
    alone = rk.solve(problem, SEARCH, seed=1, atomic_level=1)

    with ProcessPoolExecutor(2, get_context("spawn")) as pool:
        assert same(rk.solve(problem, SEARCH, seed=1, atomic_level=1, workers=2, executor=pool), alone)
        assert pool.submit(int, "7").result() == 7


def test_a_large_problem_is_sent_only_to_workers_that_lack_it(monkeypatch):
    monkeypatch.setattr(executors, "SMALL", 0)
    remote._stations.clear()
    executor = Counting()

    rk.solve(Words("abcdef"), SEARCH, seed=1, atomic_level=1, executor=executor)

    assert executor.contents[:2] == [False, True]
    assert not any(executor.contents[2:])
    assert len(executor.contents) > 3


def test_an_executor_that_was_shut_down_ends_the_run_in_one_sentence():
    pool = ThreadPoolExecutor(1)
    pool.shutdown()

    with pytest.raises(ExecutorError, match="^the executor cannot compute a task: RuntimeError: cannot schedule new"):
        rk.solve(Words(), SEARCH, seed=1, executor=pool)


def test_an_executor_that_cancels_by_itself_ends_the_run_in_one_sentence():
    executor = Never()
    crew = ExecutorCrew(executor, 1, ship(Words()), False)
    crew.submit(sampling(), None)
    executor.futures[0].cancel()

    crew.wait(10)
    (ended,) = crew.collect()

    assert isinstance(ended.error, ExecutorError)
    assert str(ended.error) == "the executor has cancelled a task of the run"


def test_a_job_that_has_not_begun_is_taken_back():
    crew = ExecutorCrew(Never(), 1, ship(Words()), False)
    job = sampling()
    crew.submit(job, None)

    crew.halt(job)
    (ended,) = crew.collect()

    assert ended.error is None
    assert (ended.outcome.sequence, ended.outcome.finished) == (None, False)


def test_a_job_in_a_thread_that_was_handed_in_is_halted():
    with ThreadPoolExecutor(1) as pool:
        crew = ExecutorCrew(pool, 1, ship(rk.problems.LeftMove(depth=20)), False)
        job = sampling(last=1 << 60)
        crew.submit(job, None)
        while crew.playouts() == 0:
            crew.wait(0.01)
        crew.halt(job)
        while not (ended := crew.collect()):
            crew.wait(1)

    assert not ended[0].outcome.finished
    assert ended[0].outcome.playouts > 0


def test_a_task_halts_by_itself_at_its_deadline():
    with ThreadPoolExecutor(1) as pool:
        crew = ExecutorCrew(pool, 1, ship(rk.problems.LeftMove(depth=20)), False)
        crew.submit(sampling(last=1 << 60), 0.05)
        while not (ended := crew.collect()):
            crew.wait(1)

    assert not ended[0].outcome.finished


def test_threads_of_one_process_do_not_share_a_worker():
    station = remote.Station(Words(), False)
    with station.worker() as one, station.worker() as other:
        assert one is not other
    with station.worker() as again:
        assert again in (one, other)


def test_a_process_forgets_the_problems_it_has_not_seen_for_longest(monkeypatch):
    monkeypatch.setattr(remote, "KEPT", 1)
    first, second = ship(Words("abc")), ship(Words("abd"))
    remote.prepare(first, False, None)
    remote.prepare(second, False, None)

    assert isinstance(remote.compute(remote.Order("t", first.digest, None, False, b"", None)), remote.Missing)


def test_an_error_of_a_users_own_class_is_sent_as_a_sentence():
    class Mine(rk.ProblemError):
        def __init__(self, a, b):
            super().__init__(f"{a} {b}")

    sent = remote.presentable(Mine("two", "words"))

    assert (type(sent), str(sent)) == (rk.errors.RemoteError, "Mine: two words")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("thread", 2), "^executor must be threads, processes, mpi, dask or an Executor object, got 'thread'$"),
        ((7, 2), "^executor must be threads, processes, mpi, dask or an Executor object, got 7$"),
        (("processes", 0), "^workers must be"),
        (
            ("threads", 2, "tcp://localhost:8786"),
            "^address goes with the executor dask, got 'tcp://localhost:8786' with",
        ),
        (("mpi", 2), "^the executor mpi needs .* mpirun -n 3 python -m mpi4py.futures -m rookery solve"),
        (("dask", 2, "tcp://127.0.0.1:1"), "^no Dask scheduler answers at tcp://127.0.0.1:1$"),
        (("dask", 2, "nonsense"), "^no Dask scheduler answers at nonsense$"),
    ],
)
def test_what_cannot_work_is_refused_in_one_sentence(arguments, told):
    with pytest.raises(InputError, match=told):
        check_executor(*arguments)


@pytest.mark.parametrize(("name", "package"), [("mpi", "mpi4py"), ("dask", "distributed")])
def test_a_package_that_is_missing_is_named_with_its_extra(monkeypatch, name, package):
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)

    with pytest.raises(InputError, match=rf"^the executor {name} needs {package}.*pip install 'rookery\[{name}\]'$"):
        check_executor(name, 2)


def test_an_executor_that_was_handed_in_is_asked_how_many_workers_it_has():
    with ThreadPoolExecutor(3) as pool:
        assert check_executor(pool) == 3
