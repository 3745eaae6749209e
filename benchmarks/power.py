"""What tempering reaches on one core, beside the best known scores: after so many seconds of the processor.

    python benchmarks/power.py 5D                        82 within 120 s, ten seeds
    python benchmarks/power.py 5T --seconds 600          five seeds
    python benchmarks/power.py tsp50 tsp100              beside optima proven by suite_optima.py
    python benchmarks/power.py tsptw ft10 samegame --data DIR

``--data`` is a folder of standard instances (see docs/experiments.md). ``--jobs 2`` runs two seeds at a time, each in a
process of its own. A run ends at its target, if that is the best known score.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

from tempering import Until

import rookery as rk

CLOSE = 2e-5
"""A score that differs from the best known one by this share is that one: costs are given in hundredths."""


@dataclass(frozen=True)
class Run:
    """One run: a problem by name, a search by name, a seed and seconds."""

    label: str
    problem: str
    parameters: dict[str, Any]
    best: float | None
    seed: int
    seconds: float
    search: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """What is asked of an item: seconds and seeds unless given, and in words what is wanted."""

    seconds: float
    seeds: int
    wanted: str


ITEMS = {
    "5D": Item(120, 10, "82 in at least 9 of 10 seeds"),
    "5T": Item(60, 5, "a median of 160 after 60 s, 165 after 600 s"),
    "tsp50": Item(5, 5, "within 1% of the optimum"),
    "tsp100": Item(5, 5, "within 2% of the optimum"),
    "tsptw": Item(60, 1, "12 of 12 best known"),
    "ft10": Item(60, 10, "930 in at least half of 10 seeds"),
    "samegame": Item(30, 1, "80,000 over the 20 boards"),
}
PLANS_BY_TIME = ("annealing", "auto")
"""Searches that divide the time of the run: seconds of the clock. The others end after as many of the processor."""
TSP = {"tsp50": (50, 5.996411), "tsp100": (100, 7.860090)}


def cases(item: str, data: Path | None) -> Iterator[tuple[str, str, dict[str, Any], float | None]]:
    """Labels, problems, parameters and best known scores."""
    if item in ("5D", "5T"):
        yield item, "morpion", {"variant": item}, 82 if item == "5D" else 178
    elif item in TSP:
        n, best = TSP[item]
        yield item, "tsp-near", {"n": n}, best
    elif data is None:
        raise SystemExit(f"{item} needs --data DIR")
    elif item == "tsptw":
        known = json.loads((data / "tsptw" / "best_known.json").read_text())["best"]
        for file in sorted((data / "tsptw").glob("*.txt")):
            yield file.stem, "tsptw", {"instance": str(file)}, known[file.stem]
    elif item == "ft10":
        yield "ft10", "jobshop", {"instance": str(data / "jobshop" / "ft10.txt")}, 930
    else:
        board = str(data / "samegame" / "standard20.txt")
        for index in range(1, 21):
            yield f"board {index}", "samegame", {"board": board, "index": index, "rule": "soft"}, None


def made(run: Run) -> tuple[float, float, int]:
    """The score, when it was found, and the proposals."""
    problem = rk.load_problem(run.problem, run.parameters)
    search = rk.tools.make_search(run.search.get("name", "tempering"), dict(run.search.get("with", {})))
    rk.solve(problem, search, seed=0, stop=rk.MaxPlayouts(1))  # compile
    stop = rk.MaxTime(run.seconds * (1 if search.name in PLANS_BY_TIME else 100))
    if run.best is not None:
        stop |= rk.Target(run.best * (1 + CLOSE if problem.sense == "min" else 1))
    result = rk.solve(problem, search, seed=run.seed, stop=stop, restarts=True, callbacks=[Until(run.seconds)])
    return result.score, result.history[-1].seconds, result.playouts


def main() -> None:
    """Run the items one after the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("items", nargs="+", choices=list(ITEMS))
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--first", type=int, default=1, help="the first seed")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--search", default="tempering")
    parser.add_argument("--set", default="{}", help="parameters of the search as JSON")
    given = parser.parse_args()
    search = {"name": given.search, "with": json.loads(given.set)}
    for item in given.items:
        asked = ITEMS[item]
        seconds, seeds = given.seconds or asked.seconds, given.seeds or asked.seeds
        runs = [
            Run(*case, seed, seconds, search)
            for case in cases(item, given.data)
            for seed in range(given.first, given.first + seeds)
        ]
        print(f"{item}, {seconds:g} s a run; wanted: {asked.wanted}", flush=True)
        with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
            report(runs, pool.map(made, runs))


def report(runs: list[Run], found: Iterator[tuple[float, float, int]]) -> None:
    """A line for each run, and what they came to."""
    scores, hits = [], 0
    for run, (score, after, playouts) in zip(runs, found, strict=True):
        scores.append(score)
        gap = (
            "" if run.best is None else f"  best known {run.best:g}: {100 * abs(score - run.best) / run.best:.2f}% off"
        )
        hits += run.best is not None and abs(score - run.best) <= CLOSE * run.best
        print(f"  {run.label:<12} seed {run.seed:<3} {score:<9g} after {after:6.1f} s, {playouts:,}{gap}", flush=True)
    print(f"  median {median(scores):g}, sum {sum(scores):,g}, best known reached {hits} of {len(runs)}", flush=True)


if __name__ == "__main__":
    main()
