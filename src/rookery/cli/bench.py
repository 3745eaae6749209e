"""``rookery bench``: playouts per second on this machine."""

from __future__ import annotations

import contextlib
import json
import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import rookery as rk
from rookery.cli import completion
from rookery.cli import options as o
from rookery.cli.running import ExitSignals
from rookery.cli.search import Chosen, takes_search
from rookery.cli.suite import suite as run_suite

STANDARD = (
    ("morpion", {"variant": "5T"}, rk.NRPA(level=2)),
    ("morpion", {"variant": "5D"}, rk.NRPA(level=2)),
    ("tsp", {"n": "50"}, rk.NRPA(level=2)),
    ("morpion", {"variant": "5D"}, rk.NMCS(level=2)),
    ("morpion", {"variant": "5T"}, rk.Sampling()),
)
"""What is measured when no problem is named."""
SAMPLES = 10_000
"""Playouts per run for a search that has no end of its own."""


@dataclass
class Case:
    """A search on a problem, and what its runs gave."""

    name: str
    problem: rk.Problem | rk.PythonProblem
    search: rk.Search
    results: list[rk.Result] = field(default_factory=list)
    rates: list[float] = field(default_factory=list)

    def compile(self, workers: int) -> None:
        """Make the machine code, and say so."""
        line = rk.ProgressLine()
        try:
            rk.solve(self.problem, self.search, stop=rk.MaxPlayouts(1), seed=0, workers=workers, callbacks=(line,))
        finally:
            line.close()

    def run(self, seed: int, workers: int, playouts: int | None) -> None:
        """Measure one run."""
        if playouts is None and self.search.endless:
            playouts = SAMPLES
        stop = None if playouts is None else rk.MaxPlayouts(playouts)
        watch = Stopwatch()
        result = rk.solve(self.problem, self.search, stop=stop, seed=seed, workers=workers, callbacks=(watch,))
        if result.status == "interrupted":
            raise KeyboardInterrupt
        self.results.append(result)
        self.rates.append(result.playouts / watch.seconds)

    def to_json(self) -> dict[str, Any]:
        """What was measured, as a JSON object."""
        first = self.results[0].to_json()
        return {
            "problem": self.name,
            "parameters": first["parameters"],
            "search": first["search"],
            "seeds": [result.seed for result in self.results],
            "scores": [result.score for result in self.results],
            "playouts": [result.playouts for result in self.results],
            "rates": self.rates,
            "best": max(self.rates),
            "median": statistics.median(self.rates),
        }


class Stopwatch(rk.Callback):
    """Measures the search alone: from its first playout to its end."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._began = 0.0

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        """The search begins."""
        self._began = time.perf_counter()

    def on_end(self, result: rk.Result) -> None:
        """The run is over."""
        self.seconds = time.perf_counter() - self._began


@takes_search()
def bench(
    chosen: Chosen,
    problem: list[str] | None = o.argument("[PROBLEM]", "As in solve [default: a standard set]", None),
    parameters: o.Parameters = None,
    playouts: o.Text = o.option("N", "Playouts per run [default: as many as the search makes; 10000 for sampling]"),
    repetitions: str = o.option("N", "Runs of each case, with consecutive seeds.", "5"),
    seed: str = o.option("N", "The seed of the first run.", "1"),
    workers: str = o.option("N", "Number of threads; runs at the same time (--suite).", "1"),
    suite: o.Text = o.option("NAME", "Compare all searches on a suite of problems instead: power."),
    seconds: o.Text = o.option(
        "TIME...", "Time of each run, for the three best searches then longer: 10 60 (--suite)."
    ),
    seeds: o.Text = o.option("N", "Runs of each search on each problem, with the seeds 1 to N (--suite) [default: 5]"),
    data: o.Text = o.option("DIR", "A folder with standard instances; without it others are generated (--suite)."),
    executor: o.Text = o.option(
        "NAME",
        "What makes runs: threads, processes, mpi or dask (--suite) [default: threads]",
        offered=completion.executors,
    ),
    address: o.Text = o.option("URL", "Address of the scheduler: tcp://host:8786 (--suite, dask)."),
    out: o.Text = o.option("DIR", "A folder for the runs; none in it is made again (--suite) [default: NAME-suite]"),
    csv: o.Text = o.option("FILE", "Write one line for each run, with commas (--suite)."),
    plot: o.Text = o.option("FILE", "Draw the distances to the best known scores (--suite)."),
    page: o.Text = o.option("FILE", "Write the tables as a page in Markdown (--suite)."),
    log: o.Text = o.option("FILE", "Write the events of all runs as lines of JSON (--suite)."),
    searches: o.Text = o.option("NAMES", "Run only these searches, with commas (--suite)."),
    problems: o.Text = o.option("NAMES", "Run only on these problems of the suite, with commas (--suite)."),
    kept: o.Text = o.option("FILE", "What --json printed before: the scores that are not made again (--suite)."),
    as_json: o.Json = False,
) -> int:
    """Measure playouts per second on this machine: several runs of each case, interleaved.

    With --suite power: what each search is worth. All searches run on ten problems for --seconds each, the three best
    of them for longer times too, and medians stand beside the best known scores. After an interrupt the same command
    continues.
    """
    words = problem or []
    for_suites = {"seconds": seconds, "seeds": seeds, "data": data, "out": out, "csv": csv, "plot": plot, "page": page}
    for_suites |= {"executor": executor, "address": address, "log": log, "searches": searches}
    for_suites |= {"problems": problems, "kept": kept}
    if suite is not None:
        if chosen.given or chosen.algorithm != "nrpa" or parameters or playouts or repetitions != "5" or seed != "1":
            raise rk.InputError("--suite has its own problems, searches and seeds: no other option of a run fits")
        return run_suite(suite, words, o.whole("--workers", workers), as_json, **for_suites)
    for option, value in for_suites.items():
        if value is not None:
            raise rk.InputError(f"--{option} goes with --suite")
    times, threads = o.whole("--repetitions", repetitions), o.whole("--workers", workers)
    limit = o.optional(o.whole, "--playouts", playouts)
    if limit is not None:
        rk.MaxPlayouts(limit)
    first = o.whole("--seed", seed, least=0)
    if first + times > 1 << 64:
        raise rk.InputError(f"the last seed must be below 2^64, got --seed {first} and {times} repetitions")
    cases = cases_of(chosen, words, parameters)
    code = 0
    with contextlib.redirect_stdout(sys.stderr), ExitSignals() as interrupts:
        try:
            for case in cases:
                case.compile(threads)
            for repetition in range(times):
                for case in cases:
                    case.run(first + repetition, threads, limit)
        except KeyboardInterrupt:
            code = interrupts.exit_code or 130
    measured = [case.to_json() for case in cases if case.rates]
    if as_json:
        print(json.dumps({"version": rk.__version__, "workers": threads, "cases": measured}))
    else:
        print(table(measured))
    return code


def cases_of(chosen: Chosen, words: list[str], parameters: list[str] | None) -> list[Case]:
    """What is measured: a search on the problem that is named, or the standard set."""
    if len(words) > 1:
        raise rk.InputError(f"bench takes one problem, got {len(words)}: {o.shown(' '.join(words))}")
    if not words:
        if parameters or chosen.given or chosen.algorithm != "nrpa":
            raise rk.InputError("-p, --algorithm and its options go with a problem: rookery bench PROBLEM")
        return [Case(name, rk.load_problem(name, given), search) for name, given, search in STANDARD]
    search = chosen.search(defaults={"level": "2"})
    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is not part of the measurement
        return [Case(words[0], rk.load_problem(words[0], o.key_values(parameters)), search)]


def table(measured: list[dict[str, Any]]) -> str:
    """The cases, one per line.

    >>> print(table([]).split())
    ['case', 'playouts', 'best/s', 'median/s', 'each', 'run']
    """
    lines = [f"{'case':<40}{'playouts':>12}{'best/s':>12}{'median/s':>12}  each run"]
    for case in measured:
        given = " ".join(f"{key}={value}" for key, value in case["parameters"].items())
        level = f" level {case['search']['level']}" if "level" in case["search"] else ""
        name = f"{case['problem']} {given} {case['search']['algorithm']}{level}"
        each = " ".join(f"{rate:,.0f}" for rate in case["rates"])
        playouts = statistics.median_low(case["playouts"])
        lines.append(f"{name:<40}{playouts:>12,}{case['best']:>12,.0f}{case['median']:>12,.0f}  {each}")
    return "\n".join(lines)
