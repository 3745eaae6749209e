"""Nagorko 2019, "Parallel Nested Rollout Policy Adaptation": speed-up by simulation, and depth against width.

The paper's runs took 768 cores and most of a day each. Here the same scheduler runs on a cluster in virtual time with
tasks that are really computed, of level 1 instead of 3: with level 4 and N = 80 there are as many as in the paper.
"""

from __future__ import annotations

from rookery.papers.items import Paper
from rookery.papers.parallel2019.depth import DEPTH
from rookery.papers.parallel2019.records import RECORDS
from rookery.papers.parallel2019.sample_run import FIGURE_1
from rookery.papers.parallel2019.speed_up import FIGURE_3, SPEED_UP

PAPER = Paper(
    name="parallel-nrpa-2019",
    citation='A. Nagórko, "Parallel Nested Rollout Policy Adaptation", IEEE Conference on Games 2019',
    items=(FIGURE_1, SPEED_UP, FIGURE_3, DEPTH, RECORDS),
)
