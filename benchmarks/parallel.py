"""Wall time of several workers against one: threads and processes, on the same seeds, in turn.

    python benchmarks/parallel.py [--seeds 5] [--workers 2] [--executors threads,processes]

The baseline is one thread, measured in the same run. Seconds are those of the search, from its beginning to its end:
compiling, and starting processes, come before. The answers must be equal: they are checked. The useful share is that
of the playouts which count among those that were made. The machine must have as many idle cores as there are workers.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import dataclass
from statistics import median

import rookery as rk

TARGET = 1.75
"""Of two workers."""


@dataclass(frozen=True)
class Timed:
    """A run, and the seconds of its search alone."""

    result: rk.Result
    seconds: float


class Watch(rk.Callback):
    """Times a search from its beginning to its end."""

    def on_start(self, problem: object, search: object, seed: int) -> None:
        self._began = time.perf_counter()

    def on_end(self, result: rk.Result) -> None:
        self.seconds = time.perf_counter() - self._began


def timed(problem: rk.problems.Morpion, search: rk.NRPA, seed: int, executor: str, workers: int) -> Timed:
    watch = Watch()
    result = rk.solve(problem, search, seed=seed, executor=executor, workers=workers, callbacks=[watch])
    return Timed(result, watch.seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="5T", help="of Morpion Solitaire (default: 5T)")
    parser.add_argument("--level", type=int, default=4, help="of NRPA (default: 4)")
    parser.add_argument("--iterations", type=int, default=30, help="N of each level (default: 30)")
    parser.add_argument("--seeds", type=int, default=5, help="runs of each kind (default: 5)")
    parser.add_argument("--workers", type=int, default=2, help="against one (default: 2)")
    parser.add_argument("--executors", default="threads,processes", help="of threads, processes, dask")
    options = parser.parse_args()
    try:
        problem = rk.problems.Morpion(options.variant)
        ties = {level: 0.3 for level in range(max(1, options.level - 1), options.level + 1)}
        search = rk.NRPA(level=options.level, iterations=options.iterations, ties=ties)
        executors = options.executors.split(",")
        print(f"Morpion {options.variant}, {search}, {options.workers} workers against 1 thread", flush=True)
        rk.solve(problem, rk.NRPA(level=1, iterations=1), seed=1)  # compiled before the first clock starts
        ratios: dict[str, list[float]] = {name: [] for name in executors}
        useful: dict[str, list[float]] = {name: [] for name in executors}
        for seed in range(1, options.seeds + 1):
            one = timed(problem, search, seed, "threads", 1)
            line = f"  seed {seed:<3} score {one.result.score:g}, 1 thread {one.seconds:6.2f} s"
            for name in executors:
                many = timed(problem, search, seed, name, options.workers)
                assert many.result.moves == one.result.moves, f"{name}: another answer with seed {seed}"
                ratios[name].append(one.seconds / many.seconds)
                useful[name].append(many.result.useful_share)
                line += f", {options.workers} {name} {many.seconds:6.2f} s ({ratios[name][-1]:.2f})"
            print(line, flush=True)
    except rk.RookeryError as error:
        print(f"parallel: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    note = f" (at least {TARGET})" if options.workers == 2 else ""
    for name in executors:
        low, high = min(ratios[name]), max(ratios[name])
        print(
            f"{options.workers} {name:<11} {median(ratios[name]):.2f} times as fast{note}, "
            f"{low:.2f} to {high:.2f}, useful share {median(useful[name]):.2f}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
