"""Sudoku as pictures."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from rookery.drawing import Drawing
from rookery.problems.sudoku.rules import domains_of

SIDE = 24
"""Units of a cell."""
MARGIN = 12
INK, FOUND, GIVEN, NOTHING_LEFT, RULE = "#1b2733", "#1f6fb2", "#e6ebef", "#f2b8b5", "#9aa7b2"


def grid_picture(givens: Sequence[int], values: Sequence[int]) -> Drawing:
    """Givens in bold on grey, found values in blue; cells for which nothing is left in red.

    >>> grid_picture([1] + [0] * 15, [1, 2] + [0] * 14).svg().count("<text")
    2
    """
    size = isqrt(len(values))
    box, span = isqrt(size), size * SIDE
    drawing = Drawing(span + 2 * MARGIN, span + 2 * MARGIN)
    left = domains_of(values)
    for cell, value in enumerate(values):
        x, y = MARGIN + cell % size * SIDE, MARGIN + cell // size * SIDE
        if givens[cell] or not (value or left[cell]):
            drawing.rect(x, y, SIDE, SIDE, fill=GIVEN if givens[cell] else NOTHING_LEFT)
        if value:
            colour, bold = (INK, True) if givens[cell] else (FOUND, False)
            drawing.text(x + SIDE / 2, y + SIDE / 2, str(value), size=SIDE * 0.55, colour=colour, bold=bold)
    for k in range(size + 1):
        at, thick = MARGIN + k * SIDE, k % box == 0
        look = {"colour": INK if thick else RULE, "width": 1.6 if thick else 0.6}
        drawing.line(MARGIN, at, MARGIN + span, at, **look)
        drawing.line(at, MARGIN, at, MARGIN + span, **look)
    return drawing
