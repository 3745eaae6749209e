"""A run of an experiment as a task: any worker of any crew can make it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, ClassVar

from rookery.control import HALT, Signal
from rookery.engine.engines import make_engine
from rookery.errors import InputError
from rookery.problem import Problem, PythonProblem
from rookery.running.callbacks import Callback
from rookery.running.result import Result
from rookery.running.solve import solve
from rookery.search.protocol import Search
from rookery.stop import MaxPlayouts, Stop
from rookery.tasks import Outcome, Task

Job = tuple[str, str, int]
"""The name of a problem, the name of a search, and a seed."""
Observers = Callable[[str, str, int], Sequence[Callback]]
"""The observers of a run, from the names of its problem (empty if there is only one) and its search, and its seed."""


@dataclass(frozen=True)
class Contest:
    """What runs are made of: problems and searches by name, which of them meet, and equal limits for all.

    It is what workers are sent, and their engine: ``solve`` brings all that a run needs. ``observers`` see the runs of
    this process alone.

    >>> import rookery as rk
    >>> problems, searches = {"left": rk.problems.LeftMove(depth=5)}, {"flat": rk.NRPA(level=1, iterations=10)}
    >>> Contest(problems, searches, (("left", "flat"),), rk.MaxPlayouts(20), True).run("left", "flat", seed=1).restarts
    1
    """

    problems: Mapping[str, Problem | PythonProblem]
    searches: Mapping[str, Search]
    pairs: tuple[tuple[str, str], ...]
    stop: Stop
    restarts: bool
    observers: Observers | None = None

    def __reduce__(self) -> tuple[Any, ...]:  # observers stay where they are
        return Contest, (self.problems, self.searches, self.pairs, self.stop, self.restarts)

    def worker(self) -> Contest:
        """A worker: runs have nothing in common that one could spoil for another."""
        return self

    def warm(self) -> None:
        """Compile each search for the problems that it meets, or read it from disk."""
        for problem, search in self.pairs:
            make_engine(self.problems[problem]).worker().warm(self.searches[search].smallest_task(()))

    def try_out(self) -> None:
        """Make a playout of whatever meets; mistakes are then known, and the machine code is on disk."""
        for problem, search in self.pairs:
            if self._solve(problem, search, told(problem, search), MaxPlayouts(1), 0).status == "interrupted":
                raise KeyboardInterrupt

    def run(self, problem: str, search: str, seed: int, callbacks: Sequence[Callback] = ()) -> Result:
        """One run, from its beginning to its end."""
        return self._solve(problem, search, f"{told(problem, search)}, seed {seed}", self.stop, seed, callbacks)

    def _solve(
        self, problem: str, search: str, words: str, stop: Stop, seed: int, callbacks: Sequence[Callback] = ()
    ) -> Result:
        options: dict[str, Any] = {"stop": stop, "seed": seed, "restarts": self.restarts, "callbacks": callbacks}
        try:
            run: Result = solve(self.problems[problem], self.searches[search], **options)
        except InputError as error:
            raise InputError(f"{words}: {error}") from error
        return run


@dataclass(frozen=True, kw_only=True)
class RunTask(Task):
    """A run of a contest: ``search`` and ``problem`` are names, and ``key`` is the seed."""

    problem: str
    alike: ClassVar[bool] = False

    @property
    def kind(self) -> Any:
        """Every run needs the machine code of all: none is compiled while the clock of another runs."""
        return type(self)

    def warm(self, worker: Contest) -> None:
        """Have a worker compile whatever meets."""
        worker.warm()

    def compute(self, worker: Contest, signal: Signal) -> Outcome:
        """Make the run; the outcome of one that was halted is not finished."""
        run: Result | None = None
        watching = () if worker.observers is None else worker.observers(self.problem, self.search, self.key)
        with suppress(_Halted):
            run = worker.run(self.problem, self.search, self.key, [_Halter(signal), *watching])
        return Outcome(
            sequence=None,
            playouts=0 if run is None else run.playouts,
            improvements=(),
            finished=run is not None,
            reached_target=False,
            value=((self.problem, self.search, self.key), run),
        )


class _Halted(Exception):
    """A run that nobody waits for any more."""


class _Halter(Callback):
    """Ends the run that it watches soon after its task was halted."""

    def __init__(self, signal: Signal) -> None:
        self._signal = signal

    def on_start(self, problem: Any, search: Any, seed: int) -> None:
        self.on_tick(None)

    def on_tick(self, progress: Any) -> None:
        if self._signal.control[HALT]:
            raise _Halted


def told(problem: str, search: str) -> str:
    """A search and its problem in words; the only problem of an experiment has no name.

    >>> told("small", "nrpa"), told("", "nrpa")
    ('nrpa on small', 'nrpa')
    """
    return f"{search} on {problem}" if problem else search
