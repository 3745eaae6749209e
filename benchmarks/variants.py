"""What each option of NRPA gains over plain NRPA, and a few other searches over what they vary; makes docs/variants.md.

    python benchmarks/variants.py --folder build/variants
    python benchmarks/variants.py --seconds 0.1 --seeds 2 --folder try --data try/try.json --page try/try.md    a try

Every search makes a run with each seed on each of four problems: once with equal playouts, once with equal time. A run
that ends early is filled with restarts. Runs are kept in ``--folder`` when they end, so that the same command goes on
where it was stopped. Gains are differences under the same seed. Runs follow each other, one at a time: on a core with
nothing else to do, seconds of the clock are seconds of the processor. The page says which share of them they were.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.experiments.timeline import median, score_text
from rookery.experiments.tuning import Gain, paired_shift
from rookery.tools import make_search

ROOT = Path(__file__).resolve().parents[1]
LIMITED = f"{ROOT / 'examples' / 'own_search.py'}:LimitedNRPA"
SOME = 4
"""Playouts between two steps of adapt, and pairs of a beam."""


@dataclass(frozen=True)
class Subject:
    """A problem, and N of the runs of level 3 that search it, which take a few seconds."""

    problem: Any
    iterations: int
    about: str


SUBJECTS = {
    "Morpion 5D": Subject(rk.problems.Morpion("5D"), 50, "moves; the order of many does not matter"),
    "SameGame": Subject(
        rk.problems.SameGame.build(rule="soft"), 25, "points; a random board, 15 x 15, bias against a colour"
    ),
    "TSP": Subject(rk.problems.TSP.build(50), 40, "length of a tour of 50 random cities"),
    "TSPTW": Subject(
        rk.problems.TSPTW.build(n=20, seed=1, penalty=1000.0),
        40,
        "cost of 20 cities, 1000 for each late; bias for near ones",
    ),
}


@dataclass(frozen=True)
class Variant:
    """A search, and the name of the one that it is compared with."""

    search: Any
    against: str


def variants(subject: Subject) -> dict[str, Variant]:
    """The searches of a problem by name, each behind the one that it is compared with."""
    n, problem = subject.iterations, subject.problem
    plain: dict[str, Any] = {"level": 3, "iterations": n}
    fewer = {"level": 3, "iterations": {1: max(1, n // SOME), 2: n, 3: n}}
    limited = make_search(LIMITED, {**plain, "repetitions": 3})
    found = {
        "NRPA": Variant(rk.NRPA(**plain), ""),
        f"playouts_per_adapt={SOME}": Variant(rk.NRPA(**plain, playouts_per_adapt=SOME), "NRPA"),
        f"playouts_per_adapt={SOME}, N/{SOME} at level 1": Variant(rk.NRPA(**fewer, playouts_per_adapt=SOME), "NRPA"),
        "tau=0.5": Variant(rk.NRPA(**plain, tau=0.5), "NRPA"),
        "tau=2": Variant(rk.NRPA(**plain, tau=2.0), "NRPA"),
        f"beam={SOME}": Variant(rk.NRPA(**plain, beam=SOME), "NRPA"),
        f"beam={SOME}, N/{SOME} at level 1": Variant(rk.NRPA(**fewer, beam=SOME), "NRPA"),
        "limited repetitions": Variant(limited, "NRPA"),
        "BeamSearch": Variant(rk.BeamSearch(playouts=1), "NRPA"),
        "NMCS": Variant(rk.NMCS(level=2), "NRPA"),
        "LazyNMCS": Variant(rk.LazyNMCS(level=2), "NMCS"),
    }
    if hasattr(problem, "bias"):
        found["bias_scale=0.5"] = Variant(rk.NRPA(**plain, bias_scale=0.5), "NRPA")
        found["learn_bias=True"] = Variant(rk.NRPA(**plain, learn_bias=True), "NRPA")
        found["bias_scale=2"] = Variant(rk.NRPA(**plain, bias_scale=2.0), "NRPA")
    if hasattr(problem, "commute"):
        found["layers=True"] = Variant(rk.NRPA(**plain, layers=True), "NRPA")
    return found


# --- measuring ---


def budget(subject: Subject, seconds: float) -> int:
    """The playouts of a run: for 2 s, those of one run of plain NRPA."""
    return max(100, round(seconds / 2 * subject.iterations**3))


class Share(rk.Callback):
    """Notes which share of the seconds of a run the processor worked."""

    def __init__(self, shares: list[float]) -> None:
        self._shares = shares

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        self._began = time.process_time(), time.perf_counter()

    def on_end(self, result: Any) -> None:
        worked, passed = time.process_time() - self._began[0], time.perf_counter() - self._began[1]
        self._shares.append(worked / passed)


def measured(given: argparse.Namespace) -> dict[str, Any]:
    """Scores and playouts of all runs, made or read from the folder."""
    shares: list[float] = []
    kept = given.folder / "shares.json"
    if kept.exists():
        shares = json.loads(kept.read_text())
    runs: dict[str, Any] = {}
    for limit in ("playouts", "time"):
        runs[limit] = {}
        for name in given.problems:
            subject = SUBJECTS[name]
            done = rk.experiment(
                subject.problem,
                {key: variant.search for key, variant in variants(subject).items()},
                stop=rk.MaxPlayouts(budget(subject, given.seconds))
                if limit == "playouts"
                else rk.MaxTime(given.seconds),
                seeds=given.seeds,
                workers=1,
                folder=given.folder / limit / name.replace(" ", "-"),
                progress=True,
                observers=(lambda *job: [Share(shares)]) if limit == "time" else None,
            )
            kept.write_text(json.dumps(shares))
            if not done.complete:
                raise SystemExit("variants: stopped; the same command goes on")
            runs[limit][name] = {
                key: {"scores": done.scores(key), "playouts": [run.playouts for run in made]}
                for key, made in done.runs.items()
            }
    share = {"median": float(median(shares, "max")), "least": min(shares)}
    return {"seconds": given.seconds, "seeds": given.seeds, "processor": share, "runs": runs}


# --- the page ---


def gains(runs: dict[str, Any], name: str) -> dict[str, Gain]:
    """What each search gains on a problem over the one that it is compared with."""
    subject = SUBJECTS[name]
    sense = subject.problem.sense
    return {
        key: paired_shift(tuple(runs[key]["scores"]), tuple(runs[variant.against]["scores"]), sense)
        for key, variant in variants(subject).items()
        if variant.against
    }


def verdict(gain: Gain) -> str:
    """A gain with its interval, in bold if the interval is on one side of 0."""
    told = f"{gain.value:+.3g} ({gain.low:+.3g} to {gain.high:+.3g})"
    return f"**{told}**" if gain.low > 0 or gain.high < 0 else told


def rows(data: dict[str, Any], limit: str) -> Iterator[list[str]]:
    """The table of a limit: a row for each search, a column for each problem."""
    runs = data["runs"][limit]
    found = {name: gains(made, name) for name, made in runs.items()}
    yield from heading(runs)
    plain = (median(made["NRPA"]["scores"], SUBJECTS[name].problem.sense) for name, made in runs.items())
    yield ["plain NRPA: the median score", *map(score_text, plain)]
    for key in dict.fromkeys(key for made in found.values() for key in made):
        against = next(made[key].against for made in map(variants, SUBJECTS.values()) if key in made)
        shown = [verdict(made[key]) if key in made else "" for made in found.values()]
        yield [label(key) if against == "NRPA" else f"{label(key)}, against {against}", *shown]


def speeds(data: dict[str, Any]) -> Iterator[list[str]]:
    """How many playouts a search makes in equal time, as a share of those of plain NRPA."""
    runs = data["runs"]["time"]
    yield from heading(runs)
    made = [{key: median(run["playouts"], "max") for key, run in found.items()} for found in runs.values()]
    for key in dict.fromkeys(key for counts in made for key in counts):
        yield [label(key), *(f"{counts[key] / counts['NRPA']:.2f}" if key in counts else "" for counts in made)]


def heading(runs: dict[str, Any]) -> Iterator[list[str]]:
    yield ["search", *runs]
    yield ["---"] * (1 + len(runs))


def label(key: str) -> str:
    """A search as the page names it: options as code."""
    option, comma, more = key.partition(",")
    return f"`{option}`{comma}{more}" if "=" in option else key


def table(lines: Iterator[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def page(data: dict[str, Any]) -> str:
    """The page of what was measured."""
    seconds, seeds, share = data["seconds"], data["seeds"], data["processor"]
    measured_on = {name: SUBJECTS[name] for name in data["runs"]["time"]}
    problems = "\n".join(
        f"| {name} | {subject.about} | {subject.problem.sense} | {subject.iterations} |"
        for name, subject in measured_on.items()
    )
    return PAGE.format(
        seconds=f"{seconds:g}",
        seeds=seeds,
        budgets=", ".join(f"{budget(subject, seconds):,}" for subject in measured_on.values()),
        median=f"{100 * share['median']:.0f}",
        least=f"{100 * share['least']:.0f}",
        problems=problems,
        playouts=table(rows(data, "playouts")),
        time=table(rows(data, "time")),
        speeds=table(speeds(data)),
    )


PAGE = """# What the options of NRPA gain

The [options of NRPA](algorithms.md#descendants-of-nrpa) come from papers that each show a gain. This page measures them
on four problems, beside a few other searches. `python benchmarks/variants.py` makes the runs and this page.

| problem | score | sense | N |
| --- | --- | --- | --- |
{problems}

Plain NRPA has level 3 and N iterations at each level; so has every variant, except where it says N/4 at level 1: then
an iteration of level 2 costs as many playouts as without the option. NMCS has level 2, and `BeamSearch` has its
defaults. Each search makes {seeds} runs on each problem, with the same seeds. A run that ends early is filled with
restarts.

A cell is the gain over plain NRPA, or over the search that is named: the median of the differences under the same
seed, by Hodges and Lehmann, with its 95% interval by Wilcoxon's signed ranks. More is better, also where scores are
minimised. **Bold** gains have an interval on one side of 0. The others show no effect, which is a result too. There are
many cells: by chance alone, about one in twenty would be bold.

## Equal playouts

{budgets} playouts, in the order of the columns: for runs of 2 s, as many as one run of plain NRPA has.

{playouts}

## Equal time

{seconds} s each, one run at a time on one core. The processor worked for {median}% of that in the median run, and for
{least}% in the worst.

{time}

The playouts made in that time, as a share of those of plain NRPA:

{speeds}

[All pages](index.md)
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--seconds", type=float, default=2.0, help="of a run; runs with equal playouts get theirs by it"
    )
    parser.add_argument("--seeds", type=int, default=30)
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "variants", help="where runs are kept")
    parser.add_argument("--data", type=Path, default=ROOT / "docs" / "data" / "variants.json")
    parser.add_argument("--page", type=Path, default=ROOT / "docs" / "variants.md")
    parser.add_argument("--problems", nargs="+", choices=SUBJECTS, default=list(SUBJECTS), help="only these; for a try")
    parser.add_argument("--page-only", action="store_true", help="make the page from the data that is there")
    given = parser.parse_args()
    if not given.page_only:
        given.folder.mkdir(parents=True, exist_ok=True)
        given.data.write_text(json.dumps(measured(given), indent=1) + "\n", encoding="utf-8")
    given.page.write_text(page(json.loads(given.data.read_text(encoding="utf-8"))), encoding="utf-8")
    print(f"wrote {given.page}")


if __name__ == "__main__":
    main()
