"""Cazenave 2009, "Nested Monte-Carlo Search": the left move problem, Morpion Solitaire, SameGame and Sudoku.

Ties are broken at random, as the paper's analysis assumes.
"""

from __future__ import annotations

from rookery.papers.items import Item, Paper
from rookery.papers.nmcs2009.left_move import FIGURES_3_AND_4, LEFTMOST, THEORY
from rookery.papers.nmcs2009.morpion import FIGURES_8_AND_9, MORPION
from rookery.papers.nmcs2009.real_time import real_time
from rookery.papers.nmcs2009.same_game import TABLE_1
from rookery.papers.nmcs2009.sudoku_grids import TABLE_2

LEFT = {"depth": 60}

PAPER = Paper(
    name="nmcs-2009",
    citation='T. Cazenave, "Nested Monte-Carlo Search", IJCAI 2009',
    items=(
        LEFTMOST,
        THEORY,
        *FIGURES_3_AND_4,
        real_time("5", "mean scores of the left move problem in time, memorised", "leftmove", LEFT, True),
        real_time("6", "mean scores of the left move problem in time", "leftmove", LEFT, False),
        Item(
            "figure",
            "7",
            "a game of 80 moves",
            not_available="the game exists only as a picture, which the text of the paper does not have",
        ),
        *FIGURES_8_AND_9,
        real_time("10", "mean scores of Morpion Solitaire 5D in time, memorised", "morpion", MORPION, True),
        TABLE_1,
        TABLE_2,
    ),
)
