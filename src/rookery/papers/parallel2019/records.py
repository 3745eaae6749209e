"""Nagorko 2019: how often level 6 finds 178 and 177 moves on 5T."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from rookery.papers.items import Cell, Item, at_scales, share_of
from rookery.papers.long_runs import LongRuns
from rookery.papers.theirs import Share
from rookery.papers.works import named
from rookery.search.nrpa import NRPA

RUNS = {80: (10, {178: 10}), 70: (20, {178: 10, 177: 9})}
"""N -> runs, and how many of them found a sequence of a length."""
RATE = 110_000
"""Playouts a second of one core."""


def long_run(iterations: int) -> LongRuns:
    """A run of level 6."""
    cost = iterations**6 / RATE
    return LongRuns(f"level-6-{iterations}", cost, named("morpion", variant="5T"), NRPA.nagorko(6, iterations))


def lengths(length: int, samples: Sequence[Any]) -> list[float]:
    """1 for every run of exactly this length."""
    return [float(run.score == length) for sample in samples for run in sample.values()]


RECORDS = Item(
    "claim",
    "records",
    "sequences of 178 and 177 moves found by level 6 on 5T, per cent of the runs",
    ("N", "length"),
    tuple(
        Cell(
            (str(n), str(length)),
            long_run(n),
            at_scales(full=runs),
            Share(f"{times} of {runs}", 100 * times / runs, of=runs),
            partial(lengths, length),
            share_of,
        )
        for n, (runs, found) in RUNS.items()
        for length, times in found.items()
    ),
    note=(
        "On a cluster: mpirun python -m mpi4py.futures -m rookery paper parallel-nrpa-2019 --item 'claim records' "
        "--scale full --executor mpi --out FOLDER; runs continue from their checkpoints. A script for Slurm is under "
        "Many cores and clusters."
    ),
)
