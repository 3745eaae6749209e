"""Elo ratings of players from the points of their games: the model of Bradley and Terry (1952), by maximum likelihood.

A player of strength r beats one of strength q with probability 1 / (1 + exp(q - r)); a draw counts as half a game won
and half a game lost. Elo is strength times 400 / log(10): 400 points more mean odds of ten to one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rookery.matches.scores import Z_95

Array = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

ELO = 400 / math.log(10)
"""The Elo points of one unit of strength."""
RIDGE = 1e-9
"""The weight of a penalty on large strengths: keeps those finite that nothing else bounds, and shifts no other."""
STEPS, PRECISION, CLOSE = 100, 1e-12, 1e-6
FAR = 60.0
"""Strengths further apart than this are as good as infinitely far apart."""


@dataclass(frozen=True)
class Rating:
    """The strength of a player in Elo points, with its 95% interval.

    ``elo`` and a bound are infinite where the games set no limit, as for a player who has won them all; None if
    nothing is known, because no games connect the player with the others.

    >>> Rating(elo=math.inf, low=120.0, high=math.inf).low
    120.0
    """

    elo: float | None
    low: float | None
    high: float | None


def ratings(points: npt.ArrayLike) -> list[Rating]:
    """The ratings of players; ``points[i][j]`` are those that i has scored against j, half of one for a draw.

    0 is the mean of the largest group in which everybody is linked to everybody else by wins in both directions:
    for those the likelihood has a maximum (Ford 1957). The interval of a rating holds the values that a
    likelihood-ratio test does not refuse; like Wilson's interval of a share, it holds near 0 and 100% too.

    >>> [round(rating.elo) for rating in ratings([[0, 75], [25, 0]])]
    [95, -95]
    """
    scored = np.array(points, float)
    np.fill_diagonal(scored, 0.0)
    beats = _closure(scored > 0)
    group = _main_group(beats, scored)
    anchor = int(np.flatnonzero(group)[0])
    best = _climb(scored, np.zeros(len(scored)))
    most = _likelihood(scored, best)
    found = []
    for i in range(len(scored)):
        above, below = bool(beats[i, anchor]), bool(beats[anchor, i])
        if not (group[i] or above or below):
            found.append(Rating(None, None, None))
            continue
        along = (
            -group.astype(float) / group.sum()
        )  # strength of i minus the mean of the group, as a product with all strengths
        along[i] += 1.0
        low = -math.inf if below and not above else _bound(scored, best, most, along, -1.0)
        high = math.inf if above and not below else _bound(scored, best, most, along, 1.0)
        elo = low if math.isinf(low) else high if math.isinf(high) else ELO * float(along @ best)
        found.append(Rating(elo, low, high))
    return found


def _closure(links: Mask) -> Mask:
    """Who is linked to whom in any number of steps."""
    reach = links.copy()
    for k in range(len(links)):
        reach |= np.outer(reach[:, k], reach[k])
    return reach


def _main_group(beats: Mask, scored: Array) -> Mask:
    """The largest group of players linked both ways, of equals the one with the most games."""
    mutual = (beats & beats.T) | np.eye(len(beats), dtype=bool)
    games = (scored + scored.T).sum(axis=1)
    group: Mask = mutual[max(range(len(beats)), key=lambda i: (mutual[i].sum(), games[mutual[i]].sum(), -i))]
    return group


def _likelihood(scored: Array, strength: Array) -> float:
    """The logarithm of the likelihood, with the penalty."""
    apart = strength[:, None] - strength[None, :]
    return float(-(scored * np.logaddexp(0.0, -apart)).sum() - RIDGE / 2 * (strength @ strength))


def _climb(scored: Array, strength: Array, along: Array | None = None) -> Array:
    """The strengths of the greatest likelihood, by Newton's method; ``along @ strength`` is left as it is, if given."""
    games, n = scored + scored.T, len(scored)
    free = 0 if along is None else 1
    system, right = np.zeros((n + free, n + free)), np.zeros(n + free)
    value = _likelihood(scored, strength)
    for _ in range(STEPS):
        share = 1.0 / (1.0 + np.exp(np.clip(strength[None, :] - strength[:, None], -FAR, FAR)))
        weight = games * share * (1.0 - share)
        system[:n, :n] = np.diag(weight.sum(axis=1) + RIDGE) - weight
        right[:n] = (scored - games * share).sum(axis=1) - RIDGE * strength
        if along is not None:
            system[n, :n] = system[:n, n] = along
        step = np.linalg.solve(system, right)[:n]
        if float(right[:n] @ step) < PRECISION:
            break
        size = min(1.0, FAR / float(np.abs(step).max()))
        while (after := _likelihood(scored, strength + size * step)) < value and size > PRECISION:
            size /= 2
        strength, value = strength + size * step, after
    return strength


def _bound(scored: Array, best: Array, most: float, along: Array, side: float) -> float:
    """In Elo, how far ``along @ strength`` can be moved to one side before the likelihood-ratio test refuses it."""
    if not along.any():  # the only player of the group, which is 0 by definition
        return 0.0
    start, strength = float(along @ best), best

    def excess(distance: float) -> float:
        """The root of the test's statistic, nearly a straight line, minus its limit."""
        nonlocal strength  # the search for the next one begins where this one ends
        shift = start + side * distance - float(along @ strength)
        strength = _climb(scored, strength + along * (shift / (along @ along)), along)
        return math.sqrt(max(0.0, 2 * (most - _likelihood(scored, strength)))) - Z_95

    near, far, below, above = 0.0, 0.25, -Z_95, excess(0.25)
    while above < 0:
        near, far, below = far, 2 * far, above
        if far > FAR:
            return side * math.inf
        above = excess(far)
    while far - near > CLOSE:
        middle = near + (far - near) * min(0.9, max(0.1, -below / (above - below)))
        value = excess(middle)
        near, below, far, above = (near, below, middle, value) if value > 0 else (middle, value, far, above)
        if abs(value) < CLOSE:
            break
    return ELO * (start + side * (far if abs(above) < abs(below) else near))
