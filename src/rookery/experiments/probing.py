"""Forms of a problem: the same game with other rules for playouts, of which the best has most of the time.

All forms are tried with a small part of the time, the best two with a little more, and a few runs of the best one have
the rest. One run of all the rest was neither better nor worse than the best of a few, as far as a few boards of
SameGame tell; but a few can change to another form.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rookery.arguments import positive
from rookery.errors import InputError
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.result import Result
from rookery.running.solve import solve
from rookery.search.protocol import Search
from rookery.stop import MaxPlayouts

FIRST = 5_000
"""Playouts of the run that measures how fast a form is."""
PROBES = (0.15, 0.15)
"""Shares of the time that all forms have together, and the best two of them if there are more."""
RUNS = 3
"""Runs among which the rest of the time is divided."""
USED = 0.97
"""The share of its part of the rest that each of them should take."""


class Until(Callback):
    """Ends a run at a time of a clock, as Ctrl-C would.

    >>> Until(1e9).on_tick(None)
    """

    def __init__(self, end: float, clock: Callable[[], float] = time.process_time) -> None:
        self._end, self._clock = end, clock

    def on_tick(self, progress: Any) -> None:
        """Look at the clock."""
        if self._clock() >= self._end:
            raise KeyboardInterrupt


@dataclass(frozen=True)
class Probed:
    """The best result of all runs, the form that has it, and the best score of each form that was tried."""

    result: Result
    form: str
    scores: dict[str, float]
    playouts: int


def probe(
    forms: Mapping[str, Problem | PythonProblem],
    search: Search,
    seconds: float,
    seed: int = 0,
    clock: Callable[[], float] = time.process_time,
) -> Probed:
    """Search the forms of a problem, most of the time the best of them.

    Every run is limited in playouts, about as many as its share of the seconds allows: so a search that plans its run
    ends it, whatever else the machine does.

    Parameters
    ----------
    forms
        problems with the same moves and scores, by name
    clock
        what measures seconds; by default those of the processor

    >>> import rookery as rk
    >>> boards = {f"tabu {c}": rk.problems.SameGame.build("0011/2211/0022", rule="tabu", tabu=c) for c in (0, 1)}
    >>> sorted(probe(boards, rk.NRPA(level=1), 0.05, seed=1).scores)
    ['tabu 0', 'tabu 1']
    """
    if not forms:
        raise InputError("there must be at least one form")
    positive("seconds", seconds)
    for form in forms.values():
        solve(form, search, seed=seed, stop=MaxPlayouts(1), workers=1)  # compile: no part of the seconds
    return _Probing(dict(forms), search, clock() + seconds, seed, clock).run(seconds)


class _Probing:
    """What has been found so far, and how fast."""

    def __init__(
        self,
        forms: dict[str, Problem | PythonProblem],
        search: Search,
        end: float,
        seed: int,
        clock: Callable[[], float],
    ) -> None:
        self.forms, self.search, self.end, self.seed, self.clock = forms, search, end, seed, clock
        self.best: dict[str, Result] = {}
        self.rate, self.playouts, self.runs = 0.0, 0, 0

    def run(self, seconds: float) -> Probed:
        """Probe, then go on with whatever form is the best by then."""
        names = list(self.forms)
        self._try(names[0], FIRST)
        for share in PROBES:
            if len(names) > 1:
                for name in names:
                    self._try(name, round(self.rate * share * seconds / len(names)))
                names = self._ranked(names)[:2]
        for runs in range(RUNS, 0, -1):
            self._try(self._ranked(names)[0], round(self.rate * USED * (self.end - self.clock()) / runs))
        form = self._ranked(list(self.best))[0]
        scores = {name: result.score for name, result in self.best.items()}
        return Probed(self.best[form], form, scores, self.playouts)

    def _ranked(self, names: list[str]) -> list[str]:
        """The best first; of equals the one that was named first."""
        sign = -1 if self.forms[names[0]].sense == "max" else 1
        return sorted(names, key=lambda name: sign * self.best[name].score if name in self.best else math.inf)

    def _try(self, name: str, playouts: int) -> None:
        """A run of a form."""
        if self.clock() >= self.end and self.best:
            return
        began, stop = self.clock(), MaxPlayouts(max(1, playouts))
        result = solve(
            self.forms[name],
            self.search,
            seed=self.seed + self.runs,
            stop=stop,
            workers=1,
            restarts=None if self.search.endless else True,
            callbacks=[Until(self.end, self.clock)],
        )
        self.rate = result.playouts / max(self.clock() - began, 1e-9)
        self.playouts += result.playouts
        self.runs += 1
        known = self.best.get(name)
        if known is None or self._better(name, result.score, known.score):
            self.best[name] = result

    def _better(self, name: str, score: float, known: float) -> bool:
        return score > known if self.forms[name].sense == "max" else score < known
