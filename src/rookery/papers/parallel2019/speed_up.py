"""Nagorko 2019, Figure 3 and the speed-up of 547.48 on 768 cores: by simulation."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from rookery.loading.loading import load_problem
from rookery.papers.items import Cell, Item, Picture, Scale, Series, at_scales, number_of
from rookery.papers.kept import Kept, field
from rookery.papers.theirs import Theirs
from rookery.papers.works import Found, Hands
from rookery.search.nrpa import NRPA
from rookery.simulation.cluster import simulate

RULES = ("table", "literal", "learned")
VARIANTS = ("5T", "5D")
POINTS = 400
"""Points of a line in Figure 3."""


@dataclass(frozen=True)
class Size:
    """A simulated run: N of each level, workers, core-seconds, and the first scale that has it."""

    iterations: int
    workers: int
    cost: float
    scale: Scale

    @property
    def samples(self) -> Mapping[Scale, int]:
        """One run from its scale on; larger scales have the smaller runs too."""
        return {"quick": at_scales(1, 1, 1), "half": at_scales(0, 1, 1), "full": at_scales(0, 0, 1)}[self.scale]


SIZES = (
    Size(16, 64, 15.0, "quick"),
    Size(24, 128, 60.0, "half"),
    Size(40, 768, 430.0, "half"),
    Size(80, 768, 5e3, "full"),
)


def simulated(variant: str, rule: str, size: Size, seed: int, hands: Hands) -> dict[str, Any]:
    """One run on a simulated cluster: its efficiency, and how it went."""
    began = time.process_time()
    done = simulate(
        load_problem("morpion", {"variant": variant}),
        NRPA.nagorko(level=4, iterations=size.iterations),
        workers=[size.workers],
        seed=seed,
        select=rule,
        callbacks=hands.observers(simulation(variant, rule, size).name),
    )
    if not done.complete:
        raise KeyboardInterrupt
    (row,), (course,) = done.rows, done.courses
    step = max(1, len(course.best) // POINTS)
    return {
        "efficiency": row.efficiency,
        "oracle": row.oracle_efficiency,
        "tasks": row.tasks,
        "in_vain": row.tasks_discarded,
        "score": done.score,
        "speedup": [round(float(value), 2) for value in course.speedup[::step]],
        "best": [float(value) for value in course.best[::step]],
        "step": step,
        "playouts": size.iterations * row.tasks,
        "seconds": time.process_time() - began,
    }


@cache
def simulation(variant: str, rule: str, size: Size) -> Kept:
    """The simulated run of a rule."""
    name = f"simulated-{variant}-{rule}-{size.iterations}-{size.workers}"
    return Kept(name, size.cost, partial(simulated, variant, rule, size))


def efficiency(variant: str, rule: str, size: Size) -> Cell:
    """The efficiency of a rule; the paper's is that of 768 cores on 5T."""
    same = (variant, size.iterations) == ("5T", 80)
    labels = (variant, rule, str(size.iterations), str(size.workers), f"{size.iterations**3:,}")
    theirs = Theirs("0.71", 0.71) if same else Theirs("")
    in_words = partial(number_of, words="{:.3f}".format)
    return Cell(labels, simulation(variant, rule, size), size.samples, theirs, partial(field, "efficiency"), in_words)


def oracle(variant: str, size: Size) -> Cell:
    """The efficiency of perfect prediction."""
    labels = (variant, "perfect prediction", str(size.iterations), str(size.workers), f"{size.iterations**3:,}")
    work, in_words = simulation(variant, "learned", size), partial(number_of, words="{:.3f}".format)
    return Cell(labels, work, size.samples, values=partial(field, "oracle"), summary=in_words)


SPEED_UP = Item(
    "claim",
    "speed-up",
    "efficiency on a simulated cluster, by the rule that selects tasks",
    ("variant", "rule", "N", "workers", "tasks"),
    tuple(
        cell
        for size in SIZES
        for variant in VARIANTS
        for cell in (*(efficiency(variant, rule, size) for rule in RULES), oracle(variant, size))
    ),
    note=(
        "The rule table is that of the author's program: the longer a sequence, the less probable that it is beaten, "
        "and each unfinished elder sibling counts once. The rule literal reads the paper's sentence as it stands: "
        "longer sequences are beaten more often, and every unfinished task counts. The rule learned is ours. Tasks are "
        "of level 1, the paper's of level 3, so that sequences are shorter and are replaced more often: efficiencies "
        "are not tested against the paper's 0.71."
    ),
)


def courses(found: Mapping[str, Found]) -> Series:
    """The speed-up over the iterations of the largest run of each rule and variant."""
    lines: dict[str, list[tuple[float, float]]] = {}
    for name, of in sorted(found.items(), key=lambda pair: int(pair[0].split("-")[3])):
        _, variant, rule, _, _ = name.split("-")
        sample = of.samples[0]
        places = range(1, 1 + sample["step"] * len(sample["speedup"]), sample["step"])
        lines[f"{variant}, {rule}"] = [(float(x), y) for x, y in zip(places, sample["speedup"], strict=True)]
        lines[f"{variant}, best score | of all rules"] = [
            (float(x), y) for x, y in zip(places, sample["best"], strict=True)
        ]
    return lines


FIGURE_3 = Item(
    "figure",
    "3",
    "speed-up and best score over the iterations of a simulated run",
    ("variant", "rule", "N"),
    tuple(
        Cell(
            (variant, rule, str(size.iterations)),
            simulation(variant, rule, size),
            size.samples,
            values=partial(field, "score"),
            summary=number_of,
        )
        for size in SIZES
        for variant in VARIANTS
        for rule in RULES
    ),
    picture=Picture("iteration of the second level", "speed-up, and best score", courses),
    note="The best scores at the end; the lines are of the largest run that there is.",
)
