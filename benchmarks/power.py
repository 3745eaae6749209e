"""What tempering reaches on one core, beside the best known scores: after so many seconds of the processor.

    python benchmarks/power.py 5D                        82 within 120 s, ten seeds
    python benchmarks/power.py 5T --seconds 600          five seeds
    python benchmarks/power.py tsp50 tsp100              beside optima proven by suite_optima.py
    python benchmarks/power.py tsptw ft10 samegame --data DIR

``--data`` is a folder of standard instances (see docs/experiments.md). ``--jobs 2`` runs two seeds at a time, each in a
process of its own. A run ends at its target, if that is the best known score. With ``--out FILE`` every run that has
ended is a line of JSON in a file, and the same command goes on with those that it does not have:

    python benchmarks/power.py samegame --data DIR --seconds 720 --jobs 2 --out samegame.jsonl

SameGame has a form for each colour that may be the tabu one: of nearly the most cells. Annealing tries them, and the
best has most of the time. ``samegame-generated`` plays the boards of ``SameGame.build`` from the seed 101 on instead:
settings were chosen there.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

import rookery as rk
from rookery.experiments.probing import Until, probe

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
    search: dict[str, Any] = field(default_factory=lambda: {"name": "tempering"})


Found = tuple[float, float, int]
"""A score, when it was found, and the proposals."""
ANNEALING = {"name": "annealing", "with": {"key": "code", "cold": 5, "hot": 50}}
"""For SameGame: chosen on generated boards, with 5 s for each."""
SHORT = {"name": "tempering", "with": {"patience": 300_000, "cold": 0.4, "hot": 0.48}}
"""For 5D: chosen with the C++ twin. A line finds 82 soon after it has begun or hardly ever, and, as far as so few runs
tell, most often near .44: 5 times in 97,000,000 proposals there, 5 times in 185,000,000 between .28 and .75."""

ITEMS = {
    "5D": Item(120, 10, "82 in at least 9 of 10 seeds", SHORT),
    "5T": Item(60, 5, "a median of 160 after 60 s, 165 after 600 s"),
    "tsp50": Item(5, 5, "within 1% of the optimum"),
    "tsp100": Item(5, 5, "within 2% of the optimum"),
    "tsptw": Item(60, 1, "12 of 12 best known"),
    "ft10": Item(60, 10, "930 in at least half of 10 seeds"),
    "samegame": Item(30, 1, "80,000 over the 20 boards", ANNEALING),
    "samegame-generated": Item(30, 1, "a good sum on boards that chose the settings", ANNEALING),
}
PLANS_BY_TIME = ("annealing", "auto")
"""Searches that divide the time of the run: seconds of the clock. The others end after as many of the processor."""
FEWER, DISLIKE = 8, -5.0
"""For SameGame: how many cells fewer than the most a tabu colour may have, and its bias."""
TSP = {"tsp50": (50, 5.996411), "tsp100": (100, 7.860090)}


def cases(item: str, data: Path | None) -> Iterator[tuple[str, str, dict[str, Any], float | None]]:
    """Labels, problems, parameters and best known scores."""
    soft = {"rule": "soft", "code": "origin", "dislike": DISLIKE}
    if item == "samegame-generated":
        for seed in range(101, 121):
            yield f"board {seed}", "samegame", {"seed": seed, **soft}, None
    elif item in ("5D", "5T"):
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
            yield f"board {index}", "samegame", {"board": board, "index": index, **soft}, None


def forms(run: Run) -> dict[str, Any]:
    """The board of a run with each colour that has at most eight cells fewer than the most as the tabu one.

    The colour with the most cells comes first.
    """
    problem = rk.load_problem(run.problem, run.parameters)
    counts = np.bincount(problem.cells.ravel())
    colours = [int(c) for c in np.argsort(-counts, kind="stable") if counts[c] >= counts.max() - FEWER]
    return {f"tabu {c}": rk.load_problem(run.problem, {**run.parameters, "tabu": c}) for c in colours}


def probed(run: Run) -> tuple[float, float, int]:
    """The same as :func:`made` for a problem with several forms."""
    problems = forms(run)
    search = rk.tools.make_search(run.search["name"], dict(run.search.get("with", {})))
    found = probe(problems, search, run.seconds, run.seed)
    return found.result.score, run.seconds, found.playouts


def made(run: Run) -> tuple[float, float, int]:
    """The score, when it was found, and the proposals."""
    if run.problem == "samegame":
        return probed(run)
    problem = rk.load_problem(run.problem, run.parameters)
    search = rk.tools.make_search(run.search.get("name", "tempering"), dict(run.search.get("with", {})))
    rk.solve(problem, search, seed=0, stop=rk.MaxPlayouts(1))  # compile
    stop = rk.MaxTime(run.seconds * (1 if search.name in PLANS_BY_TIME else 100))
    if run.best is not None:
        stop |= rk.Target(run.best * (1 + CLOSE if problem.sense == "min" else 1))
    until = Until(time.process_time() + run.seconds)
    result = rk.solve(problem, search, seed=run.seed, stop=stop, restarts=True, callbacks=[until])
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
    parser.add_argument("--search", help="in place of the one that the item has")
    parser.add_argument("--set", default="{}", help="parameters of the search as JSON")
    parser.add_argument("--out", type=Path, help="a file of JSON lines; runs that are in it are not made again")
    given = parser.parse_args()
    for item in given.items:
        asked = ITEMS[item]
        search = asked.search
        if given.search or given.set != "{}":
            search = {"name": given.search or search["name"], "with": json.loads(given.set)}
        seconds, seeds = given.seconds or asked.seconds, given.seeds or asked.seeds
        runs = [
            Run(*case, seed, seconds, search)
            for case in cases(item, given.data)
            for seed in range(given.first, given.first + seeds)
        ]
        print(f"{item}, {seconds:g} s a run; wanted: {asked.wanted}", flush=True)
        with ProcessPoolExecutor(given.jobs, mp_context=get_context("spawn")) as pool:
            report(runs, kept(runs, pool.map, given.out, given.data) if given.out else pool.map(made, runs))


def kept(runs: list[Run], compute: Callable[..., Iterator[Found]], file: Path, data: Path | None) -> Iterator[Found]:
    """What the runs have found: from the file, or made now and added to it. A line that was cut off does not count.

    The file does not say where the data are: it can be continued on another machine.
    """
    known: dict[str, Found] = {}
    for line in file.read_text().splitlines() if file.exists() else ():
        with contextlib.suppress(json.JSONDecodeError):
            row = json.loads(line)
            known[json.dumps(row["run"])] = tuple(row["found"])
    names = [json.dumps(asdict(run)).replace(json.dumps(str(data))[1:-1], "DIR") for run in runs]
    there = [known.get(name) for name in names]
    computed = compute(made, [run for run, found in zip(runs, there, strict=True) if found is None])
    with file.open("a") as out:
        out.write("\n" if out.tell() else "")  # the last line may have been cut off
        for name, found in zip(names, there, strict=True):
            if found is None:
                found = next(computed)
                out.write(json.dumps({"run": json.loads(name), "found": found}) + "\n")
                out.flush()
            yield found


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
