"""The left move problem (Cazenave 2009, section 4.2): the score is the number of moves to the left.

Its score distribution under NMCS without memorisation can be computed exactly, by dynamic programming: a test
of the whole engine.
"""

from __future__ import annotations

from functools import cache

from rookery.errors import InputError
from rookery.problem import Layout, Limits, Problem

LEFT, RIGHT = 1, 0


class LeftMove(Problem):
    """At each of ``depth`` steps go left (1, one point) or right (0).

    >>> LeftMove(depth=9).limits().length
    9
    """

    depth: int = 60

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise InputError(f"depth must be at least 1, got {self.depth}")

    def limits(self) -> Limits:
        return Limits(moves=2, length=self.depth, codes=2 * self.depth)

    def layout(self) -> Layout:
        return {"step": "i8", "lefts": "i8"}

    def start(self, s):
        s.step = 0
        s.lefts = 0

    def moves(self, s, out):
        if s.step == self.depth:
            return 0
        out[0] = LEFT
        out[1] = RIGHT
        return 2

    def code(self, s, move):
        return 2 * s.step + move

    def play(self, s, move):
        s.step += 1
        s.lefts += move

    def score(self, s):
        return s.lefts

    def describe_move(self, move: int) -> str:
        return "left" if move == LEFT else "right"


def exact_distribution(depth: int, level: int) -> list[float]:
    """Probability of each score 0..depth for NMCS of this level, without memorisation and with random ties.

    Cazenave 2009, section 4.2. Level 0 is a playout.

    >>> exact_distribution(2, 0)
    [0.25, 0.5, 0.25]
    """

    @cache
    def score(s: int, d: int, lev: int) -> float:
        """Probability that a search of this level finds s in a tree of depth d."""
        if s < 0 or s > d:
            return 0.0
        if d == 0:
            return 1.0
        p = 0.5 if lev == 0 else left(d, lev - 1)
        return p * score(s - 1, d - 1, lev) + (1 - p) * score(s, d - 1, lev)

    @cache
    def left(d: int, lev: int) -> float:
        """Probability that the left move of a tree of depth d looks best to searches of this level."""
        total = 0.0
        for s in range(d + 1):
            found_left = score(s - 1, d - 1, lev)
            lower_right = sum(score(i, d - 1, lev) for i in range(s))
            total += found_left * (lower_right + score(s, d - 1, lev) / 2)
        return total

    for d in range(1, depth + 1):  # from small to large, so that recursion stays shallow
        for lev in range(level + 1):
            left(d, lev)
    return [score(s, depth, level) for s in range(depth + 1)]


class LeftmostPath(LeftMove):
    """The score is the number of moves on the leftmost path before leaving it.

    NMCS of level 1 always finds the best score; a playout finds it with probability 2**-depth.

    >>> LeftmostPath(depth=20).layout()["left_it"]
    'i8'
    """

    def layout(self) -> Layout:
        return {"step": "i8", "lefts": "i8", "left_it": "i8"}

    def play(self, s, move):
        s.step += 1
        if move == 0:
            s.left_it = 1
        elif s.left_it == 0:
            s.lefts += 1


def leftmost_distribution(depth: int) -> list[float]:
    """Probability of each score 0..depth for a playout.

    >>> leftmost_distribution(2)
    [0.5, 0.25, 0.25]
    """
    return [0.5 ** (s + 1) for s in range(depth)] + [0.5**depth]
