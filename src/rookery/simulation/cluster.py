"""``simulate``: what a cluster would give, found with the real scheduler and real tasks in virtual time."""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from math import prod
from typing import Any, Literal
from weakref import WeakKeyDictionary

import numpy as np

from rookery.arguments import finite, shown, whole
from rookery.crews.memo import Memo
from rookery.crews.threads import ThreadCrew
from rookery.crews.virtual import Duration, LogNormal, VirtualCrew, measured
from rookery.engine.engines import make_engine
from rookery.errors import InputError, RookeryWarning
from rookery.loading.kinds import name_of
from rookery.plans.plan import Commit, Job
from rookery.plans.risks import SELECTS
from rookery.plans.speculation_tree import SpeculationTree
from rookery.problem import Problem, PythonProblem
from rookery.rng import part_key
from rookery.running.callbacks import Callback
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.running.watched import Watched, as_interrupt
from rookery.search.nrpa import NRPA
from rookery.simulation.oracle import Trajectory, oracle_seconds
from rookery.simulation.speedup import Course, Row, Simulation, speedup_over
from rookery.stop import Stop
from rookery.tasks import Outcome, Worker
from rookery.tasks import Sequence as Found

MOST_WORKERS = 1_000_000
MOST_THREADS = 1000
SPREAD = 0.2
"""Standard deviation of the tasks' durations over their mean, by default."""


def simulate(
    problem: Problem | PythonProblem,
    search: NRPA,
    *,
    workers: Iterable[int] = (1, 8, 64),
    seed: int = 1,
    atomic_level: int = 1,
    select: str = "learned",
    duration: float | Literal["measured"] = 25.0,
    spread: float | None = None,
    delay: float = 0.001,
    cancel: bool = False,
    threads: int = 1,
    callbacks: Sequence[Callback] = (),
) -> Simulation:
    """Run NRPA on simulated clusters: the real scheduler, real tasks, virtual time.

    Every task that is dispatched and not discarded before its end is really computed, in this process and once
    for all numbers of workers and rules; only its duration comes from a model. So wrong speculation costs what it would
    cost. Each run is set beside the bound of an oracle that knows which results will replace a best. Ctrl-C returns the
    rows that are complete, if there are any.

    Parameters
    ----------
    workers
        numbers of workers; a run for each
    atomic_level
        nested calls of this level are tasks
    select
        how the scheduler chooses the next task: ``"learned"``, ``"table"`` (Nagorko 2019), ``"literal"`` (the
        same as its section V.C words it), several of them with commas, or ``"all"``; a run for each
    duration
        mean seconds of a task, or ``"measured"``: what each takes in this process
    spread
        standard deviation of the durations over their mean, 0.2 by default; they are log-normal and drawn from
        the task's key. Goes with a stated duration
    delay
        seconds that a message takes, either way
    cancel
        whether a worker drops a task that was discarded; else it finishes it in vain, as in Nagorko 2019
    threads
        of this process that compute tasks; they change no result
    callbacks
        observers of each run; their seconds are virtual

    >>> import rookery as rk
    >>> done = rk.simulate(rk.problems.LeftMove(depth=20), rk.NRPA(level=3, iterations=8), workers=(1, 16))
    >>> [(row.workers, row.tasks) for row in done.rows]
    [(1, 64), (16, 64)]
    >>> done.rows[0].speedup < 1 < done.rows[1].speedup < done.rows[1].oracle_speedup
    True
    >>> done.score == rk.solve(rk.problems.LeftMove(depth=20), rk.NRPA(level=3, iterations=8), seed=1).score
    True
    """
    if not isinstance(search, NRPA):
        raise InputError(f"only NRPA is simulated: search must be NRPA(...), got {shown(search)}")
    search.check(problem)
    sizes = _sizes(workers)
    whole("seed", seed, 0, (1 << 64) - 1)
    atomic = min(whole("atomic_level", atomic_level, 1), search.level)
    rules = _rules(select)
    if not isinstance(cancel, bool):
        raise InputError(f"cancel must be True or False, got {shown(cancel)}")
    lasts = _durations(duration, spread)
    if finite("delay", delay) < 0:
        raise InputError(f"delay must be at least 0, got {shown(delay)}")
    whole("threads", threads, 1, MOST_THREADS)
    sign = -1.0 if problem.sense == "min" else 1.0
    with Interrupts() as interrupts, ExitStack() as stack:
        interrupts.listen()
        engine = make_engine(problem, False)
        for observer in callbacks:
            observer.on_compile(problem)
        adapting = Watched(engine.worker(), problem, interrupts)
        stack.callback(adapting.close)
        with interrupts.compiling(isinstance(problem, Problem)), as_interrupt():
            adapting.warm(search.smallest_task(()))
        computing = ThreadCrew([engine.worker() for _ in range(threads)], problem)
        stack.callback(computing.close, wait=False)
        memo = Memo() if len(sizes) * len(rules) > 1 else None
        key = part_key(seed, 0)
        runs = _Runs(
            search, adapting, computing, key, atomic, lasts, float(delay), cancel, memo, sign, interrupts, callbacks
        )
        rows: list[Row] = []
        courses: list[Course] = []
        complete = True
        try:
            for size in sizes:
                for rule in rules:
                    for observer in callbacks:
                        observer.on_start(problem, search, seed)
                    row, course = runs.run(size, rule)
                    rows.append(row)
                    if size == max(sizes):
                        courses.append(course)
        except KeyboardInterrupt:
            interrupts.answer()
            complete = False
            if not rows:
                raise
    best = runs.best
    assert best is not None
    return Simulation(
        problem=name_of(problem),
        parameters=problem.parameters(),
        search=search.parameters(),
        seed=int(seed),
        atomic_level=atomic,
        select=",".join(rules),
        duration=duration,
        spread=lasts.spread if isinstance(lasts, LogNormal) else None,
        delay=float(delay),
        cancel=cancel,
        sense=problem.sense,
        score=sign * best.score,
        moves=best.moves,
        rows=tuple(rows),
        courses=tuple(courses),
        complete=complete,
    )


@dataclass
class _Runs:
    """The simulated runs of one search; ``key`` is that of the first run of solve with the same seed."""

    search: NRPA
    adapting: Worker
    computing: ThreadCrew
    key: int
    atomic: int
    lasts: Duration
    delay: float
    cancel: bool
    memo: Memo | None
    sign: float
    interrupts: Interrupts
    callbacks: Sequence[Callback]
    best: Found | None = None
    _true: Trajectory | None = None  # the same in all runs: recorded once
    _bounds: dict[int, float] = field(default_factory=dict)

    def run(self, size: int, rule: str) -> tuple[Row, Course]:
        """Simulate a number of workers."""
        search = self.search
        crew = VirtualCrew(self.computing, size, self.lasts, self.delay, self.memo, self.cancel)
        tree = _RecordedTree(search, self.adapting, self.key, self.atomic, rule, crew)
        driver = Driver(
            plan=tree,
            crew=crew,
            stop=Stop(),
            callbacks=self.callbacks,
            sign=self.sign,
            clock=crew.clock,
            describe=search.shape,
            interrupts=self.interrupts,
        )
        if driver.run() == "interrupted":
            if driver.left is not None:
                warnings.warn(driver.left, RookeryWarning, stacklevel=3)  # from whoever calls simulate
            raise KeyboardInterrupt
        self.interrupts.listen()
        best = tree.best
        assert best is not None
        assert self.best is None or self.best.moves == best.moves
        self.best, self._true = best, self._true or tree.trajectory
        if size not in self._bounds:
            self._bounds[size] = oracle_seconds(self._true, size, self.delay)
        useful, seconds, tasks = sum(tree.trajectory.seconds), crew.clock(), len(tree.trajectory.seconds)
        speedup, bound = useful / seconds, useful / self._bounds[size]
        row = Row(
            select=rule,
            workers=size,
            seconds=seconds,
            speedup=speedup,
            efficiency=speedup / size,
            tasks=tasks,
            tasks_discarded=crew.submitted - tasks,
            useful_share=tasks / crew.submitted,
            oracle_speedup=bound,
            oracle_efficiency=bound / size,
            share_of_oracle=speedup / bound,
        )
        return row, tree.course(rule, self.sign)


class _RecordedTree(SpeculationTree):
    """A speculation tree that records what was committed, and when."""

    def __init__(self, search: NRPA, worker: Worker, key: int, atomic: int, rule: str, crew: VirtualCrew) -> None:
        super().__init__(search.nesting(worker), key, atomic, select=SELECTS[rule]())
        sizes = search.iterations_by_level[atomic + 1 :]
        self.trajectory = Trajectory(sizes)
        self._crew = crew
        self._lowest = atomic + 1  # the level just above the tasks
        self._group = prod(sizes[:-2])  # tasks in an iteration of the second highest level
        self._ends: WeakKeyDictionary[Job, float] = WeakKeyDictionary()  # of jobs that may be discarded yet
        self._ended = array("d")
        self._committed = array("d")
        self._best = array("d")
        self._highest = float("-inf")

    def receive(self, job: Job, outcome: Outcome) -> None:
        """Take a result and note the time."""
        self._ends[job] = self._crew.clock()
        super().receive(job, outcome)

    def commit(self) -> Commit:
        """Commit the frontier and record it."""
        job = self.frontier()
        assert job is not None
        outcome = job.outcome
        assert outcome is not None
        commit = super().commit()
        self.trajectory.add(outcome.seconds, [r.level - self._lowest for r in commit.replacements])
        self._ended.append(self._ends.pop(job))
        if outcome.sequence is not None:
            self._highest = max(self._highest, outcome.sequence.score)
        if len(self._ended) % self._group == 0:
            self._committed.append(self._crew.clock())
            self._best.append(self._highest)
        return commit

    def course(self, rule: str, sign: float) -> Course:
        """How the run went."""
        committed, lengths = np.array(self._committed), np.array(self.trajectory.seconds)
        over = speedup_over(committed, np.array(self._ended) - lengths, lengths)
        return Course(rule, self._crew.size, committed, sign * np.array(self._best), over)


def _sizes(workers: Any) -> tuple[int, ...]:
    if isinstance(workers, (str, bytes)) or not isinstance(workers, Iterable):
        raise InputError(f"workers must be a list of whole numbers, got {shown(workers)}")
    sizes = tuple(whole("workers", size, 1, MOST_WORKERS) for size in workers)
    if not sizes:
        raise InputError("workers must be at least one number, got none")
    for i, size in enumerate(sizes):
        if size in sizes[:i]:
            raise InputError(f"workers must not repeat a number, got {size} twice")
    return sizes


def _rules(select: Any) -> tuple[str, ...]:
    rules = tuple(SELECTS) if select == "all" else tuple(select.split(",")) if isinstance(select, str) else ()
    if not rules or not set(rules) <= set(SELECTS):
        raise InputError(f"select must be all or some of {', '.join(SELECTS)}, got {shown(select)}")
    if len(set(rules)) < len(rules):
        raise InputError(f"select must not repeat a rule, got {shown(select)}")
    return rules


def _durations(duration: Any, spread: Any) -> Duration:
    if isinstance(duration, str) and duration == "measured":
        if spread is not None:
            raise InputError(f"spread goes with a stated duration, not with measured ones, got {shown(spread)}")
        return measured
    if isinstance(duration, str):
        raise InputError(f"duration must be a number of seconds or 'measured', got {shown(duration)}")
    if finite("duration", duration) <= 0:
        raise InputError(f"duration must be above 0, got {shown(duration)}")
    width = SPREAD if spread is None else finite("spread", spread)
    if not 0 <= width <= 10:
        raise InputError(f"spread must be between 0 and 10, got {shown(spread)}")
    return LogNormal(float(duration), width)
