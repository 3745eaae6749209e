"""One run, from what decides it to its result: what ``solve`` and ``resume`` have in common."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, suppress
from dataclasses import asdict, dataclass, fields
from typing import Any

from rookery._version import __version__
from rookery.callbacks import Callback
from rookery.checkpoint import Checkpoint, fingerprint
from rookery.driver import Driver
from rookery.engines import make_engine
from rookery.errors import InputError
from rookery.interrupts import Interrupts
from rookery.keeping import CheckpointKeeper
from rookery.loading import name_of
from rookery.parallel.crew import Crew
from rookery.parallel.crews import make_crew
from rookery.parallel.plan import Plan
from rookery.parallel.restarts import Restarts
from rookery.planning import Search, atomic_level_of, make_plan, smallest_task, warm_policy
from rookery.problem import Problem, PythonProblem
from rookery.result import Result
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.reflexive import Reflexive
from rookery.stop import Stop
from rookery.tasks import Moves, Weights


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


def execute(run: Run) -> Result:
    """Compute a run."""
    entered = time.perf_counter()
    problem, search = run.problem, run.search
    observers = list(run.observers)
    with Interrupts() as interrupts, ExitStack() as stack:
        interrupts.listen()
        if run.progress:
            from rookery.progress import ProgressLine

            observers.append(line := ProgressLine())
            stack.callback(line.close)

        engine = make_engine(problem, run.debug)
        if run.debug:
            from rookery.checking.debugging import refuse_silent_faults

            refuse_silent_faults(problem)
        for observer in observers:
            observer.on_compile(problem)
        began = time.perf_counter()
        if isinstance(problem, Problem):
            interrupts.hold()  # a compiler that was interrupted may crash the next time that it is used
        worker = engine.worker()
        worker.legal(run.prefix)
        warm = smallest_task(search, run.prefix)
        worker.warm(warm)
        crew = make_crew(run.executor, run.workers, problem, engine.worker, run.debug, run.address, warm)
        stack.callback(crew.close, False)  # in case that the driver does not get that far
        compile_seconds = time.perf_counter() - began
        earlier = 0.0 if run.resumed is None else run.resumed.seconds

        def clock() -> float:
            return earlier + time.perf_counter() - entered - compile_seconds

        sign = -1.0 if problem.sense == "min" else 1.0
        mark = None
        if run.checkpoint is not None or run.resumed is not None:
            mark = fingerprint(problem, worker, warm)
        if run.resumed is None:
            policy = warm_policy(search, worker, run.prefix, run.warm, run.warm_steps)
            atomic = atomic_level_of(search, run.stop, worker, run.prefix, run.atomic_level, run.workers)
        else:
            if run.resumed.fingerprint != mark:
                raise InputError(f"the checkpoint is of another problem than {name_of(problem)} is now")
            policy, atomic = run.resumed.options["policy"], run.atomic_level
        plan = make_plan(
            *(search, run.stop, run.seed, worker, run.prefix, policy, atomic, run.restarts, sign),
            *(run.select, run.workers),
        )
        keeper = None
        if run.checkpoint is not None:
            about = _about(run, policy, atomic, mark or "", earlier, compile_seconds)
            keeper = CheckpointKeeper(run.checkpoint, about, run.every, observers)
        interrupts.listen()
        driver = Driver(plan, crew, run.stop, observers, sign, clock, _shape(search), interrupts, keeper)
        if run.resumed is not None:
            _restore(driver, run.resumed)
        for observer in observers:
            observer.on_start(problem, search, run.seed)
        if run.resumed is None and keeper is not None:
            keeper.save(driver.state(), clock())  # what cannot be written is known at once

        def result(status: str) -> Result | None:
            return _result(run, plan, driver, crew, sign, clock(), compile_seconds, status)

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


def _restore(driver: Driver, checkpoint: Checkpoint) -> None:
    try:
        driver.restore(checkpoint.state)
    except InputError:
        raise
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        raise InputError("the checkpoint is damaged: it does not fit its own search") from None


def search_parameters(search: Search) -> dict[str, Any]:
    """A search as plain values, with its name."""
    values = {f.name: getattr(search, f.name) for f in fields(search) if f.init}
    for name, value in values.items():
        if isinstance(value, Mapping):  # levels as JSON has them
            values[name] = {str(level): item for level, item in value.items()}
    return {"algorithm": search.name, **values}


def _about(
    run: Run, policy: Weights, atomic: int | None, mark: str, seconds: float, compile_seconds: float
) -> Checkpoint:
    return Checkpoint(
        version=__version__,
        problem=name_of(run.problem),
        parameters=run.problem.parameters(),
        fingerprint=mark,
        search=search_parameters(run.search),
        seed=run.seed,
        stop=asdict(run.stop),
        options={
            "restarts": run.restarts,
            "prefix": run.prefix,
            "policy": policy,
            "atomic_level": atomic,
            "select": run.select,
            "debug": run.debug,
        },
        seconds=seconds,
        compile_seconds=compile_seconds,
        state={},
    )


def _result(
    run: Run, plan: Plan, driver: Driver, crew: Crew, sign: float, seconds: float, compile_seconds: float, status: str
) -> Result | None:
    """The result so far; None before the first playout."""
    best, seen, tally, work = plan.best, driver.best_seen, driver.tally, driver.work
    if best is None:
        return None
    beyond = seen is not None and seen.score > best.score
    return Result(
        problem=name_of(run.problem),
        parameters=run.problem.parameters(),
        search=search_parameters(run.search),
        seed=run.seed,
        workers=run.workers,
        score=sign * best.score,
        moves=best.moves,
        playouts=tally.playouts,
        iterations=tally.iterations,
        restarts=plan.number if isinstance(plan, Restarts) else 0,
        seconds=seconds,
        compile_seconds=compile_seconds,
        status=status,
        version=__version__,
        executor=crew.name,
        tasks=work.tasks,
        tasks_discarded=work.discarded,
        useful_share=tally.playouts / work.playouts if work.playouts else 1.0,
        history=tuple(tally.history),
        best_seen={"score": sign * seen.score, "moves": list(seen.moves)} if seen and beyond else None,
        of=run.problem,
    )


def _shape(search: Search) -> tuple[int, int | None]:
    """Level and iterations of the top level."""
    if isinstance(search, NRPA):
        return search.level, search.iterations_by_level[search.level]
    return (search.level if isinstance(search, (NMCS, Reflexive)) else 0), None
