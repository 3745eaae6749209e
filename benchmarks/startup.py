"""How long a start takes: importing, the first playout of a warm command, compiling with a cold cache.

    python benchmarks/startup.py [--repetitions 5]

Every figure is the best of several processes, beside the time that Python and Numba alone take to start.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

SOLVE = ["-m", "rookery", "solve", "morpion", "-p", "variant=5D", "--level", "1", "--iterations", "1"]
FIRST = [*SOLVE, "--seed", "1", "--workers", "1", "--quiet", "--json"]


def seconds(arguments: list[str], cache: str, repetitions: int) -> tuple[float, str]:
    """The best wall time of a process, and what it printed."""
    best, text = float("inf"), ""
    for _ in range(repetitions):
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, *arguments],
            env={**os.environ, "ROOKERY_CACHE_DIR": cache},
            capture_output=True,
            text=True,
            check=True,
        )
        best, text = min(best, time.perf_counter() - began), done.stdout
    return best, text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    repetitions = parser.parse_args().repetitions
    with tempfile.TemporaryDirectory() as cache:
        bare, _ = seconds(["-c", "pass"], cache, repetitions)
        numba, _ = seconds(["-c", "import numba"], cache, repetitions)
        imported, _ = seconds(["-c", "import rookery"], cache, repetitions)
        _, text = seconds(FIRST, cache, 1)
        cold = json.loads(text)["compile_seconds"]
        warm, text = seconds(FIRST, cache, repetitions)
        again = json.loads(text)["compile_seconds"]
    print(f"python alone                         {bare:.2f} s")
    print(f"import numba                         {numba - bare:.2f} s")
    print(f"import rookery                       {imported - bare:.2f} s (under 0.6 s)")
    print(f"  beside Numba                       {imported - numba:.2f} s")
    print(f"warm solve, whole process            {warm:.2f} s (first playout under 1.0 s)")
    print(f"  of it loading kernels              {again:.2f} s")
    print(f"cold compile of Morpion and NRPA     {cold:.2f} s (under 10 s)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
