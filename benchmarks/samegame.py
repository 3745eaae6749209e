"""SameGame: speed beside a C++ twin, and totals of the 20 standard boards.

    python benchmarks/samegame.py                                  speed: ratios to the twin in one run
    python benchmarks/samegame.py --totals --seconds 30 60         plain, tabu and probed tabu, beside published totals

Totals read the standard boards from ``--file``. All runs are on one core.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import twins
from speed import nrpa, ours

import rookery as rk
from rookery.engine.compiled import CompiledEngine
from rookery.problems.samegame import SameGame
from rookery.problems.samegame.formats import boards_text, file_boards
from rookery.search.sampling import SamplingTask
from rookery.tasks import Task

STANDARD = Path(__file__).parents[2] / "shared" / "data" / "samegame" / "standard20.txt"

PUBLISHED = {
    "SP-MCTS (2008)": 73_998,
    "SP-MCTS (2012)": 78_012,
    "NMCS level 3": 77_934,
    "NRPA level 4": 80_030,
    "distributed NRPA": 83_050,
    "best known on the web (2016)": 87_858,
}

# --- speed ---


def speed(repetitions: int) -> None:
    """Playouts per second of the library and of the twin, in turn on the same seeds; scores must be equal."""
    program = twins.build("samegame")
    if program is None:
        raise rk.InputError("the speed of SameGame is compared with C++, and there is no C++ compiler")
    problem = SameGame.build(seed=1)
    sampling: Callable[[int], Task] = lambda key: SamplingTask(search=rk.Sampling(), key=key, first=0, last=10_000)  # noqa: E731
    rows = [
        ("NRPA level 2, N=100", nrpa(2), ("nrpa",), (2, 100), 3),
        ("NRPA level 3, N=100", nrpa(3), ("nrpa",), (3, 100), 1),
        ("sampling", sampling, ("sampling",), (10_000,), 1),
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "board.txt"
        file.write_text(boards_text([problem.cells]))
        for rule in ("none", "tabu"):
            worker = CompiledEngine(SameGame(problem.cells, rule=rule)).worker()
            for name, task, kind, arguments, seeds in rows:
                worker.warm(task(0))
                pairs = []
                for _ in range(repetitions if seeds > 1 or kind == ("sampling",) else max(1, repetitions // 3)):
                    runs = twins.run(program, *kind, file, rule, *arguments, 1, seeds)
                    theirs = sum(run.playouts for run in runs) / sum(run.seconds for run in runs)
                    rate, outcomes = ours(worker, task, seeds)
                    scores = [outcome.sequence.score for outcome in outcomes if outcome.sequence is not None]
                    assert scores == [run.score for run in runs], f"{name}: {scores} against {runs}"
                    pairs.append((rate, theirs, rate / theirs))
                best = [max(column) for column in zip(*pairs, strict=True)]
                ratio = median(pair[2] for pair in pairs)
                print(
                    f"SameGame 15 x 15, rule {rule:4}, {name:20} rookery {best[0]:>8,.0f}/s   C++ {best[1]:>8,.0f}/s   "
                    f"ratio {ratio:.2f} (median of {len(pairs)} pairs)",
                    flush=True,
                )


# --- the standard boards ---


def search_for(problem: SameGame, level: int, iterations: int, seconds: float, seed: int) -> rk.Result:
    """A run of NRPA on one core for this many seconds."""
    search = rk.NRPA(level=level, iterations=iterations)
    return rk.solve(problem, search, stop=rk.MaxTime(seconds), seed=seed, workers=1)


def best_at(result: rk.Result, seconds: float) -> float:
    """The best score that a run had after this many seconds."""
    return max((step.score for step in result.history if step.seconds <= seconds), default=0.0)


def probed(cells: np.ndarray, level: int, iterations: int, seconds: float, seed: int) -> float:
    """The tabu colour chosen by probing: of the colours with nearly the most cells, the one that scores best.

    A quarter of the time is shared among them at one level less, 15% among the best two, the rest is the winner's.
    """
    counts = np.bincount(cells.ravel())
    colours = [int(colour) for colour in np.flatnonzero(counts >= counts.max() - 8)]
    problems = {colour: SameGame(cells, "tabu", colour) for colour in colours}
    best = dict.fromkeys(colours, 0.0)
    spent = 0.0
    for share in (0.25, 0.15):
        if len(colours) > 1:
            for colour in colours:
                part = share * seconds / len(colours)
                probe = search_for(problems[colour], max(1, level - 1), iterations, part, seed + round(100 * share))
                best[colour] = max(best[colour], probe.score)
            spent += share
        colours = sorted(colours, key=best.__getitem__, reverse=True)[:2]
    winner = search_for(problems[colours[0]], level, iterations, (1 - spent) * seconds, seed).score
    return max(winner, *best.values())


def totals(boards: dict[int, np.ndarray], times: list[float], level: int, iterations: int, seed: int) -> None:
    """Each board on one core, three ways, looked at after these numbers of seconds; sums beside the published ones.

    Probing divides the time that there is, so it has a separate run for each of the times.
    """
    print(f"NRPA level {level}, N = {iterations}, one core, seed {seed}")
    heads = [f"{way} {seconds:g} s" for way in ("plain", "tabu", "probed") for seconds in times]
    print(f"{'board':>5}" + "".join(f"{head:>13}" for head in heads))
    rows = []
    for number, cells in boards.items():
        row = []
        for rule in ("none", "tabu"):
            run = search_for(SameGame(cells, rule), level, iterations, max(times), seed)
            row += [best_at(run, seconds) for seconds in times]
        row += [probed(cells, level, iterations, seconds, seed) for seconds in times]
        rows.append(row)
        print(f"{number:>5}" + "".join(f"{score:>13,.0f}" for score in row), flush=True)
    print(f"{'total':>5}" + "".join(f"{sum(column):>13,.0f}" for column in zip(*rows, strict=True)))
    print("published, 20 boards: " + "; ".join(f"{name} {total:,}" for name, total in PUBLISHED.items()))


def chosen_boards(file: str, which: str) -> dict[int, np.ndarray]:
    """The boards of a file by their numbers: ``1-20``, or ``1,5,7``."""
    boards = file_boards(file)
    numbers: list[int] = []
    try:
        for part in which.split(","):
            first, _, last = part.partition("-")
            numbers += range(int(first), int(last or first) + 1)
    except ValueError:
        raise rk.InputError(f"--boards must be numbers such as 1-20 or 1,5,7, got {which!r}") from None
    for number in numbers:
        if not 1 <= number <= len(boards):
            raise rk.InputError(f"--boards must be 1 to {len(boards)}, the boards in {file}, got {number}")
    return {number: boards[number - 1] for number in numbers}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--totals", action="store_true", help="plain, tabu and probed tabu on the standard boards")
    parser.add_argument("--repetitions", type=int, default=5, help="pairs of runs for the speed (default: 5)")
    seconds = {"type": float, "nargs": "+", "default": [30.0]}
    parser.add_argument("--seconds", **seconds, help="for a board, in the totals (default: 30)")
    parser.add_argument("--level", type=int, default=3, help="of NRPA, in the totals (default: 3)")
    parser.add_argument("--iterations", type=int, default=100, help="N of NRPA, in the totals (default: 100)")
    parser.add_argument("--boards", default="1-20", help="which of the boards (default: 1-20)")
    parser.add_argument("--file", default=str(STANDARD), help="with the standard boards")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    try:
        if options.totals:
            boards = chosen_boards(options.file, options.boards)
            totals(boards, options.seconds, options.level, options.iterations, options.seed)
        else:
            speed(options.repetitions)
    except rk.RookeryError as error:
        print(f"samegame: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
