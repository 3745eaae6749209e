"""Timelines of Rosin 2011: Tables 2 to 4 and Figure 5.

Runs of 100, 1,000 or 10,000 seconds are filled with restarts; the best score so far is followed, and the median of at
least 15 is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial

from rookery.papers.items import Cell, Item, Picture, Scale, at_scales, median_of
from rookery.papers.nrpa2011.problems import CROSSP, PROBLEMS, TUNED, score_of, words_of
from rookery.papers.theirs import MedianOf, Theirs
from rookery.papers.timelines import Timelines, medians
from rookery.papers.works import scores_at
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.protocol import Search
from rookery.search.sampling import Sampling
from rookery.stop import MaxTime

METHODS: Mapping[str, Search] = {
    "NRPA 4": NRPA.rosin(4),
    "NRPA 3": NRPA.rosin(3),
    "NRPA 2": NRPA.rosin(2),
    "NRPA 1": NRPA.rosin(1),
    "NRPA 0": Sampling(rule="uniform"),
    "NMCS 3": NMCS.rosin(3),
    "NMCS 2": NMCS.rosin(2),
    "tuned NMCS 3": NMCS.rosin(3),
    "Sample-5 NMCS 4": NMCS.rosin(4, sample=5),
    "Sample-15 NMCS 3": NMCS.rosin(3, sample=15),
}
"""Name and level -> search."""

Key = tuple[str, str]
"""A problem and a method."""

TABLES_2_TO_4: Mapping[Key, Mapping[int, str]] = {
    ("MorpT", "NRPA 4"): {100: "152", 1_000: "155", 10_000: "160"},
    ("MorpT", "NRPA 3"): {100: "153", 1_000: "157", 10_000: "158"},
    ("MorpT", "NMCS 3"): {100: "116", 1_000: "130", 10_000: "137"},
    ("MorpT", "tuned NMCS 3"): {100: "137", 1_000: "146", 10_000: "149"},
    ("MorpD", "NRPA 3"): {100: "79", 1_000: "81"},
    ("MorpD", "NMCS 3"): {100: "71", 1_000: "74"},
    ("CrossC", "NRPA 3"): {100: "33;229", 1_000: "34;244", 10_000: "35;247"},
    ("CrossC", "NRPA 2"): {100: "32;240", 1_000: "33;242"},
    ("CrossC", "NMCS 2"): {100: "31;223", 1_000: "32;229", 10_000: "33;235"},
    ("CrossC", "Sample-5 NMCS 4"): {100: "32;228", 1_000: "33;232", 10_000: "34;235"},
    ("CrossC", "Sample-15 NMCS 3"): {100: "32;231", 1_000: "33;235", 10_000: "33;248"},
    ("CrossP", "NRPA 3"): {100: "26;222", 1_000: "27;223"},
    ("CrossP", "NRPA 2"): {100: "26;219", 1_000: "26;232"},
    ("CrossP", "NMCS 2"): {100: "25;208", 1_000: "26;215"},
}
"""Problem and method -> the median score after so many seconds of the paper's machine."""

TABLE_2 = tuple(key for key in TABLES_2_TO_4 if key[1] in ("NRPA 3", "NRPA 2", "NMCS 3", "NMCS 2"))
TABLE_3 = tuple(key for key in TABLES_2_TO_4 if key[0] == "CrossC" and key[1] != "NRPA 2")
TABLE_4 = tuple(key for key in TABLES_2_TO_4 if key[0] == "MorpT")
FIGURE_5 = tuple(("MorpT", f"NRPA {level}") for level in (3, 2, 1, 0))

SECONDS = (10, 100, 1_000, 10_000)
TIMELINES = 15
"""Timelines of each method in the paper, at least."""
HALF = 8
"""Timelines at half, for a verdict; one for the methods of Table 2 that no other table has, if not of Morpion."""
QUICK: tuple[Key, ...] = (("MorpT", "NRPA 3"), ("MorpD", "NRPA 3"), ("CrossC", "NRPA 3"))
"""One timeline of 100 s each at quick."""


@cache
def timelines_of(key: Key, seconds: int) -> Timelines:
    """The timelines of a method for so many seconds; the longest come first."""
    problem, method = key
    problems = TUNED if method.startswith("tuned") else PROBLEMS[problem]
    name = f"{problem} {method} {seconds} s".lower().replace(" ", "-")
    longer = tuple(timelines_of(key, more) for more in reversed(SECONDS) if more > seconds)
    return Timelines(name, float(seconds), problems, METHODS[method], MaxTime(seconds), restarts=True, longer=longer)


def at_100(key: Key, seconds: int) -> Mapping[Scale, int]:
    """Quick and half have timelines of 100 s, full the paper's.

    >>> dict(at_100(("MorpD", "NMCS 3"), 100)), dict(at_100(("MorpD", "NMCS 3"), 1000))
    ({'quick': 0, 'half': 8, 'full': 15}, {'quick': 0, 'half': 0, 'full': 15})
    """
    half = HALF if key[0].startswith("Morp") or key in TABLE_3 else 1
    return at_scales(int(key in QUICK), half, TIMELINES) if seconds == 100 else at_scales(full=TIMELINES)


def median_at(key: Key, seconds: int, samples: Mapping[Scale, int] | None = None) -> Cell:
    """The median after so many seconds, beside the paper's if it is printed."""
    text = TABLES_2_TO_4.get(key, {}).get(seconds)
    theirs = Theirs("") if text is None else MedianOf(text, score_of(text), of=TIMELINES)
    labels = (key[0], *key[1].rsplit(" ", 1), f"{seconds:,} s")
    summary = partial(median_of, words=words_of(key[0]))
    work, asked = timelines_of(key, seconds), at_100(key, seconds) if samples is None else samples
    return Cell(labels, work, asked, theirs, values=scores_at(seconds), summary=summary)


def timed(keys: Sequence[Key], horizons: Sequence[int]) -> tuple[Cell, ...]:
    """A table of medians."""
    return tuple(median_at(key, seconds) for key in keys for seconds in horizons)


def lines_of(keys: Sequence[Key], least: float = 1.0) -> Picture:
    """A picture of the medians through time, and of the paper's that are printed."""
    labels = {timelines_of(key, seconds).name: key[1] for key in keys for seconds in SECONDS}
    printed = {key: TABLES_2_TO_4.get(key, {}) for key in keys}
    theirs = {key[1]: [(float(x), score_of(y)) for x, y in printed[key].items()] for key in keys if printed[key]}
    return Picture("seconds", "median of the best scores so far", medians(labels, theirs, least), "x", steps=True)


# --- the items ---

COLUMNS = ("problem", "method", "level", "time")
RATES = (
    "Equal seconds are not equal playouts: by the times of its section 4.2 the paper's program made about 16,500 "
    "playouts a second with NRPA on MorpT, 28,000 on MorpD, 1,200 on CrossC and 1,900 on CrossP; ours makes about "
    "89,000, 115,000, 12,000 and 16,000."
)


def table_2() -> Item:
    """NRPA and NMCS on all problems, after 100 and 1,000 seconds."""
    cells = timed(TABLE_2, (100, 1_000))
    return Item("table", "2", "median scores of timed runs", COLUMNS, cells, note=f"{RATES} {CROSSP}")


def table_3() -> Item:
    """Sampled NMCS on CrossC, up to 10,000 seconds."""
    cells = timed(TABLE_3, (100, 1_000, 10_000))
    title = "median scores of timed runs, CrossC with sampled NMCS"
    return Item("table", "3", title, COLUMNS, cells, picture=lines_of(TABLE_3), note=RATES)


def table_4() -> Item:
    """The tuned policy on MorpT, up to 10,000 seconds."""
    cells = timed(TABLE_4, (100, 1_000, 10_000))
    title = "median scores of timed runs, MorpT with the tuned policy"
    return Item("table", "4", title, COLUMNS, cells, picture=lines_of(TABLE_4), note=RATES)


def figure_5() -> Item:
    """NRPA of levels 0 to 3 on MorpT."""
    samples = {
        10: at_scales(5, HALF, TIMELINES),
        100: at_scales(0, HALF // 2, TIMELINES),
        1_000: at_scales(0, 0, TIMELINES),
    }
    cells = tuple(median_at(key, seconds, asked) for key in FIGURE_5 for seconds, asked in samples.items())
    note = f"The paper's lines exist only as a picture; its medians of level 3 are those of its Table 2. {RATES}"
    title = "median timelines of NRPA for MorpT"
    return Item("figure", "5", title, COLUMNS, cells, picture=lines_of(FIGURE_5, 0.1), note=note)
