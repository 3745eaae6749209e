"""``experiment``: several problems and searches, many seeds, equal limits.

As in Rosin 2011, section 4.1: every run is filled with independent restarts up to the limit, the best score
so far is followed through time, runs are combined by their median and compared by a Mann-Whitney U test.
"""

from __future__ import annotations

import json
import os
import re
import sys
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict
from pathlib import Path
from typing import Any, overload

from rookery.arguments import shown, whole
from rookery.disk import write_text
from rookery.errors import InputError, ProblemError
from rookery.experiments.statistics import Experiment
from rookery.experiments.study import Study
from rookery.loading.kinds import SEARCH, name_of
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.result import Result
from rookery.running.solve import solve
from rookery.search.protocol import Search
from rookery.stop import MaxPlayouts, Stop

__all__ = ["Experiment", "Study", "experiment"]

AnyProblem = Problem | PythonProblem
Job = tuple[str, str, int]
"""The name of a problem, the name of a search, and a seed."""
Observers = Callable[[str, str, int], Sequence[Callback]]
"""The observers of a run, from the names of its problem (empty if there is only one) and its search, and its seed."""


@overload
def experiment(
    problem: AnyProblem,
    searches: Mapping[str, Search] | Sequence[Search],
    *,
    stop: Stop,
    seeds: int | Iterable[int] = 15,
    restarts: bool = True,
    workers: int = 1,
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
    workers: int = 1,
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
    workers: int = 1,
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
        runs at the same time, each on one thread; with a time limit, no more than there are idle cores, and 1
        for a PythonProblem
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
    whole("workers", workers, 1)
    jobs = [(one, name, seed) for seed in numbers for one in problems for name in named]
    kept = None if folder is None else _Folder(Path(folder), problems, named, stop, restarts)
    done = _run(problems, named, stop, jobs, restarts, workers, progress, kept, observers)

    def of(name: str) -> Experiment:
        runs = {key: tuple(done[name, key, n] for n in numbers if (name, key, n) in done) for key in named}
        complete = all(len(found) == len(numbers) for found in runs.values())
        return Experiment(runs, problems[name].sense, stop, numbers, restarts, workers, complete)

    if not several:
        return of("")
    begun = {name for name, _, _ in done}
    return Study({name: of(name) for name in problems if name in begun})


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


class _Folder:
    """A folder in which runs are kept, one file each, beside a file that says what they are runs of."""

    def __init__(
        self, path: Path, problems: Mapping[str, Any], searches: Mapping[str, Search], stop: Stop, restarts: bool
    ) -> None:
        self._path = path
        about = {
            "stop": {name: value for name, value in asdict(stop).items() if value is not None},
            "restarts": restarts,
            "problems": {name: [name_of(p), _plain(p.parameters())] for name, p in problems.items()},
            "searches": {name: _plain(search.parameters()) for name, search in searches.items()},
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
        problem, search, seed = job
        words = [re.sub(r"[^\w.+-]+", "_", word) for word in (problem, search) if word]
        return self._path / ("--".join([*words, str(seed)]) + ".run.json")

    def read(self, job: Job) -> Result | None:
        """A run that is there."""
        file = self.file(job)
        return Result.load(file) if file.exists() else None


def _plain(value: Any) -> Any:
    return json.loads(json.dumps(value, default=str))


def _run(
    problems: Mapping[str, AnyProblem],
    searches: Mapping[str, Search],
    stop: Stop,
    jobs: list[Job],
    restarts: bool,
    workers: int,
    progress: bool,
    folder: _Folder | None,
    observers: Observers | None,
) -> dict[Job, Result]:
    """The results of the jobs; after Ctrl-C, of those that have ended."""
    halt = threading.Event()
    found = {} if folder is None else {job: run for job in jobs if (run := folder.read(job)) is not None}
    left = [job for job in jobs if job not in found]

    def one(job: Job, limit: Stop, keep: bool = True) -> Result:
        problem, name, seed = job
        told = " on ".join(word for word in (name, problem) if word)
        try:
            options: dict[str, Any] = {"stop": limit, "seed": seed, "restarts": restarts}
            watching = observers(problem, name, seed) if observers is not None and keep else ()
            result = solve(problems[problem], searches[name], callbacks=[_Abort(halt), *watching], **options)
        except InputError as error:
            raise InputError(f"{told}, seed {seed}: {error}") from error
        if folder is not None and keep and not halt.is_set():
            result.save(folder.file(job))
        return result

    running: dict[Future[Result], Job] = {}
    with ThreadPoolExecutor(workers, thread_name_prefix="rookery-run") as pool:
        try:
            for job in {job[:2]: job for job in reversed(left)}.values():  # no clock runs while another compiles
                _wait({pool.submit(one, job, MaxPlayouts(1), False)})
            running = {pool.submit(one, job, stop): job for job in left}
            waiting = set(running)
            while waiting:
                ended = _wait(waiting)
                waiting -= ended
                for future in ended if progress else ():
                    problem, name, seed = running[future]
                    count = f"{len(jobs) - len(waiting)} of {len(jobs)}"
                    told = " on ".join(word for word in (name, problem) if word)
                    print(f"{told}, seed {seed}: {future.result().score:g} ({count} runs)", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            if not found and not any(map(_ended, running)):
                raise
        finally:
            halt.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return found | {job: future.result() for future, job in running.items() if _ended(future)}


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


def _named_searches(searches: Any) -> dict[str, Search]:
    if isinstance(searches, Sequence) and not isinstance(searches, str):
        for search in searches:
            SEARCH.check("a search", search)
        searches = _numbered([(search.name, search) for search in searches])
    if not isinstance(searches, Mapping) or not searches:
        raise InputError(f"searches must map at least one name to a search, got {searches!r}")
    for name, search in searches.items():
        if not isinstance(name, str) or not name:
            raise InputError(f"the name of a search must be a text, got {name!r}")
        SEARCH.check(repr(name), search)
    return dict(searches)


def _named_problems(problems: Any) -> dict[str, AnyProblem]:
    if isinstance(problems, Sequence) and not isinstance(problems, str):
        problems = _numbered([(type(problem).__name__, problem) for problem in problems])
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


def _numbered(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Names for what is in a list: its own, with a number where there are several of one name."""
    names = [name for name, _ in pairs]
    counts: dict[str, int] = {}
    named = {}
    for name, item in pairs:
        counts[name] = counts.get(name, 0) + 1
        named[f"{name} {counts[name]}" if names.count(name) > 1 else name] = item
    return named


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
