"""Crosswords as pictures."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.drawing import Drawing
from rookery.problems.crossword.grid import Placement, letters_of

SIDE = 24
"""Units of a cell."""
MARGIN = 12
INK, FILLED, GROUND, RULE = "#1b2733", "#ffffff", "#dfe5ea", "#8a97a3"


def grid_picture(placements: Sequence[Placement], width: int, height: int) -> Drawing:
    """The letters in squares; the cells where words begin are numbered as in a newspaper.

    >>> grid_picture([Placement("ZION", True, 0, 0)], 4, 4).svg().count("<text")
    5
    """
    drawing = Drawing(width * SIDE + 2 * MARGIN, height * SIDE + 2 * MARGIN)
    drawing.rect(MARGIN, MARGIN, width * SIDE, height * SIDE, fill=GROUND)
    begins = {cell: number for number, cell in enumerate(sorted({(p.row, p.column) for p in placements}), 1)}
    for (row, column), letter in sorted(letters_of(placements).items()):
        x, y = MARGIN + column * SIDE, MARGIN + row * SIDE
        drawing.rect(x, y, SIDE, SIDE, fill=FILLED, stroke=RULE, line=0.8)
        drawing.text(x + SIDE / 2, y + SIDE * 0.56, letter, size=SIDE * 0.6, colour=INK)
        if (row, column) in begins:
            place = x + SIDE * 0.08, y + SIDE * 0.18
            drawing.text(*place, str(begins[row, column]), size=SIDE * 0.26, colour=RULE, anchor="start")
    drawing.rect(MARGIN, MARGIN, width * SIDE, height * SIDE, stroke=INK, line=1.6)
    return drawing
