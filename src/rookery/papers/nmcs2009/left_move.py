"""Cazenave 2009, section 4: the leftmost path and the left move problem, whose distributions are known exactly."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from rookery.papers.histograms import Histogram, Theory, each_score, reached, shares
from rookery.papers.items import Cell, Figure, Item, Picture, Series, at_scales, mean_of, number_of, probability_of
from rookery.papers.nmcs2009.levels import search_of, short_name
from rookery.papers.theirs import Exactly, Probability, Rounded, Theirs
from rookery.papers.works import Computed, Found, named
from rookery.problems.leftmove import exact_distribution
from rookery.search.nmcs import NMCS

DEPTH = 60


def left(depth: int, level: int, memorise: bool, cost: float) -> Histogram:
    """Searches of the left move problem; a playout is a search of level 0."""
    name = f"left-{depth}-{short_name(level, memorise)}"
    return Histogram(name, cost, named("leftmove", depth=depth), search_of(level, memorise), None if level else 1)


LEFT_COSTS = {0: 5e-7, 1: 1.2e-5, 2: 4.6e-4, 3: 1.5e-2}
"""Level -> core-seconds of a search of depth 60."""
LEFT_RUNS = {
    0: at_scales(100_000, 100_000, 100_000),
    1: at_scales(100_000, 100_000, 100_000),
    2: at_scales(10_000, 100_000, 100_000),
    3: at_scales(500, 5_000, 100_000),
}


EXACT_MEANS = {0: 30.0, 1: 37.795, 2: 39.028, 3: 39.878}
"""Level -> the mean score at depth 60 without memorisation, by the paper's formulas."""


@cache
def exact(depth: int, level: int) -> tuple[float, ...]:
    """The exact distribution without memorisation."""
    return tuple(exact_distribution(depth, level))


def left_cell(level: int, memorise: bool) -> Cell:
    """The scores of a level beside the exact distribution, which there is without memorisation."""
    work, theirs = left(DEPTH, level, memorise, LEFT_COSTS[level]), Theirs("")
    if not memorise:
        mean = EXACT_MEANS[level]
        theirs = Theory(f"{mean:.3f} (exact)", mean, partial(exact, DEPTH, level))
    return Cell((str(level),), work, LEFT_RUNS[level], theirs, each_score, partial(mean_of, digits=3))


def left_lines(memorise: bool, found: Mapping[str, Found]) -> Series:
    """The distributions, and the exact ones dashed."""
    lines = {}
    for level in range(4):
        name = left(DEPTH, level, memorise, 0.0).name
        if name in found:
            lines[f"level {level}"] = shares(found, name)
            if not memorise:
                lines[f"level {level} | exact"] = [
                    (float(score), share) for score, share in enumerate(exact(DEPTH, level)) if share > 1e-6
                ]
    return lines


def best_by_depth(found: Mapping[str, Found]) -> Series:
    """The exact probability of the best score at each depth."""
    depths = range(1, 101)
    return {f"level {level}": [(float(d), exact(d, level)[d]) for d in depths] for level in range(4)}


DEPTHS, LEVELS = (3, 6, 9, 12), (1, 2, 3)
ENTRY_RUNS = at_scales(10_000, 100_000, 100_000)
"""Searches of an entry of the tables, 100,000 in the paper."""


def share_of_best(depth: int, values: Sequence[float]) -> Figure:
    """The share of the searches that have found the best score."""
    return probability_of([float(score == depth) for score in values])


def entry(depth: int, level: int, memorise: bool) -> Cell:
    """The share of searches that find the best score; all scores are compared with the exact distribution."""
    theirs = Theirs("")
    if not memorise:
        best = exact(depth, level)[depth]
        theirs = Theory(f"{best:.4f} (exact)", best, partial(exact, depth, level))
    labels = (str(depth), str(level), "memorised" if memorise else "all scores", "P(best)")
    work = left(depth, level, memorise, 2.5e-5 * (depth / 9) ** 2 * 9.0 ** (level - 3))
    return Cell(labels, work, ENTRY_RUNS, theirs, each_score, partial(share_of_best, depth))


NINE = {memorise: left(9, 3, memorise, 2.5e-5) for memorise in (False, True)}
NINE_RUNS = at_scales(100_000, 1_000_000, 1_000_000)
THEORY = Item(
    "claim",
    "theory",
    "probabilities of the left move problem (section 4.2)",
    ("depth", "level", "how", "figure"),
    (
        Cell(
            ("9", "3", "exact", "P(best)"),
            Computed("left-theory", 0.5, lambda hands: (exact(9, 3)[9],)),
            at_scales(1, 1, 1),
            Rounded("0.41", 0.41),
            list,
            partial(number_of, words="{:.4f}".format),
        ),
        Cell(
            ("9", "3", "searches", "P(best)"),
            NINE[False],
            NINE_RUNS,
            Probability("0.41", 0.41),
            reached(9),
            probability_of,
        ),
        Cell(
            ("9", "3", "searches, memorised", "P(best)"),
            NINE[True],
            NINE_RUNS,
            Probability("0.80", 0.80),
            reached(9),
            probability_of,
        ),
        *(entry(depth, level, memorise) for memorise in (False, True) for depth in DEPTHS for level in LEVELS),
    ),
    picture=Picture("depth", "probability of the best score", best_by_depth, log="y"),
    note=(
        "The picture is exact, by the paper's dynamic programme; rookery.problems.leftmove.exact_distribution gives "
        "the probabilities of all scores for any depth and level. Of the paper's tables its text has two entries, "
        "those of depth 9 and level 3. All other searches are compared with the exact distribution of all scores, "
        "where there is one: without memorisation. Two of those differ, by chance: with other seeds, 4,000,000 "
        "searches of depth 9 and level 3 from the seed 10^13 on have p = 0.75, and 6,000,000 of depth 3 and level 2 "
        "from 10^12 on p = 0.96."
    ),
)
LEFTMOST = Item(
    "claim",
    "leftmost",
    "the leftmost path problem (section 4.1): level 1 always finds the best score",
    ("depth",),
    (
        Cell(
            ("60",),
            Histogram("leftmost-60-1", 5e-5, named("leftmost", depth=60), NMCS.cazenave(1)),
            at_scales(1_000, 10_000, 10_000),
            Exactly("always", 1.0),
            reached(60),
            probability_of,
        ),
    ),
)
FIGURES_3_AND_4 = tuple(
    Item(
        "figure",
        "4" if memorise else "3",
        f"scores of the left move problem, depth 60, with{'' if memorise else 'out'} memorisation",
        ("level",),
        tuple(left_cell(level, memorise) for level in range(4)),
        picture=Picture("score", "share of the searches", partial(left_lines, memorise)),
        note="Means; the paper has pictures of 100,000 searches of each level."
        + ("" if memorise else " Ours are compared with the exact distribution that section 4.2 derives."),
    )
    for memorise in (False, True)
)
