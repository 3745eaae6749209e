"""Nagorko 2019, Figure 1: the time steps of a sample run."""

from __future__ import annotations

from functools import partial

from rookery.papers.items import Cell, Item, at_scales, number_of
from rookery.papers.theirs import Exactly
from rookery.papers.works import Computed, Hands
from rookery.simulation.sample_run import figure_1

STEPS = {
    "one after the other": ("9", "sequential"),
    "at level 1": ("8", "at_level_1"),
    "at both": ("6", "at_both_levels"),
}


def steps(which: str, hands: Hands) -> tuple[float]:
    """The time steps of the sample run."""
    return (float(getattr(figure_1(), which)),)


FIGURE_1 = Item(
    "figure",
    "1",
    "time steps of a sample run, level 2, N = 3",
    ("simulations side by side",),
    tuple(
        Cell(
            (label,),
            Computed(f"steps-{which}", 0.01, partial(steps, which)),
            at_scales(1, 1, 1),
            Exactly(printed, float(printed)),
            list,
            number_of,
        )
        for label, (printed, which) in STEPS.items()
    ),
)
