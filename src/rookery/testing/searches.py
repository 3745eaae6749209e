"""``check_search``: whether a search keeps the contract of searches."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from rookery.checking.report import Log, Report
from rookery.control import Signal
from rookery.engine.engines import make_engine
from rookery.engine.interpreted import Interpreted
from rookery.errors import InputError, RookeryError, SearchError
from rookery.loading.kinds import SEARCH
from rookery.problem import Problem, PythonProblem
from rookery.problems.leftmove import LeftMove
from rookery.problems.tsp import TSP
from rookery.rng import part_key
from rookery.running.resume import resume
from rookery.running.solve import solve
from rookery.search.protocol import Cost, Search, Setting
from rookery.stop import MaxPlayouts, MaxTime, Stop
from rookery.tasks import Task

SEEDS = 5
TIMED = 0.1
"""Seconds of the run that ends by the clock."""


def check_search(
    search: Search,
    problem: Problem | PythonProblem | None = None,
    *,
    twin: str | Callable[..., Any] | None = None,
    seed: int = 1,
    playouts: int = 300,
    seconds: float = 20.0,
    processes: bool = True,
    allow: Iterable[str] = (),
) -> Report:
    """Check that a search keeps its contract; raise a :class:`CheckError` that lists every error if it does not.

    The answer must be the same for all numbers of workers, atomic levels and executors, after a checkpoint, and from
    the twin in plain Python; ``MaxPlayouts`` must be exact; a halt must stop a task; the seed must matter; and many
    runs in one call must be those that are made one by one.

    Parameters
    ----------
    search
        with parameters so small that ``playouts`` is more than one run takes
    problem
        by default two that come with the library: LeftMove and a small TSP
    twin
        a function at the top of a module, or its name as ``module:function``; by default what the search names
    seed
        of the runs
    playouts
        of each run
    seconds
        the most that a run may take
    processes
        compare with worker processes too, which takes a few seconds
    allow
        names of errors that are warnings for this search

    >>> import rookery as rk
    >>> report = check_search(rk.NRPA(level=2, iterations=10), rk.problems.LeftMove(depth=6), processes=False)
    >>> report.ok
    True
    """
    SEARCH.check("search", search)
    log = Log(search, allow)
    problems = (LeftMove(depth=24), TSP.build(14, seed=2)) if problem is None else (problem,)
    played = 0
    for each in problems:
        check = _Check(search, each, log, seed, playouts, seconds)
        check.all(_with_twin(search, twin), processes and each is problems[0])
        played += check.played
    report = Report(type(search).__name__, log.findings(), played)
    report.raise_errors()
    return report


@dataclass
class _Check:
    """The checks of a search on one problem."""

    search: Search
    problem: Problem | PythonProblem
    log: Log
    seed: int
    playouts: int
    seconds: float
    played: int = 0

    def all(self, twinned: Search, processes: bool) -> None:
        """Make every check, if there is an answer to compare with."""
        whole = self.run("a run", self.playouts)
        if whole is None:
            return
        self.workers(whole, processes)
        self.budgets()
        self.checkpoints(whole)
        self.halts()
        self.repeats()
        self.seeds(whole)
        if twinned.twin is not None and isinstance(self.problem, Problem):
            self.twin(twinned)

    def workers(self, whole: Any, processes: bool) -> None:
        """Check for the same answer, whoever computes it."""
        ways: dict[str, dict[str, Any]] = {"a second run": {}}
        ways |= {f"a run with {n} workers": {"workers": n} for n in (2, 3)}
        if "atomic_level" in self.search.options:
            levels = range(1, min(self.search.shape[0], 3) + 1)
            for n in (1, 2):
                ways |= {f"a run of atomic level {a}, workers={n}": {"atomic_level": a, "workers": n} for a in levels}
        if processes:
            ways["a run with 2 processes"] = {"executor": "processes", "workers": 2}
        for way, options in ways.items():
            self.same("answer-differs", way, self.run(way, self.playouts, **options), whole)

    def budgets(self) -> None:
        """Check for exactly as many playouts as the limit allows."""
        for n in (1, 2, 7, max(1, self.playouts // 2)):
            for workers in (1, 2):
                self.run(f"a run with {workers} workers", n, workers=workers)

    def checkpoints(self, whole: Any) -> None:
        """Check that a run that is stopped and resumed ends as if it had never been stopped."""
        nested = "atomic_level" in self.search.options
        small: dict[str, Any] = {"atomic_level": 1} if nested else {}  # a run of one task would start afresh
        for n in (1, max(1, self.playouts // 10), max(1, self.playouts // 3)):
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "run.ckpt"
                way = f"a run resumed after {n} playouts"
                if self.run(way, n, checkpoint=path, **small) is not None:
                    self.same("resume-differs", way, self.run(way, self.playouts, resumed=path), whole)

    def halts(self) -> None:
        """Check that a halted task ends at once, and that a time limit returns the beginning of the same run."""
        worker, task = self.first_task()
        if task is not None:
            signal = Signal()
            signal.halt()
            outcome = worker.run(task, signal)
            if outcome.playouts > 0 or outcome.finished:
                does = f"a task plays {outcome.playouts} playouts after it was halted"
                self.note("halt-ignored", does + (", and says that it is finished" if outcome.finished else ""))
        try:
            timed = solve(self.problem, self.search, seed=self.seed, stop=MaxTime(TIMED))
        except InputError:  # not one playout in this time
            return
        until = self.run("a run", timed.playouts)
        self.same("not-a-prefix", f"a run that {TIMED} seconds have ended", _answer(timed), until)

    def repeats(self) -> None:
        """Check for the same scores from many tasks in one call as from one after the other."""
        worker, task = self.first_task()
        if task is None:
            return
        keys = [part_key(self.seed + i, 0) for i in range(SEEDS)]
        short = task.within(self.playouts)
        many = worker.repeat(short, keys, Signal())
        if many is None:
            return
        found = (worker.run(replace(short, key=key), Signal()).sequence for key in keys)
        alone = [None if sequence is None else sequence.score for sequence in found]
        if many[0] != alone:
            self.note("repeat-differs", f"{SEEDS} runs in one call have the scores {many[0]}, one by one {alone}")

    def seeds(self, whole: Any) -> None:
        """Check that another seed gives another run."""
        seeds = range(self.seed + 1, self.seed + SEEDS)
        if all(self.run("a run", self.playouts, seed=seed) == whole for seed in seeds):
            self.note("seed-ignored", f"the seeds {self.seed} to {seeds[-1]} have the same answer, {_told(whole)}")

    def twin(self, twinned: Search) -> None:
        """Check for the same from the twin, on the functions of the problem as plain Python."""
        assert isinstance(self.problem, Problem)
        plain, way = replace(self, problem=Interpreted(self.problem), search=twinned), f"the twin {twinned.twin}"
        for n in (7, self.playouts):
            self.same("twin-differs", way, plain.run(way, n), self.run("a run", n))

    # --- runs ---

    def first_task(self) -> tuple[Any, Task | None]:
        """The first task of a run, if it has one, and a worker for it."""
        worker = make_engine(self.problem, False).worker()
        atomic = self.search.atomic_level(Cost(worker, ()), Stop(), None, 1)
        job = self.search.planner(Setting(worker, atomic_level=atomic))(part_key(self.seed, 0)).next_job()
        return worker, None if job is None else job.task

    def run(self, way: str, playouts: int, resumed: Path | None = None, **options: Any) -> Any:
        """The answer of a run with this many playouts; None if it did not have them, which is noted."""
        stop = MaxPlayouts(playouts) | MaxTime(self.seconds)
        try:
            if resumed is None:
                result = solve(self.problem, self.search, **{"seed": self.seed, **options}, stop=stop)
            else:
                result = resume(resumed, self.problem, search=type(self.search), stop=stop, **options)
        except SearchError as error:
            self.note("budget-not-kept", str(error))
            return None
        except RookeryError as error:
            if self.played == 0:
                raise
            self.note("run-fails", f"{way} fails: {error}")
            return None
        self.played += result.playouts
        if result.playouts != playouts:
            late = f" in {self.seconds:g} seconds" if result.status == "time" else ""
            self.note("budget-not-kept", f"{way} of MaxPlayouts({playouts}) has {result.playouts} playouts{late}")
            return None
        return _answer(result)

    def same(self, name: str, way: str, answer: Any, expected: Any) -> None:
        """Note a difference between two answers, if both are there."""
        if answer is not None and expected is not None and answer != expected:
            self.note(name, f"{way} has {_told(answer)}, where a run with one worker has {_told(expected)}")

    def note(self, name: str, text: str) -> None:
        """Note what was found."""
        problem = getattr(self.problem, "of", self.problem)  # for an interpreted problem, the compiled one
        self.log.add(name, "", f"{text}; on {type(problem).__name__}, seed {self.seed}")


def _answer(result: Any) -> tuple[Any, ...]:
    """What must be the same: with the history, because two searches often find the same best sequence."""
    return result.score, result.moves, result.playouts, tuple((i.playouts, i.score) for i in result.history)


def _told(answer: Any) -> str:
    score, moves, playouts, history = answer
    found = f", found after {history[-1][0]}" if history else ""
    shown = ", ".join(map(str, moves[:8])) + (", ..." if len(moves) > 8 else "")
    return f"score {score} in {playouts} playouts{found} (moves {shown})"


def _with_twin(search: Search, twin: str | Callable[..., Any] | None) -> Search:
    """The search with a twin, as a new class: tasks of any size ask their search for it."""
    if twin is None:
        return search
    name = twin if isinstance(twin, str) else f"{twin.__module__}:{twin.__qualname__}"
    if "<locals>" in name:
        raise InputError(f"twin must be a function at the top of a module, got {name}")
    cls = type(search)
    named = type(cls.__name__, (cls,), {"twin": name, "__module__": cls.__module__})
    made: Search = named(**{f.name: getattr(search, f.name) for f in fields(cls) if f.init})  # type: ignore[arg-type]
    return made
