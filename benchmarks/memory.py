"""Memory of a long run: resident size of a level-5 Morpion search over time, beside that of a level-1 one.

python benchmarks/memory.py [--seconds 60]
"""

from __future__ import annotations

import argparse
import resource
import sys

import rookery as rk


def megabytes() -> float:
    """Resident memory of this process now."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize() / 1e6


class Watch(rk.Callback):
    """Notes the resident memory about ten times a second."""

    def __init__(self) -> None:
        self.seen: list[tuple[float, float]] = []

    def on_tick(self, progress: rk.Progress) -> None:
        self.seen.append((progress.seconds, megabytes()))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=60.0)
    limit = parser.parse_args().seconds
    problem = rk.problems.Morpion("5T")
    rk.solve(problem, rk.NRPA(level=1), seed=1)
    baseline = megabytes()
    watch = Watch()
    result = rk.solve(problem, rk.NRPA(level=5), stop=rk.MaxTime(limit), seed=1, callbacks=[watch])
    sizes = [size for _, size in watch.seen]
    half = len(sizes) // 2
    print(f"after a level-1 run                  {baseline:.0f} MB (Python, Numba and kernels)")
    print(f"level 5, {result.playouts:,} playouts")
    print(f"  at most                            {max(sizes):.0f} MB (under 300), {max(sizes) / baseline:.2f} times")
    print(f"  second half against first half     {max(sizes[half:]) - max(sizes[:half]):+.1f} MB (flat)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
