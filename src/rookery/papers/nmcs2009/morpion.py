"""Cazenave 2009, section 5.1: the scores of Morpion Solitaire 5D."""

from __future__ import annotations

from collections.abc import Mapping

from rookery.papers.histograms import Histogram, Peak, each_score, mode_of, shares
from rookery.papers.items import Cell, Item, Picture, Series, at_scales
from rookery.papers.nmcs2009.levels import search_of, short_name
from rookery.papers.theirs import Theirs
from rookery.papers.works import Found, named

MORPION = {"variant": "5D"}
MORPION_COSTS = {0: 6e-6, 1: 2e-3, 2: 0.4, 3: 80.0}
"""Level -> core-seconds of a search."""
MORPION_RUNS = {
    0: at_scales(100_000, 100_000, 100_000),
    1: at_scales(10_000, 10_000, 10_000),
    2: at_scales(500, 2_500, 10_000),
    3: at_scales(0, 10, 400),
}
PEAKS = {(1, False): 59, (2, False): 62, (1, True): 61, (2, True): 66}
"""(level, memorised) -> the peak of the distribution."""


def morpion_cell(level: int, memorise: bool) -> Cell:
    """The scores of a level."""
    name, search = f"morpion-{short_name(level, memorise)}", search_of(level, memorise)
    work = Histogram(name, MORPION_COSTS[level], named("morpion", **MORPION), search, None if level else 1)
    peak = PEAKS.get((level, memorise))
    theirs = Theirs("") if peak is None else Peak(str(peak), float(peak))
    return Cell((str(level),), work, MORPION_RUNS[level], theirs, each_score, mode_of)


def morpion_lines(found: Mapping[str, Found]) -> Series:
    """The distributions of all levels."""
    return {f"level {name.split('-')[1][0]}": shares(found, name) for name in sorted(found)}


FIGURES_8_AND_9 = tuple(
    Item(
        "figure",
        "9" if memorise else "8",
        f"scores of Morpion Solitaire 5D, with{'' if memorise else 'out'} memorisation",
        ("level",),
        tuple(morpion_cell(level, memorise) for level in range(4 if memorise else 3)),
        picture=Picture("score", "share of the searches", morpion_lines),
        note="The most frequent scores; the paper names those of levels 1 and 2. A search of level 2 is about 200,000 "
        "playouts, so that the paper's 10,000 of them are two thousand million: an hour of a core.",
    )
    for memorise in (False, True)
)
