"""Sudoku of 16 x 16 cells: speed beside a C++ twin, and Table 2 of Cazenave 2009.

    python benchmarks/sudoku.py [--repetitions 5]
    python benchmarks/sudoku.py --table2 [--problems 100] [--cap 10]

The first runs NMCS level 1 in the twin and in the library in turn, on the same grid and seeds; the best rate of each
counts, and the scores must be equal. The second solves random grids of which 66% are empty with each search of the
table, begun again until a solution is found or the cap is reached, and adds up the seconds of the runs: beginning a run
takes some milliseconds of each.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import speed
import twins

import rookery as rk
from rookery.engine.compiled import CompiledEngine
from rookery.problems.sudoku import ForwardChecking, Sudoku

SEEDS = 200
TARGET = 0.85

PAPER = {
    "forward checking": "> 446,771.09 s, 21 unsolved, 20,000 s each at most",
    "iterative sampling": "61.83 s",
    "NMCS level 1": "1.34 s",
    "NMCS level 2": "1.64 s",
    "NMCS level 1, no memorisation": "7.00 s",
    "NMCS level 2, no memorisation": "4.87 s",
}
"""Table 2 and the text below it: seconds for 100 problems, on a machine of 2008."""


def ratio(repetitions: int) -> None:
    problem = Sudoku.build(seed=1)
    program = twins.build("sudoku")
    worker, task = CompiledEngine(problem).worker(), speed.nmcs(1)
    worker.warm(task(0))
    best = {"rookery": 0.0, "plain": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "grid.txt"
        file.write_text(" ".join(map(str, problem.givens)) + "\n")
        for _ in range(repetitions):
            rate, outcomes = speed.ours(worker, task, SEEDS)
            best["rookery"] = max(best["rookery"], rate)
            if program is not None:
                runs = twins.run(program, file, 1, 1, SEEDS)
                best["plain"] = max(best["plain"], sum(r.playouts for r in runs) / sum(r.seconds for r in runs))
                scores = [outcome.sequence.score for outcome in outcomes]
                assert scores == [run.score for run in runs], f"{scores} against {runs}"
    line = f"Sudoku 16 x 16, NMCS level 1: rookery {best['rookery']:,.0f}/s"
    if program is None:
        print("sudoku: no C++ compiler: only the library's own figure", file=sys.stderr)
        print(line)
    else:
        print(
            f"{line}   plain C++ {best['plain']:,.0f}/s   ratio {best['rookery'] / best['plain']:.3f} (target {TARGET})"
        )


def searches() -> Iterator[tuple[str, rk.NMCS | rk.Sampling]]:
    yield "iterative sampling", rk.Sampling()
    for memorise in (True, False):
        for level in (1, 2):
            name = f"NMCS level {level}" + ("" if memorise else ", no memorisation")
            yield name, rk.NMCS.cazenave(level, memorise)


def table2(problems: int, cap: float) -> None:
    grids = [Sudoku.build(seed=seed) for seed in range(problems)]
    print(f"{problems} random grids of 16 x 16 cells, 169 of 256 empty; one core; the paper's figures are for 100")
    print(f"{'':30} {'seconds':>10} {'solved':>7} {'playouts':>14}   paper")
    found = [ForwardChecking(seconds=cap).solve(grid) for grid in grids]
    solved = sum(run.status == "solved" for run in found)
    more = "" if solved == problems else "> "
    seconds = f"{more}{sum(run.seconds for run in found):,.2f}"
    name = "forward checking"
    print(f"{name:30} {seconds:>10} {solved:>7} {'':>14}   {PAPER[name]}; here {cap:g} s each at most", flush=True)
    for name, search in searches():
        stop = rk.Target(256) | rk.MaxTime(cap)
        runs = [rk.solve(grid, search, stop=stop, seed=seed, workers=1) for seed, grid in enumerate(grids)]
        solved = sum(run.status == "target" for run in runs)
        more = "" if solved == problems else "> "
        seconds = f"{more}{sum(run.seconds for run in runs):,.2f}"
        print(f"{name:30} {seconds:>10} {solved:>7} {sum(r.playouts for r in runs):>14,}   {PAPER[name]}", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--table2", action="store_true", help="Table 2 of Cazenave 2009")
    parser.add_argument("--problems", type=int, default=100)
    parser.add_argument("--cap", type=float, default=10.0, help="seconds after which a search gives a problem up")
    options = parser.parse_args()
    if options.table2:
        table2(options.problems, options.cap)
    else:
        ratio(options.repetitions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
