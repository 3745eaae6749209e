"""A small paper, whose items take next to no time."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.papers import reproduction
from rookery.papers.items import Cell, Item, Paper, Picture, at_scales, share_of
from rookery.papers.theirs import OneRun, Share
from rookery.papers.works import Found, Games, Runs, named

BREAKTHROUGH = Games(
    "breakthrough-5x5-60", 0.01, "breakthrough", {"size": "5"}, rk.PPA(playouts=60), rk.GameUCT(playouts=60)
)
LEFT = Runs("left", 0.01, named("leftmove", depth=20), rk.NRPA(level=1, iterations=20))
LONG = Runs("long", 3600.0, named("leftmove", depth=20), rk.NRPA(level=3, iterations=100))


def histogram(found: dict[str, Found]) -> dict[str, list[tuple[float, float]]]:
    scores = [run.score for sample in found["left"].samples for run in sample.values()]
    return {"left": [(score, float(scores.count(score))) for score in sorted(set(scores))]}


SMALL = Paper(
    "small-2000",
    "Nobody, a paper of next to nothing",
    (
        Item(
            "table",
            "1",
            "PPA against UCT",
            ("game", "size"),
            (
                Cell(
                    ("breakthrough", "5x5"),
                    BREAKTHROUGH,
                    at_scales(4, 8, 8),
                    Share("60.0", 60.0, of=500),
                    tuple,
                    share_of,
                ),
            ),
        ),
        Item(
            "figure",
            "2",
            "scores of the left move",
            ("depth",),
            (
                Cell(("20",), LEFT, at_scales(5, 10, 20), OneRun("15", 15.0)),
                Cell(("long",), LONG, at_scales(full=20), OneRun("20", 20.0)),
            ),
            picture=Picture("score", "runs", histogram, steps=True),
            note="The paper has one run of each.",
        ),
        Item("figure", "3", "a picture", not_available="it was never printed"),
    ),
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Paper:
    monkeypatch.setattr(reproduction, "paper_named", lambda name: SMALL)
    return SMALL
