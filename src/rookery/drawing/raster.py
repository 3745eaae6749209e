"""Drawings as PNG, and as GIF that plays them; they need Pillow, and each carries what it shows."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from rookery.drawing.holding import KEY
from rookery.drawing.playing import begins, steps_shown
from rookery.drawing.sheet import Drawing, on_paper
from rookery.errors import InputError

if TYPE_CHECKING:
    from PIL.Image import Image

LEAST = 50
"""The fewest pixels that the longer side may have."""
NEAR = 12
"""A colour at most this much farther off than the paper's own counts as paper: squares of red, green and blue."""
LARGE = 10_000
"""The most pixels of the longer side while a picture is painted."""
SAMPLE = 4
"""The colours of a GIF are taken from about this many of its frames."""


class RasterKind(NamedTuple):
    """A kind of picture: pixels to a unit if no size is given, the most pixels of the longer side, and how many times
    larger it is painted than it will be, for smooth lines."""

    name: str
    unit: int
    most: int
    smooth: int


PNG = RasterKind("PNG", unit=2, most=5000, smooth=4)
GIF = RasterKind("GIF", unit=1, most=1200, smooth=3)  # all frames are in memory at once


def png(drawing: Drawing, size: int | None, dark: bool) -> bytes:
    """The bytes of a PNG.

    >>> png(Drawing(100, 50), 100, dark=False)[1:4]
    b'PNG'
    """
    canvas = _Canvas(drawing, PNG, size, dark)
    from PIL.PngImagePlugin import PngInfo

    text, buffer = PngInfo(), io.BytesIO()
    if drawing.holds is not None:
        text.add_text(KEY, json.dumps(drawing.holds))
    canvas.frame(drawing.steps).save(buffer, "PNG", pnginfo=text, optimize=True)
    return buffer.getvalue()


def gif(drawing: Drawing, size: int | None, dark: bool) -> bytes:
    """The bytes of a GIF.

    >>> gif(Drawing(100, 50), 100, dark=False)[:3]
    b'GIF'
    """
    canvas = _Canvas(drawing, GIF, size, dark)
    from PIL.Image import Dither

    shown, seconds = steps_shown(drawing.steps), begins(drawing.steps)
    times = [seconds[b] - seconds[a] for a, b in pairwise([*shown, drawing.steps + 1])]
    palette = canvas.palette(shown)
    first, *others = (canvas.frame(step).quantize(palette=palette, dither=Dither.NONE) for step in shown)
    buffer = io.BytesIO()
    first.save(
        buffer,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[round(1000 * time) for time in times],
        loop=0,
        comment=b"" if drawing.holds is None else f"{KEY} {json.dumps(drawing.holds)}".encode(),
        optimize=False,
        disposal=1,
    )
    return buffer.getvalue()


class _Canvas:
    """What a drawing is painted on; what never changes and lies below all else is painted once."""

    def __init__(self, drawing: Drawing, kind: RasterKind, size: int | None, dark: bool) -> None:
        try:
            from PIL import Image
        except ImportError:
            raise InputError(f"a {kind.name} needs Pillow: pip install pillow") from None
        longer = max(drawing.width, drawing.height)
        size = min(max(round(longer * kind.unit), LEAST), kind.most) if size is None else size
        if not LEAST <= size <= kind.most:
            raise InputError(f"size must be {LEAST} to {kind.most} pixels for a {kind.name}, got {size}")
        self._smooth = max(1, min(kind.smooth, LARGE // size))
        self._scale, self._dark, self._drawing = size / longer * self._smooth, dark, drawing
        sides = [self._smooth * max(1, round(side * size / longer)) for side in (drawing.width, drawing.height)]
        self._ground = Image.new("RGB", sides, on_paper(drawing.paper, dark))
        self._below = next((k for k, shown in enumerate(drawing.shapes) if shown[1:] != (0, None)), 0)
        self._paint(self._ground, slice(self._below), 0)

    def frame(self, step: int) -> Image:
        """The picture after this many moves."""
        image = self._ground.copy()
        self._paint(image, slice(self._below, None), step)
        return image.reduce(self._smooth)

    def palette(self, shown: list[int]) -> Image:
        """An image with the 256 colours that serve for all frames.

        Those that are almost paper become paper: Pillow looks for the colour that is nearest to the one with the last
        two bits of red, green and blue cleared, and all paper would be grey.
        """
        from PIL import Image, ImageColor

        some = [self.frame(step) for step in {*shown[:: -(-len(shown) // SAMPLE)], shown[-1]}]
        sample = Image.new("RGB", (some[0].width, some[0].height * len(some)))
        for k, image in enumerate(some):
            sample.paste(image, (0, k * image.height))
        reduced = sample.quantize(256)
        flat, paper = reduced.getpalette() or [], ImageColor.getrgb(on_paper(self._drawing.paper, self._dark))

        def away(colour: Sequence[int]) -> int:
            return sum((a - (b & ~3)) ** 2 for a, b in zip(colour, paper, strict=True))

        for k in range(0, len(flat), 3):
            if away(flat[k : k + 3]) <= away(paper) + NEAR:
                flat[k : k + 3] = paper
        reduced.putpalette(flat)
        return reduced

    def _paint(self, image: Image, part: slice, step: int) -> None:
        from PIL import ImageDraw

        brush = ImageDraw.Draw(image)
        for shown in self._drawing.shapes[part]:
            if shown.at(step):
                shown.shape.paint(brush, self._scale, self._dark)
