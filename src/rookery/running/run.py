"""One run, from what decides it to its result: what ``solve`` and ``resume`` have in common."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Sequence as Several
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from rookery._version import __version__
from rookery.control import INFEASIBLE_SCORE
from rookery.crews.hiring import make_crew
from rookery.crews.threads import Crew
from rookery.disk import SoleWriter
from rookery.engine.engines import make_engine
from rookery.errors import InputError, RookeryWarning
from rookery.loading.kinds import name_of
from rookery.loading.modules import source_mark
from rookery.plans.plan import Plan
from rookery.plans.pool import NO_POOL, Keeping, Pool
from rookery.plans.restarts import make_plan
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.checkpoint import Checkpoint, CheckpointKeeper, fingerprint
from rookery.running.driver import Driver
from rookery.running.following import Following
from rookery.running.interrupts import Interrupts
from rookery.running.logs import observed
from rookery.running.restoring import check_state
from rookery.running.result import Result
from rookery.running.watched import Overstayed, Watched
from rookery.search.protocol import SHARED_TASK_SECONDS, TASK_SECONDS, Cost, Search, Setting
from rookery.stop import NO_LIMITS, Stop
from rookery.tasks import Keep, Moves, Sequence, Weights, Worker


@dataclass(frozen=True)
class Run:
    """A run: first what decides its result, then how it is computed."""

    problem: Problem | PythonProblem
    search: Search
    stop: Stop
    seed: int
    restarts: bool | int | None = None
    prefix: Moves = ()
    warm: Moves | None = None
    warm_steps: int = 10
    atomic_level: int | None = None
    workers: int = 1
    executor: str | Executor | None = None
    address: str | None = None
    select: str = "learned"
    observers: Several[Callback] = ()
    progress: bool = False
    debug: bool = False
    keeping: Keeping = NO_POOL
    checkpoint: SoleWriter | None = None
    every: float = 30.0
    resumed: Checkpoint | None = None


@dataclass(frozen=True)
class Ready:
    """A run that is ready to begin: its workers, what it begins with, and when it began."""

    crew: Crew
    setting: Setting
    keep: Keep | None
    mark: str
    earlier: float
    compile_seconds: float
    began: float
    sign: float


def execute(run: Run, following: Following | None = None) -> Result:
    """Compute a run: prepare, plan, drive, report; in the background, somebody is ``following``."""
    entered = time.perf_counter()
    observers = observed(run.observers)
    if following is not None:
        observers.append(following)
    with Interrupts() if following is None else following.requests as interrupts, ExitStack() as stack:
        interrupts.listen()
        if run.progress:
            from rookery.running.progress import ProgressLine

            observers.append(line := ProgressLine())
            stack.callback(line.close)
        try:
            ready = _prepare(run, observers, interrupts, stack, entered)
            if run.resumed is None:
                run = replace(run, search=run.search.fitted(ready.setting))
        except Overstayed as overstayed:
            raise _nothing_found(overstayed.status, str(overstayed)) from None
        planner = run.search.plans(ready.setting)
        plan = make_plan(planner, run.seed, 0 if run.search.endless else _restarts(run), run.workers)
        driver = _driver(run, ready, plan, observers, interrupts)

        def result(status: str) -> Result | None:
            return _result(run, ready, plan, driver, status)

        if following is not None:
            following.begin(driver.progress, partial(result, "running"))
        try:
            status = driver.run()
        except Exception as error:
            with suppress(Exception):  # a user's exception may not take attributes
                error.best_so_far = result("failed")  # type: ignore[attr-defined]
            raise
        answer = result(status)
        if answer is None:
            raise _nothing_found(status, driver.left)
        if driver.left is not None:
            warnings.warn(driver.left, RookeryWarning, stacklevel=4)  # from whoever calls solve
        for observer in observers:
            interrupts.answer()
            with suppress(KeyboardInterrupt), interrupts.listening():  # ends this observer; the result is not lost
                observer.on_end(answer)
        return answer


def _nothing_found(status: str, left: str | None) -> BaseException:
    """The error of a run that ended before its first playout did; it names what had not returned, if anything."""
    if status == "interrupted":
        if left is not None:
            warnings.warn(left, RookeryWarning, stacklevel=5)
        return KeyboardInterrupt()
    reason = "; give it more time" if left is None else f": {left}"
    return InputError(f"the search was stopped before its first playout was finished{reason}")


def _prepare(run: Run, observers: Several[Callback], interrupts: Interrupts, stack: ExitStack, entered: float) -> Ready:
    """Compile, hire a crew, measure what a task should be."""
    problem, search = run.problem, run.search
    engine = make_engine(problem, run.debug)
    if run.debug:
        from rookery.checking.playouts import refuse_silent_faults

        refuse_silent_faults(problem)
    for observer in observers:
        observer.on_compile(problem)
    began = time.perf_counter()
    worker = Watched(engine.worker(), problem, interrupts)
    stack.callback(worker.close)
    if run.stop.time is not None:
        worker.seconds_left = partial(float, run.stop.time)
    with interrupts.compiling(isinstance(problem, Problem)):
        warm = search.smallest_task(run.prefix)
        if run.keeping.number:
            warm = replace(warm, keep=run.keeping.asked(len(run.prefix)))
        warm.warm(worker)
        crew = make_crew(run.executor, run.workers, (problem, search), engine.worker, run.debug, run.address, warm)
        stack.callback(crew.close, False)  # in case the driver does not get that far
    crew.assemble()
    for observer in observers:
        observer.on_workers(crew.name, crew.size)
    with interrupts.compiling(isinstance(problem, Problem)):
        compile_seconds = time.perf_counter() - began
        mark = ""
        if run.checkpoint is not None or run.resumed is not None:
            mark = fingerprint(problem, worker, warm)
        policy, atomic = _beginning(run, worker, mark)
    earlier = 0.0 if run.resumed is None else run.resumed.seconds
    sign = -1.0 if problem.sense == "min" else 1.0
    target = float("inf") if run.stop.target is None else sign * run.stop.target

    beginning = entered + compile_seconds - earlier
    if run.stop.time is not None:
        ends = beginning + run.stop.time
        worker.seconds_left = lambda: max(0.0, ends - time.perf_counter())
    return Ready(
        crew=crew,
        setting=Setting(worker, run.prefix, policy, target, atomic, run.workers, run.select, run.stop, sign),
        keep=warm.keep,
        mark=mark,
        earlier=earlier,
        compile_seconds=compile_seconds,
        began=beginning,
        sign=sign,
    )


def _beginning(run: Run, worker: Worker, mark: str) -> tuple[Weights, int | None]:
    """The policy to begin with and the atomic level: those of the checkpoint, if there is one."""
    search, saved = run.search, run.resumed
    if saved is None:
        policy = Weights()
        if run.warm is not None:
            policy = search.warm_policy(worker, run.prefix, run.warm, run.warm_steps)
        most = TASK_SECONDS if run.workers == 1 else SHARED_TASK_SECONDS
        return policy, search.atomic_level(Cost(worker, run.prefix, most), run.stop, run.atomic_level, run.workers)
    if saved.fingerprint != mark:
        raise InputError(f"the checkpoint is of another problem than {name_of(run.problem)} is now")
    return saved.options["policy"], run.atomic_level


def _restarts(run: Run) -> bool | int:
    """Whether to restart, or how often; by default whenever there is a limit."""
    return run.stop != NO_LIMITS if run.restarts is None else run.restarts


def _driver(run: Run, ready: Ready, plan: Plan, observers: Several[Callback], interrupts: Interrupts) -> Driver:
    """The driver, with what the checkpoint holds; observers are told that the run begins."""
    keeper = None
    if run.checkpoint is not None:
        keeper = CheckpointKeeper(run.checkpoint, _about(run, ready), run.every, observers)
    driver = Driver(
        plan=plan,
        crew=ready.crew,
        stop=run.stop,
        callbacks=observers,
        sign=ready.sign,
        clock=time.perf_counter,
        describe=run.search.shape,
        interrupts=interrupts,
        keeper=keeper,
        began=ready.began,
    )
    if ready.keep is not None:
        driver.pool = Pool(ready.keep)
    if run.resumed is not None:
        check_state(run.resumed.state, plan, run.problem, run.search, ready.setting, ready.sign)
        driver.restore(run.resumed.state)
    for observer in observers:
        observer.on_start(run.problem, run.search, run.seed)
    if run.resumed is None and keeper is not None:
        keeper.save(driver.state(), time.perf_counter() - ready.began)  # if it cannot be written, that is known at once
    return driver


def _about(run: Run, ready: Ready) -> Checkpoint:
    """The checkpoint without its state."""
    return Checkpoint(
        version=__version__,
        problem=name_of(run.problem),
        parameters=run.problem.parameters(),
        fingerprint=ready.mark,
        search=run.search.parameters(),
        seed=run.seed,
        stop=asdict(replace(run.stop, when=None)),
        options={
            "restarts": run.restarts,
            "prefix": run.prefix,
            "policy": ready.setting.policy,
            "atomic_level": ready.setting.atomic_level,
            "select": run.select,
            "debug": run.debug,
            "source": source_mark(type(run.problem)),
            "keep": run.keeping.number,
            "differ": run.keeping.differ,
        },
        seconds=ready.earlier,
        compile_seconds=ready.compile_seconds,
        state={},
    )


def _result(run: Run, ready: Ready, plan: Plan, driver: Driver, status: str) -> Result | None:
    """The result so far; None before the first playout.

    A run that was ended by the clock or by its user has the best that any task has found, and in addition what the
    same seed and playouts give again. Other runs have the latter, and in addition what was found beyond it.
    """
    best, seen, tally, work, sign = plan.best, driver.best_seen, driver.tally, driver.work, ready.sign
    if best is None:
        return None
    found = best if best.score > INFEASIBLE_SCORE else None
    beyond = seen if seen is not None and (found is None or seen.score > found.score) else None
    answer = beyond if beyond is not None and status in ("time", "interrupted") else found
    if answer is None and status == "running":
        return None
    pool = [] if driver.pool is None else driver.pool.differing(run.keeping.number, run.keeping.differ)
    if answer is None and status not in ("interrupted", "failed"):
        status = "infeasible"

    def told(sequence: Sequence | None) -> dict[str, Any] | None:
        return None if sequence is None else {"score": sign * sequence.score, "moves": list(sequence.moves)}

    return Result(
        problem=name_of(run.problem),
        parameters=run.problem.parameters(),
        search=run.search.parameters(),
        seed=run.seed,
        workers=run.workers,
        score=math.nan if answer is None else sign * answer.score,
        moves=() if answer is None else answer.moves,
        playouts=tally.playouts,
        iterations=tally.iterations,
        restarts=getattr(plan, "number", 0),
        seconds=time.perf_counter() - ready.began,
        compile_seconds=ready.compile_seconds,
        status=status,
        version=__version__,
        executor=ready.crew.name,
        tasks=work.tasks,
        tasks_discarded=work.discarded,
        useful_share=tally.playouts / work.playouts if work.playouts else 1.0,
        history=tuple(tally.history),
        best_seen=told(beyond) if answer is not beyond else None,
        reproducible=told(found) if answer is not found else None,
        pool=tuple(told(sequence) or {} for sequence in pool),
        decisions=tuple(getattr(plan, "decisions", ())),
        of=run.problem,
    )
