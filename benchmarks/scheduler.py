"""How many tasks per second one server handles: the real driver and speculation tree, and workers that answer at once.

    python benchmarks/scheduler.py [--workers 64,768] [--iterations 80] [--tasks 50000] [--profile]

Each run is made twice. First its tasks are really computed, in the order in which workers of equal speed would end
them, and their outcomes are kept. Then the same run is driven again and every outcome is there at once: what is timed
is the server alone, with the policies, replacements and discarded tasks of a real search. Every policy goes through
ADAPT. ``packed`` is with the packing of tasks and the unpacking of outcomes that processes, MPI and Dask need.
"""

from __future__ import annotations

import argparse
import cProfile
import heapq
import pstats
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

import rookery as rk
from rookery.control import Signal
from rookery.crews.shipping import pack_reply, pack_value, unpack_reply
from rookery.crews.threads import Ended
from rookery.engine.compiled import CompiledEngine, CompiledWorker
from rookery.plans.plan import Commit, Job
from rookery.plans.risks import SELECTS
from rookery.plans.speculation_tree import SpeculationTree
from rookery.rng import mix_int, root_key
from rookery.running.driver import Driver
from rookery.running.interrupts import Interrupts
from rookery.tasks import Outcome, Task

TARGET = 2000
IN_VAIN = pack_reply(Outcome(sequence=None, playouts=0, improvements=(), finished=False, reached_target=False))
"""The outcome of a task that was discarded before it ended: nobody looks at it."""


class Clock:
    """Seconds by what they were spent on."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()

    def timed(self, part: str, call: Callable[..., Any], *arguments: Any) -> Any:
        began = time.perf_counter()
        try:
            return call(*arguments)
        finally:
            self.seconds[part] += time.perf_counter() - began


class TimedWorker:
    """A worker that adapts policies; each step is timed."""

    def __init__(self, worker: CompiledWorker, clock: Clock) -> None:
        self._worker, self._clock = worker, clock
        self.steps = 0

    def value(self, task: Task) -> Any:
        self.steps += 1
        return self._clock.timed("adapt", self._worker.value, task)


class TimedTree(SpeculationTree):
    """The library's tree; what it is asked for is timed. Its times include the steps of adapt in them."""

    def __init__(self, search: rk.NRPA, worker: TimedWorker, key: int, atomic: int, select: str, clock: Clock) -> None:
        super().__init__(search.nesting(worker), key, atomic, select=SELECTS[select]())  # type: ignore[arg-type]
        self._clock = clock

    def next_job(self) -> Job | None:
        return self._clock.timed("select", super().next_job)

    def receive(self, job: Job, outcome: Outcome) -> None:
        self._clock.timed("receive", super().receive, job, outcome)

    def commit(self) -> Commit:
        return self._clock.timed("commit", super().commit)


class Crew:
    """Workers in virtual time, in which every task takes 1 to 1.5 units, depending on its key.

    Parameters
    ----------
    outcomes
        in the order of submission, packed: to be answered with, or to be filled by ``worker``
    packed
        whether tasks are packed, and outcomes unpacked, as part of the work of the server
    """

    name = "at once"
    patience = 0.0

    def __init__(
        self, size: int, outcomes: list[bytes], worker: CompiledWorker | None, packed: bool, clock: Clock
    ) -> None:
        self.size = size
        self.bytes = 0
        self._outcomes, self._worker, self._packed, self._clock = outcomes, worker, packed, clock
        self._submitted = 0
        self._collected = 0
        self._now = 0.0
        self._ends: list[tuple[float, int, Job]] = []
        self._unwanted: set[Job] = set()

    def clock(self) -> float:
        """How many tasks have ended."""
        return self._collected

    def submit(self, job: Job, seconds: float | None) -> None:
        number = self._submitted
        self._submitted += 1
        if self._worker is not None:
            self._outcomes.append(IN_VAIN)
        elif self._packed:
            self.bytes += len(self._clock.timed("pack", pack_value, job.task))
        heapq.heappush(self._ends, (self._now + 1.0 + (job.task.key & 255) / 512, number, job))

    def wait(self, seconds: float) -> None:
        pass

    def collect(self) -> list[Ended]:
        """The next task that ends."""
        if not self._ends:
            return []
        self._collected += 1
        self._now, number, job = heapq.heappop(self._ends)
        if job in self._unwanted:
            self._unwanted.remove(job)
        elif self._worker is not None:
            self._outcomes[number] = pack_reply(self._worker.run(job.task, Signal()))
        part = "pack" if self._packed else "aside"
        return [Ended(job, self._clock.timed(part, unpack_reply, self._outcomes[number]))]

    def halt(self, job: Job) -> None:
        self._unwanted.add(job)

    def playouts(self) -> int:
        return 0

    def close(self, wait: bool) -> None:
        pass


def drive(
    search: rk.NRPA,
    adapting: CompiledWorker,
    computing: CompiledWorker | None,
    options: argparse.Namespace,
    size: int,
    outcomes: list[bytes],
    packed: bool,
) -> tuple[float, Clock, Crew, Driver, int]:
    """One run: its seconds, what they were spent on, its crew, its driver, and the steps of adapt."""
    clock = Clock()
    worker = TimedWorker(adapting, clock)
    tree = TimedTree(search, worker, mix_int(root_key(options.seed), 0), 1, options.select, clock)
    crew = Crew(size, outcomes, computing, packed, clock)
    with Interrupts() as interrupts:
        shape = search.level, search.iterations_by_level[search.level]
        # The driver's clock counts tasks, so that a time limit is one on tasks: the same in every run.
        driver = Driver(tree, crew, rk.MaxTime(options.tasks), (), 1.0, crew.clock, shape, interrupts)
        began = time.perf_counter()
        if driver.run() == "interrupted":
            raise KeyboardInterrupt
        return time.perf_counter() - began - clock.seconds["aside"], clock, crew, driver, worker.steps


def report(size: int, packed: bool, run: tuple[float, Clock, Crew, Driver, int]) -> None:
    seconds, clock, crew, driver, steps = run
    tasks, spent = driver.work.tasks, clock.seconds
    parts = {
        "adapt": spent["adapt"],
        "select": spent["select"] - spent["adapt"],  # but for a few, all steps are made while a task is selected
        "receive": spent["receive"],
        "commit": spent["commit"],
        "pack": spent["pack"],
    }
    parts["rest"] = seconds - sum(parts.values())
    shown = ", ".join(f"{name} {1e6 * value / tasks:.0f}" for name, value in parts.items() if value)
    each = f", {crew.bytes / tasks / 1000:.1f} kB each" if packed else ""
    print(
        f"{size:>4} workers{', packed' if packed else '':8} {tasks / seconds:>7,.0f} tasks/s (at least {TARGET:,}), "
        f"{tasks / seconds / TARGET:.2f} of it; microseconds a task: {shown}\n"
        f"                     {tasks:,} tasks, {driver.tally.tasks / tasks:.0%} committed, "
        f"{steps / tasks:.2f} steps of adapt a task{each}",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="5T", help="of Morpion Solitaire (default: 5T)")
    parser.add_argument("--iterations", type=int, default=80, help="N of each of the 4 levels (default: 80)")
    parser.add_argument("--tasks", type=int, default=50_000, help="stop after so many (default: 50,000)")
    parser.add_argument("--workers", default="64,768", help="numbers of workers (default: 64,768)")
    parser.add_argument("--select", choices=tuple(SELECTS), default="learned")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--profile", action="store_true", help="where the time goes, function by function")
    options = parser.parse_args()
    try:
        search = rk.NRPA(level=4, iterations=options.iterations, ties={4: 0.3, 3: 0.3, 2: 0.3})
        engine = CompiledEngine(rk.problems.Morpion(options.variant))
        adapting, computing = engine.worker(), engine.worker()
        computing.warm(search.smallest_task(()))
        print(f"Morpion {options.variant}, {search}, tasks of level 1, select {options.select}", flush=True)
        for size in map(int, options.workers.split(",")):
            outcomes: list[bytes] = []
            drive(search, adapting, computing, options, size, outcomes, False)
            report(size, False, drive(search, adapting, None, options, size, outcomes, False))
            report(size, True, drive(search, adapting, None, options, size, outcomes, True))
            if options.profile:
                with cProfile.Profile() as profile:
                    drive(search, adapting, None, options, size, outcomes, False)
                pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    except rk.RookeryError as error:
        print(f"scheduler: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
