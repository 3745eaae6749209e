"""Pictures of games as SVG, still or playing the game; each holds the game that it shows."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from rookery.errors import InputError
from rookery.problems.morpion import picture as p
from rookery.problems.morpion.embedded import KEY
from rookery.problems.morpion.game import Game

CELL = 30
"""Units of the drawing to a cell; pixels, if no size is given."""
FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"
NEW = 3
"""So many moves are bold at a time when a game is played."""


def game_svg(game: Game, *, animated: bool = False, size: int | None = None, theme: p.Theme = "light") -> str:
    """A game as an SVG picture; it must be legal.

    Parameters
    ----------
    animated
        play the game, again and again; where pictures do not move, the whole game is shown
    size
        pixels of the longer side; None: 30 pixels to a cell
    theme
        light or dark

    >>> from rookery.problems.morpion import Move
    >>> game_svg(Game("5T", (Move(4, 3, "H", 4),))).count("<circle")
    37
    """
    picture, colours = p.pictured(game), p.themed(theme)
    if size is not None and size < 1:
        raise InputError(f"size must be at least 1 pixel, got {size}")
    width, height = round(picture.width * CELL), round(picture.height * CELL)
    scale = 1.0 if size is None else size / max(width, height)
    timing = animation(len(game.moves)) if animated else ""
    mark = (lambda number: f' class="m{number}"') if animated else (lambda number: "")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:g}" height="{height * scale:g}" '
        f'viewBox="0 0 {width} {height}" font-family="{FONT}" text-anchor="middle">',
        f"<title>{picture.title}</title>",
        f'<metadata id="{KEY}">{escape(p.held(game), quote=False)}</metadata>',
        timing,
        f'<rect width="{width}" height="{height}" fill="{_hex(colours.paper)}"/>',
        _grid(picture, colours),
        _strokes(picture, colours, mark),
        _starts(picture, colours),
        _numbers(picture, colours, mark),
        _caption(picture, colours),
        "</svg>\n",
    ]
    return "\n".join(part for part in parts if part)


def animation(moves: int) -> str:
    """The style that lets moves appear one after another, the newest in bold; nothing moves for those who ask so."""
    each, total = p.schedule(moves)

    def percent(seconds: float) -> str:
        return f"{min(100.0, 100 * seconds / total):.3f}".rstrip("0").rstrip(".") + "%"

    frames, names = [], []
    for number in range(1, moves + 1):
        begin = p.FIRST_SECONDS + each * (number - 1)
        bold = f"{percent(begin)}{{opacity:1;stroke-width:{_n(2 * p.LINE_WIDTH)}}}"
        plain = f"{percent(begin + NEW * each)}{{opacity:1;stroke-width:{_n(p.LINE_WIDTH)}}}"
        frames.append(f"@keyframes k{number}{{0%{{opacity:0}}{bold}{plain}}}")
        names.append(f".m{number}{{animation-name:k{number}}}")
    every = f"[class^=m]{{animation:{total:g}s step-end infinite}}"
    rules = "\n".join([every, *frames, *names])
    return f"<style>\n@media (prefers-reduced-motion:no-preference){{\n{rules}\n}}\n</style>"


def _grid(picture: p.Picture, colours: p.Colours) -> str:
    (left, top), (right, bottom) = (
        picture.place((picture.left - 0.5, picture.top - 0.5)),
        picture.place((picture.right + 0.5, picture.bottom + 0.5)),
    )
    rows = [f"M{_n(left)} {_n(picture.place((0, y))[1])}H{_n(right)}" for y in range(picture.top, picture.bottom + 1)]
    columns = [
        f"M{_n(picture.place((x, 0))[0])} {_n(top)}V{_n(bottom)}" for x in range(picture.left, picture.right + 1)
    ]
    style = f'fill="none" stroke="{_hex(colours.grid)}" stroke-width="{_n(p.GRID_WIDTH)}"'
    return f'<path {style} d="{"".join(rows + columns)}"/>'


def _strokes(picture: p.Picture, colours: p.Colours, mark: Callable[[int], str]) -> str:
    lines = []
    for stroke in picture.strokes:
        (x1, y1), (x2, y2) = picture.place(stroke.begin), picture.place(stroke.end)
        ends = f'x1="{_n(x1)}" y1="{_n(y1)}" x2="{_n(x2)}" y2="{_n(y2)}"'
        colour = _hex(colours.age(stroke.number, len(picture.strokes)))
        lines.append(f'<line{mark(stroke.number)} {ends} stroke="{colour}"/>')
    return "\n".join([f'<g stroke-width="{_n(p.LINE_WIDTH)}" stroke-linecap="round">', *lines, "</g>"])


def _starts(picture: p.Picture, colours: p.Colours) -> str:
    circles = []
    for start in picture.starts:
        x, y = picture.place(start.at)
        circles.append(f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(p.START_RADIUS)}"/>')
    return "\n".join([f'<g fill="{_hex(colours.ink)}">', *circles, "</g>"])


def _numbers(picture: p.Picture, colours: p.Colours, mark: Callable[[int], str]) -> str:
    """Dots with numbers; the last one is filled."""
    dots = []
    for dot in picture.numbers:
        x, y = picture.place(dot.at)
        last = dot.number == len(picture.numbers)
        colour = _hex(colours.age(dot.number, len(picture.numbers)))
        # The width of the rim is told here, not in the group: what is bold for a moment is the line alone.
        rim = f'stroke="{colour}" stroke-width="{_n(p.RIM_WIDTH)}" fill="{colour if last else _hex(colours.paper)}"'
        circle = f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(p.MOVE_RADIUS)}" {rim}/>'
        ink = f' fill="{_hex(colours.paper)}"' if last else ""
        digits = f'y="{_n(y + p.BASELINE * dot.size)}" font-size="{_n(dot.size)}"{ink}'
        dots.append(f'<g{mark(dot.number)}>{circle}<text x="{_n(x)}" {digits}>{dot.number}</text></g>')
    return "\n".join([f'<g fill="{_hex(colours.ink)}">', *dots, "</g>"])


def _caption(picture: p.Picture, colours: p.Colours) -> str:
    x, y = picture.width / 2, picture.height - p.CAPTION_FOOT
    style = f'font-size="{_n(p.CAPTION_SIZE)}" fill="{_hex(colours.ink)}"'
    return f'<text x="{_n(x)}" y="{_n(y)}" {style}>{picture.title}</text>'


def _n(cells: float) -> str:
    """A length in the units of the drawing."""
    return f"{cells * CELL:.2f}".rstrip("0").rstrip(".")


def _hex(colour: p.Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)
