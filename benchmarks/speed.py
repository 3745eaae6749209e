"""Playouts per second of the library as a ratio to C++ twins, measured in the same run on one core.

    python benchmarks/speed.py [--repetitions 5] [--only 5T] [--json]

Each row runs the twin and the library in turn, several times, on the same seeds; the best of each counts.
Algorithm and random stream are the same, so the scores must be equal: they are checked. ``plain`` is the
baseline: portable C++ written for the one problem; ``simd`` is the same with hand-written vector code.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import twins

import rookery as rk
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine, CompiledWorker
from rookery.rng import mix_int, root_key
from rookery.search.nmcs import NMCSTask
from rookery.search.nrpa_tasks import NRPATask
from rookery.tasks import Outcome, Task, Weights


class HashedMorpion(rk.problems.Morpion):
    """Morpion with 64-bit codes."""

    def limits(self) -> rk.Limits:
        return rk.Limits(moves=128, length=512, codes="hashed")

    def code(self, s, move):
        return (np.uint64(move) + np.uint64(1)) * np.uint64(0xD1342543DE82EF95)


@dataclass(frozen=True)
class Case:
    """One row: a problem, the task of a seed, the twin's program and arguments up to the seeds."""

    name: str
    problem: rk.Problem
    task: Callable[[int], Task]
    twin: str
    arguments: tuple[object, ...]
    seeds: int
    target: float | None


def nrpa(level: int, iterations: int = 100) -> Callable[[int], Task]:
    def task(key: int) -> Task:
        search = rk.NRPA(level=level, iterations=iterations)
        return NRPATask(search=search, key=key, policy=Weights(), level=level)

    return task


def nmcs(level: int) -> Callable[[int], Task]:
    return lambda key: NMCSTask(search=rk.NMCS(level=level), key=key, level=level)


def cases(folder: Path) -> list[Case]:
    rows = []
    for level, seeds in ((2, 10), (3, 1)):
        for variant in ("5T", "5D"):
            arguments = ("nrpa", variant, level, 100)
            name = f"Morpion {variant}, NRPA level {level}, N=100"
            rows.append(Case(name, rk.problems.Morpion(variant), nrpa(level), "morpion", arguments, seeds, 0.95))
    rows.append(
        Case("Morpion 5D, NMCS level 2", rk.problems.Morpion("5D"), nmcs(2), "morpion", ("nmcs", "5D", 2), 3, 0.8)
    )
    for n, level, iterations, seeds, target in ((50, 2, 100, 10, 0.90), (1000, 1, 100, 1, None)):
        problem = rk.problems.TSP.build(n=n, seed=1)
        file = folder / f"tsp{n}.bin"
        twins.save_distances(problem, file)
        name = f"TSP n={n}, NRPA level {level}, N={iterations}"
        rows.append(Case(name, problem, nrpa(level, iterations), "tsp", (file, level, iterations), seeds, target))
    return rows


def ours(worker: object, make: Callable[[int], Task], seeds: int) -> tuple[float, list[Outcome]]:
    """Playouts per second over the seeds 1, 2, ..., and the outcomes."""
    tasks = [make(mix_int(root_key(seed), 0)) for seed in range(1, seeds + 1)]
    began = time.perf_counter()
    outcomes = [worker.run(task, Signal()) for task in tasks]
    seconds = time.perf_counter() - began
    return sum(outcome.playouts for outcome in outcomes) / seconds, outcomes


def theirs(program: Path, case: Case) -> tuple[float, list[twins.Run]]:
    runs = twins.run(program, *case.arguments, 1, case.seeds)
    return sum(run.playouts for run in runs) / sum(run.seconds for run in runs), runs


def compare(case: Case, repetitions: int) -> dict[str, object]:
    programs = {kind: twins.build(case.twin + suffix) for kind, suffix in (("plain", ""), ("simd", "_simd"))}
    worker = CompiledEngine(case.problem).worker()
    worker.warm(case.task(0))
    best = {"rookery": 0.0, "plain": 0.0, "simd": 0.0}
    for _ in range(repetitions):
        for kind, program in programs.items():
            if program is not None:
                rate, runs = theirs(program, case)
                best[kind] = max(best[kind], rate)
        rate, outcomes = ours(worker, case.task, case.seeds)
        best["rookery"] = max(best["rookery"], rate)
        if programs["plain"] is not None:
            scores = [outcome.sequence.score for outcome in outcomes]
            assert scores == [run.score for run in runs], f"{case.name}: {scores} against {runs}"
    return {
        "case": case.name,
        **{kind: round(rate) for kind, rate in best.items()},
        "ratio": round(best["rookery"] / best["plain"], 3) if best["plain"] else None,
        "ratio_simd": round(best["rookery"] / best["simd"], 3) if best["simd"] else None,
        "target": case.target,
    }


def hashed(repetitions: int) -> dict[str, object]:
    """What hashed codes cost beside dense ones on the same problem."""
    workers = [CompiledEngine(cls("5T")).worker() for cls in (rk.problems.Morpion, HashedMorpion)]
    best = [0.0, 0.0]
    for worker in workers:
        worker.warm(nrpa(2)(0))
    for _ in range(repetitions):
        found = [ours(worker, nrpa(2), 5) for worker in workers]
        best = [max(b, rate) for b, (rate, _) in zip(best, found, strict=True)]
        assert [o.sequence.moves for o in found[0][1]] == [o.sequence.moves for o in found[1][1]]
    return {
        "case": "hashed codes, Morpion 5T",
        "dense": round(best[0]),
        "hashed": round(best[1]),
        "cost": best[0] / best[1],
    }


def driver(repetitions: int) -> dict[str, object]:
    """What the driver adds at the default atomic level: a run's seconds beside those inside its tasks."""
    problem, search = rk.problems.Morpion("5D"), rk.NRPA(level=3, iterations=100)
    compute = CompiledWorker.run
    inside = 0.0

    def timed(worker: CompiledWorker, task: Task, signal: Signal) -> Outcome:
        nonlocal inside
        began = time.perf_counter()
        outcome = compute(worker, task, signal)
        inside += time.perf_counter() - began
        return outcome

    overheads = []
    CompiledWorker.run = timed
    try:
        for _ in range(repetitions):
            inside = 0.0
            seconds = rk.solve(problem, search, stop=rk.MaxIterations(30), restarts=False, seed=1, workers=1).seconds
            overheads.append(seconds / inside - 1)
    finally:
        CompiledWorker.run = compute
    return {"case": "driver, Morpion 5D level 3 N=100", "overhead": min(overheads)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--json", action="store_true", help="one JSON object per row")
    options = parser.parse_args()
    if twins.build("morpion") is None:
        print("speed: no C++ compiler: only the library's own figures", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        rows = [case for case in cases(Path(folder)) if options.only in case.name]
        for case in rows:
            row = compare(case, options.repetitions)
            if options.json:
                print(json.dumps(row), flush=True)
            else:
                print(
                    f"{row['case']:36} rookery {row['rookery']:>9,}/s   plain C++ {row['plain']:>9,}/s   "
                    f"ratio {row['ratio']} (target {row['target']})   simd {row['simd']:>9,}/s ({row['ratio_simd']})",
                    flush=True,
                )
    for name, measure in (("hashed", hashed), ("driver", driver)):
        if options.only in name:
            row = measure(options.repetitions)
            if options.json:
                print(json.dumps(row))
            elif name == "hashed":
                rates = f"dense {row['dense']:,}/s, hashed {row['hashed']:,}/s"
                print(f"{row['case']:36} {rates}: {row['cost']:.2f} times (at most 1.35)")
            else:
                print(f"{row['case']:36} overhead {100 * row['overhead']:.1f}% (under 2%)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
