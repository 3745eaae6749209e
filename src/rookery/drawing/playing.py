"""Pictures that play moves: when each is shown, and one drawing made of those after each move."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rookery.drawing.sheet import Drawing, Shown

FIRST_SECONDS, LAST_SECONDS = 1.0, 3.0
"""How long the beginning and the end are shown."""
MOST_FRAMES = 250
"""The most frames of a GIF, and of a film made of drawings."""


def begins(steps: int) -> list[float]:
    """The seconds at which the steps begin, the first at 0, and at which all is over.

    >>> begins(2), begins(178)[-1]
    ([0.0, 1.0, 1.5, 4.5], 16.4254)
    """
    each = round(min(0.5, 12.5 / max(1, steps)), 4)
    moves = [round(FIRST_SECONDS + each * k, 4) for k in range(steps)]
    return [0.0, *moves, round((moves or [FIRST_SECONDS])[-1] + LAST_SECONDS, 4)]


def steps_shown(steps: int) -> list[int]:
    """After which moves a GIF shows the position.

    >>> steps_shown(3), steps_shown(401)[:3], steps_shown(401)[-2:]
    ([0, 1, 2, 3], [0, 2, 4], [400, 401])
    """
    stride = -(-max(1, steps) // (MOST_FRAMES - 1))
    return sorted({*range(0, steps, stride), steps})


def joined(frames: Mapping[int, Drawing]) -> Drawing:
    """One drawing made of those after these numbers of moves, in which every shape that stays is there once.

    >>> one, two = Drawing(9, 9), Drawing(9, 9)
    >>> one.circle(2, 2, 1); two.circle(2, 2, 1); two.circle(6, 6, 1)
    >>> [shown.since for shown in joined({0: one, 1: two}).shapes]
    [0, 1]
    """
    film: list[Shown] = []
    for step, frame in sorted(frames.items()):
        staying, at = set(), 0
        for shape in frame.visible():
            there = (k for k in range(at, len(film)) if film[k].until is None and film[k].shape == shape)
            found = next(there, None)
            if found is None:
                film.insert(at, Shown(shape, step))
                found = at
            staying.add(found)
            at = found + 1
        for k, shown in enumerate(film):
            if shown.until is None and k not in staying:
                film[k] = shown._replace(until=step)
    last = frames[max(frames)]
    width, height = (max(sides) for sides in zip(*((f.width, f.height) for f in frames.values()), strict=True))
    return replace(last, width=width, height=height, shapes=film)
