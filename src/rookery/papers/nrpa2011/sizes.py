"""Depth and branching of the test problems: Table 1 of Rosin 2011."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rookery.papers.items import Cell, Item, at_scales
from rookery.papers.nrpa2011.problems import CROSSP, PROBLEMS, largest, score_of, single_run, words_of
from rookery.papers.theirs import Exactly, Theirs
from rookery.papers.works import Hands, Runs, Work, scores
from rookery.problems.morpion.widest import WidestMorpion
from rookery.running.solve import replay
from rookery.search.sampling import Sampling
from rookery.stop import MaxPlayouts

TABLE_1: Mapping[str, tuple[int, int, str, str]] = {
    "MorpT": (177, 46, "177", "170"),
    "MorpD": (82, 46, "82", "80"),
    "CrossC": (37, 1197, "37;259", "36;256"),
    "CrossP": (28, 988, "28;238", "28;236"),
}
"""Problem -> depth, branching, the record of the paper, and the one before."""

PLAYOUTS = 1_000_000
"""Random playouts of a run in which the branching of Morpion is measured."""


def depths(samples: Sequence[Any]) -> list[float]:
    """The lengths of the best sequences of runs."""
    return [float(len(run.moves)) for sample in samples for run in sample.values()]


def first_moves(problem: str) -> Callable[[Sequence[Any]], list[float]]:
    """The legal moves of the first state, the most of a crossword, once for each run."""

    def count(samples: Sequence[Any]) -> list[float]:
        (given,) = PROBLEMS[problem](Hands()).values()
        return [float(len(replay(given, ())[1]))] * len(samples)

    return count


def branching(problem: str) -> Cell:
    """The most legal moves of a state."""
    printed = TABLE_1[problem][1]
    labels = (problem, "branching")
    if problem.startswith("Cross"):
        theirs = (Exactly if problem == "CrossC" else Theirs)(f"{printed:,}", float(printed))
        return Cell(labels, single_run(problem, 3), RUNS[problem], theirs, first_moves(problem), largest)
    widest = WidestMorpion("5T" if problem == "MorpT" else "5D", dominated=True)
    work = Runs(f"{problem}-branching".lower(), 5.0, lambda hands: {problem: widest}, Sampling(), MaxPlayouts(PLAYOUTS))
    return Cell(labels, work, at_scales(3, 20, 200), Theirs(str(printed), float(printed)), scores, largest)


RUNS = {
    "MorpT": at_scales(3, 20, 100),
    "MorpD": at_scales(3, 20, 100),
    "CrossC": at_scales(1, 3, 100),
    "CrossP": at_scales(1, 3, 100),
}
"""Runs of level 3 of each problem."""


def seen_in(problem: str) -> tuple[Cell, ...]:
    """Depth, branching and the best score of test runs."""
    depth, _, new, old = TABLE_1[problem]
    work: Work = single_run(problem, 3)
    samples = RUNS[problem]
    record = Theirs(f"{new}, before {old}", score_of(new))
    return (
        Cell((problem, "depth"), work, samples, Theirs(str(depth), float(depth)), depths, largest),
        branching(problem),
        Cell((problem, "record"), work, samples, record, scores, partial(largest, words=words_of(problem))),
    )


def table_1() -> Item:
    """Depth, branching and records."""
    cells = tuple(cell for problem in TABLE_1 for cell in seen_in(problem))
    note = (
        "The paper does not say which test runs it looked at; its depths are those of its records. Ours are single "
        "runs of NRPA level 3, and for the branching of Morpion runs of a million random playouts. A crossword "
        f"branches most at its first word. {CROSSP}"
    )
    return Item("table", "1", "depth and branching of the test problems", ("problem", "figure"), cells, note=note)
