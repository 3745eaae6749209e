"""Nagorko 2019: depth, not width, decides."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from rookery.loading.loading import load_problem
from rookery.papers.items import Cell, Item, at_scales, median_of, share_of
from rookery.papers.kept import Kept, field
from rookery.papers.theirs import Theirs
from rookery.papers.works import Hands
from rookery.running.solve import solve
from rookery.search.nrpa import NRPA
from rookery.stop import MaxPlayouts

VARIANTS = ("5T", "5D")


@dataclass(frozen=True)
class Deeper(Theirs):
    """The paper's claim that the deeper search is better; samples are 1, 0, or a half for a tie.

    >>> Deeper("deeper").p([1.0] * 20), Deeper("deeper").p([1.0, 0.0]) is None
    (1.0, True)
    """

    test = "a sign test"

    def p(self, ours: Sequence[float]) -> float | None:
        """1 if it is significantly better, 0 if it is worse, None if neither can be told."""
        from scipy import stats

        better, worse = ours.count(1.0), ours.count(0.0)
        if better + worse == 0 or stats.binomtest(better, better + worse).pvalue >= 0.05:
            return None
        return 1.0 if better > worse else 0.0


DEPTHS = {2: (50, 2.5, at_scales(20, 50, 100)), 3: (30, 15.0, at_scales(0, 20, 50))}
"""Level of the runs that are restarted -> N, core-seconds of a sample, samples."""


def depth_and_width(variant: str, level: int, seed: int, hands: Hands) -> dict[str, Any]:
    """A run of the next level, and as many playouts of runs of this level."""
    iterations = DEPTHS[level][0]
    began = time.process_time()
    stop, problem = MaxPlayouts(iterations ** (level + 1)), load_problem("morpion", {"variant": variant})
    deep, wide = (
        solve(
            problem,
            NRPA(level=depth, iterations=iterations),
            stop=stop,
            seed=seed,
            restarts=True,
            callbacks=hands.observers(f"depth-{variant}-{level}, level {depth}, seed {seed}"),
        )
        for depth in (level + 1, level)
    )
    if "interrupted" in (deep.status, wide.status):
        raise KeyboardInterrupt
    seconds = time.process_time() - began
    return {"deep": deep.score, "wide": wide.score, "playouts": deep.playouts + wide.playouts, "seconds": seconds}


def wins(samples: Sequence[Any]) -> list[float]:
    """1 where the deeper search is better, 0 where it is worse."""
    return [0.5 + 0.5 * ((s["deep"] > s["wide"]) - (s["deep"] < s["wide"])) for s in samples]


def depth_cells() -> tuple[Cell, ...]:
    """The scores of both, and how often the deeper one is better."""
    cells = []
    for variant in VARIANTS:
        for level, (iterations, cost, samples) in DEPTHS.items():
            work = Kept(f"depth-{variant}-{level}", cost, partial(depth_and_width, variant, level))
            labels = (variant, f"{level + 1} against {level}", str(iterations))
            for name in ("deep", "wide"):
                cells.append(
                    Cell((*labels, f"median, {name}"), work, samples, values=partial(field, name), summary=median_of)
                )
            better = Deeper("deeper is better", 50.0)
            cells.append(Cell((*labels, "% deeper is better"), work, samples, better, wins, share_of))
    return tuple(cells)


DEPTH = Item(
    "claim",
    "depth",
    "depth, not width: a run of the next level against restarts, at equal playouts",
    ("variant", "levels", "N", "figure"),
    depth_cells(),
)
