"""The leftmost path problem (Cazenave 2009, section 4.1): moves to the left count until the first to the right."""

from __future__ import annotations

from rookery.problem import Layout
from rookery.problems.leftmove import LeftMove


class LeftmostPath(LeftMove):
    """The score is the number of moves on the leftmost path before leaving it.

    NMCS of level 1 always finds the best score, where a playout does with probability 2**-depth.

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


def exact_distribution(depth: int) -> list[float]:
    """Probability of each score 0..depth of a playout.

    >>> exact_distribution(2)
    [0.5, 0.25, 0.25]
    """
    return [0.5 ** (s + 1) for s in range(depth)] + [0.5**depth]
