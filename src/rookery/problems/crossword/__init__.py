"""Crossword construction: the problem, and the lists of words of the two contests in Rosin 2011."""

from rookery.problems.crossword.board import Crossword
from rookery.problems.crossword.lists import CAPITALS, PARKS, read_words

__all__ = ["CAPITALS", "PARKS", "Crossword", "read_words"]
