"""Colours that can be told apart, and tiles in them with a legible label."""

from __future__ import annotations

from rookery.drawing.sheet import Drawing

COLOURS = (
    *("#4c78a8", "#e45756", "#54a24b", "#eeca3b", "#b279a2", "#f58518", "#72b7b2"),
    *("#9d755d", "#ff9da6", "#bab0ac", "#2f4b7c", "#8cd17d", "#79706e", "#d37295", "#1b9e77"),
)
"""A colour for each number; even those who cannot tell red from green can tell them apart."""
DARK_LETTERS, LIGHT_LETTERS = "#222222", "#ffffff"
# On light paper and on dark.
INK, PALE, FRAME = ("#222222", "#e8ecf0"), ("#f2f2f2", "#20242b"), ("#c8c8c8", "#454c56")


def colour_of(number: int) -> str:
    """The colour of a number; from the fifteenth on they repeat.

    >>> colour_of(0) == colour_of(15)
    True
    """
    return COLOURS[number % len(COLOURS)]


def letters_on(fill: str) -> str:
    """The colour of letters on this colour.

    >>> letters_on("#eeca3b") == DARK_LETTERS
    True
    """
    red, green, blue = (int(fill[i : i + 2], 16) for i in (1, 3, 5))
    return DARK_LETTERS if 299 * red + 587 * green + 114 * blue > 150_000 else LIGHT_LETTERS


def tile(drawing: Drawing, box: tuple[float, float, float, float], number: int, label: str = "") -> None:
    """A rectangle (x, y, width, height) in the colour of a number, with a label in its middle.

    >>> drawing = Drawing(30, 30)
    >>> tile(drawing, (5, 5, 20, 20), 3, "7")
    >>> drawing.svg().count("<text")
    1
    """
    x, y, width, height = box
    fill = colour_of(number)
    drawing.rect(x, y, width, height, fill=fill, round=min(4, width / 4))
    if label:
        drawing.text(x + width / 2, y + height / 2, label, size=10, colour=letters_on(fill))
