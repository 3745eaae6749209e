"""What a run has come to so far: what counts, and what was computed for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rookery.result import Improvement


@dataclass
class Tally:
    """What is committed so far; scores are to be maximised."""

    playouts: int = 0
    iterations: int = 0
    last_improvement: int = 0  # the iteration of the last improvement
    best: float = float("-inf")
    history: list[Improvement] = field(default_factory=list)
    tasks: int = 0
    busy: float = 0.0  # seconds of workers


@dataclass
class Work:
    """What was computed so far, wanted or not; ``discarded`` counts tasks, also those that were stopped for it."""

    tasks: int = 0
    playouts: int = 0
    discarded: int = 0
