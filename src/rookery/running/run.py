"""One run, from what decides it to its result: what ``solve`` and ``resume`` have in common."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, replace

from rookery._version import __version__
from rookery.crews.hiring import make_crew
from rookery.crews.threads import Crew
from rookery.engine.engines import make_engine
from rookery.errors import InputError
from rookery.loading.loading import name_of
from rookery.loading.modules import source_mark
from rookery.plans.plan import Plan
from rookery.plans.restarts import AHEAD, Restarts
from rookery.problem import Problem, PythonProblem
from rookery.rng import mix_int, root_key
from rookery.running.callbacks import Callback
from rookery.running.checkpoint import Checkpoint, CheckpointKeeper, fingerprint
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.running.logs import observed
from rookery.running.result import Result
from rookery.search.protocol import Cost, Search, Setting
from rookery.stop import Stop
from rookery.tasks import Moves, Weights, Worker


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
    executor: str | Executor = "threads"
    address: str | None = None
    select: str = "learned"
    observers: Sequence[Callback] = ()
    progress: bool = False
    debug: bool = False
    checkpoint: str | os.PathLike[str] | None = None
    every: float = 30.0
    resumed: Checkpoint | None = None


@dataclass(frozen=True)
class Ready:
    """A run that is ready to begin: its workers, what it begins with, and its clock."""

    worker: Worker
    crew: Crew
    setting: Setting
    mark: str
    earlier: float
    compile_seconds: float
    clock: Callable[[], float]
    sign: float


def execute(run: Run) -> Result:
    """Compute a run: prepare, plan, drive, report."""
    entered = time.perf_counter()
    observers = observed(run.observers)
    with Interrupts() as interrupts, ExitStack() as stack:
        interrupts.listen()
        if run.progress:
            from rookery.running.progress import ProgressLine

            observers.append(line := ProgressLine())
            stack.callback(line.close)
        ready = _prepare(run, observers, interrupts, stack, entered)
        plan = make_plan(run.search, run.seed, ready.setting, _restarts(run))
        driver = _driver(run, ready, plan, observers, interrupts)

        def result(status: str) -> Result | None:
            return _result(run, ready, plan, driver, status)

        try:
            status = driver.run()
        except Exception as error:
            with suppress(Exception):  # an exception of a user's may not take attributes
                error.best_so_far = result("failed")  # type: ignore[attr-defined]
            raise
        answer = result(status)
        if answer is None and status == "interrupted":
            raise KeyboardInterrupt
        if answer is None:
            raise InputError("the search was stopped before its first playout was finished; give it more time")
        interrupts.answer()
        for observer in observers:
            with suppress(KeyboardInterrupt), interrupts.listening():  # ends this observer; the result is not lost
                observer.on_end(answer)
            interrupts.answer()
        return answer


def _prepare(
    run: Run, observers: Sequence[Callback], interrupts: Interrupts, stack: ExitStack, entered: float
) -> Ready:
    """Compile, hire a crew, measure what a task should be."""
    problem, search = run.problem, run.search
    engine = make_engine(problem, run.debug)
    if run.debug:
        from rookery.checking.problem.examine import refuse_silent_faults

        refuse_silent_faults(problem)
    for observer in observers:
        observer.on_compile(problem)
    began = time.perf_counter()
    with interrupts.compiling(isinstance(problem, Problem)):
        worker = engine.worker()
        worker.legal(run.prefix)
        warm = search.smallest_task(run.prefix)
        worker.warm(warm)
        crew = make_crew(run.executor, run.workers, (problem, search), engine.worker, run.debug, run.address, warm)
        stack.callback(crew.close, False)  # in case that the driver does not get that far
        compile_seconds = time.perf_counter() - began
        mark = ""
        if run.checkpoint is not None or run.resumed is not None:
            mark = fingerprint(problem, worker, warm)
        policy, atomic = _beginning(run, worker, mark)
    earlier = 0.0 if run.resumed is None else run.resumed.seconds
    sign = -1.0 if problem.sense == "min" else 1.0
    target = float("inf") if run.stop.target is None else sign * run.stop.target
    return Ready(
        worker=worker,
        crew=crew,
        setting=Setting(worker, run.prefix, policy, target, atomic, run.workers, run.select),
        mark=mark,
        earlier=earlier,
        compile_seconds=compile_seconds,
        clock=lambda: earlier + time.perf_counter() - entered - compile_seconds,
        sign=sign,
    )


def _beginning(run: Run, worker: Worker, mark: str) -> tuple[Weights, int | None]:
    """The policy to begin with and the atomic level: those of the checkpoint, if there is one."""
    search, saved = run.search, run.resumed
    if saved is None:
        policy = search.first_policy(worker, run.prefix, run.warm, run.warm_steps)
        return policy, search.atomic_level(Cost(worker, run.prefix), run.stop, run.atomic_level, run.workers)
    if saved.fingerprint != mark:
        raise InputError(f"the checkpoint is of another problem than {name_of(run.problem)} is now")
    return saved.options["policy"], run.atomic_level


def _restarts(run: Run) -> bool | int:
    """How often: as often as there is time for, by default whenever there is a limit."""
    return bool(run.stop) if run.restarts is None else run.restarts


def make_plan(search: Search, seed: int, setting: Setting, restarts: bool | int) -> Plan:
    """The plan of a run: restarts of the search, each with a key of its own."""
    root, plan = root_key(seed), search.planner(setting)
    if search.endless:
        return plan(mix_int(root, 0))

    def make(number: int) -> Plan:
        return plan(mix_int(root, number))

    if isinstance(restarts, bool):
        return Restarts(make, None if restarts else 1)
    return Restarts(make, restarts, max(AHEAD, setting.workers))


def _driver(run: Run, ready: Ready, plan: Plan, observers: Sequence[Callback], interrupts: Interrupts) -> Driver:
    """The driver, with what the checkpoint holds; observers are told that the run begins."""
    keeper = None
    if run.checkpoint is not None:
        keeper = CheckpointKeeper(run.checkpoint, _about(run, ready), run.every, observers)
    interrupts.listen()
    driver = Driver(
        plan=plan,
        crew=ready.crew,
        stop=run.stop,
        callbacks=observers,
        sign=ready.sign,
        clock=ready.clock,
        describe=run.search.shape,
        interrupts=interrupts,
        keeper=keeper,
    )
    if run.resumed is not None:
        _restore(driver, run.resumed)
    for observer in observers:
        observer.on_start(run.problem, run.search, run.seed)
    if run.resumed is None and keeper is not None:
        keeper.save(driver.state(), ready.clock())  # what cannot be written is known at once
    return driver


def _restore(driver: Driver, checkpoint: Checkpoint) -> None:
    try:
        driver.restore(checkpoint.state)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise InputError("the checkpoint is damaged: it does not fit its own search") from None


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
        },
        seconds=ready.earlier,
        compile_seconds=ready.compile_seconds,
        state={},
    )


def _result(run: Run, ready: Ready, plan: Plan, driver: Driver, status: str) -> Result | None:
    """The result so far; None before the first playout."""
    best, seen, tally, work, sign = plan.best, driver.best_seen, driver.tally, driver.work, ready.sign
    if best is None:
        return None
    beyond = seen is not None and seen.score > best.score
    return Result(
        problem=name_of(run.problem),
        parameters=run.problem.parameters(),
        search=run.search.parameters(),
        seed=run.seed,
        workers=run.workers,
        score=sign * best.score,
        moves=best.moves,
        playouts=tally.playouts,
        iterations=tally.iterations,
        restarts=getattr(plan, "number", 0),
        seconds=ready.clock(),
        compile_seconds=ready.compile_seconds,
        status=status,
        version=__version__,
        executor=ready.crew.name,
        tasks=work.tasks,
        tasks_discarded=work.discarded,
        useful_share=tally.playouts / work.playouts if work.playouts else 1.0,
        history=tuple(tally.history),
        best_seen={"score": sign * seen.score, "moves": list(seen.moves)} if seen and beyond else None,
        of=run.problem,
    )
