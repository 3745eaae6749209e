"""Timelines of NRPA and NMCS on Morpion Solitaire, beside Table 2 of Rosin 2011.

Every run is filled with independent restarts up to the limit; runs are combined by Rosin's median.

    python benchmarks/timelines.py --variants 5T,5D --seconds 100 --seeds 15 --workers 2
    python benchmarks/timelines.py --seconds 1000 --levels 3,4 --nmcs --dominated both
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import rookery as rk

# Rosin 2011, Tables 2 and 4: (variant, algorithm, level) -> median score after this many seconds
ROSIN: dict[tuple[str, str, int], dict[float, int]] = {
    ("5T", "NRPA", 3): {100: 153, 1000: 157},
    ("5T", "NRPA", 4): {100: 152, 1000: 155},
    ("5T", "NMCS", 3): {100: 116, 1000: 130},
    ("5D", "NRPA", 3): {100: 79, 1000: 81},
    ("5D", "NMCS", 3): {100: 71, 1000: 74},
}
NOTE = """\
Rosin: medians of at least 15 timelines on a 3.6 GHz Core i7 of 2011, at most 4 runs at a time; his search
replaces dominated moves, as --dominated yes does. Seconds are not corrected for the speed of the machines."""


def main() -> int:
    options = arguments()
    try:
        variants = options.variants.split(",")
        levels = [int(level) for level in options.levels.split(",")]
        choices = {"no": (False,), "yes": (True,), "both": (False, True)}[options.dominated]
        problems = {(v, dominated): rk.problems.Morpion(v, dominated) for v in variants for dominated in choices}
        searches: dict[tuple[str, int], rk.NRPA | rk.NMCS] = {("NRPA", level): rk.NRPA.rosin(level) for level in levels}
        if options.nmcs:
            searches["NMCS", 3] = rk.NMCS.rosin(3)
        stop = rk.MaxTime(options.seconds)
        files = {key: (within(options.out, key, problems), within(options.plot, key, problems)) for key in problems}
        for path in [path for pair in files.values() for path in pair if path]:
            rk.files.check_writable(path)
        named = {f"{algorithm} level {level}": search for (algorithm, level), search in searches.items()}
        for key, problem in problems.items():
            seeds, workers = options.seeds, options.workers
            done = rk.experiment(problem, named, seeds=seeds, stop=stop, workers=workers, progress=True)
            print(report(*key, done, list(searches)), flush=True)
            out, plot = files[key]
            if out:
                done.save(out)
            if plot:
                done.plot(plot)
            if not done.complete:
                return 130
    except (ValueError, rk.RookeryError) as error:
        print(f"timelines: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(NOTE)
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--variants", default="5T,5D", help="of 5T, 5D, 4T, 4D (default: 5T,5D)")
    parser.add_argument("--dominated", choices=("no", "yes", "both"), default="no", help="replace dominated moves")
    parser.add_argument("--seconds", type=float, default=100, help="horizon of every run (default: 100)")
    parser.add_argument("--seeds", type=int, default=15, help="runs of every search (default: 15)")
    parser.add_argument("--workers", type=int, default=1, help="runs at the same time (default: 1)")
    parser.add_argument("--levels", default="3", help="levels of NRPA, as 3 or 3,4 (default: 3)")
    parser.add_argument("--nmcs", action="store_true", help="run NMCS level 3 as well")
    parser.add_argument("--out", help="save the experiment as JSON; with two variants, one file for each")
    parser.add_argument("--plot", help="draw the timelines; with two variants, one picture for each")
    return parser.parse_args()


Key = tuple[str, bool]  # variant, and whether dominated moves are replaced


def within(path: str | None, key: Key, problems: dict[Key, rk.problems.Morpion]) -> Path | None:
    """The file of a problem: the path itself if there is only one."""
    if path is None or len(problems) == 1:
        return None if path is None else Path(path)
    return Path(path).with_stem(f"{Path(path).stem}-{key[0]}{'-dominated' * key[1]}")


def report(variant: str, dominated: bool, done: rk.Experiment, searches: list[tuple[str, int]]) -> str:
    """Measured and printed medians, row by row, and the test of every pair."""
    limit = done.stop.time or 0.0
    times = [t for t in (1.0, 10.0, 100.0, 1000.0) if t <= limit] or [limit]
    columns = sorted({*times, 100, 1000})
    cores = f"{done.workers} at a time on {os.cpu_count()} cores"
    status = "" if done.complete else ", interrupted"
    name = f"Morpion {variant}{', dominated moves replaced' * dominated}"
    lines = [
        f"\n{name}, N = 100, alpha = 1: medians of timelines of {limit:g} s, {cores}{status}",
        row("", "runs", [f"{t:,g} s" for t in columns], "at the end", "playouts/s"),
    ]
    for (algorithm, level), (name, runs) in zip(searches, done.runs.items(), strict=True):
        if runs:
            medians = [f"{done.median(name, t):g}" if t in times else "" for t in columns]
            spread = f"{done.quantile(name, 0):g} to {done.quantile(name, 1):g}"
            speed = sum(run.playouts for run in runs) / sum(run.seconds for run in runs)
            lines.append(row(name, str(len(runs)), medians, spread, f"{speed:,.0f}"))
        printed = ROSIN.get((variant, algorithm, level), {})
        lines.append(row("  Rosin 2011", "", [str(printed.get(t, "")) for t in columns], "", ""))
    if all(done.runs.values()):
        lines += [str(comparison) for comparison in done.comparisons().values()]
    return "\n".join(lines)


def row(name: str, runs: str, medians: list[str], spread: str, speed: str) -> str:
    return f"{name:14}{runs:>6}" + "".join(f"{text:>9}" for text in medians) + f"{spread:>13}{speed:>13}"


if __name__ == "__main__":
    sys.exit(main())
