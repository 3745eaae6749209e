"""Drawings for tests."""

from __future__ import annotations

from rookery.drawing import Drawing

RED = "#c0392b"


def beads(n: int, **about) -> Drawing:
    """A row of discs that appear one after another on a line that is always there; the newest is red for its move."""
    drawing = Drawing(20 * n + 20, 40, **about)
    drawing.line(0, 20, 20 * n + 20, 20)
    for k in range(1, n + 1):
        with drawing.during(k):
            drawing.circle(20 * k, 20, 8)
        with drawing.during(k, k + 1 if k < n else None):
            drawing.circle(20 * k, 20, 6, fill=RED)
    return drawing
