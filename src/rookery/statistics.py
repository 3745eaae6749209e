"""What many runs come to: quantiles and tests, in the sense of a problem."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.errors import InputError
from rookery.problem import Sense
from rookery.search.parameters import finite

Scores = npt.NDArray[np.float64]


def quantile(scores: npt.ArrayLike, q: float, sense: Sense = "max") -> Scores:
    """The score at a share ``q`` of the way from the worst run (0) to the best (1): always a score of a run.

    Scores are ranked along the first axis. Where two elements are equally near, the better one is taken,
    so that ``q = 0.5`` is the median of Rosin 2011, section 4.1. A score that is not a number is one that
    a run does not have yet: it is worse than any other.

    >>> float(quantile([3, 1, 2, 4], 0.5)), float(quantile([3, 1, 2, 4], 0.5, "min"))
    (3.0, 2.0)
    """
    share = finite("q", q)
    if not 0 <= share <= 1:
        raise InputError(f"q must be between 0 and 1, got {q}")
    values = _to_maximise(scores, sense)
    if not len(values):
        raise InputError("a quantile needs at least one score, got none")
    rank = min(len(values) - 1, math.floor(share * len(values) + 1e-9))
    found: Scores = np.sort(values, axis=0)[rank]
    return np.where(np.isneginf(found), np.nan, -found if sense == "min" else found)


def median(scores: npt.ArrayLike, sense: Sense = "max") -> Scores:
    """The middle score; of an even number, the better of the two in the middle (Rosin 2011, section 4.1).

    >>> float(median([7, 9, 8])), float(median([7, 9])), float(median([7, 9], "min"))
    (8.0, 9.0, 7.0)
    """
    return quantile(scores, 0.5, sense)


@dataclass(frozen=True)
class Comparison:
    """The runs of one search against those of another: a two-sided Mann-Whitney U test.

    ``u`` counts the pairs of runs in which ``a`` is better, ties as a half; ``effect`` is their share: the
    probability that a run of ``a`` is better than one of ``b``. ``p_holm`` is ``p`` corrected for all the
    comparisons that were made together.

    >>> print(Comparison("deep", "flat", u=8.0, p=0.19, effect=0.89, p_holm=0.19))
    deep against flat: better in 89% of pairs, U = 8, p = 0.19
    """

    a: str
    b: str
    u: float
    p: float
    effect: float
    p_holm: float

    def __str__(self) -> str:
        corrected = "" if self.p_holm == self.p else f" ({self.p_holm:.2g} by Holm)"
        share = f"better in {self.effect:.0%} of pairs"
        return f"{self.a} against {self.b}: {share}, U = {self.u:g}, p = {self.p:.2g}{corrected}"


def mann_whitney(a: npt.ArrayLike, b: npt.ArrayLike, sense: Sense = "max") -> tuple[float, float]:
    """U of ``a`` and the two-sided p value: exact for few scores without ties, else corrected for ties.

    >>> mann_whitney([19, 22, 16, 29, 24], [20, 11, 17, 12])
    (17.0, 0.1111111111111111)
    """
    try:
        from scipy import stats  # type: ignore[import-untyped, unused-ignore]
    except ImportError:
        raise InputError('a comparison needs SciPy: pip install "rookery[experiment]"') from None
    x, y = _to_maximise(a, sense), _to_maximise(b, sense)
    if not len(x) or not len(y):
        raise InputError(f"a comparison needs at least one score on each side, got {len(x)} and {len(y)}")
    if np.all(np.concatenate([x, y]) == x[0]):
        return len(x) * len(y) / 2, 1.0  # SciPy would divide by a spread of zero
    test: Any = stats.mannwhitneyu(x, y, alternative="two-sided")
    return float(test.statistic), min(1.0, float(test.pvalue))


def holm(p_values: Sequence[float]) -> list[float]:
    """The p values corrected for being many (Holm 1979), in the same order.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for done, i in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - done) * p_values[i]))
        corrected[i] = largest
    return corrected


def _to_maximise(scores: npt.ArrayLike, sense: Sense) -> Scores:
    values = np.asarray(scores, np.float64)
    values = -values if sense == "min" else values
    return np.where(np.isnan(values), -np.inf, values)
