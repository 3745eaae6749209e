"""``experiment``: several searches, many seeds, equal limits.

As in Rosin 2011, section 4.1: every run is filled with independent restarts up to the limit, the best score
so far is followed through time, runs are combined by their median and compared by a Mann-Whitney U test.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from rookery.arguments import whole
from rookery.errors import InputError
from rookery.experiments.statistics import Experiment
from rookery.loading.kinds import SEARCH
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.result import Result
from rookery.running.solve import solve
from rookery.search.protocol import Search
from rookery.stop import MaxPlayouts, Stop

__all__ = ["Experiment", "experiment"]

Job = tuple[str, int]
"""The name of a search, and a seed."""


def experiment(
    problem: Problem | PythonProblem,
    searches: Mapping[str, Search],
    *,
    stop: Stop,
    seeds: int | Iterable[int] = 15,
    restarts: bool = True,
    workers: int = 1,
    progress: bool = False,
) -> Experiment:
    """Run several searches on a problem, each with every seed, under equal limits.

    Runs are ordered by seed, so that whatever disturbs the machine for a while affects all searches alike.
    Everything is compiled before the first one starts. Ctrl-C returns the runs that have ended, if there are any.

    Parameters
    ----------
    searches
        the searches, by names of your choice
    stop
        the limit of every run: at least one of ``MaxTime`` and ``MaxPlayouts``
    seeds
        how many (1, 2, ...), or which
    restarts
        fill each run with independent restarts up to the limit; else each is one run of its search
    workers
        runs at the same time, each on one thread; with a time limit, no more than there are idle cores, and 1
        for a PythonProblem
    progress
        write a line to standard error at the end of each run

    >>> import rookery as rk
    >>> searches = {"flat": rk.NRPA(level=1), "nested": rk.NRPA(level=2, iterations=10)}
    >>> done = rk.experiment(rk.problems.LeftMove(depth=20), searches, seeds=3, stop=rk.MaxPlayouts(100))
    >>> done.scores("nested"), done.median("nested", at=10)
    ((19.0, 17.0, 19.0), 11.0)
    """
    names = _named(searches)
    if not isinstance(stop, Stop) or (stop.time is None and stop.playouts is None):
        raise InputError(f"stop must limit time or playouts, as MaxTime(60) does, got {stop!r}")
    numbers = _numbers(seeds)
    whole("workers", workers, 1)
    jobs = [(name, seed) for seed in numbers for name in names]
    done = _run(problem, names, stop, jobs, restarts, workers, progress)
    return Experiment(
        runs={name: tuple(done[name, seed] for seed in numbers if (name, seed) in done) for name in names},
        sense=problem.sense,
        stop=stop,
        seeds=numbers,
        restarts=restarts,
        workers=workers,
        complete=len(done) == len(jobs),
    )


class _Aborted(Exception):
    """A run that was ended from outside."""


class _Abort(Callback):
    """Ends the run that it watches soon after an event is set."""

    def __init__(self, event: threading.Event) -> None:
        self._event = event

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        self.on_tick(None)

    def on_tick(self, progress: Any) -> None:
        if self._event.is_set():
            raise _Aborted


def _run(
    problem: Problem | PythonProblem,
    searches: Mapping[str, Search],
    stop: Stop,
    jobs: list[Job],
    restarts: bool,
    workers: int,
    progress: bool,
) -> dict[Job, Result]:
    """The results of the jobs; after Ctrl-C, of those that have ended."""
    halt = threading.Event()

    def one(job: Job, limit: Stop) -> Result:
        name, seed = job
        try:
            return solve(problem, searches[name], stop=limit, seed=seed, restarts=restarts, callbacks=[_Abort(halt)])
        except InputError as error:
            raise InputError(f"{name}, seed {seed}: {error}") from error

    running: dict[Future[Result], Job] = {}
    with ThreadPoolExecutor(workers, thread_name_prefix="rookery-run") as pool:
        try:
            for job in jobs[: len(searches)]:  # one of each search: no clock runs while another compiles
                _wait({pool.submit(one, job, MaxPlayouts(1))})
            running = {pool.submit(one, job, stop): job for job in jobs}
            waiting = set(running)
            while waiting:
                ended = _wait(waiting)
                waiting -= ended
                for future in ended if progress else ():
                    name, seed = running[future]
                    count = f"{len(running) - len(waiting)} of {len(running)}"
                    print(f"{name}, seed {seed}: {future.result().score:g} ({count} runs)", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            if not any(map(_ended, running)):
                raise
        finally:
            halt.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return {job: future.result() for future, job in running.items() if _ended(future)}


def _wait(futures: set[Future[Result]]) -> set[Future[Result]]:
    """Those of the futures that have ended, at least one; raises what a run has raised."""
    ended: set[Future[Result]] = set()
    while not ended:
        ended = wait(futures, timeout=0.2, return_when=FIRST_COMPLETED).done  # a short wait lets Ctrl-C through
    for future in ended:
        future.result()
    return ended


def _ended(future: Future[Result]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _named(searches: Any) -> dict[str, Search]:
    if not isinstance(searches, Mapping) or not searches:
        raise InputError(f"searches must map at least one name to a search, got {searches!r}")
    for name, search in searches.items():
        if not isinstance(name, str) or not name:
            raise InputError(f"the name of a search must be a text, got {name!r}")
        SEARCH.check(repr(name), search)
    return dict(searches)


def _numbers(seeds: Any) -> tuple[int, ...]:
    if not isinstance(seeds, Iterable) or isinstance(seeds, str):
        return tuple(range(1, whole("seeds", seeds, 1) + 1))
    numbers = tuple(whole("a seed", seed, 0, (1 << 64) - 1) for seed in seeds)
    if not numbers:
        raise InputError("seeds must hold at least one seed, got none")
    for i, seed in enumerate(numbers):
        if seed in numbers[:i]:
            raise InputError(f"seeds must differ, got {seed} twice")
    return numbers
