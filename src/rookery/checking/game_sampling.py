"""Whether ``sample`` draws each move equally often: Pearson's chi-square test."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from statistics import NormalDist

from rookery.checking.game_positions import Known
from rookery.checking.game_watch import OVER, GameWatch
from rookery.checking.report import Broken
from rookery.rng import Stream

ERROR_RATE = 1e-6
"""The chance that a check calls a sound game uneven."""
POSITIONS = 12
"""Positions that are tested, each at ERROR_RATE / POSITIONS."""
DRAWS_PER_MOVE, MOST_DRAWS = 60, 6000


def check_sample(watch: GameWatch, known: Sequence[Known], stream: Stream, deadline: float) -> None:
    """Draw from positions, those with most moves among them; note one where the moves do not come equally often."""
    choices = sorted((one for one in known if len(one.view.playout) > 1), key=lambda one: len(one.view.playout))
    step = max(1, len(choices) // POSITIONS)
    for one in choices[::-step][:POSITIONS]:
        if time.perf_counter() > deadline:
            return
        moves = one.view.playout
        draws = min(DRAWS_PER_MOVE * len(moves), MOST_DRAWS)
        watch.path[:] = one.path
        seen = Counter(watch.drawn(one.state, stream) for _ in range(draws))
        strange = [move for move in seen if move not in moves]
        if strange:
            drew = "that the game is over" if strange[0] is OVER else f"the move {strange[0]}"
            text = f"it drew {drew} from {len(moves)} moves, one time in {draws // seen[strange[0]]}"
            watch.find("sample-ends" if strange[0] is OVER else "sample-illegal", "sample", text)
            raise Broken
        counts = [seen[move] for move in moves]
        if chi_square(counts) > critical(len(moves) - 1, ERROR_RATE / POSITIONS):
            rare, often = min(moves, key=lambda move: seen[move]), max(moves, key=lambda move: seen[move])
            text = (
                f"of {len(moves)} moves it drew {rare} {seen[rare]} times and {often} {seen[often]} times "
                f"in {draws} draws"
            )
            watch.find("sample-uneven", "sample", text)
            return


def chi_square(counts: Sequence[int]) -> float:
    """The statistic of counts that should be equal.

    >>> chi_square([10, 10, 10]), chi_square([20, 10])
    (0.0, 3.3333333333333335)
    """
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def critical(freedom: int, rate: float) -> float:
    """The value that chi-square exceeds with at most this chance, after Wilson and Hilferty (1931).

    It is a little too large for few degrees of freedom, never too small at the rates used here.

    >>> round(critical(10, 0.001), 1)
    29.8
    """
    z = NormalDist().inv_cdf(1.0 - rate)
    part = 2.0 / (9.0 * freedom)
    return float(freedom * (1.0 - part + z * part**0.5) ** 3)
