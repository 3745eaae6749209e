"""Morpion Solitaire scored by its branching (Rosin 2011, Table 1)."""

from __future__ import annotations

from rookery.problem import Layout
from rookery.problems.morpion.board import Morpion


class WidestMorpion(Morpion):
    """Morpion Solitaire whose score is the most moves that were legal at the same time.

    All else is as in :class:`Morpion`.

    >>> WidestMorpion("5T").limits().length
    512
    """

    def layout(self) -> Layout:
        return {**super().layout(), "most": "i4"}

    def start(self, s):
        Morpion.start(self, s)
        s.most = s.n

    def play(self, s, move):
        Morpion.play(self, s, move)
        s.most = max(s.most, s.n)

    def score(self, s):
        return s.most
