"""Crossword construction: speed beside a C++ twin.

    python benchmarks/crossword.py [--repetitions 5]

CrossC, NRPA level 2, runs in the twin and in the library in turn, on the same seeds; the best rate of each counts, and
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
from rookery.problems.crossword import Crossword

SEEDS = 5
TARGET = 0.85


def ratio(repetitions: int) -> None:
    problem = Crossword.build()
    program = twins.build("crossword")
    worker, task = CompiledEngine(problem).worker(), speed.nrpa(2)
    worker.warm(task(0))
    best = {"rookery": 0.0, "plain": 0.0}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.txt"
        file.write_text(f"{problem.width} {problem.height}\n" + "\n".join(problem.words) + "\n")
        for _ in range(repetitions):
            rate, outcomes = speed.ours(worker, task, SEEDS)
            best["rookery"] = max(best["rookery"], rate)
            if program is not None:
                runs = twins.run(program, file, 2, 100, 1, SEEDS)
                best["plain"] = max(best["plain"], sum(r.playouts for r in runs) / sum(r.seconds for r in runs))
                scores = [outcome.sequence.score for outcome in outcomes]
                assert scores == [run.score for run in runs], f"{scores} against {runs}"
    line = f"CrossC, NRPA level 2, N=100: rookery {best['rookery']:,.0f}/s"
    if program is None:
        print("crossword: no C++ compiler: only the library's own figure", file=sys.stderr)
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
