"""Phase two: searches in plain Python on a problem under watch."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from dataclasses import dataclass

from rookery.checking.problem.watch import ProblemWatch
from rookery.checking.report import Broken
from rookery.control import Signal
from rookery.engine.python_worker import PythonEngine
from rookery.rng import root_key
from rookery.search.nrpa import NRPA, NRPATask
from rookery.search.sampling import Sampling, SamplingTask
from rookery.tasks import Outcome, Task, Weights


@dataclass(frozen=True)
class Ran:
    """A task and what it came to in plain Python."""

    name: str
    task: Task
    outcome: Outcome


def nrpa_task(level: int, iterations: int, seed: int) -> NRPATask:
    """A run of NRPA as one task.

    >>> nrpa_task(2, 7, seed=0).search.iterations
    7
    """
    search = NRPA(level=level, iterations=iterations)
    return NRPATask(search=search, key=root_key(seed), policy=Weights(), level=level)


def sampling_task(playouts: int, seed: int) -> SamplingTask:
    """So many random playouts as one task.

    >>> sampling_task(9, seed=0).last
    9
    """
    return SamplingTask(search=Sampling(), key=root_key(seed), first=0, last=playouts)


def plan(playouts: int, seed: int) -> list[tuple[str, Task, float]]:
    """Tasks of so many playouts in all, each with the share of the time that it may take.

    Half are random; the rest follow policies, which push playouts to where random ones do not come.

    >>> [name for name, _, _ in plan(200, seed=0)]
    ['sampling', 'NRPA level 1', 'NRPA level 2']
    """
    quarter = max(playouts // 4, 1)
    wide = max(math.isqrt(quarter), 2)
    return [
        ("sampling", sampling_task(max(playouts - quarter - wide * wide, 1), seed), 0.35),
        ("NRPA level 1", nrpa_task(1, quarter, seed), 0.55),
        ("NRPA level 2", nrpa_task(2, wide, seed), 0.8),
    ]


def play(watch: ProblemWatch, playouts: int, seconds: float, seed: int) -> list[Ran]:
    """Run the searches; those that came to an outcome are returned, to be compared with compiled ones."""
    worker = PythonEngine(watch).worker()
    began = time.perf_counter()
    done = []
    for name, task, share in plan(playouts, seed):
        signal = Signal()
        watch.under(name, signal, began + share * seconds)
        try:
            done.append(Ran(name, task, worker.run(task, signal)))
        except Broken:
            if watch.log.count("does-not-return"):
                break  # it would not return in the next search either
    watch.tell_few(playouts, seconds, all(ran.outcome.finished for ran in done))
    with suppress(Broken):
        watch.replay(began + seconds)
    return done
