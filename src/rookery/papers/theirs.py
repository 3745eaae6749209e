"""A paper's figures, and by which test ours are compared with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rookery.matches.scores import fisher

RESAMPLES = 20_000
"""How often medians are drawn again from our runs."""
LEAST_RUNS = 8
"""With fewer runs of ours, medians drawn from them say little."""


@dataclass(frozen=True)
class Theirs:
    """A figure of the paper: as text, as a number, and as what it is compared with ours.

    :meth:`p` is the probability that chance alone makes our samples differ so much from the paper's figure; None if
    there is no such test. :meth:`least` is the smallest p that so many samples can have.

    >>> Theirs("3,188 s", 3188.0).p([4.2]) is None
    True
    """

    text: str
    number: float | None = None
    test: ClassVar[str] = ""

    def p(self, ours: Sequence[float]) -> float | None:
        """The p value of our samples."""
        return None

    def least(self, samples: int) -> float:
        """The smallest p value of so many samples."""
        return 0.0


@dataclass(frozen=True)
class Share(Theirs):
    """A share of games, in per cent, of a match of ``of`` games; our samples are 1, 0 and halves.

    >>> theirs = Share("50.0", 50.0, of=500)
    >>> round(theirs.p([1.0] * 280 + [0.0] * 220), 3)
    0.066
    """

    of: int = 500
    test = "Fisher's exact test"

    def p(self, ours: Sequence[float]) -> float | None:
        """Fisher's exact test: the paper's games vary too."""
        assert self.number is not None
        return fisher(math.floor(sum(ours)), len(ours), round(self.number * self.of / 100), self.of)


def nearest_printed(ours: float, number: float, digits: int) -> float:
    """The value nearest to ours that is printed as ``number`` with so many digits.

    >>> nearest_printed(0.08, 0.1, 1), nearest_printed(0.2, 0.1, 1)
    (0.08, 0.15000000000000002)
    """
    half = 0.5 * 10.0**-digits
    return min(max(ours, number - half), number + half)


@dataclass(frozen=True)
class Probability(Theirs):
    """A probability found in ``of`` searches and printed with some digits; our samples are 1 and 0.

    >>> Probability("0.41", 0.41, of=100_000).p([1.0] * 412 + [0.0] * 588) > 0.05
    True
    """

    of: int = 100_000
    digits: int = 2
    test = "a test of two proportions, the paper's anywhere within its last digit"

    def p(self, ours: Sequence[float]) -> float | None:
        """Two-sided and by the normal distribution, with the value nearest to ours that is printed like the paper's."""
        assert self.number is not None
        share = float(np.mean(ours))
        nearest = nearest_printed(share, self.number, self.digits)
        both = (sum(ours) + nearest * self.of) / (len(ours) + self.of)
        spread = math.sqrt(both * (1 - both) * (1 / len(ours) + 1 / self.of))
        return 1.0 if share == nearest else math.erfc(abs(share - nearest) / spread / math.sqrt(2))


@dataclass(frozen=True)
class OneRun(Theirs):
    """The score of a single run: its percentile among ours.

    >>> OneRun("71", 71.0).p([65.0, 66.0, 66.0]), OneRun("66", 66.0).p([65.0, 66.0, 67.0])
    (0.5, 1.0)
    """

    test = "the paper's run as a percentile of ours"

    def p(self, ours: Sequence[float]) -> float | None:
        """Twice the share of runs, theirs included, that are at least as far on its side."""
        assert self.number is not None
        below, above = sum(x <= self.number for x in ours), sum(x >= self.number for x in ours)
        return min(1.0, 2 * (min(below, above) + 1) / (len(ours) + 1))

    def least(self, samples: int) -> float:
        """Their run outside of all of ours."""
        return 2 / (samples + 1)


@dataclass(frozen=True)
class MedianOf(Theirs):
    """The median of ``of`` runs, by Rosin's definition, beside the median of ours.

    If the paper's runs were like ours, medians of ``of`` runs and of as many as we have, drawn from ours, would differ
    at least so much in a share p of all cases.

    >>> runs = [float(x) for x in range(140, 160)]
    >>> MedianOf("150", 150.0, of=15).p(runs) > 0.5 and MedianOf("170", 170.0, of=15).p(runs) < 0.001
    True
    """

    of: int = 15
    test = "medians drawn again from our runs"

    def p(self, ours: Sequence[float]) -> float | None:
        """The share of pairs of such medians that differ at least so much; None for few runs."""
        assert self.number is not None
        if len(ours) < LEAST_RUNS:
            return None
        stream = np.random.default_rng(20111)
        runs = np.sort(np.asarray(ours, np.float64))
        of_paper, of_ours = (
            np.sort(stream.choice(runs, (RESAMPLES, size)), axis=1)[:, size // 2] for size in (self.of, len(runs))
        )
        apart = abs(self.number - runs[len(runs) // 2])
        return float((np.sum(np.abs(of_paper - of_ours) >= apart) + 1) / (RESAMPLES + 1))

    def least(self, samples: int) -> float:
        """No pair of medians so far apart; or no verdict at all."""
        return 1 / (RESAMPLES + 1) if samples >= LEAST_RUNS else 1.0


@dataclass(frozen=True)
class MeanOf(Theirs):
    """The mean of ``of`` runs, printed with some digits, beside the mean of ours.

    >>> runs = [float(x) for x in range(140, 160)]
    >>> MeanOf("150", 150.0, of=200).p(runs) > 0.5 and MeanOf("155", 155.0, of=200).p(runs) < 0.01
    True
    """

    of: int = 200
    digits: int = 1
    test = "a z test, the paper's runs as different from one another as ours, their mean anywhere within its last digit"

    def p(self, ours: Sequence[float]) -> float | None:
        """How often means of as many runs as ours and theirs differ at least so much; None for few runs."""
        assert self.number is not None
        if len(ours) < LEAST_RUNS:
            return None
        mean = float(np.mean(ours))
        apart = abs(mean - nearest_printed(mean, self.number, self.digits))
        spread = float(np.std(ours, ddof=1)) * math.sqrt(1 / len(ours) + 1 / self.of)
        return math.erfc(apart / spread / math.sqrt(2)) if spread else float(apart == 0)

    def least(self, samples: int) -> float:
        """Means can be any distance apart; or there is no verdict at all."""
        return 0.0 if samples >= LEAST_RUNS else 1.0


@dataclass(frozen=True)
class Exactly(Theirs):
    """What must come out as it stands in the paper.

    >>> Exactly("9", 9.0).p([9.0]), Exactly("9", 9.0).p([8.0])
    (1.0, 0.0)
    """

    test = "equality"

    def p(self, ours: Sequence[float]) -> float | None:
        """1 if all are equal, else 0."""
        return float(all(x == self.number for x in ours))


@dataclass(frozen=True)
class Rounded(Theirs):
    """What must come out as it stands in the paper, with as many digits.

    >>> Rounded("0.41", 0.41).p([0.4118]), Rounded("0.41", 0.41).p([0.416])
    (1.0, 0.0)
    """

    digits: int = 2
    test = "equality of the printed digits"

    def p(self, ours: Sequence[float]) -> float | None:
        """1 if all are printed alike, else 0."""
        return float(all(round(x, self.digits) == self.number for x in ours))
