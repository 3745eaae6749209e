"""Efficiency of 768 simulated workers at the number of tasks of Nagorko 2019, under its rule: 0.71 in the paper.

Morpion Solitaire, level 4, N = 80, tasks of level 1: 80 x 80 x 80 = 512,000 of them, as there. Ties replace only if
more than 30% differs, discarded tasks are finished in vain. Both ways to choose the next task stand beside the
bound of perfect prediction. In full it takes about an hour and a gigabyte; --iterations makes it smaller.

    python benchmarks/cluster.py --variant 5D
    python benchmarks/cluster.py --iterations 12 --plot cluster.png
"""

from __future__ import annotations

import argparse
import sys
import time

import rookery as rk

TARGET = 0.71
TASKS = 512_000


class Lines(rk.Callback):
    """A line on standard error every minute."""

    def __init__(self) -> None:
        self._began = self._said = time.monotonic()

    def on_tick(self, progress: rk.Progress) -> None:
        now = time.monotonic()
        if now - self._said >= 60:
            self._said = now
            print(
                f"{now - self._began:,.0f} s: {progress.tasks:,} tasks, {progress.discarded:,} in vain, "
                f"speed-up {progress.speedup:.1f}, best {progress.score}",
                file=sys.stderr,
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="5D", help="of Morpion Solitaire (default: 5D)")
    parser.add_argument("--iterations", type=int, default=80, help="N of each level (default: 80)")
    parser.add_argument("--workers", type=int, default=768)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cancel", action="store_true", help="workers drop discarded tasks")
    parser.add_argument("--plot", metavar="FILE", help="a figure of the runs")
    options = parser.parse_args()
    search = rk.NRPA(level=4, iterations=options.iterations, ties={4: 0.3, 3: 0.3, 2: 0.3})
    print(f"Morpion {options.variant}, {search}, {options.workers} workers, seed {options.seed}", flush=True)
    try:
        done = rk.simulate(
            rk.problems.Morpion(options.variant),
            search,
            workers=[options.workers],
            seed=options.seed,
            select="both",
            cancel=options.cancel,
            callbacks=[Lines()],
        )
        if options.plot:
            done.plot(options.plot)
    except rk.RookeryError as error:
        print(f"cluster: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"{'select':<10}{'speed-up':>10}{'efficiency':>12}{'of oracle':>11}{'tasks':>10}{'in vain':>10}")
    for row in done.rows:
        print(
            f"{row.select:<10}{row.speedup:>10.2f}{row.efficiency:>12.3f}{row.share_of_oracle:>11.1%}"
            f"{row.tasks:>10,}{row.tasks_discarded:>10,}"
        )
    bound = done.rows[0]
    print(
        f"{'oracle':<10}{bound.oracle_speedup:>10.2f}{bound.oracle_efficiency:>12.3f}{'100.0%':>11}{bound.tasks:>10,}"
    )
    print(f"score {done.score:g}")
    if not done.complete:
        return 130
    by_rule = {row.select: row for row in done.rows}
    fine = by_rule["table"].efficiency >= TARGET and by_rule["learned"].efficiency > by_rule["table"].efficiency
    note = "" if bound.tasks == TASKS else f" (stated for {TASKS:,} tasks, not for {bound.tasks:,})"
    goal = f"table at least {TARGET}, learned better than table"
    print(f"goal: {goal}: {'reached' if fine else 'not reached'}{note}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
