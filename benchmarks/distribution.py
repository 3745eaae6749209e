"""Cazenave 2009, Figures 8 and 9: scores of NMCS on Morpion Solitaire 5D, and how long the searches take.

    python benchmarks/distribution.py --workers 2
    python benchmarks/distribution.py --memorise --plot figure9.png
    python benchmarks/distribution.py --most 10000 --workers 16 --out runs

The figures have 100,000 playouts, 10,000 searches of levels 1 and 2, and with memorisation 400 of level 3. A search of
level 2 makes about 200,000 playouts: 10,000 of them take an hour of a core, whoever calls them. So of the levels above
1 only the first ``--most`` searches are made, and the seconds of all extrapolated. The last columns are for the same
searches by `solve`, extrapolated from a few calls in the same run.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import rookery as rk

SEARCHES = {0: 100_000, 1: 10_000, 2: 10_000, 3: 400}
"""Level -> searches of the paper; of level 3 in Figure 9 alone."""
SOLVED = {0: 200, 1: 100, 2: 5, 3: 1}
"""Level -> calls of solve that are measured."""
PEAKS = {False: {1: 59, 2: 62}, True: {1: 61, 2: 66}}
"""The most frequent scores that the paper names: memorise -> level -> score."""


def main() -> int:
    options = arguments()
    problem = rk.problems.Morpion("5D")
    figure = "9, with memorisation" if options.memorise else "8, without memorisation"
    print(f"Cazenave 2009, Figure {figure}: Morpion 5D, workers: {options.workers}")
    print(
        row("level", "searches", "made", "mean", "peak", "paper", "seconds", "core-s", "by solve", "times"), flush=True
    )
    done: list[rk.Distribution] = []
    total = by_solve = 0.0
    try:
        for level in [level for level in SEARCHES if level <= options.top]:
            one, seconds, alone = measured(problem, level, options)
            done.append(one)
            factor = SEARCHES[level] / one.runs
            total, by_solve = total + factor * seconds, by_solve + SEARCHES[level] * alone
            peak = max(one.counts, key=lambda score: one.counts[score])
            paper = PEAKS[options.memorise].get(level, "")
            times = f"{SEARCHES[level] * alone / (factor * seconds):.1f}"
            cells = (level, f"{SEARCHES[level]:,}", f"{one.runs:,}", f"{one.mean:.2f}", f"{peak:g}", paper)
            clock = (f"{factor * seconds:,.1f}", f"{factor * one.core_seconds:,.1f}", f"{SEARCHES[level] * alone:,.0f}")
            print(row(*cells, *clock, times), flush=True)
            if not one.complete:
                return 130
        print(f"in all: {total:,.0f} s, by solve {by_solve:,.0f} s")
        if options.plot:
            done[0].plot(options.plot, done[1:])
    except rk.RookeryError as error:
        print(f"distribution: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


def measured(problem: Any, level: int, options: argparse.Namespace) -> tuple[rk.Distribution, float, float]:
    """The distribution of a level, its seconds, and those of one call of solve by as many workers."""
    search: rk.Search = rk.NMCS.cazenave(level, memorise=options.memorise) if level else rk.Sampling()
    playouts, stop = (None, None) if level else (1, rk.MaxPlayouts(1))
    rk.solve(problem, search, seed=0, stop=rk.MaxPlayouts(1))
    began = time.perf_counter()
    for seed in range(1, SOLVED[level] + 1):
        rk.solve(problem, search, seed=seed, stop=stop, workers=options.workers)
    alone = (time.perf_counter() - began) / SOLVED[level]
    small = rk.NMCS.cazenave(1, memorise=options.memorise) if level else search
    rk.distribution(problem, small, runs=1, playouts=playouts)  # compiled, or read from disk
    runs = SEARCHES[level] if level < 2 else min(options.most, SEARCHES[level])
    file = None
    if options.out:
        Path(options.out).mkdir(parents=True, exist_ok=True)
        file = Path(options.out) / f"level-{level}{'-memorised' * options.memorise}.json"
    began = time.perf_counter()
    done = rk.distribution(
        problem, search, runs, playouts=playouts, workers=options.workers, file=file, progress=options.progress
    )
    return done, done.seconds if file else time.perf_counter() - began, alone


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--memorise", action="store_true", help="Figure 9 in place of Figure 8")
    parser.add_argument("--top", type=int, help="the highest level (default: 2, with memorisation 3)")
    parser.add_argument("--most", type=int, default=20, help="searches of each level above 1 (default: 20)")
    parser.add_argument("--workers", type=int, default=1, help="threads (default: 1)")
    parser.add_argument(
        "--out", help="keep the runs in this folder; the same command makes only those that are missing"
    )
    parser.add_argument("--plot", help="draw the figure")
    parser.add_argument("--progress", action="store_true", help="a line of progress on standard error")
    options = parser.parse_args()
    if options.top is None:
        options.top = 3 if options.memorise else 2
    return options


def row(level: Any, searches: str, made: str, *cells: Any) -> str:
    return f"{level:>5} {searches:>9} {made:>8}" + "".join(f"{cell:>10}" for cell in cells)


if __name__ == "__main__":
    sys.exit(main())
