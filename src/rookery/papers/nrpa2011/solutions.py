"""What solutions are made of, and one of them: Table 6 and Figure 7 of Rosin 2011."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple
from functools import partial
from typing import Any, Literal

from rookery.papers.content import solution_content
from rookery.papers.items import Cell, Figure, Item, at_scales, mean_of, number_of
from rookery.papers.kept import Kept, Sample
from rookery.papers.nrpa2011.problems import COSTS, PROBLEMS, words_of
from rookery.papers.theirs import Exactly, MeanOf
from rookery.papers.works import Computed, Hands, Problems
from rookery.problems.crossword import Crossword
from rookery.running.callbacks import Callback
from rookery.running.solve import replay, solve
from rookery.search.nrpa import NRPA

# --- Table 6 ---

Kind = Literal["ties", "improvements"]
CONTENTS = ("prefix", "permutation", "hybrid", "new")
TABLE_6: Mapping[Kind, tuple[float, ...]] = {
    "ties": (0.1, 89.7, 8.3, 1.9),
    "improvements": (0.1, 65.0, 14.9, 20.0),
}
"""Ties and improvements -> the share of each kind of content, in per cent."""
RUNS = 200
"""Runs of the paper; it has over 200."""


class Accepted(Callback):
    """Keeps the solutions that a level has accepted, and whether they were ties."""

    def __init__(self, level: int) -> None:
        self.level = level
        self.solutions: list[tuple[tuple[Any, ...], bool]] = []

    def on_replace(self, level: int, iteration: int, sequence: Sequence[Any], tie: bool) -> None:
        """Keep it."""
        if level == self.level:
            self.solutions.append((tuple(sequence), tie))


def content_of(problems: Problems, search: NRPA, seed: int, hands: Hands) -> Sample:
    """The content of what the top level of a run has accepted, counted in codes; those of Morpion are its moves."""
    (problem,) = problems(hands).values()
    accepted = Accepted(search.level)
    crew: dict[str, Any] = {"workers": hands.workers, "executor": hands.executor, "address": hands.address}
    observers = [accepted, *hands.observers(f"content, seed {seed}")]
    run = solve(problem, search, seed=seed, atomic_level=search.level - 1, callbacks=observers, **crew)
    if run.status != "finished":
        raise KeyboardInterrupt
    ties, improvements = solution_content(accepted.solutions)
    counts = {"ties": astuple(ties), "improvements": astuple(improvements)}
    return {**counts, "playouts": run.playouts, "seconds": run.seconds * run.workers}


def share_of(kind: Kind, content: int) -> Callable[[Sequence[Any]], list[float]]:
    """The share of a kind of content in per cent: a value for each run, whose mean is the share in all runs together.

    Runs with more solutions count more, as in the paper. The values vary as the share does when other runs are drawn.

    >>> runs = [{"ties": (0, 9, 1, 0)}, {"ties": (0, 20, 10, 0)}]
    >>> shares = share_of("ties", 1)(runs)
    >>> sum(shares) / 2, 100 * 29 / 40
    (72.5, 72.5)
    """

    def shares(samples: Sequence[Any]) -> list[float]:
        pairs = [(sample[kind][content], sum(sample[kind])) for sample in samples]
        codes = sum(total for _, total in pairs)
        if not codes:
            return []
        share, each = sum(count for count, _ in pairs) / codes, codes / len(pairs)
        return [100 * (share + (count - share * total) / each) for count, total in pairs]

    return shares


def in_per_cent(values: Sequence[float]) -> Figure:
    """The mean, with one digit."""
    return mean_of(values, 1)


def table_6() -> Item:
    """The content of intermediate solutions."""
    work = Kept("morpt-content", COSTS["MorpT"], partial(content_of, PROBLEMS["MorpT"], NRPA.rosin(3)))
    cells = tuple(
        Cell(
            (kind, CONTENTS[i]),
            work,
            at_scales(15, 60, RUNS),
            MeanOf(f"{printed}", printed, of=RUNS),
            share_of(kind, i),
            in_per_cent,
        )
        for kind, row in TABLE_6.items()
        for i, printed in enumerate(row)
    )
    note = "Per cent of the codes of the solutions that level 3 accepts; the first one of a run is not counted."
    title = "content of intermediate solutions of NRPA for MorpT"
    return Item("table", "6", title, ("accepted as", "content"), cells, note=note)


# --- Figure 7 ---

FIGURE_7A = """\
C.....HALIFAX...I.D
OLYMPIA....T....Q.E
L...H.R..COLUMBIA.S
U..BOSTON..A....L.M
M.S.E.F..HONOLULU.O
BATONROUGE.T....I.I
U.J.I.R..L.A.AUSTIN
S.O.X.DOVER..U.A..E
..H......N.REGINA.S
CONCORD..A...U.T...
H.S...E.J..BISMARCK
A...JUNEAU...T.F...
R..T..V.C...SALEM..
L.BOISE.K.P.T.A.A.A
E..R..R.S.I.P.N.D.L
S..O...TOPEKA.S.I.B
TRENTON.N.R.U.I.S.A
O..T......R.LINCOLN
N.MONTPELIER..G.N.Y
"""


def grid(hands: Hands) -> tuple[float]:
    """The score of the grid in Figure 7, by the rules."""
    problem = Crossword.build()
    score, _ = replay(problem, problem.read(FIGURE_7A))
    return (score,)


def figure_7a() -> Item:
    """The grid of CrossC."""
    theirs, words = Exactly("37;259", 37_259.0), partial(number_of, words=words_of("CrossC"))
    cell = Cell(("CrossC",), Computed("grid", 1.0, grid), at_scales(1, 1, 1), theirs, tuple, words)
    note = "The grid that the paper prints, checked by the rules of the contest."
    return Item("figure", "7a", "a grid of 37 words and 259 letters", ("grid",), (cell,), note=note)


def figure_7b() -> Item:
    """The game of MorpT."""
    reason = "the game exists only as a picture, which the text of the paper does not have"
    return Item("figure", "7b", "a game of 177 moves", not_available=reason)
