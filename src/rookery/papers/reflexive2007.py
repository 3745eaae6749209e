"""Cazenave 2007, "Reflexive Monte-Carlo Search": Tables 1 to 5, on Morpion Solitaire 5D.

The paper has one run of each. It does not say which playouts Tables 4 and 5 have: here they are uniform. It says no
more of UCT than its formula and C = 0.1: here a move that was never played comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rookery.papers.items import Cell, Figure, Item, Paper, Scale, at_scales, median_of
from rookery.papers.theirs import OneRun, Theirs
from rookery.papers.works import Runs, Work, named
from rookery.search.protocol import Search
from rookery.search.reflexive import Reflexive
from rookery.search.sampling import Sampling
from rookery.search.uct import UCT
from rookery.stop import MaxPlayouts

Column = Mapping[int, tuple[int, str]]
"""Games -> the length of the best game, and the time it took on a Pentium 4 of 2.8 GHz."""

TABLE_1: Column = {
    10: (55, "0.008 s"),
    100: (58, "0.12 s"),
    1_000: (60, "1.0 s"),
    10_000: (63, "9.8 s"),
    100_000: (63, "98 s"),
    1_000_000: (63, "978 s"),
    10_000_000: (64, "17,141 s"),
}
TABLE_2: Column = {
    10: (60, "0.12 s"),
    100: (61, "1.05 s"),
    1_000: (62, "10.2 s"),
    10_000: (62, "101 s"),
    100_000: (63, "1,005 s"),
    1_000_000: (64, "10,063 s"),
}
TABLE_3: Column = {
    10: (60, "0.16 s"),
    100: (60, "1.3 s"),
    1_000: (61, "16 s"),
    10_000: (64, "176 s"),
    100_000: (64, "2,108 s"),
    1_000_000: (65, "18,060 s"),
}
TABLES_4_AND_5: Mapping[tuple[int, int], tuple[int, str]] = {
    (1, 1): (63, "5 s"),
    (1, 10): (63, "42 s"),
    (1, 100): (67, "417 s"),
    (1, 1_000): (67, "3,248 s"),
    (10, 1): (63, "23 s"),
    (10, 10): (67, "774 s"),
    (10, 100): (69, "3,643 s"),
    (10, 1_000): (67, "27,688 s"),
    (100, 1): (65, "253 s"),
    (100, 10): (69, "4,079 s"),
    (100, 100): (72, "26,225 s"),
    (1_000, 1): (71, "3,188 s"),
}
"""(games, meta-games) -> the length and the time of a single meta-meta-game."""

SOLVE = 0.02
"""Core-seconds of a run that plays next to nothing."""
BUDGETS: Mapping[Scale, float] = {"quick": 20.0, "half": 300.0}
"""Core-seconds that a cell may take at these scales; full has as many runs as half, but of all cells."""
COUNTS = (1_000, 500, 200, 100, 50, 20)
"""Runs of a cell."""


def runs_of(cost: float) -> Mapping[Scale, int]:
    """As many runs as a cell of this cost can have at each scale.

    >>> dict(runs_of(4.2)), dict(runs_of(1000.0))
    ({'quick': 0, 'half': 50, 'full': 50}, {'quick': 0, 'half': 0, 'full': 20})
    """
    quick, half = (next((n for n in COUNTS if n * cost <= BUDGETS[scale]), 0) for scale in ("quick", "half"))
    return at_scales(quick, half, half or COUNTS[-1])


def length(games: int, work: Work, paper: int) -> Cell:
    """The length of the best of so many games, beside the paper's run."""
    return Cell((f"{games:,}",), work, runs_of(work.cost), OneRun(str(paper), float(paper)))


def flat(name: str, printed: Column, search: Callable[[int], Search], playout: float) -> tuple[Cell, ...]:
    """A row of lengths; a game takes ``playout`` core-seconds."""
    cells = []
    for games, (paper, _) in printed.items():
        work = Runs(f"{name}-{games}", SOLVE + games * playout, MORPION, search(games), MaxPlayouts(games))
        cells.append(length(games, work, paper))
    return tuple(cells)


def meta_game(games: int, meta_games: int) -> Runs:
    """A meta-meta-game; its cost grows a little faster than with the games that it plays."""
    search = Reflexive(level=2, games={1: games, 2: meta_games}, rule="uniform")
    return Runs(f"reflexive-{games}x{meta_games}", SOLVE + 0.0048 * games * meta_games, MORPION, search)


def seconds(samples: Sequence[Any]) -> list[float]:
    """The seconds of runs."""
    return [run.seconds for sample in samples for run in sample.values()]


def in_seconds(values: Sequence[float]) -> Figure:
    """The median of seconds, and their range."""
    return median_of(values, lambda value: f"{value:,.3g} s")


MORPION = named("morpion", variant="5D")
UNIFORM = flat("sampling", TABLE_1, lambda games: Sampling(rule="uniform"), 5.5e-6)
MOBILITY = flat("mobility", TABLE_2, lambda games: Sampling(rule="mobility"), 4.0e-4)
TREE = flat("uct", TABLE_3, lambda games: UCT(playouts=games, c=0.1, rule="mobility"), 6.3e-4)
META = {key: meta_game(*key) for key in TABLES_4_AND_5}
COMBINATIONS = ("games", "meta-games")


def combination(key: tuple[int, int], theirs: Theirs, **more: Any) -> Cell:
    """A cell of Table 4 or 5."""
    work = META[key]
    return Cell((f"{key[0]:,}", f"{key[1]:,}"), work, runs_of(work.cost), theirs, **more)


PAPER = Paper(
    name="reflexive-2007",
    citation='T. Cazenave, "Reflexive Monte-Carlo Search", Computer Games Workshop 2007',
    items=(
        Item("table", "1", "best length by sampling, random moves", ("games",), UNIFORM),
        Item("table", "2", "best length by sampling, mobility", ("games",), MOBILITY),
        Item("table", "3", "best length by UCT, mobility", ("games",), TREE),
        Item(
            "table",
            "4",
            "best length by reflexive search",
            COMBINATIONS,
            tuple(combination(key, OneRun(str(paper), float(paper))) for key, (paper, _) in TABLES_4_AND_5.items()),
        ),
        Item(
            "table",
            "5",
            "time of reflexive search",
            COMBINATIONS,
            tuple(
                combination(key, Theirs(time), values=seconds, summary=in_seconds)
                for key, (_, time) in TABLES_4_AND_5.items()
            ),
            note="The paper's times are those of a Pentium 4 of 2.8 GHz: they are not compared.",
        ),
        Item(
            "figure",
            "3",
            "a game of 78 moves",
            not_available="the game exists only as a picture, which the text of the paper does not have",
        ),
    ),
)
