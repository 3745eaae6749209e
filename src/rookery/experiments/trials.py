"""How ``tune`` measures settings: by runs on a problem, or by games against the setting that it began with."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from rookery.errors import InputError
from rookery.experiments.experiment import experiment
from rookery.experiments.run_task import Observers
from rookery.experiments.study import mean_ranks
from rookery.experiments.timeline import to_maximise
from rookery.game import Game, PythonGame
from rookery.matches.match import match
from rookery.matches.scores import Winner
from rookery.matches.tournament import file_word, pair_seed
from rookery.problem import Problem, PythonProblem, Sense
from rookery.running.callbacks import Callback
from rookery.stop import MaxPlayouts, Stop

Values = Mapping[str, tuple[float, ...]]
"""What settings came to, by name: a score for each seed, or the points of each game."""

POINTS: Mapping[Winner, float] = {"a": 1.0, "draw": 0.5, "b": 0.0}


class Interrupted(Exception):
    """Ctrl-C ended a stage before all of its trials were made."""


@dataclass(frozen=True)
class Way:
    """How trials are made: what makes them, where they are kept, who is told.

    >>> Way(folder=None).workers is None
    True
    """

    folder: Path | None
    workers: int | None = None
    executor: str | Executor = "threads"
    address: str | None = None
    progress: bool = False
    observers: Observers | None = None
    callbacks: Sequence[Callback] = ()

    def stage(self, stage: str) -> Path | None:
        """The folder of a stage."""
        return None if self.folder is None else self.folder / stage

    @property
    def makers(self) -> dict[str, Any]:
        """What makes them, as ``experiment`` and ``match`` take it."""
        return {"workers": self.workers, "executor": self.executor, "address": self.address}


class Trials(Protocol):
    """What a setting can be measured by."""

    unit: str
    """What one trial is."""
    even: bool
    """Whether trials come in pairs."""

    def measure(self, stage: str, settings: Mapping[str, Any], first: int, count: int) -> Values:
        """So many trials of each setting from the first number on: those of a stage, which is kept by its name."""

    def places(self, values: Values) -> dict[str, float]:
        """A number for each setting by which they are ordered: less is better."""

    def seconds(self, setting: Any) -> float:
        """How long one trial takes."""


@dataclass(frozen=True)
class Runs:
    """Trials on a problem: runs of equal length, each with a seed that all settings share.

    >>> import rookery as rk
    >>> runs = Runs(rk.problems.LeftMove(depth=10), rk.MaxPlayouts(50), Way(folder=None))
    >>> found = runs.measure("first", {"flat": rk.NRPA(level=1), "deep": rk.NRPA(level=2)}, first=1, count=3)
    >>> len(found["flat"]), sum(runs.places(found).values())
    (3, 3.0)
    """

    problem: Problem | PythonProblem
    stop: Stop
    way: Way

    unit = "run"
    even = False

    @property
    def sense(self) -> Sense:
        """Whether more or less is better."""
        return self.problem.sense

    def measure(self, stage: str, settings: Mapping[str, Any], first: int, count: int) -> Values:
        """The scores of runs with the seeds from ``first`` on."""
        done = experiment(
            self.problem,
            settings,
            stop=self.stop,
            seeds=range(first, first + count),
            folder=self.way.stage(stage),
            progress=self.way.progress,
            observers=self.way.observers,
            **self.way.makers,
        )
        if not done.complete:
            raise Interrupted
        return {name: done.scores(name) for name in settings}

    def places(self, values: Values) -> dict[str, float]:
        """Mean ranks over the seeds that all of them have run."""
        seeds = min(map(len, values.values()))
        rows = ([scores[i] for scores in values.values()] for i in range(seeds))
        return dict(zip(values, mean_ranks(to_maximise(row, self.sense) for row in rows), strict=True))

    def seconds(self, setting: Any) -> float:
        """The time limit; without one, what a run takes."""
        if self.stop.time is not None and self.stop.playouts is None:
            return float(self.stop.time)
        experiment(self.problem, [setting], stop=MaxPlayouts(1), seeds=[0])  # compiled before the clock runs
        began = time.perf_counter()
        experiment(self.problem, [setting], stop=self.stop, seeds=[0])
        return time.perf_counter() - began


@dataclass(frozen=True)
class Games:
    """Trials in a game: each setting plays against one opponent, as first and as second player in turn.

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> games = Games(Race(), rk.GameUCT(playouts=2), 1, Way(folder=None))
    >>> len(games.measure("first", {"more": rk.GameUCT(playouts=50)}, first=0, count=4)["more"])
    4
    """

    game: Game | PythonGame
    opponent: Any
    seed: int
    way: Way

    unit = "game"
    even = True

    def measure(self, stage: str, settings: Mapping[str, Any], first: int, count: int) -> Values:
        """The points of games against the opponent."""
        folder = self.way.stage(stage)
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise InputError(f"{self.way.folder} cannot hold the games: {error}") from None
        found = {}
        for name, setting in settings.items():
            done = match(
                self.game,
                setting,
                self.opponent,
                games=count,
                seed=pair_seed(self.seed, ("tune", stage)),
                record=None if folder is None else folder / f"{file_word(name)}.jsonl",
                callbacks=self.way.callbacks,
                progress=self.way.progress,
                **self.way.makers,
            )
            if done.games < count:
                raise Interrupted
            found[name] = tuple(POINTS[game.winner] for game in done.played)
        return found

    def places(self, values: Values) -> dict[str, float]:
        """The share of the points that was lost."""
        return {name: 1.0 - sum(points) / len(points) for name, points in values.items()}

    def seconds(self, setting: Any) -> float:
        """What a game of two of them takes."""
        match(self.game, setting, setting, games=1, seed=0, workers=1)  # compiled before the clock runs
        began = time.perf_counter()
        match(self.game, setting, setting, games=2, seed=0, workers=1)
        return (time.perf_counter() - began) / 2
