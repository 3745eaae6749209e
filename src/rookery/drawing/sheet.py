"""A picture that problems and games draw themselves on; its shapes are elements of SVG, which Pillow can paint too."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

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
        """The same with Pillow, at this many pixels per unit."""
        lengths: dict[str, Any] = {
            name: value * scale if isinstance(value, (int, float)) else on_paper(value, dark)
            for name, value in self.attributes
        }
        {"rect": _rect, "line": _line, "circle": _circle, "text": _text}[self.tag](brush, lengths, self.text)


def _told(value: float | Colour, dark: bool) -> str:
    if isinstance(value, (int, float)):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    return on_paper(value, dark)


# --- as Pillow paints them; half of an outline lies outside the shape, as in SVG ---


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


PAPER: Colour = ("#ffffff", "#13151a")
INK: Colour = ("#000000", "#f0f2f5")
BASELINE = 0.355
"""From the middle of a digit or a capital down to its foot, by its size: not every program knows the middle."""


class Shown(NamedTuple):
    """A shape, and after how many moves it can be seen: from ``since`` on, and from ``until`` on no longer."""

    shape: Shape
    since: int = 0
    until: int | None = None

    def at(self, step: int) -> bool:
        """Whether it can be seen after this many moves."""
        return self.since <= step and (self.until is None or step < self.until)


@dataclass
class Drawing:
    """A picture, measured in units. Later shapes lie on top of earlier ones.

    Parameters
    ----------
    width, height
        in units: pixels of an SVG that has no other size
    paper
        its colour. A colour is written ``#rrggbb``; a pair is for light paper and for dark
    title
        what the picture is called, for readers who cannot see it
    holds
        what a file of the picture carries as JSON: :func:`rookery.files.picture` sets it to the solution that is shown
    film
        makes the drawing in which shapes come and go, if this one does not use :meth:`during`

    >>> drawing = Drawing(100, 50)
    >>> drawing.rect(10, 10, 30, 30, fill="#c0392b")
    >>> drawing.text(70, 25, "37;259", size=12)
    >>> drawing.svg().count("<rect")
    2
    """

    width: float
    height: float
    paper: Colour = PAPER
    title: str = ""
    holds: Any = None
    film: Callable[[], Drawing] | None = field(default=None, repr=False, compare=False)
    shapes: list[Shown] = field(default_factory=list, repr=False)
    _when: tuple[int, int | None] = field(default=(0, None), repr=False, compare=False)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: Colour | None = None,
        stroke: Colour | None = None,
        line: float = 1.0,
        round: float = 0.0,
    ) -> None:
        """A rectangle from its upper left corner, filled, with a line around it, or both."""
        look = {"fill": fill or "none", "stroke": stroke, "stroke_width": None if stroke is None else line}
        self._add("rect", x=x, y=y, width=width, height=height, rx=round or None, **look)

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: Colour = INK, width: float = 1.0) -> None:
        """A straight line."""
        self._add("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=width, stroke_linecap="round")

    def circle(
        self, x: float, y: float, radius: float, *, fill: Colour = INK, stroke: Colour | None = None, line: float = 1.0
    ) -> None:
        """A disc, with or without a line around it."""
        self._add(
            "circle", cx=x, cy=y, r=radius, fill=fill, stroke=stroke, stroke_width=None if stroke is None else line
        )

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        colour: Colour = INK,
        anchor: Literal["start", "middle", "end"] = "middle",
        bold: bool = False,
    ) -> None:
        """A line of text; its digits and capitals have their middle at the height y."""
        place = {"x": x, "y": y + BASELINE * size, "font_size": size}
        look = {"text_anchor": None if anchor == "middle" else anchor, "font_weight": "bold" if bold else None}
        self._add("text", text, **place, **look, fill=colour)

    @contextmanager
    def during(self, since: int, until: int | None = None) -> Iterator[None]:
        """What is drawn in this context appears with move number ``since``, and is gone with move number ``until``.

        >>> drawing = Drawing(10, 10)
        >>> with drawing.during(1):
        ...     drawing.circle(5, 5, 4)
        >>> drawing.steps
        1
        """
        before, self._when = self._when, (since, until)
        try:
            yield
        finally:
            self._when = before

    @property
    def steps(self) -> int:
        """The number of the last move with which something appears or goes."""
        return max((max(shown.since, shown.until or 0) for shown in self.shapes), default=0)

    def visible(self, step: int | None = None) -> list[Shape]:
        """The shapes that can be seen after this many moves; None: at the end."""
        step = self.steps if step is None else step
        return [shown.shape for shown in self.shapes if shown.at(step)]

    def played(self) -> Drawing:
        """The drawing as it is played: this one, if its shapes come and go, else its ``film``."""
        if self.steps or self.film is None:
            return self
        return replace(self.film(), title=self.title, holds=self.holds)

    def svg(
        self, size: int | None = None, *, animated: bool = False, dark: bool = False, step: int | None = None
    ) -> str:
        """The picture as SVG.

        Parameters
        ----------
        size
            pixels of the longer side; None: one per unit
        animated
            the moves are played in a loop; where pictures do not move, the end is shown
        dark
            on dark paper
        step
            as it is after this many moves, if its shapes come and go; None: at the end
        """
        from rookery.drawing.svg import svg

        return svg(self.played() if animated else self, size, animated, dark, step)

    def png(self, size: int | None = None, *, dark: bool = False) -> bytes:
        """The picture as PNG (needs Pillow); ``size``: pixels of the longer side, by default two per unit."""
        from rookery.drawing.raster import png

        return png(self, size, dark)

    def gif(self, size: int | None = None, *, dark: bool = False) -> bytes:
        """The moves played in a loop, as GIF (Pillow must be installed); ``size``: by default one pixel per unit.

        There is a frame for the beginning and one for each move (for every second move or more, where there would be
        more than 250), and the end is held for three seconds.
        """
        from rookery.drawing.raster import gif

        return gif(self.played(), size, dark)

    def __str__(self) -> str:
        title = f"{self.title}: " if self.title else ""
        return f"{title}a drawing of {self.width:g} x {self.height:g} with {len(self.shapes)} shapes"

    def _repr_svg_(self) -> str:
        """What a notebook shows."""
        return self.svg()

    def _add(self, tag: str, text: str = "", /, **values: Any) -> None:
        told = ((name.replace("_", "-"), value) for name, value in values.items() if value is not None)
        self.shapes.append(Shown(Shape(tag, tuple(told), text), *self._when))
