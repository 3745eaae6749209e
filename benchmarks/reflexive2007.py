"""Sampling, UCT and reflexive search on Morpion 5D, beside Tables 1 to 5 of Cazenave 2007.

python benchmarks/reflexive2007.py                   # up to 10,000 games and the smaller combinations
python benchmarks/reflexive2007.py --seeds 5         # the median of five runs, and their range
python benchmarks/reflexive2007.py --large           # also what takes from minutes to hours
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable

import rookery as rk

# Cazenave 2007: games -> (length of the best game, seconds on a Pentium 4 of 2.8 GHz); one run each
Table = dict[int, tuple[int, float]]
SAMPLING: Table = {
    **{10: (55, 0.008), 100: (58, 0.12), 1000: (60, 1.0), 10_000: (63, 9.8), 100_000: (63, 98), 1_000_000: (63, 978)},
    10_000_000: (64, 17_141),
}
MOBILITY: Table = {
    **{10: (60, 0.12), 100: (61, 1.05), 1000: (62, 10.2), 10_000: (62, 101), 100_000: (63, 1005)},
    1_000_000: (64, 10_063),
}
UCT: Table = {
    **{10: (60, 0.16), 100: (60, 1.3), 1000: (61, 16), 10_000: (64, 176), 100_000: (64, 2108)},
    1_000_000: (65, 18_060),
}
# Tables 4 and 5: (games, meta-games) -> (length, seconds) of a single meta-meta-game
REFLEXIVE: dict[tuple[int, int], tuple[int, float]] = {
    **{(1, 1): (63, 5), (1, 10): (63, 42), (1, 100): (67, 417), (1, 1000): (67, 3248)},
    **{(10, 1): (63, 23), (10, 10): (67, 774), (10, 100): (69, 3643), (10, 1000): (67, 27_688)},
    **{(100, 1): (65, 253), (100, 10): (69, 4079), (100, 100): (72, 26_225)},
    (1000, 1): (71, 3188),
}
FEW_GAMES = 10_000
FEW_COMBINATIONS = 1000  # games times meta-games
PROBLEM = rk.problems.Morpion("5D")
NOTE = """\
The paper gives one run of each, and does not say which playouts Tables 4 and 5 have: here they are uniform. Its text
says no more of UCT than its formula and C = 0.1; here a move that was never played comes first."""


def main() -> int:
    options = arguments()
    seeds = range(1, options.seeds + 1)
    try:
        for title, printed, search in (
            ("Table 1: sampling, random moves", SAMPLING, lambda games: rk.Sampling(rule="uniform")),
            ("Table 2: sampling, mobility", MOBILITY, lambda games: rk.Sampling(rule="mobility")),
            ("Table 3: UCT, mobility", UCT, lambda games: rk.UCT(playouts=games, c=0.1, rule="mobility")),
        ):
            flat(title, printed, search, seeds, options.large)
        nested(seeds, options.large)
    except rk.RookeryError as error:
        print(f"reflexive2007: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    print(f"\n{NOTE}")
    return 0


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=1, help="runs of each; their median is printed (default: 1)")
    parser.add_argument("--large", action="store_true", help="all of the paper's columns")
    return parser.parse_args()


def flat(title: str, printed: Table, search: Callable[[int], rk.Sampling | rk.UCT], seeds: range, large: bool) -> None:
    print(f"\n{title}")
    print(row("games", "length", "time", "2007: length", "time"), flush=True)
    for games, (length, seconds) in printed.items():
        if games <= FEW_GAMES or large:
            found, took = measured(search(games), rk.MaxPlayouts(games), seeds)
            print(row(f"{games:,}", found, took, str(length), f"{seconds:,g} s"), flush=True)


def nested(seeds: range, large: bool) -> None:
    print("\nTables 4 and 5: reflexive search, a single meta-meta-game")
    print(row("games x meta-games", "length", "time", "2007: length", "time"), flush=True)
    for (games, meta_games), (length, seconds) in REFLEXIVE.items():
        if games * meta_games <= FEW_COMBINATIONS or large:
            search = rk.Reflexive(level=2, games={1: games, 2: meta_games}, rule="uniform")
            found, took = measured(search, None, seeds)
            print(row(f"{games:,} x {meta_games:,}", found, took, str(length), f"{seconds:,g} s"), flush=True)


def measured(search: rk.Sampling | rk.UCT | rk.Reflexive, stop: rk.Stop | None, seeds: range) -> tuple[str, str]:
    """The median length and time of runs on one core, with the range of lengths if there are several."""
    rk.solve(PROBLEM, search, stop=rk.MaxPlayouts(1), seed=0)  # compiled, or read from disk
    lengths, times = [], []
    for seed in seeds:
        began = time.perf_counter()
        result = rk.solve(PROBLEM, search, stop=stop, seed=seed, workers=1)
        if result.status == "interrupted":
            raise KeyboardInterrupt
        times.append(time.perf_counter() - began)
        lengths.append(round(result.score))
    spread = f" ({min(lengths)} to {max(lengths)})" if len(lengths) > 1 else ""
    return f"{statistics.median(lengths):g}{spread}", f"{statistics.median(times):,.3g} s"


def row(name: str, length: str, seconds: str, printed: str, printed_seconds: str) -> str:
    return f"{name:20}{length:>16}{seconds:>12}{printed:>16}{printed_seconds:>12}"


if __name__ == "__main__":
    sys.exit(main())
