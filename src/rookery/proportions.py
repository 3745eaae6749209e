"""Shares of games won: how sure one is, and whether two of them agree."""

from __future__ import annotations

from math import comb, sqrt

Z_95 = 1.959963984540054
"""A standard normal variable lies within plus and minus this much 95% of the time."""


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson 1927); ``won`` may have halves.

    Unlike the textbook's, it holds near 0 and 1, where some matches of PPA end.

    >>> [round(bound, 4) for bound in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    share, square = won / games, Z_95**2
    middle = share + square / (2 * games)
    spread = Z_95 * sqrt(share * (1 - share) / games + square / (4 * games * games))
    scale = 1 + square / games
    low = 0.0 if won == 0 else (middle - spread) / scale  # exactly, whatever is rounded
    return low, 1.0 if won == games else (middle + spread) / scale


def fisher(won: int, games: int, other_won: int, other_games: int) -> float:
    """How likely two shares differ at least as much by chance: Fisher's exact test, two-sided.

    Given the sum of both, tables no more likely than the one seen are counted, in whole numbers, so that no
    rounding decides which.

    >>> round(fisher(3, 4, 1, 4), 4)  # the lady who tastes tea
    0.4857
    """
    total = won + other_won
    least, most = max(0, total - other_games), min(games, total)
    ways = [comb(games, k) * comb(other_games, total - k) for k in range(least, most + 1)]
    seen = ways[won - least]
    return sum(way for way in ways if way <= seen) / sum(ways)
