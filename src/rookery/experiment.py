"""Experiments: several searches, many seeds, equal limits; what they come to, and how sure that is.

As in Rosin 2011, section 4.1: every run is filled with independent restarts up to the limit, the best score
so far is followed through time, runs are combined by their median and compared by a Mann-Whitney U test.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rookery.callbacks import Callback
from rookery.errors import InputError
from rookery.problem import Problem, PythonProblem, Sense
from rookery.result import Result, write_text
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.parameters import finite, whole
from rookery.search.sampling import Sampling
from rookery.solve import Search, solve
from rookery.statistics import Comparison, holm, mann_whitney, median, quantile
from rookery.stop import MaxIterations, MaxPlayouts, MaxTime, NoImprovement, Stop, Target
from rookery.timeline import By, Timeline, draw, horizon, marks, save_figure, table, timeline

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Experiment:
    """The runs of an experiment, by the name of their search; scores are in the problem's own sense.

    ``complete`` is False if it was interrupted: ``runs`` then holds those that had ended. Where a method takes
    ``at``, it looks at the best scores at that time, by default at the end; ``by`` is ``"time"`` (seconds) or
    ``"playouts"``, by default the one that was limited.

    >>> import rookery as rk
    >>> searches = {"flat": rk.NRPA(level=1, iterations=200), "nested": rk.NRPA(level=2, iterations=10)}
    >>> done = rk.experiment(rk.LeftMove(depth=40), searches, seeds=5, stop=rk.MaxPlayouts(200))
    >>> print(done)
    >>> print(done.compare("nested", "flat"))
    """

    runs: Mapping[str, tuple[Result, ...]] = field(repr=False)
    sense: Sense
    stop: Stop
    seeds: tuple[int, ...]
    restarts: bool = True
    workers: int = 1
    complete: bool = True

    # --- scores ---

    def scores(self, name: str, at: float | None = None, by: By | None = None) -> tuple[float, ...]:
        """The best score of each run, in order of seeds; not a number where a run has none yet."""
        if at is None:
            return tuple(run.score for run in self._runs(name))
        end, axis = self.horizon(name, by), self._axis(by)
        if not 0 <= finite("at", at) <= end:
            unit = "s" if axis == "time" else "playouts"
            raise InputError(f"at must be between 0 and {end:.6g} {unit}, where {name!r} ends, got {at:.6g}")
        return tuple(self.timeline(name, [at], by).scores[:, 0].tolist())

    def median(self, name: str, at: float | None = None, by: By | None = None) -> float:
        """The middle score; of an even number of runs, the better of the two in the middle (Rosin 2011)."""
        return float(median(self.scores(name, at, by), self.sense))

    def quantile(self, name: str, q: float, at: float | None = None, by: By | None = None) -> float:
        """The score a share ``q`` of the way from the worst run (0) to the best (1)."""
        return float(quantile(self.scores(name, at, by), q, self.sense))

    def timeline(self, name: str, times: Iterable[float] | None = None, by: By | None = None) -> Timeline:
        """The best scores so far at these times, by default at every one at which a run improved.

        They are not a number before a run has a score, and beyond the horizon.
        """
        axis = self._axis(by)
        chosen = None if times is None else [finite("a time", t) for t in times]
        return timeline(self._runs(name), self.sense, axis, getattr(self.stop, axis), chosen)

    def horizon(self, name: str, by: By | None = None) -> float:
        """The seconds or playouts up to which the best scores of a search are known."""
        axis = self._axis(by)
        return horizon(self._runs(name), axis, getattr(self.stop, axis))

    # --- comparisons ---

    def compare(self, a: str, b: str, at: float | None = None, by: By | None = None) -> Comparison:
        """A two-sided Mann-Whitney U test of two searches (SciPy must be installed)."""
        x, y = self.scores(a, at, by), self.scores(b, at, by)
        u, p = mann_whitney(x, y, self.sense)
        return Comparison(a, b, u, p, u / (len(x) * len(y)), p)

    def comparisons(self, at: float | None = None, by: By | None = None) -> dict[tuple[str, str], Comparison]:
        """Every pair of searches compared, with p values corrected for their number by Holm's method."""
        pairs = [self.compare(a, b, at, by) for a, b in combinations(self.runs, 2)]
        corrected = holm([pair.p for pair in pairs])
        return {(pair.a, pair.b): replace(pair, p_holm=p) for pair, p in zip(pairs, corrected, strict=True)}

    # --- reports ---

    def table(self, times: Iterable[float] | None = None, by: By | None = None) -> str:
        """Medians at some times, and the worst and the best run, as text; ``-`` where nothing is known."""
        axis, names = self._axis(by), self._names()
        chosen = marks(max(self.horizon(name, axis) for name in names), axis) if times is None else list(times)
        lines = {name: self.timeline(name, chosen, axis) for name in names}
        heading = f"{self._title()}: medians by {axis}, {self._goal()}"
        return f"{heading}\n{table(lines, {name: self.scores(name) for name in names}, axis)}"

    def __str__(self) -> str:
        return self.table()

    def plot(self, path: str | os.PathLike[str] | None = None, by: By | None = None) -> Figure:
        """The medians through time, the middle half of the runs shaded; written to ``path`` if given."""
        axis = self._axis(by)
        lines = {name: self.timeline(name, by=axis) for name in self._names()}
        figure = draw(lines, axis, self._title(), f"best score so far ({self._goal()})")
        if path is not None:
            save_figure(figure, path)
        return figure

    def to_frame(self) -> Any:
        """A pandas DataFrame with one row for each run (pandas must be installed)."""
        try:
            import pandas
        except ImportError:
            raise InputError("to_frame needs pandas: pip install pandas") from None
        columns = ["seed", "score", "playouts", "iterations", "restarts", "seconds", "status"]
        rows = [[name, *(getattr(run, c) for c in columns)] for name, runs in self.runs.items() for run in runs]
        return pandas.DataFrame(rows, columns=["search", *columns])

    # --- files ---

    def to_json(self) -> dict[str, Any]:
        """The experiment as a JSON object."""
        data = {name: getattr(self, name) for name in ("sense", "restarts", "workers", "complete")}
        data["seeds"] = list(self.seeds)
        data["stop"] = {name: value for name, value in asdict(self.stop).items() if value is not None}
        data["runs"] = {name: [run.to_json() for run in runs] for name, runs in self.runs.items()}
        return data

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the experiment as JSON: whole, or not at all."""
        write_text(path, json.dumps(self.to_json()) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Experiment:
        """Read an experiment that :meth:`save` has written."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "not text"
            raise InputError(f"cannot read {path}: {reason}") from None
        try:
            return cls.from_json(json.loads(text))
        except (ValueError, RecursionError) as error:
            reason = str(error) if isinstance(error, InputError) else "not JSON"
            raise InputError(f"{path} is not an experiment file: {reason}") from None

    @classmethod
    def from_json(cls, data: Any) -> Experiment:
        """An experiment from its JSON object, every field checked."""
        if not isinstance(data, dict):
            raise InputError("not a JSON object")
        kinds = {"sense": str, "restarts": bool, "workers": int, "complete": bool}
        for name, kind in {**kinds, "seeds": list, "stop": dict, "runs": dict}.items():
            if not isinstance(data.get(name), kind):
                raise InputError(f"'{name}' is missing or not as it was saved")
        if data["sense"] not in ("max", "min") or not all(isinstance(runs, list) for runs in data["runs"].values()):
            raise InputError("'sense' or 'runs' is not as it was saved")
        return cls(
            runs={name: tuple(map(Result.from_json, runs)) for name, runs in data["runs"].items()},
            stop=_stop(data["stop"]),
            seeds=tuple(whole("a seed", seed, 0) for seed in data["seeds"]),
            **{name: data[name] for name in kinds},
        )

    # --- names ---

    def _runs(self, name: str) -> tuple[Result, ...]:
        if name not in self.runs:
            raise InputError(f"name must be one of {', '.join(self.runs)}, got {name!r}")
        if not self.runs[name]:
            raise InputError(f"no run of {name!r} is complete")
        return self.runs[name]

    def _names(self) -> list[str]:
        """Searches with at least one complete run."""
        return [name for name, runs in self.runs.items() if runs]

    def _axis(self, by: By | None) -> By:
        if by is None:
            return "playouts" if self.stop.time is None else "time"
        if by not in ("time", "playouts"):
            raise InputError(f'by must be "time" or "playouts", got {by!r}')
        return by

    def _title(self) -> str:
        run = self.runs[self._names()[0]][0]
        inner = ", ".join(f"{name}={value}" for name, value in run.parameters.items())
        return f"{run.problem.rpartition(':')[2]}({inner}){'' if self.complete else ', interrupted'}"

    def _goal(self) -> str:
        return "more is better" if self.sense == "max" else "less is better"


def experiment(
    problem: Problem | PythonProblem,
    searches: Mapping[str, Search],
    *,
    stop: Stop,
    seeds: int | Iterable[int] = 15,
    restarts: bool = True,
    workers: int = 1,
    progress: bool = False,
) -> Experiment:
    """Run several searches on a problem, each with every seed, under equal limits.

    Runs are ordered by seed, so that what disturbs the machine for a while disturbs all searches alike. All
    is compiled before the first one starts. Ctrl-C returns the runs that have ended, if there are any.

    Parameters
    ----------
    searches
        the searches, by names of your choice
    stop
        the limit of every run: at least one of ``MaxTime`` and ``MaxPlayouts``
    seeds
        how many (1, 2, ...), or which
    restarts
        fill each run with independent restarts up to the limit; else each is one run of its search
    workers
        runs at the same time, each on one thread; with a time limit, no more than there are idle cores
    progress
        write a line to standard error at the end of each run

    >>> import rookery as rk
    >>> searches = {"flat": rk.NRPA(level=1), "nested": rk.NRPA(level=2, iterations=10)}
    >>> done = rk.experiment(rk.LeftMove(depth=20), searches, seeds=3, stop=rk.MaxPlayouts(100))
    >>> done.scores("nested"), done.median("nested", at=10)
    """
    names = _named(searches)
    if not isinstance(stop, Stop) or (stop.time is None and stop.playouts is None):
        raise InputError(f"stop must limit time or playouts, as MaxTime(60) does, got {stop!r}")
    numbers = _numbers(seeds)
    whole("workers", workers, 1)
    jobs = [(name, seed) for seed in numbers for name in names]
    done = _run(problem, names, stop, jobs, restarts, workers, progress)
    return Experiment(
        runs={name: tuple(done[name, seed] for seed in numbers if (name, seed) in done) for name in names},
        sense=problem.sense,
        stop=stop,
        seeds=numbers,
        restarts=restarts,
        workers=workers,
        complete=len(done) == len(jobs),
    )


class _Aborted(Exception):
    """A run that was ended from outside."""


class _Abort(Callback):
    """Ends the run that it watches soon after an event is set."""

    def __init__(self, event: threading.Event) -> None:
        self._event = event

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        self.on_tick(None)

    def on_tick(self, progress: Any) -> None:
        if self._event.is_set():
            raise _Aborted


Job = tuple[str, int]


def _run(
    problem: Problem | PythonProblem,
    searches: Mapping[str, Search],
    stop: Stop,
    jobs: list[Job],
    restarts: bool,
    workers: int,
    progress: bool,
) -> dict[Job, Result]:
    """The results of the jobs; after Ctrl-C, of those that have ended."""
    halt = threading.Event()

    def one(job: Job, limit: Stop) -> Result:
        name, seed = job
        try:
            return solve(problem, searches[name], stop=limit, seed=seed, restarts=restarts, callbacks=[_Abort(halt)])
        except InputError as error:
            raise InputError(f"{name}, seed {seed}: {error}") from error

    running: dict[Future[Result], Job] = {}
    with ThreadPoolExecutor(workers, thread_name_prefix="rookery-run") as pool:
        try:
            for job in jobs[: len(searches)]:  # one of each search: no clock runs while another compiles
                _wait({pool.submit(one, job, MaxPlayouts(1))})
            running = {pool.submit(one, job, stop): job for job in jobs}
            waiting = set(running)
            while waiting:
                ended = _wait(waiting)
                waiting -= ended
                for future in ended if progress else ():
                    name, seed = running[future]
                    count = f"{len(running) - len(waiting)} of {len(running)}"
                    print(f"{name}, seed {seed}: {future.result().score:g} ({count} runs)", file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            if not any(map(_ended, running)):
                raise
        finally:
            halt.set()
            pool.shutdown(wait=True, cancel_futures=True)
    return {job: future.result() for future, job in running.items() if _ended(future)}


def _wait(futures: set[Future[Result]]) -> set[Future[Result]]:
    """Those of the futures that have ended, at least one; raises what a run has raised."""
    ended: set[Future[Result]] = set()
    while not ended:
        ended = wait(futures, timeout=0.2, return_when=FIRST_COMPLETED).done  # a short wait lets Ctrl-C through
    for future in ended:
        future.result()
    return ended


def _ended(future: Future[Result]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None


def _named(searches: Any) -> dict[str, Search]:
    if not isinstance(searches, Mapping) or not searches:
        raise InputError(f"searches must map at least one name to a search, got {searches!r}")
    for name, search in searches.items():
        if not isinstance(name, str) or not name:
            raise InputError(f"the name of a search must be a text, got {name!r}")
        if not isinstance(search, (NRPA, NMCS, Sampling)):
            raise InputError(f"{name!r} must be NRPA, NMCS or Sampling, got {search!r}")
    return dict(searches)


def _numbers(seeds: Any) -> tuple[int, ...]:
    if not isinstance(seeds, Iterable) or isinstance(seeds, str):
        return tuple(range(1, whole("seeds", seeds, 1) + 1))
    numbers = tuple(whole("a seed", seed, 0, (1 << 64) - 1) for seed in seeds)
    if not numbers:
        raise InputError("seeds must hold at least one seed, got none")
    for i, seed in enumerate(numbers):
        if seed in numbers[:i]:
            raise InputError(f"seeds must differ, got {seed} twice")
    return numbers


def _stop(limits: Mapping[str, Any]) -> Stop:
    make = {
        "time": MaxTime,
        "playouts": MaxPlayouts,
        "iterations": MaxIterations,
        "target": Target,
        "no_improvement": NoImprovement,
    }
    stop = Stop()
    for name, value in limits.items():
        if name not in make:
            raise InputError(f"'stop' holds an unknown limit, {name!r}")
        stop = stop | make[name](value)
    return stop
