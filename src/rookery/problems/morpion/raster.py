"""Pictures of games as PNG, and as GIF that plays the game; they need Pillow, and each holds the game that it shows."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from rookery.errors import InputError
from rookery.problems.morpion import picture as p
from rookery.problems.morpion.embedded import KEY
from rookery.problems.morpion.game import Dot, Game

if TYPE_CHECKING:
    from PIL.Image import Image

LEAST = 50
"""Pixels that the longer side must have."""
MOST_FRAMES = 250
"""In a GIF."""
NEAR = 6
"""A colour that differs from paper by no more, in red, green and blue, is taken for it."""
LARGE = 10_000
"""Pixels of the longer side while a picture is drawn, at most."""


class Kind(NamedTuple):
    """A kind of picture: pixels to a cell if no size is given, the most pixels of the longer side, and how many times
    larger it is drawn than it will be, for smooth lines."""

    name: str
    cell: int
    most: int
    smooth: int


PNG = Kind("PNG", cell=60, most=5000, smooth=4)
GIF = Kind("GIF", cell=30, most=1200, smooth=3)  # all frames are in memory at once


def game_png(game: Game, *, size: int | None = None, theme: p.Theme = "light") -> bytes:
    """A game as a PNG picture; it must be legal.

    Parameters
    ----------
    size
        pixels of the longer side; None: 60 pixels to a cell
    theme
        light or dark

    >>> game_png(Game("5T", ()), size=100)[1:4]
    b'PNG'
    """
    _need_pillow(PNG)
    from PIL.PngImagePlugin import PngInfo

    canvas = _Canvas(p.pictured(game), PNG, size, p.themed(theme))
    for number in range(1, game.score + 1):
        canvas.play(number)
    canvas.finish()
    text = PngInfo()
    text.add_text(KEY, p.held(game))
    buffer = io.BytesIO()
    canvas.image().save(buffer, "PNG", pnginfo=text, optimize=True)
    return buffer.getvalue()


def game_gif(game: Game, *, size: int | None = None, theme: p.Theme = "light") -> bytes:
    """A game as a GIF that plays it again and again; it must be legal.

    There is a frame for the beginning and one for each move (for every second move or more, in games so long that
    there would be more than 250), and the end is held for three seconds.

    Parameters
    ----------
    size
        pixels of the longer side; None: 30 pixels to a cell
    theme
        light or dark

    >>> game_gif(Game("5T", ()), size=100)[:3]
    b'GIF'
    """
    _need_pillow(GIF)
    shown = numbers_shown(game.score)
    each, _ = p.schedule(game.score)
    times = [p.FIRST_SECONDS, *(each * (b - a) for a, b in pairwise(shown[1:])), p.LAST_SECONDS]
    first, *others = _frames(game, shown, size, p.themed(theme))
    buffer = io.BytesIO()
    first.save(
        buffer,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[round(1000 * seconds) for seconds in times][-len(shown) :],
        loop=0,
        comment=f"{KEY} {p.held(game)}".encode(),
        optimize=False,
        disposal=1,
    )
    return buffer.getvalue()


def numbers_shown(moves: int) -> list[int]:
    """After which moves a GIF shows the game.

    >>> numbers_shown(3), numbers_shown(401)[:3], numbers_shown(401)[-2:]
    ([0, 1, 2, 3], [0, 2, 4], [400, 401])
    """
    step = -(-max(1, moves) // (MOST_FRAMES - 1))
    return sorted({*range(0, moves, step), moves})


def _frames(game: Game, shown: Iterable[int], size: int | None, colours: p.Colours) -> Iterator[Image]:
    """The frames, all with one palette: that of the end, which has all colours."""
    picture = p.pictured(game)
    end = _Canvas(picture, GIF, size, colours)
    for number in range(1, game.score + 1):
        end.play(number)
    end.finish()
    palette = _palette(end.image(), colours.paper)
    canvas = _Canvas(picture, GIF, size, colours)
    played = 0
    for number in shown:
        for k in range(played + 1, number + 1):
            canvas.play(k)
        played = number
        if number == game.score:
            canvas.finish()
        yield canvas.image().quantize(palette=palette, dither=0)


def _palette(image: Image, paper: p.Colour) -> Image:
    """An image with the 256 colours that serve for a picture.

    Those that are almost paper become paper: Pillow finds the nearest colour only roughly, and all paper would be grey.
    """
    reduced = image.quantize(256)
    flat = reduced.getpalette() or []
    for k in range(0, len(flat), 3):
        if max(abs(a - b) for a, b in zip(flat[k : k + 3], paper, strict=True)) <= NEAR:
            flat[k : k + 3] = paper
    reduced.putpalette(flat)
    return reduced


class _Canvas:
    """A picture that is painted move by move: a line covers no dot but its own, which are painted again."""

    def __init__(self, picture: p.Picture, kind: Kind, size: int | None, colours: p.Colours) -> None:
        from PIL import Image, ImageDraw

        longer = max(picture.width, picture.height)
        size = min(round(longer * kind.cell), kind.most) if size is None else size
        if not LEAST <= size <= kind.most:
            raise InputError(f"size must be {LEAST} to {kind.most} pixels for a {kind.name}, got {size}")
        smooth = max(1, min(kind.smooth, LARGE // size))
        self._picture, self._colours, self._moves = picture, colours, len(picture.strokes)
        self._scale = size / longer * smooth
        self._smooth = smooth
        width, height = (smooth * max(1, round(side * size / longer)) for side in (picture.width, picture.height))
        self._image = Image.new("RGB", (width, height), colours.paper)
        self._draw: Any = ImageDraw.Draw(self._image)
        self._fonts: dict[float, Any] = {}
        self._there: dict[Dot, int] = {start.at: 0 for start in picture.starts}
        self._grid()
        for start in picture.starts:
            self._dot(start.at)
        caption = picture.width / 2, picture.height - p.CAPTION_FOOT
        self._text(caption, picture.title, p.CAPTION_SIZE, colours.ink)

    def play(self, number: int) -> None:
        """Paint a move; it is the newest, and stands out."""
        if number > 1:
            self._stroke(number - 1, self._colours.age(number - 1, self._moves), newest=0)
        self._there[self._picture.numbers[number - 1].at] = number
        self._stroke(number, self._colours.ink, newest=number)

    def finish(self) -> None:
        """Paint the last line like all others; its dot still stands out."""
        if self._moves:
            self._stroke(self._moves, self._colours.age(self._moves, self._moves), newest=self._moves)

    def image(self) -> Image:
        """What is painted so far, at its true size."""
        return self._image.reduce(self._smooth)

    def _stroke(self, number: int, colour: p.Colour, newest: int) -> None:
        stroke = self._picture.strokes[number - 1]
        begin, end = (self._pixels(self._picture.place(point)) for point in (stroke.begin, stroke.end))
        self._draw.line([begin, end], fill=colour, width=self._width(p.LINE_WIDTH))
        for x, y in (begin, end):
            self._disc((x, y), p.LINE_WIDTH / 2 * self._scale, colour)
        for cell in stroke.cells:
            if cell in self._there:
                self._dot(cell, newest)

    def _dot(self, at: Dot, newest: int = 0) -> None:
        number, place = self._there[at], self._picture.place(at)
        if not number:
            self._disc(self._pixels(place), p.START_RADIUS * self._scale, self._colours.ink)
            return
        colour, ink = self._colours.age(number, self._moves), self._colours.ink
        paper = self._colours.paper
        self._disc(self._pixels(place), (p.MOVE_RADIUS + p.RIM_WIDTH / 2) * self._scale, colour)
        if number == newest:
            ink = paper
        else:
            self._disc(self._pixels(place), (p.MOVE_RADIUS - p.RIM_WIDTH / 2) * self._scale, paper)
        size = self._picture.numbers[number - 1].size
        self._text((place[0], place[1] + p.BASELINE * size), str(number), size, ink)

    def _grid(self) -> None:
        picture = self._picture
        left, top = self._pixels(picture.place((picture.left - 0.5, picture.top - 0.5)))
        right, bottom = self._pixels(picture.place((picture.right + 0.5, picture.bottom + 0.5)))
        width = self._width(p.GRID_WIDTH)
        for x in range(picture.left, picture.right + 1):
            at = self._pixels(picture.place((x, 0)))[0]
            self._draw.line([(at, top), (at, bottom)], fill=self._colours.grid, width=width)
        for y in range(picture.top, picture.bottom + 1):
            at = self._pixels(picture.place((0, y)))[1]
            self._draw.line([(left, at), (right, at)], fill=self._colours.grid, width=width)

    def _text(self, foot: p.Point, text: str, size: float, colour: p.Colour) -> None:
        from PIL import ImageFont

        if size not in self._fonts:
            self._fonts[size] = ImageFont.load_default(size=max(1.0, size * self._scale))
        self._draw.text(self._pixels(foot), text, fill=colour, font=self._fonts[size], anchor="ms")

    def _disc(self, at: p.Point, radius: float, colour: p.Colour) -> None:
        x, y = at
        self._draw.ellipse((x - radius, y - radius, x + radius, y + radius), fill=colour)

    def _pixels(self, place: p.Point) -> p.Point:
        return place[0] * self._scale, place[1] * self._scale

    def _width(self, cells: float) -> int:
        return max(1, round(cells * self._scale))


def _need_pillow(kind: Kind) -> None:
    try:
        import PIL  # noqa: F401
    except ImportError:
        raise InputError(f"a {kind.name} needs Pillow: pip install pillow") from None
