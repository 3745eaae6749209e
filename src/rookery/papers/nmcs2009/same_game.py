"""Cazenave 2009, section 5.2: SameGame on 20 positions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from rookery.papers.items import Cell, Figure, Item, at_scales, median_of
from rookery.papers.theirs import OneRun
from rookery.papers.works import Hands, Runs
from rookery.problems.samegame import SameGame
from rookery.problems.samegame.boards import generated_boards, standard_boards
from rookery.search.nmcs import NMCS

PRINTED: Mapping[str, tuple[int, ...]] = {
    "SP-MCTS": (
        *(2557, 3749, 3085, 3641, 3653, 3971, 2797, 3715, 4603, 3213),
        *(3047, 3131, 3097, 2859, 3183, 4879, 4609, 4853, 4503, 4853),
    ),
    "level 2": (
        *(1442, 1543, 1817, 2077, 2471, 2394, 1802, 2480, 3598, 2040),
        *(1486, 1995, 1265, 1163, 1871, 3468, 3263, 3015, 2822, 2719),
    ),
    "level 2m": (
        *(1805, 3151, 2707, 3221, 3084, 3367, 2567, 3785, 3897, 3075),
        *(2687, 2699, 2857, 2413, 2937, 4607, 4397, 4689, 4287, 3705),
    ),
    "level 3m": (
        *(3121, 3813, 3085, 3697, 4055, 4459, 2949, 3999, 4695, 3223),
        *(3147, 3201, 3197, 2799, 3677, 4979, 4919, 5201, 4883, 4835),
    ),
}
"""The scores of the 20 positions; SP-MCTS is another paper's."""
COLUMNS = {
    "level 2": (2, False, 125.0, at_scales(1, 3, 20)),
    "level 2m": (2, True, 100.0, at_scales(0, 3, 20)),
    "level 3m": (3, True, 200_000.0, at_scales(0, 0, 1)),
}
"""Name -> level, whether memorised, core-seconds of all boards, and runs."""


def boards(hands: Hands) -> dict[str, SameGame]:
    """The boards by their numbers, with TabuColorRandom."""
    found = standard_boards(hands.boards) if are_standard(hands) else generated_boards(int(str(hands.boards)))
    return {str(number): SameGame(cells, rule="tabu") for number, cells in enumerate(found, 1)}


def are_standard(hands: Hands) -> bool:
    """Whether the boards are those of the paper, not generated ones."""
    return not str(hands.boards).isdecimal()


def same_game() -> tuple[Cell, ...]:
    """A row for each position and column, and the totals."""
    cells = []
    for column, (level, memorise, cost, samples) in COLUMNS.items():
        search = NMCS.cazenave(level, memorise)
        work = Runs(f"samegame-{column.split()[1]}", cost, boards, search, comparable=are_standard)
        for number, printed in enumerate(PRINTED[column], 1):
            theirs = OneRun(f"{printed:,}", float(printed))
            score = partial(board_scores, str(number))
            cells.append(Cell((str(number), column), work, samples, theirs, score, points))
        total = sum(PRINTED[column])
        theirs = OneRun(f"{total:,}", float(total))
        cells.append(Cell(("total", column), work, samples, theirs, totals, points))
    return tuple(cells)


def board_scores(number: str, samples: Sequence[Any]) -> list[float]:
    """The scores of a board."""
    return [sample[number].score for sample in samples]


def totals(samples: Sequence[Any]) -> list[float]:
    """The sums over all boards."""
    return [sum(run.score for run in sample.values()) for sample in samples]


def points(values: Sequence[float]) -> Figure:
    """The median, and the range."""
    return median_of(values, "{:,.0f}".format)


TABLE_1 = Item(
    "table",
    "1",
    "SameGame, 20 positions",
    ("position", "search"),
    same_game(),
    note="The paper has one run of each. Runs differ by hundreds of points on a board.",
)
