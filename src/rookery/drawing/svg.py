"""Drawings as SVG, still or played; each carries what it shows."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from itertools import groupby

from rookery.drawing.holding import KEY
from rookery.drawing.playing import begins
from rookery.drawing.sheet import Drawing, on_paper
from rookery.errors import InputError

FONT = "Helvetica, Arial, 'Liberation Sans', sans-serif"

Interval = tuple[int, int | None]


def svg(drawing: Drawing, size: int | None, animated: bool, dark: bool, step: int | None = None) -> str:
    """The text of an SVG.

    >>> drawing = Drawing(10, 10, holds={"score": 1})
    >>> '<metadata id="rookery-game">{"score": 1}</metadata>' in svg(drawing, None, False, False)
    True
    """
    if size is not None and size < 1:
        raise InputError(f"size must be at least 1 pixel, got {size}")
    width, height = drawing.width, drawing.height
    scale = 1.0 if size is None else size / max(width, height)
    held = "" if drawing.holds is None else escape(json.dumps(drawing.holds), quote=False)
    shapes = _moving(drawing, dark) if animated else (shape.svg(dark) for shape in drawing.visible(step))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:g}" height="{height * scale:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="{FONT}" text-anchor="middle">',
        f"<title>{escape(drawing.title)}</title>" if drawing.title else "",
        f'<metadata id="{KEY}">{held}</metadata>' if held else "",
        f'<rect width="{width:g}" height="{height:g}" fill="{on_paper(drawing.paper, dark)}"/>',
        *shapes,
        "</svg>\n",
    ]
    return "\n".join(part for part in parts if part)


def _moving(drawing: Drawing, dark: bool) -> Iterator[str]:
    """The style that lets shapes come and go, and the shapes, grouped by when they do so.

    Without the style, and for those who ask for less motion, the end is shown.
    """
    intervals = {(since, until) for _, since, until in drawing.shapes} - {(0, None)}
    names = {interval: f"s{k}" for k, interval in enumerate(sorted(intervals, key=lambda i: (i[0], i[1] or 0)))}
    seconds = begins(drawing.steps)
    every = f"[class^=s]{{animation:{seconds[-1]:g}s step-end infinite}}"
    rules = [every, *(_rule(name, interval, seconds) for interval, name in names.items())]
    yield "<style>\n@media (prefers-reduced-motion:no-preference){\n" + "\n".join(rules) + "\n}\n</style>"
    for (since, until), together in groupby(drawing.shapes, key=lambda shown: shown[1:]):
        text = "".join(shown.shape.svg(dark) for shown in together)
        gone = "" if until is None else ' opacity="0"'
        yield f'<g class="{names[since, until]}"{gone}>{text}</g>' if (since, until) in names else text


def _rule(name: str, interval: Interval, seconds: list[float]) -> str:
    """When the shapes of a class appear, and when they go."""

    def percent(step: int) -> str:
        return f"{100 * seconds[step] / seconds[-1]:.3f}".rstrip("0").rstrip(".") + "%"

    since, until = interval
    gone = "" if until is None else f"{percent(until)}{{opacity:0}}"
    before = f"0%{{opacity:0}}{percent(since)}" if since else "0%"
    return f"@keyframes {name}{{{before}{{opacity:1}}{gone}}}\n.{name}{{animation-name:{name}}}"
