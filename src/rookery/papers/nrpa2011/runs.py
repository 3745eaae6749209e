"""Single runs of NRPA to their end: Table 5 and Figure 8 of Rosin 2011."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from rookery.matches.scores import wilson
from rookery.papers.histograms import Histogram, at_least
from rookery.papers.items import Cell, Figure, Item, Picture, Series, at_scales, median_of
from rookery.papers.nrpa2011.problems import CROSSP, PROBLEMS, largest, score_of, single_run, words_of
from rookery.papers.theirs import MedianOf, Share, Theirs
from rookery.papers.works import Found, Work, scores
from rookery.search.nrpa import NRPA
from rookery.search.sampling import Sampling

TABLE_5: Mapping[str, tuple[int, int, str, str, int]] = {
    "MorpT": (5, 28, "171", "177", 2),
    "MorpD": (4, 40, "82", "82", 25),
    "CrossC": (4, 40, "35;249", "37;259", 1),
    "CrossP": (4, 40, "27;234", "28;238", 3),
}
"""Problem -> level, runs, their median, their maximum, and how many runs reached it."""


LONG_AT_HALF = 2
"""Runs of MorpD at half."""


# --- Table 5 ---


def reaching(score: float) -> Callable[[Sequence[Any]], list[float]]:
    """1 for every run that reached a score, 0 for the others."""
    return lambda samples: [float(found >= score) for found in scores(samples)]


def how_many(values: Sequence[float]) -> Figure:
    """How many of the runs, and the 95% interval of their share in per cent.

    >>> how_many([1.0, 0.0, 0.0, 0.0]).ours
    '1 of 4'
    """
    count = round(sum(values))
    low, high = (100 * bound for bound in wilson(count, len(values)))
    return Figure(100 * count / len(values), low, high, f"{count} of {len(values)}", f"{low:.0f}% to {high:.0f}%")


def long_runs(problem: str) -> tuple[Cell, ...]:
    """The median and the maximum of long runs, and how many reached the paper's maximum."""
    level, runs, median, best, times = TABLE_5[problem]
    work = single_run(problem, level)
    samples = at_scales(half=LONG_AT_HALF if problem == "MorpD" else 0, full=runs)
    words = words_of(problem)
    labels = (problem, str(level))
    share = Share(f"{times} of {runs}", 100 * times / runs, of=runs)
    return (
        Cell(
            (*labels, "median"),
            work,
            samples,
            MedianOf(median, score_of(median), of=runs),
            summary=partial(median_of, words=words),
        ),
        Cell(
            (*labels, "maximum"),
            work,
            samples,
            Theirs(best, score_of(best)),
            summary=partial(largest, words=words),
        ),
        Cell((*labels, f"runs that reach {best}"), work, samples, share, reaching(score_of(best)), how_many),
    )


def table_5() -> Item:
    """Long runs."""
    cells = tuple(cell for problem in TABLE_5 for cell in long_runs(problem))
    note = f"Runs without restarts. {CROSSP}"
    return Item("table", "5", "long runs of NRPA", ("problem", "level", "figure"), cells, note=note)


# --- Figure 8 ---

LEVELS = range(6)
HISTOGRAM_COSTS = (9.1e-6, 1.1e-3, 0.109, 11.3)
"""Core-seconds of a run of each level."""
HISTOGRAM_RUNS = (
    at_scales(5_000_000, 40_000_000, 1_000_000_000),
    at_scales(50_000, 400_000, 10_000_000),
    at_scales(500, 4_000, 100_000),
    at_scales(5, 40, 1_000),
    at_scales(0, 0, 100),
    at_scales(0, 0, 28),
)
"""Runs of each level; at full a thousand million playouts for each of the first four."""


def counted(level: int) -> Work:
    """Runs of a level on MorpT: those of up to level 3 are counted, the others kept one by one, as in Table 5."""
    if level > 3:
        return single_run("MorpT", level)
    search = NRPA.rosin(level) if level else Sampling(rule="uniform")
    name = f"morpt-nrpa-{level}-histogram"
    return Histogram(name, HISTOGRAM_COSTS[level], PROBLEMS["MorpT"], search, None if level else 1)


def spread(samples: Sequence[Any]) -> list[float]:
    """The median, the lowest and the highest of counted scores."""
    return [value for done in samples for value in (done.quantile(0.5), done.min, done.max)]


def as_median(values: Sequence[float]) -> Figure:
    """The same as a figure.

    >>> as_median([54.0, 20.0, 98.0]).spread
    '20 to 98'
    """
    middle, low, high = values
    return Figure(middle, low, high, f"{middle:.0f}", f"{low:.0f} to {high:.0f}")


def level_of(level: int) -> Cell:
    """The median of a level, and the range of its runs."""
    work, samples = counted(level), HISTOGRAM_RUNS[level]
    if level <= 3:
        return Cell((str(level),), work, samples, values=spread, summary=as_median)
    _, runs, median, _, _ = TABLE_5["MorpT"]
    theirs = MedianOf(median, score_of(median), of=runs) if level == 5 else Theirs("")
    return Cell((str(level),), work, samples, theirs)


def cumulative(found: Mapping[str, Found]) -> Series:
    """The share of runs with at least each score."""
    labels = {counted(level).name: f"level {level}" for level in LEVELS}
    counts = {
        labels[name]: of.samples[0].counts if of.counted is not None else Counter(scores(of.samples))
        for name, of in found.items()
    }
    return {label: at_least(of) for label, of in counts.items()}


def figure_8() -> Item:
    """Cumulative histograms of final scores."""
    return Item(
        "figure",
        "8",
        "cumulative histograms of NRPA for MorpT",
        ("level",),
        tuple(map(level_of, LEVELS)),
        picture=Picture("score", "share of runs with at least this score", cumulative, "y", steps=True),
        note="Medians, and the worst and the best run. The paper's lines exist only as a picture; its median of level "
        "5 is that of its Table 5. Level 0 are single random playouts.",
    )
