"""The test problems of Rosin 2011, single runs of NRPA on them, and how their scores are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rookery.experiments.timeline import score_text
from rookery.papers.items import Figure, Words
from rookery.papers.long_runs import LongRuns
from rookery.papers.works import Problems, Runs, named
from rookery.problems.crossword import Crossword
from rookery.search.nrpa import NRPA

PROBLEMS: Mapping[str, Problems] = {
    "MorpT": named("morpion", variant="5T", dominated=True),
    "MorpD": named("morpion", variant="5D", dominated=True),
    "CrossC": named("crossword", words="crossc"),
    "CrossP": named("crossword", words="crossp"),
}
TUNED = named("morpion-tuned", variant="5T", dominated=True)
"""MorpT with the playout rule of Figure 6."""

CROSSP = "The paper does not print the 52 words of CrossP: ours are a reconstruction of 51."

COSTS: Mapping[str, float] = {"MorpT": 11.3, "MorpD": 8.7, "CrossC": 85.0, "CrossP": 61.0}
"""Problem -> core-seconds of a run of NRPA level 3."""


def single_run(problem: str, level: int) -> Runs:
    """Single runs of NRPA, without restarts; a level takes 100 times as long as the one below."""
    kind = Runs if level <= 3 else LongRuns
    name = f"{problem}-nrpa-{level}-runs".lower()
    return kind(name, COSTS[problem] * 100.0 ** (level - 3), PROBLEMS[problem], NRPA.rosin(level))


def words_of(problem: str) -> Words:
    """How scores of a problem are written.

    >>> words_of("CrossC")(33_229.0), words_of("MorpT")(153.0)
    ('33;229', '153')
    """
    return Crossword.build().format_score if problem.startswith("Cross") else score_text


def score_of(text: str) -> float:
    """A score of the paper as a number.

    >>> score_of("33;229"), score_of("153")
    (33229.0, 153.0)
    """
    words, _, letters = text.rpartition(";")
    return 1000.0 * int(words or 0) + float(letters)


def largest(values: Sequence[float], words: Words = score_text) -> Figure:
    """The largest value, and the range.

    >>> largest([61.0, 63.0]).ours
    '63'
    """
    low, high = min(values), max(values)
    return Figure(high, low, high, words(high), f"{words(low)} to {words(high)}")
