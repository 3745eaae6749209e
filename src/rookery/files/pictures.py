"""The picture of a problem or a game after some moves, which plays them and carries them with it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rookery.drawing import Drawing
from rookery.drawing.playing import joined, steps_shown
from rookery.game import Game, PythonGame
from rookery.loading.kinds import name_of
from rookery.loading.loading import AnyGame, AnyProblem


def picture(of: AnyProblem | AnyGame, moves: Sequence[Any], **about: Any) -> Drawing | None:
    """What ``of.picture(moves)`` draws, ready to be written to a file; None if it draws nothing.

    Its files carry the name, the parameters and the moves, and whatever is given as ``about``, such as a score:
    ``rookery verify`` and ``rookery show`` read them like any other file. As a GIF or an animated SVG it plays the
    moves: if the shapes of a drawing do not say when they appear, it is made of the drawings after each move.

    >>> import rookery as rk
    >>> drawing = rk.files.picture(rk.games.Breakthrough.build(size=4), [18, 74])
    >>> drawing.holds["game"], drawing.holds["moves"], drawing.svg(animated=True).count("@keyframes") > 2
    ('breakthrough', [18, 74], True)
    """
    moves = tuple(moves)
    drawing = of.picture(moves)
    if drawing is None:
        return None

    def film() -> Drawing:
        frames = {step: of.picture(moves[:step]) for step in steps_shown(len(moves))}
        return joined({step: frame for step, frame in frames.items() if frame is not None})

    kind = "game" if isinstance(of, (Game, PythonGame)) else "problem"
    holds = {kind: name_of(of), "parameters": of.parameters(), **about, "moves": moves}
    return replace(drawing, holds=json.loads(json.dumps(holds, default=_plain)), film=film)


def _plain(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else str(value)
