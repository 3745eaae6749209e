"""How soon the proven optima of the small variants of Morpion Solitaire are found: 4D 35, and 4T 62.

Both are proven optimal; runs are filled with restarts of NRPA on one core until the optimum is found.

    python benchmarks/optima.py --seeds 10
"""

from __future__ import annotations

import argparse
import sys

import rookery as rk

OPTIMA = {"4D": 35, "4T": 62}
SEARCHES = {"4D": rk.NRPA(level=2), "4T": rk.NRPA(level=3)}
"""Small games need short runs: what another level gains is lost by fewer restarts."""
TARGETS = {"4D": (10.0, "at least 8 of 10 within 10 s"), "4T": (120.0, "at least 8 of 10 within 120 s")}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=10, help="runs of each variant (default: 10)")
    parser.add_argument("--seconds", type=float, default=120, help="limit of each run (default: 120)")
    parser.add_argument("--variants", default="4D,4T")
    parser.add_argument("--dominated", action="store_true", help="replace dominated moves")
    parser.add_argument("--level", type=int, help="of NRPA (default: 2 for 4D, 3 for 4T)")
    options = parser.parse_args()
    for variant in options.variants.split(","):
        search = SEARCHES[variant] if options.level is None else rk.NRPA(level=options.level)
        stop = rk.MaxTime(options.seconds) | rk.Target(OPTIMA[variant])
        problem = rk.problems.Morpion(variant, options.dominated)
        times = []
        print(f"Morpion {variant}, {search}, optimum {OPTIMA[variant]}", flush=True)
        for seed in range(options.seeds):
            result = rk.solve(problem, search, stop=stop, seed=seed)
            found = result.score == OPTIMA[variant]
            times += [result.seconds] if found else []
            print(
                f"  seed {seed:<3}{result.score:g} {result.seconds:8.1f} s {result.playouts:>12,} playouts", flush=True
            )
        limit, target = TARGETS[variant]
        soon = sum(seconds <= limit for seconds in times)
        print(f"  {soon} of {options.seeds} within {limit:g} s (target: {target})")
    return 0


if __name__ == "__main__":
    sys.exit(main())
