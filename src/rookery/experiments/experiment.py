"""``experiment``: several problems and searches, many seeds, equal limits.

As in Rosin 2011, section 4.1: every run is filled with independent restarts up to the limit, the best score
so far is followed through time, runs are combined by their median and compared by a Mann-Whitney U test.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, overload

from rookery.arguments import numbered, shown, whole
from rookery.crews.hiring import check_executor, make_crew
from rookery.crews.threads import Crew
from rookery.disk import plain, write_text
from rookery.errors import InputError, ProblemError, RookeryWarning
from rookery.experiments.run_task import Contest, Job, Observers, RunTask, told
from rookery.experiments.statistics import Experiment
from rookery.experiments.study import Study
from rookery.loading.kinds import SEARCH, name_of
from rookery.plans.independent import Independent
from rookery.plans.plan import Commit
from rookery.problem import Problem, PythonProblem
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.running.result import Improvement, Result
from rookery.search.protocol import Search
from rookery.stop import Stop
from rookery.tasks import Outcome

__all__ = ["Experiment", "Study", "experiment"]

AnyProblem = Problem | PythonProblem


@overload
def experiment(
    problem: AnyProblem,
    searches: Mapping[str, Search] | Sequence[Search],
    *,
    stop: Stop,
    seeds: int | Iterable[int] = 15,
    restarts: bool = True,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
    observers: Observers | None = None,
) -> Experiment: ...


@overload
def experiment(
    problem: Mapping[str, AnyProblem] | Sequence[AnyProblem],
    searches: Mapping[str, Search] | Sequence[Search],
    *,
    stop: Stop,
    seeds: int | Iterable[int] = 15,
    restarts: bool = True,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
    observers: Observers | None = None,
) -> Study: ...


def experiment(
    problem: AnyProblem | Mapping[str, AnyProblem] | Sequence[AnyProblem],
    searches: Mapping[str, Search] | Sequence[Search],
    *,
    stop: Stop,
    seeds: int | Iterable[int] = 15,
    restarts: bool = True,
    workers: int | None = None,
    executor: str | Executor = "threads",
    address: str | None = None,
    folder: str | os.PathLike[str] | None = None,
    progress: bool = False,
    observers: Observers | None = None,
) -> Experiment | Study:
    """Run several searches on a problem, or on several, each with every seed, under equal limits.

    Runs are ordered by seed, so that whatever disturbs the machine for a while affects all searches alike.
    Everything is compiled before the first one starts. Ctrl-C returns the runs that have ended, if there are any.

    Parameters
    ----------
    problem
        one problem: the answer is an :class:`Experiment`. Several, by names of your choice or in a list: the answer is
        a ``Study``, with an experiment for each
    searches
        the searches, by names of your choice or in a list
    stop
        the limit of every run: at least one of ``MaxTime`` and ``MaxPlayouts``
    seeds
        how many (1, 2, ...), or which
    restarts
        fill each run with independent restarts up to the limit; else each is one run of its search
    workers
        runs at the same time; by default one thread, all cores for processes, and all workers of a cluster. With a time
        limit, no more than there are idle cores. In plain Python, threads would only take turns
    executor
        what makes them: ``"threads"``, ``"processes"``, ``"mpi"``, ``"dask"``, or any executor of
        ``concurrent.futures``, which is used but never shut down. Each run is made by one worker alone
    address
        address of the scheduler, for Dask; without one, a cluster is started on this machine
    folder
        each run is saved there when it ends, and those that are there are not made again: the same call goes on with
        an experiment that was interrupted
    progress
        write a line to standard error at the end of each run
    observers
        makes the observers of a run from the names of its problem and its search, and its seed

    >>> import rookery as rk
    >>> searches = {"flat": rk.NRPA(level=1), "nested": rk.NRPA(level=2, iterations=10)}
    >>> done = rk.experiment(rk.problems.LeftMove(depth=20), searches, seeds=3, stop=rk.MaxPlayouts(100))
    >>> done.scores("nested"), done.median("nested", at=10)
    ((19.0, 17.0, 19.0), 11.0)
    """
    several = not isinstance(problem, (Problem, PythonProblem))
    problems = {"": problem} if isinstance(problem, (Problem, PythonProblem)) else _named_problems(problem)
    named = _named_searches(searches)
    if not isinstance(stop, Stop) or (stop.time is None and stop.playouts is None):
        raise InputError(f"stop must limit time or playouts, as MaxTime(60) does, got {stop!r}")
    numbers = _numbers(seeds)
    at_once = check_executor(executor, workers, address)
    jobs = [(one, name, seed) for seed in numbers for one in problems for name in named]
    kept = None if folder is None else _Folder(Path(folder), problems, named, stop, restarts)
    done = {} if kept is None else {job: run for job in jobs if (run := kept.read(job)) is not None}
    left = [job for job in jobs if job not in done]
    pairs = tuple(dict.fromkeys(job[:2] for job in left))
    contest = Contest(problems, named, pairs, stop, restarts, observers)

    def keep(job: Job, run: Result) -> None:
        if kept is not None:
            run.save(kept.file(job))
        done[job] = replace(run, of=problems[job[0]])
        if observers is not None and executor != "threads":  # a run in another process is told of when it is over
            for observer in observers(*job):
                observer.on_start(problems[job[0]], named[job[1]], job[2])
                observer.on_end(done[job])
        if progress:
            count = f"{len(done)} of {len(jobs)}"
            print(f"{told(*job[:2])}, seed {run.seed}: {run.score:g} ({count} runs)", file=sys.stderr, flush=True)

    with suppress(KeyboardInterrupt):  # what has ended by then is returned
        _run(contest, left, at_once, executor, address, keep)
    if not done:
        raise KeyboardInterrupt

    def of(name: str) -> Experiment:
        runs = {key: tuple(done[name, key, n] for n in numbers if (name, key, n) in done) for key in named}
        complete = all(len(found) == len(numbers) for found in runs.values())
        return Experiment(runs, problems[name].sense, stop, numbers, restarts, at_once, complete)

    if not several:
        return of("")
    begun = {name for name, _, _ in done}
    return Study({name: of(name) for name in problems if name in begun})


def run_file(folder: Path, job: Job) -> Path:
    """Where a run of an experiment is kept in its folder.

    >>> run_file(Path("out"), ("tsp 50", "nrpa", 3)).name
    'tsp_50--nrpa--3.run.json'
    """
    problem, search, seed = job
    words = [re.sub(r"[^\w.+-]+", "_", word) for word in (problem, search) if word]
    return folder / ("--".join([*words, str(seed)]) + ".run.json")


class _Folder:
    """A folder in which runs are kept, one file each, beside a file that says what they are runs of."""

    def __init__(
        self, path: Path, problems: Mapping[str, Any], searches: Mapping[str, Search], stop: Stop, restarts: bool
    ) -> None:
        self._path = path
        files: dict[Path, str] = {}
        for job in ((problem, search, 0) for problem in problems for search in searches):
            name = told(*job[:2])
            if files.setdefault(run_file(path, job), name) != name:
                one = files[run_file(path, job)]
                raise InputError(f"names must differ as files do, got {one!r} and {name!r}")
        about = {
            "stop": {name: value for name, value in asdict(replace(stop, when=None)).items() if value is not None},
            "restarts": restarts,
            "problems": {name: [name_of(p), plain(p.parameters())] for name, p in problems.items()},
            "searches": {name: plain(search.parameters()) for name, search in searches.items()},
        }
        header = path / "experiment.json"
        try:
            path.mkdir(parents=True, exist_ok=True)
            old = json.loads(header.read_text(encoding="utf-8")) if header.exists() else None
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot hold an experiment: {error}") from None
        if old is not None and old != about:
            raise InputError(f"{path} holds another experiment: give it a folder of its own")
        if old is None:
            write_text(header, json.dumps(about, indent=1) + "\n")

    def file(self, job: Job) -> Path:
        """Where a run is kept."""
        return run_file(self._path, job)

    def read(self, job: Job) -> Result | None:
        """A run that is there."""
        file = self.file(job)
        return Result.load(file) if file.exists() else None


class _Runs(Driver):
    """Drives the runs of a contest, and hands over each as soon as it has ended."""

    def __init__(
        self, tasks: Sequence[RunTask], crew: Crew, interrupts: Interrupts, keep: Callable[[Job, Result], None]
    ) -> None:
        super().__init__(
            plan=Independent(tasks),
            crew=crew,
            stop=Stop(),
            callbacks=(),
            sign=1.0,
            clock=time.perf_counter,
            describe=(0, len(tasks)),
            interrupts=interrupts,
        )
        self._keep = keep

    def _tell(self, outcome: Outcome, commit: Commit, improved: tuple[Improvement, ...]) -> None:
        self._keep(*outcome.value)


def _run(
    contest: Contest,
    jobs: Iterable[Job],
    workers: int,
    executor: str | Executor,
    address: str | None,
    keep: Callable[[Job, Result], None],
) -> None:
    """Make the runs of the jobs; Ctrl-C ends them, or raises KeyboardInterrupt before the first begins."""
    tasks = [RunTask(problem=problem, search=search, key=seed) for problem, search, seed in jobs]
    if not tasks:
        return
    contest.try_out()
    with Interrupts() as interrupts, ExitStack() as stack:
        with interrupts.compiling():
            size = min(workers, len(tasks))
            crew = make_crew(executor, size, (contest, None), contest.worker, address=address, warm=tasks[0])
            stack.callback(crew.close, False)  # in case the driver does not get that far
        crew.assemble()
        driver = _Runs(tasks, crew, interrupts, keep)
        driver.run()
        if driver.left is not None:
            warnings.warn(driver.left, RookeryWarning, stacklevel=3)


def _named_searches(searches: Any) -> dict[str, Search]:
    if isinstance(searches, Sequence) and not isinstance(searches, str):
        for search in searches:
            SEARCH.check("a search", search)
        searches = numbered([(search.name, search) for search in searches])
    if not isinstance(searches, Mapping) or not searches:
        raise InputError(f"searches must map at least one name to a search, got {searches!r}")
    for name, search in searches.items():
        if not isinstance(name, str) or not name:
            raise InputError(f"the name of a search must be a text, got {name!r}")
        SEARCH.check(repr(name), search)
    return dict(searches)


def _named_problems(problems: Any) -> dict[str, AnyProblem]:
    if isinstance(problems, Sequence) and not isinstance(problems, str):
        problems = numbered([(type(problem).__name__, problem) for problem in problems])
    if not isinstance(problems, Mapping):
        raise ProblemError(f"a problem must be a Problem or a PythonProblem, got {shown(problems)}")
    if not problems:
        raise InputError("problems must hold at least one problem, got none")
    for name, problem in problems.items():
        if not isinstance(name, str) or not name:
            raise InputError(f"the name of a problem must be a text, got {name!r}")
        if not isinstance(problem, (Problem, PythonProblem)):
            raise InputError(f"{name!r} must be a Problem or a PythonProblem, got {problem!r}")
    return dict(problems)


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
