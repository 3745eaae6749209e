"""What a checkpoint costs: seconds to write it, and its size, in the middle of a level-5 Morpion run.

    python benchmarks/checkpoint.py [--seconds 20] [--every 2] [--workers 2]

The run writes a checkpoint every few seconds, as ``rookery solve --checkpoint`` does, and each is timed: taking the
state, writing it to disk and waiting until it is there. Beside it stands a plain write of as many bytes. The run
begins from a known sequence: in its first seconds the upper levels would have no policies to keep otherwise.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

import rookery as rk
from rookery.running.driver import Driver

TARGET_SECONDS, TARGET_MB = 0.2, 20


def show(name: str, values: list[float], unit: str, target: str = "") -> None:
    print(f"{name:<34}{min(values):.3g} to {max(values):.3g}{unit}, median {median(values):.3g}{target}")


def plain_write(path: Path, size: int) -> float:
    """Seconds to write this many bytes and have them on disk."""
    content = os.urandom(size)
    began = time.perf_counter()
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variant", default="5T", help="of Morpion Solitaire (default: 5T)")
    parser.add_argument("--level", type=int, default=5)
    parser.add_argument("--iterations", type=int, default=100, help="N of each level (default: 100)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--atomic-level", type=int, help="of tasks (default: as solve chooses)")
    parser.add_argument("--seconds", type=float, default=20, help="of search (default: 20)")
    parser.add_argument("--every", type=float, default=2, help="seconds between checkpoints (default: 2)")
    options = parser.parse_args()
    taken: list[float] = []
    sizes: list[float] = []
    plain: list[float] = []
    save = Driver._save

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run.ckpt"

        def timed(driver: Driver, *arguments: Any) -> None:
            began = time.perf_counter()
            save(driver, *arguments)
            taken.append(time.perf_counter() - began)
            sizes.append(path.stat().st_size / 1e6)
            plain.append(plain_write(Path(folder) / "plain", path.stat().st_size))

        try:
            problem = rk.problems.Morpion(options.variant)
            search = rk.NRPA(level=options.level, iterations=options.iterations)
            known = rk.solve(problem, rk.NRPA(level=2), seed=1).moves
            Driver._save = timed  # type: ignore[method-assign]
            result = rk.solve(
                problem,
                search,
                warm_start=known,
                stop=rk.MaxTime(options.seconds),
                seed=1,
                workers=options.workers,
                atomic_level=options.atomic_level,
                checkpoint=path,
                checkpoint_every=options.every,
            )
        except rk.RookeryError as error:
            print(f"checkpoint: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            return 130
        finally:
            Driver._save = save  # type: ignore[method-assign]
        began = time.perf_counter()
        rk.Checkpoint.load(path)
        read = time.perf_counter() - began
    print(f"Morpion {options.variant}, {search}, {options.workers} threads")
    print(f"{result.tasks:,} tasks, {result.playouts:,} playouts, {result.seconds:.1f} s; {len(taken)} checkpoints")
    show("seconds to write a checkpoint", taken, " s", f" (under {TARGET_SECONDS})")
    show("  times a plain write of its size", [a / b for a, b in zip(taken, plain, strict=True)], "")
    show("size of a checkpoint", sizes, " MB", f" (under {TARGET_MB})")
    print(f"{'share of the search':<34}{sum(taken) / result.seconds:.2%}, with one every {options.every:g} s")
    print(f"{'seconds to read the last one':<34}{read:.4g} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
