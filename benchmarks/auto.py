"""What Auto costs where NRPA is best: the share of the time that went elsewhere, and what both find in the same time.

    python benchmarks/auto.py                    weak Schur 5, 10 s a run, five seeds
    python benchmarks/auto.py --seconds 60

Scores come from equal times on one core; run it when nothing else does.
"""

from __future__ import annotations

import argparse
import re
from statistics import median

import rookery as rk


def main() -> None:
    """Run Auto and NRPA in turn, and print the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--seeds", type=int, default=5)
    given = parser.parse_args()
    problem, stop = rk.load_problem("schur", {"classes": 5}), rk.MaxTime(given.seconds)
    for search in (rk.Auto(), rk.NRPA()):
        rk.solve(problem, search, stop=rk.MaxPlayouts(1), seed=0)  # compile
    elsewhere = []
    for seed in range(1, given.seeds + 1):
        auto, nrpa = (rk.solve(problem, search, stop=stop, seed=seed) for search in (rk.Auto(), rk.NRPA()))
        share = re.search(r"NRPA of level \d (\d+)%", auto.decisions[-1])
        assert share is not None
        elsewhere.append(100 - int(share[1]))
        print(f"seed {seed}: auto {auto.score:g}, nrpa {nrpa.score:g}, not given to NRPA {elsewhere[-1]}%", flush=True)
    print(f"median {median(elsewhere):g}% of the time went elsewhere; 25% at most are wanted")


if __name__ == "__main__":
    main()
