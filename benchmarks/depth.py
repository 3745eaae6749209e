"""Depth, not width: NRPA of level L + 1 against restarts of level L, at equal playouts (Nagorko 2019).

    python benchmarks/depth.py --level 2 --iterations 30 --seeds 20
    python benchmarks/depth.py --level 3 --iterations 50 --seeds 30 --workers 2 --out depth.json

One run of level L + 1 with N iterations plays N^(L + 1) playouts, as many as N runs of level L, of which the best is
kept. Both get the same seeds. A win is a seed with which the deeper search has the better score. Needs SciPy.
"""

from __future__ import annotations

import argparse
import sys
from statistics import mean

import rookery as rk


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="5D", help="of Morpion Solitaire (default: 5D)")
    parser.add_argument("--level", type=int, default=2, help="of the runs that are restarted (default: 2)")
    parser.add_argument("--iterations", type=int, default=30, help="N of each level (default: 30)")
    parser.add_argument("--seeds", type=int, default=20, help="runs of each search (default: 20)")
    parser.add_argument("--workers", type=int, default=1, help="runs at the same time (default: 1)")
    parser.add_argument("--out", metavar="FILE", help="save every run as JSON")
    options = parser.parse_args()
    try:
        if options.out:
            rk.files.check_writable(options.out)
        levels = options.level + 1, options.level
        names = [f"level {levels[0]}, one run", f"level {levels[1]}, {options.iterations} runs"]
        searches = {
            name: rk.NRPA(level=n, iterations=options.iterations) for name, n in zip(names, levels, strict=True)
        }
        stop = rk.MaxPlayouts(options.iterations ** levels[0])
        done = rk.experiment(
            rk.problems.Morpion(options.variant), searches, seeds=options.seeds, stop=stop, workers=options.workers
        )
        if options.out:
            done.save(options.out)
        if not all(done.runs.values()):
            return 130
        scores = [list(done.scores(name)) for name in names]
        print(f"Morpion {options.variant}, N = {options.iterations}, {stop.playouts:,} playouts a run")
        print(f"{'':<22}{'runs':>6}{'worst':>8}{'median':>8}{'mean':>8}{'best':>8}")
        for name, own in zip(names, scores, strict=True):
            print(
                f"{name:<22}{len(own):>6}{min(own):>8g}{done.median(name):>8g}{mean(own):>8.2f}{max(own):>8g}",
                flush=True,
            )
        pairs = list(zip(*scores, strict=False))
        wins, ties = sum(a > b for a, b in pairs), sum(a == b for a, b in pairs)
        print(f"the deeper search wins {wins} of {len(pairs)} seeds; ties: {ties}")
        print(done.compare(*names))
    except rk.RookeryError as error:
        print(f"depth: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0 if done.complete else 130


if __name__ == "__main__":
    sys.exit(main())
