"""What tempering reaches on one core: the score after some processor seconds, and proposals per second.

    python benchmarks/tempering.py 5T --seconds 60 --seeds 5
    python benchmarks/tempering.py tsp100 --seconds 5 --seeds 3

The problems are tsp50 and tsp100, whose codes have no direction, and the variants of Morpion. On a busy machine a run
takes longer, but has about as many proposals.
"""

from __future__ import annotations

import argparse
import time

import rookery as rk


def problem_of(name: str) -> rk.Problem:
    """The problem of a name."""
    if name.startswith("tsp"):
        return rk.problems.TSP.build(int(name[3:]), code="undirected")
    return rk.problems.Morpion(name)


class Until(rk.Callback):
    """Ends a run after this many processor seconds, as Ctrl-C would."""

    def __init__(self, seconds: float) -> None:
        self._until = time.process_time() + seconds

    def on_tick(self, progress):
        if time.process_time() >= self._until:
            raise KeyboardInterrupt


def main() -> None:
    """Run the seeds one after the other and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem", choices=["tsp50", "tsp100", "5T", "5D", "4T", "4D"])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--patience", type=int, default=None)
    given = parser.parse_args()
    problem = problem_of(given.problem)
    search = rk.Tempering(patience=given.patience)
    rk.solve(problem, search, seed=0, stop=rk.MaxPlayouts(1))  # compile
    print(f"{'seed':>5} {'score':>8} {'found after':>12} {'proposals/s':>12}")
    for seed in range(1, given.seeds + 1):
        began = time.process_time()
        stop = rk.MaxTime(100 * given.seconds)
        result = rk.solve(problem, search, seed=seed, stop=stop, callbacks=[Until(given.seconds)])
        speed = result.playouts / (time.process_time() - began)
        print(f"{seed:5} {result.score:8.4g} {result.history[-1].playouts:12,} {speed:12,.0f}")


if __name__ == "__main__":
    main()
