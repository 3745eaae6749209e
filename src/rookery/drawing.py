"""Pictures of any problem: a few shapes, written as SVG or as PNG."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from rookery.errors import InputError

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
LONGEST = 5000
"""Pixels of the longer side of a PNG, at most."""
SMOOTH = 3
"""A PNG is drawn so many times larger than it will be, for smooth lines."""


@dataclass(frozen=True)
class _Rect:
    x: float
    y: float
    width: float
    height: float
    fill: str | None
    stroke: str | None
    line: float
    round: float

    def svg(self) -> str:
        stroke = "" if self.stroke is None else f' stroke="{self.stroke}" stroke-width="{self.line:g}"'
        corner = f' rx="{self.round:g}"' if self.round else ""
        size = f'width="{self.width:g}" height="{self.height:g}"'
        return f'<rect x="{self.x:g}" y="{self.y:g}" {size}{corner} fill="{self.fill or "none"}"{stroke}/>'

    def png(self, draw: ImageDraw, scale: float) -> None:
        box = [self.x * scale, self.y * scale, (self.x + self.width) * scale, (self.y + self.height) * scale]
        width = max(1, round(self.line * scale))
        draw.rounded_rectangle(box, self.round * scale, fill=self.fill, outline=self.stroke, width=width)


@dataclass(frozen=True)
class _Line:
    x1: float
    y1: float
    x2: float
    y2: float
    colour: str
    width: float

    def svg(self) -> str:
        ends = f'x1="{self.x1:g}" y1="{self.y1:g}" x2="{self.x2:g}" y2="{self.y2:g}"'
        return f'<line {ends} stroke="{self.colour}" stroke-width="{self.width:g}" stroke-linecap="round"/>'

    def png(self, draw: ImageDraw, scale: float) -> None:
        ends = [self.x1 * scale, self.y1 * scale, self.x2 * scale, self.y2 * scale]
        draw.line(ends, fill=self.colour, width=max(1, round(self.width * scale)))


@dataclass(frozen=True)
class _Circle:
    x: float
    y: float
    radius: float
    fill: str

    def svg(self) -> str:
        return f'<circle cx="{self.x:g}" cy="{self.y:g}" r="{self.radius:g}" fill="{self.fill}"/>'

    def png(self, draw: ImageDraw, scale: float) -> None:
        x, y, r = self.x * scale, self.y * scale, self.radius * scale
        draw.ellipse([x - r, y - r, x + r, y + r], fill=self.fill)


@dataclass(frozen=True)
class _Text:
    x: float
    y: float
    text: str
    size: float
    colour: str
    anchor: Literal["start", "middle", "end"]
    bold: bool

    def svg(self) -> str:
        weight = ' font-weight="bold"' if self.bold else ""
        place = f'x="{self.x:g}" y="{self.y:g}" font-size="{self.size:g}" text-anchor="{self.anchor}"'
        return f'<text {place} fill="{self.colour}" dominant-baseline="central"{weight}>{escape(self.text)}</text>'

    def png(self, draw: ImageDraw, scale: float) -> None:
        from PIL import ImageFont

        font = ImageFont.load_default(max(1.0, self.size * scale))
        anchor = {"start": "lm", "middle": "mm", "end": "rm"}[self.anchor]
        draw.text((self.x * scale, self.y * scale), self.text, fill=self.colour, font=font, anchor=anchor)


@dataclass
class Drawing:
    """A picture of so many units; colours are written as ``#rrggbb``, shapes lie on one another as they were added.

    >>> drawing = Drawing(100, 50)
    >>> drawing.rect(10, 10, 30, 30, fill="#c0392b")
    >>> drawing.text(70, 25, "37;259", size=12)
    >>> drawing.svg().count("<rect")
    2
    """

    width: float
    height: float
    paper: str = "#ffffff"
    shapes: list[Any] = field(default_factory=list)

    def rect(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        *,
        fill: str | None = None,
        stroke: str | None = None,
        line: float = 1.0,
        round: float = 0.0,
    ) -> None:
        """A rectangle from its upper left corner, filled, with a line around it, or both."""
        self.shapes.append(_Rect(x, y, width, height, fill, stroke, line, round))

    def line(self, x1: float, y1: float, x2: float, y2: float, *, colour: str = "#000000", width: float = 1.0) -> None:
        """A straight line."""
        self.shapes.append(_Line(x1, y1, x2, y2, colour, width))

    def circle(self, x: float, y: float, radius: float, *, fill: str = "#000000") -> None:
        """A disc."""
        self.shapes.append(_Circle(x, y, radius, fill))

    def text(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float,
        colour: str = "#000000",
        anchor: Literal["start", "middle", "end"] = "middle",
        bold: bool = False,
    ) -> None:
        """A line of text; its middle is at the height y."""
        self.shapes.append(_Text(x, y, text, size, colour, anchor, bold))

    def svg(self, size: int | None = None) -> str:
        """The picture as SVG; ``size``: pixels of the longer side."""
        scale = self._scale(size)
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width * scale:g}" height="{self.height * scale:g}" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" font-family="{FONT}">',
            f'<rect width="{self.width:g}" height="{self.height:g}" fill="{self.paper}"/>',
            *(shape.svg() for shape in self.shapes),
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def png(self, size: int | None = None) -> bytes:
        """The picture as PNG (Pillow must be installed); ``size``: pixels of the longer side, by default two a unit."""
        try:
            from PIL import Image, ImageDraw
        except ImportError:
            raise InputError("pictures as PNG need Pillow: pip install 'rookery[pictures]'") from None
        scale = self._scale(min(LONGEST, round(2 * max(self.width, self.height))) if size is None else size)
        if max(self.width, self.height) * scale > LONGEST:
            raise InputError(f"size must be at most {LONGEST} pixels, got {size}")
        width, height = max(1, round(self.width * scale)), max(1, round(self.height * scale))
        image = Image.new("RGB", (width * SMOOTH, height * SMOOTH), self.paper)
        draw = ImageDraw.Draw(image)
        for shape in self.shapes:
            shape.png(draw, scale * SMOOTH)
        buffer = io.BytesIO()
        image.resize((width, height), Image.Resampling.LANCZOS).save(buffer, "PNG", optimize=True)
        return buffer.getvalue()

    def _scale(self, size: int | None) -> float:
        if size is not None and size < 1:
            raise InputError(f"size must be at least 1 pixel, got {size}")
        return 1.0 if size is None else size / max(self.width, self.height)
