"""``distribution``: many independent runs of a search, and how often each score was their result."""

from __future__ import annotations

import os
import time
import warnings
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from rookery._version import __version__
from rookery.arguments import whole
from rookery.control import INFEASIBLE_SCORE
from rookery.crews.hiring import check_executor, make_crew
from rookery.disk import SoleWriter, check_writable, plain
from rookery.engine.engines import make_engine
from rookery.errors import InputError, RookeryWarning
from rookery.experiments.runs import RunsTask
from rookery.experiments.scores import SAME, Distribution
from rookery.loading.kinds import SEARCH, name_of
from rookery.plans.runs import Runs
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback, checked_callbacks
from rookery.running.checkpoint import fingerprint
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.running.logs import observed
from rookery.running.progress import ProgressLine
from rookery.running.watched import Watched, as_interrupt
from rookery.search.protocol import Search
from rookery.stop import NO_LIMITS
from rookery.tasks import UNLIMITED

MOST_SEED = (1 << 64) - 1
SAVED_EVERY = 10.0
"""Seconds after which the file is written again."""


def distribution(
    problem: Problem | PythonProblem,
    search: Search,
    runs: int = 1000,
    *,
    seed: int = 1,
    playouts: int | None = None,
    workers: int | None = None,
    executor: str | Executor | None = None,
    address: str | None = None,
    file: str | os.PathLike[str] | None = None,
    progress: bool = False,
    callbacks: Sequence[Callback] = (),
) -> Distribution:
    """Run a search many times, and count how often each score is the result.

    Run number ``i``, from 0 on, is exactly ``solve(problem, search, seed=seed + i)``. But where ``solve`` takes
    milliseconds to begin, here thousands of short runs are made in one compiled call. The counts depend neither on
    ``workers`` nor on ``executor``. Ctrl-C returns the runs before the first one that has not ended, if there are any.
    An exception in the problem's own code ends it; what was counted before is in the exception's attribute
    ``best_so_far``.

    Parameters
    ----------
    search
        every search that ends by itself; for others see ``playouts``
    runs
        how many
    seed
        that of the first run; the others follow
    playouts
        of each run, for a search that has no end of its own: run ``i`` is ``solve(..., stop=MaxPlayouts(playouts))``.
        One playout of ``Sampling`` is a search of level 0
    workers
        how many compute runs at the same time; by default one, all cores for ``"processes"``, and all workers of a
        cluster
    executor, address
        what they are, as for ``solve``
    file
        the distribution is saved there every few seconds and at the end. If the file is there, only the runs that
        it lacks are made
    progress
        show a line of progress on standard error
    callbacks
        observers; they cannot steer

    >>> import rookery as rk
    >>> done = distribution(rk.problems.LeftMove(depth=9), rk.Sampling(), runs=2000, playouts=1)
    >>> done.counts[9.0], done.mean, done.share(8)
    (2, 4.4125, 0.0155)
    """
    SEARCH.check("search", search)
    search.check(problem)
    asked = whole("runs", runs, 1)
    first = whole("seed", seed, 0, MOST_SEED + 1 - asked)
    limit = _limit(search, playouts)
    at_once = check_executor(executor, workers, address)
    observers = observed(checked_callbacks(callbacks))
    with Interrupts() as interrupts, ExitStack() as stack:
        interrupts.listen()
        if progress:
            observers.append(line := RunsLine())
            stack.callback(line.close)
        if file is not None:
            check_writable(file)
            stack.enter_context(closing(SoleWriter(file)))
        engine = make_engine(problem)
        for observer in observers:
            observer.on_compile(problem)
        worker = Watched(engine.worker(), problem, interrupts)
        stack.callback(worker.close)
        task = partial(RunsTask, search=search, key=0, playouts=UNLIMITED if limit is None else limit)
        with interrupts.compiling(isinstance(problem, Problem)), as_interrupt():
            warm = task(first=first, last=first + 1)
            warm.warm(worker)
            counting = Counting(problem, search, limit, first, at_once)
            if file is not None:
                counting.keep(file, fingerprint(problem, worker, search.smallest_task(())), asked)
            begin, left = counting.begin, first + asked - counting.begin
            if left == 0:
                assert counting.before is not None
                return counting.before
            crew = make_crew(executor, at_once, (problem, search), engine.worker, address=address, warm=warm)
            stack.callback(crew.close, False)  # in case the driver does not get that far
        crew.assemble()
        plan = Runs(lambda i, j: task(first=begin + i, last=begin + j), left)
        observers.append(counting)
        driver = Driver(
            plan=plan,
            crew=crew,
            stop=NO_LIMITS,
            callbacks=observers,
            sign=counting.sign,
            clock=time.perf_counter,
            describe=(search.shape[0], left),
            interrupts=interrupts,
            began=time.perf_counter(),
        )
        counting.follow(plan, driver, crew.name)
        for observer in observers:
            observer.on_start(problem, search, first)
        try:
            status = driver.run()
        except Exception as error:
            with suppress(Exception):  # a user's exception may not take attributes
                error.best_so_far = counting.save(False)  # type: ignore[attr-defined]
            raise
        done = counting.save(status == "finished")
        if driver.left is not None:
            warnings.warn(driver.left, RookeryWarning, stacklevel=2)
        if done is None:
            raise KeyboardInterrupt
        for observer in observers:
            interrupts.answer()
            with suppress(KeyboardInterrupt), interrupts.listening():  # ends this observer; the result is not lost
                observer.on_end(done)
        return done


def _limit(search: Search, playouts: int | None) -> int | None:
    """The playouts of each run: asked for if the search has no end of its own, and only then."""
    if search.endless and playouts is None:
        raise InputError(f"{search.name} has no end of its own: give its runs a limit, such as playouts=1000")
    if playouts is not None and not search.endless:
        raise InputError(f"playouts is for a search without an end of its own, not for {search.name}, got {playouts!r}")
    return None if playouts is None else whole("playouts", playouts, 1, UNLIMITED - 1)


class RunsLine(ProgressLine):
    """A line of progress that has news whenever runs have ended."""

    def on_iteration(self, progress: Any) -> None:
        """Note them."""
        self.on_game(None, progress)


class Counting(Callback):
    """Counts the runs as they are committed, and keeps them in a file."""

    def __init__(self, problem: Any, search: Search, limit: int | None, first: int, workers: int) -> None:
        self.sign = -1.0 if problem.sense == "min" else 1.0
        self.begin = first  # the seed of the first run that is to be made
        self.before: Distribution | None = None  # what the file held
        self._about: dict[str, Any] = {
            "problem": name_of(problem),
            "parameters": plain(problem.parameters()),
            "search": plain(search.parameters()),
            "sense": problem.sense,
            "each": limit,
            "workers": workers,
            "version": __version__,
        }
        self._file: str | os.PathLike[str] | None = None
        self._saved = 0.0

    def keep(self, file: str | os.PathLike[str], mark: str, asked: int) -> None:
        """Keep the runs in a file from now on; those that it holds need not be made again."""
        self._file, self._about["fingerprint"] = file, mark
        if not os.path.exists(file):
            return
        there = Distribution.load(file)
        for name in (*SAME, "fingerprint"):
            if getattr(there, name) != self._about[name]:
                raise InputError(f"{file} holds another distribution: its entry {name!r} differs")
        if len(there.seeds) > 1 or there.seeds[0][0] != self.begin or there.runs > asked:
            seeds = ", ".join(f"{first} to {last}" for first, last in there.seeds)
            raise InputError(f"{file} holds the seeds {seeds}, which are not the first of those asked for")
        self.before, self.begin = replace(there, complete=True), self.begin + there.runs

    def follow(self, plan: Runs, driver: Driver, executor: str) -> None:
        """Count what a plan has committed."""
        self._plan, self._driver, self._began = plan, driver, time.perf_counter()
        self._about["executor"] = executor

    def on_iteration(self, progress: Any) -> None:
        """Save from time to time."""
        if progress.seconds - self._saved >= SAVED_EVERY:
            self._saved = progress.seconds
            self.save(False)

    def save(self, complete: bool) -> Distribution | None:
        """What is counted so far, saved if there is a file; None if there is nothing yet."""
        done = self._counted(complete)
        if done is not None and self._file is not None:
            try:
                done.save(self._file)
            except InputError as error:  # a full disk
                warnings.warn(f"the distribution was not saved: {error}", RookeryWarning, stacklevel=4)
        return done

    def _counted(self, complete: bool) -> Distribution | None:
        scores, tally = self._plan.scores, self._driver.tally
        if not scores:
            return None if self.before is None else replace(self.before, complete=complete)
        best = max(scores)
        counts = Counter(self.sign * score + 0.0 for score in scores if score > INFEASIBLE_SCORE)  # no negative zero
        new = Distribution(
            **self._about,
            counts=dict(sorted(counts.items())),
            seeds=((self.begin, self.begin + len(scores) - 1),),
            infeasible=len(scores) - counts.total(),
            best_seed=self.begin + scores.index(best) if counts else None,
            playouts=tally.playouts,
            seconds=time.perf_counter() - self._began,
            core_seconds=self._plan.core_seconds,
            complete=complete,
        )
        return new if self.before is None else self.before.merge(new)
