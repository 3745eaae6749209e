"""The speed of one checkout beside another, row by row, in seconds of the processor.

    python benchmarks/compare.py OLD NEW [--repetitions 7] [--rows REGEX] [--benchmarks speed games startup]

The rows mirror those of speed.py, games.py and startup.py, with one worker, as a user calls the library; the rows of
single calls have next to no playouts, so that they show what surrounds the machine code. The two checkouts take turns,
and a row's ratio is the median over the pairs of NEW's speed to OLD's. Beside it stand the least and the largest, and
the ratio of the best runs, which other work on the machine disturbs less. The answers must be the same. A row whose
ratio is below ``--least``, whose answers differ or which fails makes the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import startup

WORKER = Path(__file__).with_name("compare_worker.py")
BENCHMARKS = ("speed", "games", "startup")
PLAYOUTS = 1000


@dataclass(frozen=True)
class Row:
    """One row: what a worker is asked for or, for a start, the arguments of a fresh Python."""

    benchmark: str
    name: str
    job: dict[str, Any] | list[str]


# --- rows ---


def solving(name: str, problem: str, parameters: dict[str, str], search: str, limit: int, /, **settings: Any) -> Row:
    """A run of this many playouts, 0: to its end; ``atomic_level`` and ``calls`` are not settings of the search."""
    job = {"atomic_level": settings.pop("atomic_level", None), "calls": settings.pop("calls", 1), "limit": limit}
    job |= {"call": "solve", "problem": problem, "parameters": parameters, "search": search, "settings": settings}
    return Row("speed", name, job)


def speed() -> Iterator[Row]:
    for level in (2, 3):
        for variant in ("5T", "5D"):
            name = f"Morpion {variant}, NRPA level {level}, N=100"
            yield solving(name, "morpion", {"variant": variant}, "NRPA", 150_000, level=level, iterations=100)
    five_d = {"variant": "5D"}
    yield solving("Morpion 5D, NMCS level 2", "morpion", five_d, "NMCS", 400_000, level=2)
    yield solving("Morpion 5D, Reflexive level 2", "morpion", five_d, "Reflexive", 600_000, level=2)
    yield solving("Morpion 5D, Sampling", "morpion", five_d, "Sampling", 300_000)
    yield solving("Morpion 5D, UCT", "morpion", five_d, "UCT", 0, playouts=150_000)
    yield solving("SameGame, SPMCTS", "samegame", {}, "SPMCTS", 0, playouts=20_000)
    for n, level, playouts in ((50, 2, 100_000), (1000, 1, 100)):
        name = f"TSP n={n}, NRPA level {level}, N=100"
        yield solving(name, "tsp", {"n": str(n), "seed": "1"}, "NRPA", playouts, level=level, iterations=100)
    hashed = ("hashed codes, Morpion 5T", "hashed-morpion", {"variant": "5T"})
    yield solving(*hashed, "NRPA", 120_000, level=2, iterations=100)
    driver = ("driver, Morpion 5D, tasks of level 1", "morpion", five_d)
    yield solving(*driver, "NRPA", 100_000, level=3, iterations=100, atomic_level=1)
    yield solving("calls of solve, one playout each", "morpion", five_d, "NRPA", 0, level=1, iterations=1, calls=60)


def deciding(name: str, game: str, call: str, search: str, playouts: int, calls: int = 1, games: int = 0) -> Row:
    job = {"call": call, "game": game, "parameters": {"size": "8"}, "calls": calls, "games": games}
    return Row("games", name, job | {"search": search, "settings": {"playouts": playouts}})


def games() -> Iterator[Row]:
    sizes = (("Breakthrough", 2_000_000, 20, 12), ("NoGo", 500_000, 8, 6), ("Go", 150_000, 4, 2))
    for title, playouts, of_uct, of_ppa in sizes:
        name, game = f"{title} 8x8", title.lower()
        yield deciding(f"{name}, playouts at random", game, "decide", "FlatMC", playouts)
        yield deciding(f"{name}, UCT({PLAYOUTS})", game, "match", "GameUCT", PLAYOUTS, games=of_uct)
        yield deciding(f"{name}, PPA({PLAYOUTS})", game, "match", "PPA", PLAYOUTS, games=of_ppa)
    yield deciding("calls of decide, one playout each", "breakthrough", "decide", "GameUCT", 1, calls=80)


def starting() -> Iterator[Row]:
    first = "import rookery as rk; problem = rk.load_problem('morpion', {'variant': '5D'}); "
    first += "rk.solve(problem, rk.NRPA(level=1, iterations=1), seed=1, workers=1)"
    yield Row("startup", "import rookery", ["-c", "import rookery"])
    yield Row("startup", "import, first solve, warm", ["-c", first])
    yield Row("startup", "command, first solve, warm", startup.FIRST)


# --- checkouts ---


class Failed(Exception):
    """A row that a checkout cannot run."""


class Checkout:
    """A checkout and a process that computes its rows, which keeps the machine code it has loaded."""

    def __init__(self, folder: Path) -> None:
        self._environment = {**os.environ, "PYTHONPATH": str(folder.resolve() / "src")}
        self._process = subprocess.Popen(
            [sys.executable, str(WORKER)],
            env=self._environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def run(self, row: Row) -> tuple[float, object]:
        """The speed of a row, run once, and its answer."""
        if isinstance(row.job, list):
            return self._start(row.job), None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(row.job) + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise Failed("its process has ended") from None
        line = self._process.stdout.readline()
        report: dict[str, Any] = json.loads(line) if line else {"error": "its process has ended"}
        if "error" in report:
            raise Failed(report["error"])
        return report["playouts"] / report["seconds"], report["answer"]

    def close(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # it may have ended before
            self._process.stdin.close()
        self._process.wait()

    def _start(self, arguments: list[str]) -> float:
        """Starts per second of processor time: all that a process and its threads took."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, *arguments]
        done = subprocess.run(command, env=self._environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise Failed((done.stderr.strip() or "no message").splitlines()[-1])
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return 1 / (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


# --- the comparison ---


def turns(row: Row, old: Checkout, new: Checkout, repetitions: int) -> tuple[list[tuple[float, float]], bool]:
    """The speeds of each pair, and whether all answers were the same; the first run of each compiles or loads."""
    answers = [checkout.run(row)[1] for checkout in (old, new)]
    pairs = []
    for _ in range(repetitions):
        (before, a), (now, b) = old.run(row), new.run(row)
        answers += [a, b]
        pairs.append((before, now))
    return pairs, all(answer == answers[0] for answer in answers)


def compare(rows: Sequence[Row], old: Checkout, new: Checkout, repetitions: int, least: float) -> list[str]:
    """Print the rows; the names of those that are not as wanted, with the reason."""
    faults = []
    for row in rows:
        try:
            pairs, same = turns(row, old, new, repetitions)
        except Failed as failed:
            faults.append(f"{row.name}: {failed}")
            print(f"{row.name:38} failed: {failed}", flush=True)
            continue
        ratios = [now / before for before, now in pairs]
        ratio, best = median(ratios), max(now for _, now in pairs) / max(before for before, _ in pairs)
        if ratio < least:
            faults.append(f"{row.name}: {ratio:.3f} is below {least}")
        if not same:
            faults.append(f"{row.name}: the answers differ")
        spread = f"{min(ratios):.3f} to {max(ratios):.3f}, best {best:.3f}"
        notes = ("" if ratio >= least else "   below") + ("" if same else "   answers differ")
        print(f"{row.name:38} NEW/OLD {ratio:.3f}   ({spread}){notes}", flush=True)
    return faults


def pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not a regular expression: {error}") from None


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("old", type=Path, metavar="OLD", help="a checkout")
    parser.add_argument("new", type=Path, metavar="NEW", help="the one that is to be as fast")
    parser.add_argument("--repetitions", type=int, default=7, help="pairs of runs (default: 7)")
    parser.add_argument("--rows", type=pattern, default="", help="rows whose name matches this")
    parser.add_argument("--benchmarks", nargs="+", choices=BENCHMARKS, default=BENCHMARKS)
    parser.add_argument("--least", type=float, default=0.97, help="the least ratio wanted (default: 0.97)")
    options = parser.parse_args(arguments)
    if options.repetitions < 1:
        parser.error(f"--repetitions must be at least 1, got {options.repetitions}")
    for folder in (options.old, options.new):
        if not (folder / "src" / "rookery").is_dir():
            parser.error(f"{folder} is not a checkout: it has no src/rookery")
    rows = [row for row in (*speed(), *games(), *starting()) if row.benchmark in options.benchmarks]
    rows = [row for row in rows if options.rows.search(row.name)]
    if not rows:
        parser.error("no row has such a name")
    if os.getloadavg()[0] > 1:
        print("compare: the machine is busy with other work: the ratios will be rough", file=sys.stderr)
    old, new = Checkout(options.old), Checkout(options.new)
    try:
        faults = compare(rows, old, new, options.repetitions, options.least)
    except KeyboardInterrupt:
        return 130
    finally:
        old.close()
        new.close()
    for fault in faults:
        print(f"not as wanted: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
