"""What a paper has: items (a table, a figure, a claim), each a sweep over cells, an analysis and a picture."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np

from rookery.arguments import shown
from rookery.errors import InputError
from rookery.experiments.timeline import score_text
from rookery.matches.scores import wilson
from rookery.papers.rows import NOT_AVAILABLE, Row
from rookery.papers.theirs import Theirs
from rookery.papers.works import Found, Hands, Work, needed, scores

Scale = Literal["quick", "half", "full"]
SCALES: tuple[Scale, ...] = get_args(Scale)


def check_scale(scale: str) -> Scale:
    """A scale, or a sentence about it.

    >>> check_scale("half")
    'half'
    """
    for known in SCALES:
        if scale == known:
            return known
    raise InputError(f"the scale must be quick, half or full, got {shown(scale)}")


# --- how samples become a figure ---


@dataclass(frozen=True)
class Figure:
    """A figure of ours: a number with its spread, and both in words."""

    number: float
    low: float
    high: float
    ours: str
    spread: str


Summary = Callable[[Sequence[float]], Figure]
Words = Callable[[float], str]


def median_of(values: Sequence[float], words: Words = score_text) -> Figure:
    """The median by Rosin's definition, and the range.

    >>> median_of([61.0, 60.0, 63.0, 62.0])
    Figure(number=62.0, low=60.0, high=63.0, ours='62', spread='60 to 63')
    """
    ordered = sorted(values)
    low, middle, high = ordered[0], ordered[len(ordered) // 2], ordered[-1]
    return Figure(middle, low, high, words(middle), f"{words(low)} to {words(high)}")


def mean_of(values: Sequence[float], digits: int = 2) -> Figure:
    """The mean, and its 95% interval.

    >>> mean_of([1.0, 2.0, 3.0]).spread
    '0.87 to 3.13'
    """
    mean = statistics.fmean(values)
    half = 1.96 * statistics.stdev(values) / len(values) ** 0.5 if len(values) > 1 else 0.0
    low, high = mean - half, mean + half
    return Figure(mean, low, high, f"{mean:,.{digits}f}", f"{low:,.{digits}f} to {high:,.{digits}f}")


def share_of(values: Sequence[float]) -> Figure:
    """The share of games in per cent, and its 95% interval.

    >>> share_of([1.0, 0.0, 0.5, 0.5]).ours
    '50.0'
    """
    won = float(np.floor(sum(values)))
    low, high = (100 * bound for bound in wilson(won, len(values)))
    share = 100 * won / len(values)
    return Figure(share, low, high, f"{share:.1f}", f"{low:.1f} to {high:.1f}")


def probability_of(values: Sequence[float]) -> Figure:
    """The share of ones, with three digits, and its 95% interval.

    >>> probability_of([1.0, 0.0]).ours
    '0.500'
    """
    low, high = wilson(sum(values), len(values))
    share = statistics.fmean(values)
    return Figure(share, low, high, f"{share:.3f}", f"{low:.3f} to {high:.3f}")


def number_of(values: Sequence[float], words: Words = score_text) -> Figure:
    """A number without a spread.

    >>> number_of([9.0]).ours
    '9'
    """
    return Figure(values[0], values[0], values[0], words(values[0]), "")


# --- cells and items ---


def at_scales(quick: int = 0, half: int = 0, full: int = 0) -> Mapping[Scale, int]:
    """How many samples each scale has.

    >>> at_scales(half=20, full=500)["half"]
    20
    """
    return {"quick": quick, "half": half, "full": full}


NOTHING = Theirs("")
"""Where the paper has no figure."""


@dataclass(frozen=True)
class Cell:
    """A figure of an item: what it is called, what is computed for it and how often, and what the paper has.

    Parameters
    ----------
    labels
        one for each column of labels of the item
    work
        what is computed; cells may share it
    samples
        how many at each scale; 0: the cell is not run at that scale
    theirs
        the paper's figure, and how ours is compared with it
    values
        the samples as numbers
    summary
        those numbers as a figure
    """

    labels: tuple[str, ...]
    work: Work
    samples: Mapping[Scale, int]
    theirs: Theirs = NOTHING
    values: Callable[[Sequence[Any]], Sequence[float]] = scores
    summary: Summary = median_of

    @property
    def name(self) -> str:
        """The labels as one text, by which a cell can be chosen."""
        return " ".join(self.labels)

    def row(self, scale: Scale, folder: Path, hands: Hands) -> Row:
        """The cell as a row, from what a folder holds; without a verdict yet."""
        asked = self.samples[scale]
        found = self.work.found(folder, asked, hands) if asked else Found()
        theirs = self.theirs if found.comparable else NOTHING
        left = (asked or self.samples["full"]) - found.done
        row = Row(
            name=self.name,
            labels=self.labels,
            asked=asked,
            done=found.done,
            needs=self.work.cost * left,
            theirs=theirs.text,
            their_number=theirs.number,
            test=theirs.test,
            playouts=found.playouts,
            core_seconds=found.seconds,
            date=found.date,
        )
        values = [float(value) for value in self.values(found.samples)]
        if not values:
            return row
        figure = self.summary(values)
        p, least = theirs.p(values), theirs.least(len(values))
        return Row(**{**row.__dict__, **figure.__dict__, "p": p, "least_p": least})


Series = Mapping[str, Sequence[tuple[float, float]]]
"""Name -> points, of the lines in a picture."""


@dataclass(frozen=True)
class Picture:
    """What a figure shows: the names of its axes, which are logarithmic, and whether its lines are steps.

    ``lines`` makes the points from what the works of the item have found, by the names of the works.
    """

    x: str
    y: str
    lines: Callable[[Mapping[str, Found]], Series]
    log: Literal["", "x", "y", "xy"] = ""
    steps: bool = False


@dataclass(frozen=True)
class Item:
    """A table, a figure or a claim of a paper, as it is reproduced.

    Parameters
    ----------
    kind, number
        "table" and "2", or "claim" and a word: together the item's name
    columns
        names of the labels of its cells
    cells
        the figures; ``not_available`` says why there are none
    picture
        without one, ours is drawn beside the paper's, cell by cell
    note
        what differs from the paper, what is assumed, what was found
    """

    kind: Literal["table", "figure", "claim"]
    number: str
    title: str
    columns: tuple[str, ...] = ()
    cells: tuple[Cell, ...] = ()
    picture: Picture | None = None
    note: str = ""
    not_available: str = ""

    @property
    def name(self) -> str:
        """The name, such as "table 2"."""
        return f"{self.kind} {self.number}"

    def computed(self, scale: Scale, only: str | None = None) -> Iterator[tuple[Work, int]]:
        """The works of a scale with the most samples that a cell asks for, each once."""
        asked = [cell for cell in self.cells if only is None or only in cell.name]
        return iter(needed((cell.work, cell.samples[scale]) for cell in asked))

    def cost(self, scale: Scale, slower: float = 1.0) -> float:
        """The core-seconds of a scale, on the machine of the tables or on one that is so many times slower."""
        return sum(work.cost * count * (1.0 if work.timed else slower) for work, count in self.computed(scale))

    def rows(self, scale: Scale, folder: Path, hands: Hands) -> tuple[Row, ...]:
        """A row for each cell, from what a folder holds."""
        if self.not_available:
            return (Row(self.name, tuple("" for _ in self.columns), 0, verdict=NOT_AVAILABLE),)
        return tuple(cell.row(scale, folder, hands) for cell in self.cells)

    def series(self, scale: Scale, folder: Path, hands: Hands) -> Series:
        """The lines of the picture, from what a folder holds."""
        if self.picture is None:
            return {}
        found = {work.name: work.found(folder, count, hands) for work, count in self.computed(scale)}
        there = {name: of for name, of in found.items() if of.done}
        lines = self.picture.lines(there) if there else {}
        return {name: tuple((float(x), float(y)) for x, y in points) for name, points in lines.items()}


@dataclass(frozen=True)
class Paper:
    """A paper: its name here, who wrote it and what it is called, and its items."""

    name: str
    citation: str
    items: tuple[Item, ...]
    note: str = ""

    def item(self, name: str) -> Item:
        """The item of a name."""
        for item in self.items:
            if item.name == name:
                return item
        names = ", ".join(item.name for item in self.items)
        raise InputError(f"{self.name} has no {name}: there are {names}")
