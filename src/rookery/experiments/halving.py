"""Successive halving: settings meet in rounds, the better third goes on, and the winner proves itself on new trials."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil, log
from typing import Any

from rookery.experiments.space import AnySearch, Space, draw_settings
from rookery.experiments.trials import Trials
from rookery.experiments.tuning import Tried

THIRD = 3
"""One in so many settings goes on to the next round."""
HELD_OUT = 4
"""One in so many trials is held out."""
FIRST = 2
"""The least trials of a setting in the first round."""
SEEDS = 1_000_000
"""Seeds of the trials that choose; the seeds after them are held out."""


@dataclass
class Hunt:
    """A tuning as it goes on: what was drawn, what was measured, who is left.

    Parameters
    ----------
    trials
        how settings are measured
    subject
        the problem or the game
    bases, spaces
        the settings to begin with, and what is tried of each
    runs, seed
        how many trials there are in all, and their seed
    """

    trials: Trials
    subject: Any
    bases: Mapping[str, AnySearch]
    spaces: Mapping[str, Space]
    runs: int
    seed: int
    settings: dict[str, AnySearch] = field(default_factory=dict)
    tried: dict[str, Tried] = field(default_factory=dict)
    held_out: dict[str, tuple[float, ...]] = field(default_factory=dict)
    used: int = 0
    seeds: int = 0

    @property
    def default(self) -> str:
        """What the winner must beat."""
        return next(iter(self.bases))

    @property
    def choosing(self) -> int:
        """How many trials choose."""
        return self.runs - self.runs // HELD_OUT

    @property
    def first_seed(self) -> int:
        """The first of the seeds that choose."""
        return 2 * SEEDS * self.seed + 1

    # --- rounds ---

    def drawn(self) -> dict[str, AnySearch]:
        """As many settings as the trials are enough for."""
        count = 1 + len(self.bases)
        while (count + 1) * FIRST * rounds_of(count + 1) <= self.choosing:
            count += 1
        return draw_settings(self.bases, self.spaces, self.subject, count, self.seed)

    def meet(self, settings: Mapping[str, AnySearch]) -> None:
        """Let settings meet in rounds, each with about as many trials, until one is left."""
        self.settings.update(settings)
        left, rounds = list(settings), rounds_of(len(settings))
        values: dict[str, tuple[float, ...]] = dict.fromkeys(left, ())
        share = (self.choosing - self.used) // rounds
        for number in range(1, rounds + 1):
            count = self._count(share, len([name for name in left if self._plays(name)]))
            found = self.measure(f"round-{number}", left, self.first_seed + self.seeds, count)
            self.seeds += count
            for name in left:
                values[name] += found.get(name, ())
            places = self._places({name: values[name] for name in left})
            left.sort(key=lambda name: places[name])
            for name in left:
                self.tried[name] = Tried(name, number, places[name], values[name])
            left = left[: max(1, ceil(len(left) / THIRD))]

    def measure(self, stage: str, names: Sequence[str], first: int, count: int) -> dict[str, tuple[float, ...]]:
        """The trials of those that play."""
        playing = {name: self.settings[name] for name in names if self._plays(name)}
        found = dict(self.trials.measure(stage, playing, first, count)) if playing else {}
        self.used += count * len(playing)
        return found

    def hold_out(self) -> None:
        """Measure the winner and the default on trials that chose nothing."""
        if self.best == self.default:
            return
        names = [name for name in (self.best, self.default) if self._plays(name)]
        count = self._count(self.runs // HELD_OUT, len(names))
        self.held_out = self.measure("held-out", names, self.first_seed + SEEDS, count)

    # --- who is best ---

    @property
    def best(self) -> str:
        """The winner so far."""
        return self.ranking()[0].name

    def ranking(self) -> tuple[Tried, ...]:
        """All that were tried, those first that stayed longest."""
        return tuple(sorted(self.tried.values(), key=lambda one: (-one.rounds, one.place)))

    def _places(self, values: Mapping[str, tuple[float, ...]]) -> dict[str, float]:
        playing = {name: of for name, of in values.items() if self._plays(name)}
        places = self.trials.places(playing)
        return {name: places.get(name, 0.5) for name in values}  # the opponent of all others is equal to itself

    def _plays(self, name: str) -> bool:
        """Whether trials are made of a setting: in a game, the default is the opponent of all others."""
        return not (self.trials.even and name == self.default)

    def _count(self, share: int, settings: int) -> int:
        """How many trials each of so many settings gets; with games, each begins as many as the other."""
        count = share // max(1, settings)
        return max(2, count - count % 2) if self.trials.even else max(1, count)


def rounds_of(settings: int) -> int:
    """The rounds after which one of so many settings is left.

    >>> rounds_of(9), rounds_of(10), rounds_of(1)
    (2, 3, 1)
    """
    return max(1, ceil(log(settings, THIRD) - 1e-9))
