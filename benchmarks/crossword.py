"""Crossword construction: speed beside a C++ twin, and the crossword rows of Rosin 2011.

    python benchmarks/crossword.py [--repetitions 5]
    python benchmarks/crossword.py --table [--seconds 10 100] [--timelines 5]

The first runs CrossC, NRPA level 2, in the twin and in the library in turn, on the same seeds; the best rate of each
counts, and the scores must be equal. The second makes the rows of CrossC and CrossP in Tables 2 and 3: medians of
timelines, each filled with restarts as in the paper, after the seconds given; the paper's figures stand beside them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import speed
import twins

import rookery as rk
from rookery.engine.compiled import CompiledEngine
from rookery.problems.crossword import Crossword

SEEDS = 5
TARGET = 0.85

ROWS: tuple[tuple[str, str, rk.NRPA | rk.NMCS, dict[int, str]], ...] = (
    ("crossc", "NRPA level 3", rk.NRPA.rosin(3), {100: "33;229", 1000: "34;244", 10000: "35;247"}),
    ("crossc", "NRPA level 2", rk.NRPA.rosin(2), {100: "32;240", 1000: "33;242"}),
    ("crossc", "NMCS level 2", rk.NMCS.rosin(2), {100: "31;223", 1000: "32;229", 10000: "33;235"}),
    ("crossc", "Sample-5 NMCS level 4", rk.NMCS.rosin(4, sample=5), {100: "32;228", 1000: "33;232", 10000: "34;235"}),
    ("crossc", "Sample-15 NMCS level 3", rk.NMCS.rosin(3, sample=15), {100: "32;231", 1000: "33;235", 10000: "33;248"}),
    ("crossp", "NRPA level 3", rk.NRPA.rosin(3), {100: "26;222", 1000: "27;223"}),
    ("crossp", "NRPA level 2", rk.NRPA.rosin(2), {100: "26;219", 1000: "26;232"}),
    ("crossp", "NMCS level 2", rk.NMCS.rosin(2), {100: "25;208", 1000: "26;215"}),
)
"""Tables 2 and 3: the list, the search, and the paper's medians at these seconds of its machine."""


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


def best_at(result: rk.Result, seconds: float) -> float:
    """The best score that a run had after this many seconds."""
    return max((step.score for step in result.history if step.seconds <= seconds), default=0.0)


def table(seconds: list[int], timelines: int, only: str) -> None:
    print(f"medians of {timelines} timelines on one core each; in brackets the paper's, on its machine of 2011")
    print("CrossP is reconstructed: 51 of its 52 words (see rookery.problems.crossword.lists)")
    for words, name, search, paper in ROWS:
        if only not in f"{words} {name}":
            continue
        problem = Crossword.build(words)
        runs = [rk.solve(problem, search, stop=rk.MaxTime(max(seconds)), seed=s, workers=1) for s in range(timelines)]
        cells = []
        for at in seconds:
            middle = sorted(best_at(run, at) for run in runs)[timelines // 2]  # the larger of two middle ones
            cells.append(f"{at:>6} s  {problem.format_score(middle)} ({paper.get(at, '-')})")
        print(f"{words:7} {name:24} " + "   ".join(cells), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--table", action="store_true", help="the rows of Tables 2 and 3 of Rosin 2011")
    parser.add_argument("--seconds", type=int, nargs="+", default=[100], help="when to look at the timelines")
    parser.add_argument("--timelines", type=int, default=5, help="runs for each row")
    parser.add_argument("--only", default="", help="rows whose list and name have this in them")
    options = parser.parse_args()
    if options.table:
        table(options.seconds, options.timelines, options.only)
    else:
        ratio(options.repetitions)
    return 0


if __name__ == "__main__":
    sys.exit(main())
