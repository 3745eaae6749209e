"""The shapes of a picture: each is an element of SVG, which Pillow can paint too."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

Colour = str | tuple[str, str]
"""``#rrggbb``; or two of them, for light paper and for dark."""


def on_paper(colour: Colour, dark: bool) -> str:
    """A colour as it is on light or on dark paper.

    >>> on_paper(("#000000", "#ffffff"), dark=True), on_paper("#c0392b", dark=True)
    ('#ffffff', '#c0392b')
    """
    return colour if isinstance(colour, str) else colour[dark]


class Shape(NamedTuple):
    """A rect, line, circle or text: its attributes are lengths in units, colours and words.

    >>> Shape("circle", (("cx", 5.0), ("cy", 2.125), ("r", 1), ("fill", ("#000000", "#ffffff")))).svg(dark=True)
    '<circle cx="5" cy="2.12" r="1" fill="#ffffff"/>'
    """

    tag: str
    attributes: tuple[tuple[str, float | Colour], ...]
    text: str = ""

    def svg(self, dark: bool) -> str:
        """The element."""
        told = "".join(f' {name}="{_told(value, dark)}"' for name, value in self.attributes)
        return f"<{self.tag}{told}>{escape(self.text)}</{self.tag}>" if self.text else f"<{self.tag}{told}/>"

    def paint(self, brush: ImageDraw, scale: float, dark: bool) -> None:
        """The same with Pillow, so many pixels to a unit."""
        lengths: dict[str, Any] = {
            name: value * scale if isinstance(value, (int, float)) else on_paper(value, dark)
            for name, value in self.attributes
        }
        {"rect": _rect, "line": _line, "circle": _circle, "text": _text}[self.tag](brush, lengths, self.text)


def _told(value: float | Colour, dark: bool) -> str:
    if isinstance(value, (int, float)):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return on_paper(value, dark)


# --- as Pillow paints them; half of a line around something lies outside of it, as in SVG ---


def _rect(brush: ImageDraw, a: dict[str, Any], _: str) -> None:
    rim = a.get("stroke-width", 0) / 2
    box = [a["x"] - rim, a["y"] - rim, a["x"] + a["width"] + rim, a["y"] + a["height"] + rim]
    corner, fill = (a["rx"] + rim if "rx" in a else 0), (None if a["fill"] == "none" else a["fill"])
    brush.rounded_rectangle(box, corner, fill=fill, outline=a.get("stroke"), width=max(1, round(2 * rim)))


def _line(brush: ImageDraw, a: dict[str, Any], _: str) -> None:
    ends, width = ((a["x1"], a["y1"]), (a["x2"], a["y2"])), max(1, round(a["stroke-width"]))
    brush.line(ends, fill=a["stroke"], width=width)
    for end in ends if width > 2 else ():
        _disc(brush, *end, width / 2, a["stroke"])


def _circle(brush: ImageDraw, a: dict[str, Any], _: str) -> None:
    rim = a.get("stroke-width", 0) / 2
    if rim:
        _disc(brush, a["cx"], a["cy"], a["r"] + rim, a["stroke"])
    _disc(brush, a["cx"], a["cy"], a["r"] - rim, a["fill"])


def _disc(brush: ImageDraw, x: float, y: float, radius: float, colour: str) -> None:
    brush.ellipse([x - radius, y - radius, x + radius, y + radius], fill=colour)


def _text(brush: ImageDraw, a: dict[str, Any], text: str) -> None:
    """The one font that comes with Pillow is made bold by a line around its letters."""
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[a.get("text-anchor", "middle")]
    size = max(1.0, a["font-size"])
    bold = round(size / 32) if "font-weight" in a else 0
    brush.text((a["x"], a["y"]), text, fill=a["fill"], font=_font(size), anchor=anchor, stroke_width=bold)


@lru_cache(maxsize=64)
def _font(size: float) -> Any:
    from PIL import ImageFont

    return ImageFont.load_default(size)
