"""The result of ``tune``: what was tried, how it ranks, and what the winner is worth on trials that chose nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from math import comb, floor, sqrt
from typing import Any, Literal

import numpy as np

from rookery.drawing.printed import Printed, as_table
from rookery.experiments.space import AnySearch
from rookery.experiments.timeline import median, score_text, to_maximise
from rookery.loading.presets import save_preset
from rookery.matches.scores import Z_95, wilson
from rookery.problem import Sense

SHOWN = 10
"""How many settings the table shows; the defaults are always among them."""


@dataclass(frozen=True)
class Tried:
    """A setting that was tried: how many rounds it stayed in, its place among those that left with it, and its trials.

    >>> Tried("nrpa level=2", rounds=1, place=2.5, values=(3.0, 4.0)).values[1]
    4.0
    """

    name: str
    rounds: int
    place: float
    values: tuple[float, ...]


@dataclass(frozen=True)
class Gain:
    """What the winner is worth more than the default on held-out trials, with its 95% interval.

    For a problem the shift between their scores (Hodges and Lehmann), counted so that more is better; for a game the
    winner's share of the points, where a half is equal.

    >>> Gain(0.6, 0.52, 0.67, level=0.5).shown
    True
    """

    value: float
    low: float
    high: float
    level: float = 0.0

    @property
    def shown(self) -> bool:
        """Whether the whole interval is better than equal."""
        return self.low > self.level


@dataclass(frozen=True)
class Tuning(Printed):
    """The result of ``tune``.

    Parameters
    ----------
    subject, parameters
        the problem or the game
    settings
        the searches that were tried, by name
    tried
        how they did, the best first
    defaults
        the names of the settings that it began with
    best
        the name of the winner: by the trials of the rounds, not by those that were held out
    held_out
        trials that chose nothing: of the winner and the default on a problem, of the winner against the default in a
        game; empty if the default itself is the winner
    trials
        how many were made
    complete
        False if it was interrupted

    >>> import rookery as rk
    >>> space = {"level": (1, 2)}
    >>> done = rk.tune(rk.problems.LeftMove(depth=20), rk.NRPA(), space=space, stop=rk.MaxPlayouts(100), runs=20)
    >>> done.complete, done.search == done.settings[done.best]
    (True, True)
    """

    subject: str
    parameters: Mapping[str, Any]
    kind: Literal["problem", "game"]
    sense: Sense
    limit: str
    seed: int
    settings: Mapping[str, AnySearch] = field(repr=False)
    tried: tuple[Tried, ...] = field(repr=False)
    defaults: tuple[str, ...]
    best: str
    held_out: Mapping[str, tuple[float, ...]] = field(repr=False)
    trials: int
    complete: bool

    @property
    def search(self) -> Any:
        """The winner."""
        return self.settings[self.best]

    @property
    def default(self) -> str:
        """The name of the setting that the winner is compared with."""
        return self.defaults[0]

    @property
    def gain(self) -> Gain | None:
        """What the winner is worth more than the default; None if that is not known, or it is the default."""
        if not self.held_out:
            return None
        found = self.held_out[self.best]
        if self.kind == "game":
            low, high = wilson(sum(found), len(found))
            return Gain(sum(found) / len(found), low, high, 0.5)
        return shift(found, self.held_out[self.default], self.sense)

    # --- for people ---

    def __str__(self) -> str:
        """The ranking, what the winner is worth, and the winner."""
        unit = "run" if self.kind == "problem" else "game"
        head = f"{self.subject}: {self.trials:,} {unit}s, {self.limit}, seed {self.seed}"
        what = "median" if self.kind == "problem" else "points"
        rows = [["setting", "rounds", f"{unit}s", what, "95%"]]
        for place, one in enumerate(self.tried, 1):
            if place <= SHOWN or one.name in self.defaults:
                setting = f"{place} {self._word(one.name)}"
                rows.append([setting, str(one.rounds), str(len(one.values)), *self._cells(one)])
        parts = [head, "", as_table(rows)]
        if len(rows) - 1 < len(self.tried):
            parts.append(f"and {len(self.tried) + 1 - len(rows)} more that left early")
        if not self.complete:
            return "\n".join([*parts, "", "interrupted: the ranking is that of the rounds so far"])
        return "\n".join([*parts, "", self._verdict()])

    def _verdict(self) -> str:
        gain = self.gain
        if gain is None:
            return f"the winner is the default, {self.best}: there is nothing to gain"
        trials = len(self.held_out[self.best])
        if self.kind == "game":
            told = f"{100 * gain.value:.1f}% of the points against {self.default} (95%: {_percents(gain)})"
            head = f"held out, {trials} games: {self.best} wins {told}"
        else:
            names = (self.best, self.default)
            medians = [score_text(float(median(self.held_out[name], self.sense))) for name in names]
            told = f"{score_text(gain.value)} (95%: {score_text(gain.low)} to {score_text(gain.high)})"
            head = f"held out, {trials} seeds: {self.best} {medians[0]}, {self.default} {medians[1]}; gain {told}"
        if gain.shown:
            return head
        lost = gain.high < gain.level
        return f"{head}: {'worse than the default' if lost else 'no gain over the default is shown'}"

    def _word(self, name: str) -> str:
        return f"{name} (default)" if name in self.defaults else name

    def _cells(self, one: Tried) -> list[str]:
        if not one.values:  # the opponent of all others: half of the points against itself
            return ["50.0%", "-"]
        if self.kind == "game":
            low, high = wilson(sum(one.values), len(one.values))
            share = sum(one.values) / len(one.values)
            return [f"{100 * share:.1f}%", f"{100 * low:.1f}% to {100 * high:.1f}%"]
        ends = median_interval(one.values)
        interval = "-" if ends is None else f"{score_text(ends[0])} to {score_text(ends[1])}"
        return [score_text(float(median(one.values, self.sense))), interval]

    # --- for programs ---

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object."""
        gain = self.gain
        return {
            "subject": self.subject,
            "parameters": dict(self.parameters),
            "kind": self.kind,
            "sense": self.sense,
            "limit": self.limit,
            "seed": self.seed,
            "trials": self.trials,
            "complete": self.complete,
            "defaults": list(self.defaults),
            "best": {"name": self.best, **self.search.parameters()},
            "gain": None if gain is None else {**asdict(gain), "shown": gain.shown},
            "held_out": {name: list(values) for name, values in self.held_out.items()},
            "tried": [{**asdict(one), "search": self.settings[one.name].parameters()} for one in self.tried],
        }

    def save_preset(self, path: str | os.PathLike[str]) -> None:
        """Write the winner as a preset, which ``--preset FILE`` reads."""
        told = str(self).rpartition("\n")[2]
        save_preset(path, self.search, about=f"tuned on {self.subject}: {told}")


def shift(a: tuple[float, ...], b: tuple[float, ...], sense: Sense) -> Gain:
    """By how much ``a`` is better than ``b``: the median of all differences, with the interval of Mann and Whitney.

    >>> shift((5.0, 6.0, 7.0, 8.0), (1.0, 2.0, 3.0, 4.0), "max")
    Gain(value=4.0, low=1.0, high=7.0, level=0.0)
    """
    x, y = to_maximise(a, sense), to_maximise(b, sense)
    with np.errstate(invalid="ignore"):
        apart = np.sort(np.nan_to_num(x[:, None] - y[None, :], nan=0.0, posinf=np.inf, neginf=-np.inf), axis=None)
    pairs = len(apart)
    cut = max(1, floor(pairs / 2 - Z_95 * sqrt(pairs * (len(x) + len(y) + 1) / 12))) - 1
    middle = (apart[(pairs - 1) // 2] + apart[pairs // 2]) / 2
    return Gain(float(middle), float(apart[cut]), float(apart[pairs - 1 - cut]))


def paired_shift(a: tuple[float, ...], b: tuple[float, ...], sense: Sense) -> Gain:
    """By how much ``a`` is better than ``b`` under the same seed: the median of the means of two differences.

    That is the estimate of Hodges and Lehmann for pairs, with the interval of Wilcoxon's signed ranks; of fewer than
    six pairs it is the whole range, which is not as certain.

    >>> paired_shift((5.0, 6.0, 7.0, 8.0, 9.0, 10.0), (1.0, 3.0, 3.0, 4.0, 6.0, 5.0), "max")
    Gain(value=4.0, low=3.0, high=5.0, level=0.0)
    """
    apart = to_maximise(a, sense) - to_maximise(b, sense)
    n = len(apart)
    first, second = np.triu_indices(n)
    means = np.sort((apart[first] + apart[second]) / 2)
    pairs = len(means)
    cut = max(1, floor(pairs / 2 - Z_95 * sqrt(n * (n + 1) * (2 * n + 1) / 24))) - 1
    middle = (means[(pairs - 1) // 2] + means[pairs // 2]) / 2
    return Gain(float(middle), float(means[cut]), float(means[pairs - 1 - cut]))


def median_interval(values: tuple[float, ...]) -> tuple[float, float] | None:
    """The 95% interval of a median by the order of the values; None if there are fewer than six.

    >>> median_interval((3.0, 1.0, 2.0, 6.0, 5.0, 4.0)), median_interval((1.0, 2.0))
    ((1.0, 6.0), None)
    """
    n, cut, outside = len(values), -1, 0.0
    while outside + comb(n, cut + 1) / 2**n <= 0.025:
        cut += 1
        outside += comb(n, cut) / 2**n
    ordered = sorted(values)
    return None if cut < 0 else (ordered[cut], ordered[n - 1 - cut])


def _percents(gain: Gain) -> str:
    return f"{100 * gain.low:.1f}% to {100 * gain.high:.1f}%"
