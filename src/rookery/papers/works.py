"""What the cells of a table are computed from: matches, runs and other work, kept in a folder and resumed there."""

from __future__ import annotations

import datetime
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from rookery.errors import InputError
from rookery.experiments.experiment import experiment, run_file
from rookery.experiments.run_task import told
from rookery.game import Game
from rookery.loading.loading import load_game, load_problem
from rookery.matches.match import match
from rookery.matches.record import read_record, record_header
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.result import Result
from rookery.search.game_search import GameSearch
from rookery.search.protocol import Search
from rookery.stop import MaxPlayouts, Stop

UNTIL_IT_ENDS = MaxPlayouts(1 << 50)
"""The limit of a run that ends by itself."""


LONG = 10.0
"""Core-seconds from which on a run is worth a line of its own."""

Watching = Callable[[str], Sequence[Callback]]


def nobody(name: str) -> Sequence[Callback]:
    """No observers."""
    return ()


@dataclass(frozen=True)
class Hands:
    """Who computes, and for whom.

    ``boards`` is a file with the boards of SameGame; ``watching`` makes the observers of a match, and ``observers``
    those of everything that is computed, each from its name.
    """

    workers: int = 1
    executor: str | Executor = "threads"
    address: str | None = None
    seed: int = 1
    boards: str | os.PathLike[str] | None = None
    progress: bool = False
    watching: Watching = nobody
    observers: Watching = nobody


@dataclass(frozen=True)
class Found:
    """What a folder holds of a work: its samples in order, their playouts, core-seconds and the day of the last one.

    ``counted`` is how many samples there are, where one value stands for many. ``comparable`` is False if the paper's
    figures are about something else, such as other boards.

    >>> Found((1.0, 0.0)).done
    2
    """

    samples: tuple[Any, ...] = ()
    playouts: int = 0
    seconds: float = 0.0
    date: str = ""
    counted: int | None = None
    comparable: bool = True

    @property
    def done(self) -> int:
        """How many samples there are."""
        return len(self.samples) if self.counted is None else self.counted


@dataclass(frozen=True)
class Work(ABC):
    """Something to compute, sample by sample: ``cost`` is the core-seconds of one, on the machine of the tables.

    ``name`` is that of its file or folder.
    """

    name: str
    cost: float

    @property
    def timed(self) -> bool:
        """Whether a clock limits it, so that it takes as long on any machine."""
        return False

    def check(self, hands: Hands) -> None:  # noqa: B027 - most works need nothing
        """Refuse what is missing before anything is computed."""

    @abstractmethod
    def compute(self, folder: Path, count: int, hands: Hands) -> None:
        """Compute those of the first ``count`` samples that the folder does not hold; Ctrl-C is KeyboardInterrupt."""

    @abstractmethod
    def found(self, folder: Path, count: int, hands: Hands) -> Found:
        """Those of the first ``count`` samples that the folder holds."""

    @property
    def within(self) -> tuple[Work, ...]:
        """Works of which each has all that this one has: whoever computes one of them need not compute this."""
        return ()


def needed(asked: Iterable[tuple[Work, int]]) -> list[tuple[Work, int]]:
    """The works to compute, each once, with the most samples asked for; not those that others have within.

    >>> work = Computed("sum", 0.0, lambda hands: (3.0,))
    >>> [count for _, count in needed([(work, 2), (work, 5)])]
    [5]
    """
    counts: dict[str, tuple[Work, int]] = {}
    for work, count in asked:
        counts[work.name] = work, max(count, counts.get(work.name, (work, 0))[1])
    most = {name: count for name, (_, count) in counts.items()}

    def held(work: Work, count: int) -> bool:
        return any(most.get(longer.name, 0) >= count for longer in work.within)

    return [(work, count) for work, count in counts.values() if count and not held(work, count)]


@dataclass(frozen=True)
class Games(Work):
    """Games of a match; a sample is what A got: 1, 0, or a half for a draw.

    >>> import rookery as rk
    >>> work = Games("go", 1.0, "go", {"size": "5"}, rk.PPA(playouts=10), rk.GameUCT(playouts=10))
    >>> work.found(Path("nowhere"), 10, Hands()).samples
    ()
    """

    game: str
    parameters: Mapping[str, str]
    a: GameSearch
    b: GameSearch

    def compute(self, folder: Path, count: int, hands: Hands) -> None:
        """Play the games that the record does not hold."""
        done = match(
            self._load(),
            self.a,
            self.b,
            games=count,
            seed=hands.seed,
            workers=hands.workers,
            executor=hands.executor,
            address=hands.address,
            record=self._record(folder),
            callbacks=[*hands.watching(self.name), *hands.observers(self.name)],
        )
        with open(self._times(folder), "a", encoding="utf-8") as times:
            times.write(f"{done.seconds * done.workers:.3f}\n")
        if done.status == "interrupted":
            raise KeyboardInterrupt

    def found(self, folder: Path, count: int, hands: Hands) -> Found:
        """The games in the record."""
        path = self._record(folder)
        if not path.exists():
            return Found()
        games, _ = read_record(path, record_header(self._load(), self.a, self.b, hands.seed), None)
        first = [played for number, played in sorted(games.items()) if number < count]
        points = {"a": 1.0, "b": 0.0, "draw": 0.5}
        playouts = sum(played.playouts for played in first)
        times = self._times(folder)
        seconds = sum(map(float, times.read_text(encoding="utf-8").split())) if times.exists() else 0.0
        return Found(tuple(points[played.winner] for played in first), playouts, seconds, day(path))

    def _load(self) -> Game:
        game = load_game(self.game, self.parameters)
        assert isinstance(game, Game)
        return game

    def _record(self, folder: Path) -> Path:
        return folder / f"{self.name}.jsonl"

    def _times(self, folder: Path) -> Path:
        return folder / f"{self.name}.seconds.txt"


Problems = Callable[[Hands], Mapping[str, Problem | PythonProblem]]


def named(problem: str, **parameters: Any) -> Problems:
    """A problem of the library, to be loaded when it is needed.

    >>> named("leftmove", depth=9)(Hands())
    {'leftmove': LeftMove(depth=9)}
    """
    return _named(problem, tuple((name, str(value)) for name, value in parameters.items()))


@cache
def _named(problem: str, parameters: tuple[tuple[str, str], ...]) -> Problems:
    """One function for each problem, so that works that are alike are equal."""
    return lambda hands: {problem: load_problem(problem, dict(parameters))}


@dataclass(frozen=True)
class Runs(Work):
    """Runs of a search; a sample is the :class:`rookery.Result` of each problem, by its name.

    Without ``restarts`` a run ends with its search.
    """

    problems: Problems
    search: Search
    stop: Stop = UNTIL_IT_ENDS
    restarts: bool = False
    comparable: Callable[[Hands], bool] = lambda hands: True

    @property
    def timed(self) -> bool:
        """Whether the stop criterion has a time."""
        return self.stop.time is not None

    def check(self, hands: Hands) -> None:
        """Load the problems, which may need a file."""
        self.problems(hands)

    def compute(self, folder: Path, count: int, hands: Hands) -> None:
        """Make the runs that the folder does not hold."""
        seeds = [seed for seed in self.seeds(count, hands) if not self.held(folder, seed, hands)]
        if not seeds:
            return
        study = experiment(
            self.problems(hands),
            {self.name: self.search},
            stop=self.stop,
            seeds=seeds,
            restarts=self.restarts,
            workers=hands.workers,
            executor=hands.executor,
            address=hands.address,
            folder=folder / self.name,
            progress=hands.progress and self.cost >= LONG,
            observers=lambda problem, search, seed: hands.observers(f"{told(problem, search)}, seed {seed}"),
        )
        if not study.complete:
            raise KeyboardInterrupt

    def found(self, folder: Path, count: int, hands: Hands) -> Found:
        """The runs in the folder, those seeds for which every problem is there."""
        samples, playouts, seconds, date = [], 0, 0.0, ""
        if not any((folder / work.name).is_dir() for work in (self, *self.within)):
            return Found()  # problems that cannot be loaded here are not needed either
        for seed in self.seeds(count, hands):
            files = self.files(folder, seed, hands)
            if files:
                runs = {name: Result.load(file) for name, file in files.items()}
                samples.append(runs)
                playouts += sum(run.playouts for run in runs.values())
                seconds += sum(run.seconds * run.workers for run in runs.values())
                date = max(date, *(day(file) for file in files.values()))
        return Found(tuple(samples), playouts, seconds, date, comparable=self.comparable(hands))

    def seeds(self, count: int, hands: Hands) -> range:
        """The seeds of the first ``count`` samples."""
        return range(hands.seed, hands.seed + count)

    def files(self, folder: Path, seed: int, hands: Hands) -> Mapping[str, Path]:
        """The files of a sample, by the names of its problems; none if one is missing."""
        place = folder / self.name
        files = {name: run_file(place, (name, self.name, seed)) for name in self.problems(hands)}
        return files if all(file.exists() for file in files.values()) else {}

    def held(self, folder: Path, seed: int, hands: Hands) -> bool:
        """Whether a sample is in other runs, and need not be computed."""
        return False


@dataclass(frozen=True)
class Computed(Work):
    """Something that is computed at once when it is asked for, and not kept: a formula, or a check.

    >>> Computed("sum", 0.0, lambda hands: (3.0,)).found(Path(), 1, Hands()).samples
    (3.0,)
    """

    function: Callable[[Hands], tuple[Any, ...]]

    def compute(self, folder: Path, count: int, hands: Hands) -> None:
        """Do nothing yet."""

    def found(self, folder: Path, count: int, hands: Hands) -> Found:
        """Compute it."""
        return Found(self.function(hands), 0, self.cost, datetime.date.today().isoformat())


def scores(samples: Sequence[Any]) -> list[float]:
    """The final scores of runs on one problem."""
    return [run.score for sample in samples for run in sample.values()]


def scores_at(seconds: float) -> Callable[[Sequence[Any]], list[float]]:
    """The best scores of runs after so many seconds."""

    def best(samples: Sequence[Any]) -> list[float]:
        return [_score_at(run, seconds) for sample in samples for run in sample.values()]

    return best


def _score_at(run: Result, seconds: float) -> float:
    known = [step.score for step in run.history if step.seconds <= seconds]
    return known[-1] if known else float("nan")


def day(path: Path) -> str:
    """The day on which a file was written."""
    try:
        return datetime.date.fromtimestamp(path.stat().st_mtime).isoformat()
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
