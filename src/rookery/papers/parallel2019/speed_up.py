"""Nagorko 2019, Figure 3 and the speed-up of 547.48 on 768 cores: by simulation."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from rookery.loading.loading import load_problem
from rookery.papers.items import Cell, Item, Picture, Scale, Series, at_scales, number_of
from rookery.papers.kept import Kept, Sample, field
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
    """Simulated runs: N of each level, workers, core-seconds of all rules, and the first scale that has them."""

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
    Size(24, 128, 45.0, "half"),
    Size(40, 768, 300.0, "half"),
    Size(80, 768, 2000.0, "full"),
)


def simulated(variant: str, size: Size, seed: int, hands: Hands) -> dict[str, Any]:
    """A run on a simulated cluster by each rule: efficiencies, and how it went. What two rules compute counts once."""
    began = time.process_time()
    done = simulate(
        load_problem("morpion", {"variant": variant}),
        NRPA.nagorko(level=4, iterations=size.iterations),
        workers=[size.workers],
        seed=seed,
        select=",".join(RULES),
        callbacks=hands.observers(simulation(variant, size).name),
    )
    if not done.complete:
        raise KeyboardInterrupt
    step = max(1, len(done.courses[0].best) // POINTS)
    tasks = sum(row.tasks + row.tasks_discarded for row in done.rows)
    return {
        "efficiency": {row.select: row.efficiency for row in done.rows},
        "in_vain": {row.select: row.tasks_discarded for row in done.rows},
        "speedup": {c.select: [round(float(value), 2) for value in c.speedup[::step]] for c in done.courses},
        "oracle": done.rows[0].oracle_efficiency,
        "score": done.score,
        "best": [float(value) for value in done.courses[0].best[::step]],
        "step": step,
        "playouts": size.iterations * tasks,
        "seconds": time.process_time() - began,
    }


@cache
def simulation(variant: str, size: Size) -> Kept:
    """The simulated runs of all rules."""
    name = f"simulated-{variant}-{size.iterations}-{size.workers}"
    return Kept(name, size.cost, partial(simulated, variant, size))


def by_rule(rule: str, samples: Sequence[Sample]) -> list[float]:
    """The efficiencies of a rule."""
    return [sample["efficiency"][rule] for sample in samples]


def efficiency(variant: str, rule: str, size: Size) -> Cell:
    """The efficiency of a rule; the paper's is that of 768 cores on 5T."""
    same = (variant, size.iterations) == ("5T", 80)
    labels = (variant, rule, str(size.iterations), str(size.workers), f"{size.iterations**3:,}")
    theirs = Theirs("0.71", 0.71) if same else Theirs("")
    in_words = partial(number_of, words="{:.3f}".format)
    return Cell(labels, simulation(variant, size), size.samples, theirs, partial(by_rule, rule), in_words)


def oracle(variant: str, size: Size) -> Cell:
    """The efficiency of perfect prediction."""
    labels = (variant, "perfect prediction", str(size.iterations), str(size.workers), f"{size.iterations**3:,}")
    in_words = partial(number_of, words="{:.3f}".format)
    return Cell(labels, simulation(variant, size), size.samples, values=partial(field, "oracle"), summary=in_words)


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
    for name, of in sorted(found.items(), key=lambda pair: int(pair[0].split("-")[2])):
        _, variant, _, _ = name.split("-")
        sample = of.samples[0]
        places = [float(1 + i * sample["step"]) for i in range(len(sample["best"]))]
        for rule, speedup in sample["speedup"].items():
            lines[f"{variant}, {rule}"] = list(zip(places, speedup, strict=True))
        lines[f"{variant}, best score | of all rules"] = list(zip(places, sample["best"], strict=True))
    return lines


FIGURE_3 = Item(
    "figure",
    "3",
    "speed-up and best score over the iterations of a simulated run",
    ("variant", "N"),
    tuple(
        Cell(
            (variant, str(size.iterations)),
            simulation(variant, size),
            size.samples,
            values=partial(field, "score"),
            summary=number_of,
        )
        for size in SIZES
        for variant in VARIANTS
    ),
    picture=Picture("iteration of the second level", "speed-up, and best score", courses),
    note="The best scores at the end, which are the same by all rules; the lines are of the largest run that there is.",
)
