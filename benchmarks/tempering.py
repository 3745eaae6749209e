"""What tempering reaches on one core: the score after some processor seconds, and proposals per second.

    python benchmarks/tempering.py 5T --seconds 60 --seeds 5
    python benchmarks/tempering.py tsp100 --seconds 5 --seeds 3
    python benchmarks/tempering.py --twins [--repetitions 5]

The problems are tsp50 and tsp100, whose codes have no direction, and the variants of Morpion. On a busy machine a run
takes longer, but has about as many proposals.

With ``--twins``: proposals per second as a ratio to C++ twins, with moves as keys and without restarts. Library and
twin run in turn, the same seeds and numbers of proposals, several times; processor time counts, and of each seed the
fastest run. The library is measured as a user sees it, with all that ``solve`` does. Algorithm and random stream are
the same, so the scores must be equal: they are checked.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

import twins

import rookery as rk
from rookery.experiments.probing import Until

ROUND = 2000
"""Proposals in a round, for all lines together."""
LINES = 10
"""Playouts that lines begin with."""
CITIES = 40
TARGET = 0.8


def problem_of(name: str) -> rk.Problem:
    """The problem of a name."""
    if name.startswith("tsp"):
        return rk.problems.TSP.build(int(name[3:]), code="undirected")
    return rk.problems.Morpion(name)


def compare(name: str, problem: rk.Problem, twin: str, about: object, rounds: int, given: argparse.Namespace) -> None:
    """Print the speeds of the library and of a twin, and their ratio."""
    program = twins.build(twin)
    if program is None:
        sys.exit(f"tempering: {twin} needs a C++ compiler")
    search, stop, seeds = (
        rk.Tempering(key="move", patience=0),
        rk.MaxPlayouts(LINES + rounds * ROUND),
        range(1, given.seeds + 1),
    )
    rk.solve(problem, search, seed=0, stop=rk.MaxPlayouts(1))  # compile
    ours, theirs = dict.fromkeys(seeds, float("inf")), dict.fromkeys(seeds, float("inf"))
    scores = []
    for _ in range(given.repetitions):
        for seed in seeds:
            began = time.process_time()
            result = rk.solve(problem, search, seed=seed, stop=stop)
            ours[seed] = min(ours[seed], time.process_time() - began)
            (run,) = twins.run(program, about, rounds, seed, 1)
            theirs[seed] = min(theirs[seed], run.seconds)
            assert (result.score, result.playouts) == (run.score, run.playouts), f"{name}: {result} against {run}"
            scores.append(result.score)
    proposals = given.seeds * (LINES + rounds * ROUND)
    ratio = sum(theirs.values()) / sum(ours.values())
    print(
        f"{name:12} rookery {proposals / sum(ours.values()):>9,.0f}/s   C++ {proposals / sum(theirs.values()):>9,.0f}/s"
        f"   ratio {ratio:.3f} (target {TARGET})   scores {min(scores):.6g} to {max(scores):.6g}, equal",
        flush=True,
    )


def compare_all(given: argparse.Namespace) -> None:
    """Print a line for each problem that has a twin."""
    for variant in ("5T", "5D"):
        compare(f"Morpion {variant}", rk.problems.Morpion(variant), "morpion_tempering", variant, 100, given)
    problem = rk.problems.TSPTW.build(n=CITIES)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "tsptw.txt"
        twins.save_windows(problem, file)
        compare(f"TSPTW n={CITIES}", problem, "tsptw_tempering", file, 400, given)


def main() -> None:
    """Run the seeds one after the other and print a line for each; or compare with the twins."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problem", nargs="?", choices=["tsp50", "tsp100", "5T", "5D", "4T", "4D"])
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--patience", type=int, default=None)
    parser.add_argument("--twins", action="store_true", help="compare with C++ instead")
    parser.add_argument("--repetitions", type=int, default=5, help="with --twins: how often each seed is run")
    given = parser.parse_args()
    if given.twins == (given.problem is not None):
        parser.error("give either a problem or --twins")
    if given.twins:
        compare_all(given)
        return
    problem = problem_of(given.problem)
    search = rk.Tempering(patience=given.patience)
    rk.solve(problem, search, seed=0, stop=rk.MaxPlayouts(1))  # compile
    print(f"{'seed':>5} {'score':>8} {'found after':>12} {'proposals/s':>12}")
    for seed in range(1, given.seeds + 1):
        began = time.process_time()
        stop = rk.MaxTime(100 * given.seconds)
        result = rk.solve(problem, search, seed=seed, stop=stop, callbacks=[Until(began + given.seconds)])
        speed = result.playouts / (time.process_time() - began)
        print(f"{seed:5} {result.score:8.4g} {result.history[-1].playouts:12,} {speed:12,.0f}")


if __name__ == "__main__":
    main()
