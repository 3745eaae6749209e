"""The first compile of a problem and a search, with an empty cache, in seconds of the processor, and where they go.

    python benchmarks/cold_start.py [OLD NEW] [--search nrpa] [--repetitions 3]

The problem is the travelling salesman of docs/tutorial.md, with one worker. Each run is a process with a
cache of its own; checkouts (this one if none is given) take turns, and the run that took least is shown, since other
work on the machine only adds to it. The parts do not overlap: what LLVM does within lowering is not in lowering.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[1]
WORKER = Path(__file__).with_name("cold_start_worker.py")
PARTS = ("imports", "type inference", "lowering", "LLVM's optimisation", "machine code", "other")


def tutorial() -> str:
    """The first block of Python of the tutorial: the class TSP."""
    text = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")
    return text.partition("```python\n")[2].partition("```")[0]


def run(checkout: Path, folder: Path, search: str) -> dict[str, float]:
    """The seconds of each part of one cold compile, with ``tsp.py`` and a new cache in a folder."""
    with tempfile.TemporaryDirectory() as cache:
        paths = os.pathsep.join([str(checkout.resolve() / "src"), str(folder)])
        environment = {**os.environ, "PYTHONPATH": paths, "ROOKERY_CACHE_DIR": cache}
        command = [sys.executable, str(WORKER), search]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"cold_start: {checkout} cannot be measured:\n{done.stderr}")
    parts: dict[str, float] = json.loads(done.stdout)
    return parts


def best(checkouts: Sequence[Path], repetitions: int, search: str) -> list[dict[str, float]]:
    """The run of each checkout that took least."""
    runs: list[list[dict[str, float]]] = [[] for _ in checkouts]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "tsp.py").write_text(tutorial(), encoding="utf-8")
        for _ in range(repetitions):
            for found, checkout in zip(runs, checkouts, strict=True):
                found.append(run(checkout, Path(folder), search))
    return [min(found, key=lambda parts: sum(parts.values())) for found in runs]


def table(found: Sequence[dict[str, float]], search: str) -> str:
    """One line for the whole and one for each part; with two checkouts also the ratio."""
    whole = [sum(parts.values()) for parts in found]
    rows = [(f"cold compile of TSP, {search}", whole)]
    rows += [(f"  {part}", [parts[part] for parts in found]) for part in PARTS]
    lines = []
    for name, values in rows:
        line = f"{name:30}" + "".join(f"{value:8.2f} s" for value in values)
        if len(values) == 2 and values[0] > 0:
            line += f"   NEW/OLD {values[1] / values[0]:.2f}"
        lines.append(line)
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("checkouts", type=Path, nargs="*", metavar="CHECKOUT", help="none, one, or OLD and NEW")
    parser.add_argument("--repetitions", type=int, default=3, help="runs of each (default: 3)")
    parser.add_argument("--search", default="nrpa", help="by its name on the command line (default: nrpa)")
    options = parser.parse_args(arguments)
    checkouts = options.checkouts or [ROOT]
    if len(checkouts) > 2:
        parser.error(f"give none, one or two checkouts, got {len(checkouts)}")
    if options.repetitions < 1:
        parser.error(f"--repetitions must be at least 1, got {options.repetitions}")
    for folder in checkouts:
        if not (folder / "src" / "rookery").is_dir():
            parser.error(f"{folder} is not a checkout: it has no src/rookery")
    print(table(best(checkouts, options.repetitions, options.search), options.search))
    return 0


if __name__ == "__main__":
    sys.exit(main())
