"""Sudoku of 16 x 16 cells: speed beside a C++ twin.

    python benchmarks/sudoku.py [--repetitions 5]

NMCS level 1 runs in the twin and in the library in turn, on the same grid and seeds; the best rate of each counts, and
the scores must be equal.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import speed
import twins

from rookery.engine.compiled import CompiledEngine
from rookery.problems.sudoku import Sudoku

SEEDS = 200
TARGET = 0.85


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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    ratio(parser.parse_args().repetitions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
