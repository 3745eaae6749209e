"""Computes tasks on a problem whose states are Python objects: at speed, or by the twins of the searches."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rookery.arguments import shown
from rookery.control import HALT, HALT_TARGET, Signal
from rookery.engine.interpreted import Interpreted
from rookery.engine.objects import fast_twin
from rookery.engine.objects.meter import Meter
from rookery.engine.objects.policy import warm
from rookery.engine.objects.rules import BoundRules
from rookery.errors import InputError
from rookery.problem import PythonProblem
from rookery.reference.playout import Monitor, Rules
from rookery.tasks import Moves, Outcome, Sequence, Task


class PythonEngine:
    """Workers for a problem whose state is a Python object."""

    def __init__(self, problem: PythonProblem, debug: bool = False) -> None:
        self.problem = problem

    def worker(self) -> PythonWorker:
        """A worker of its own."""
        return PythonWorker(self.problem)


class PythonWorker:
    """Computes tasks on Python objects.

    Parameters
    ----------
    by_twins
        compute as the twins do, line by line after the papers; by default for compiled problems that are interpreted,
        of which they are the oracle. A search of the user's own always has its own twin
    """

    def __init__(self, problem: PythonProblem, by_twins: bool | None = None) -> None:
        self._problem = problem
        self._by_twins = isinstance(problem, Interpreted) if by_twins is None else by_twins
        self._rules = Rules(problem)
        self._bound = BoundRules(problem)

    def warm(self, task: Task) -> None:
        """Compile the little that the library itself needs, or read it from disk; the fixed moves must be legal."""
        if self._fast(task) is None:
            twin_of(task)
        else:
            warm()
        self.legal(task.prefix)

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task that finds a sequence."""
        fast = self._fast(task)
        root = self._state_after(task.prefix)
        if fast is None:
            monitor: Monitor | Meter = Monitor(signal, task.budget, task.target)
            line, complete = twin_of(task)(self._rules, root, monitor=monitor, **task.plain())
        else:
            monitor = Meter(signal, task.budget, task.target)
            line, complete = fast(self._bound, root, monitor=monitor, **task.plain())
        sequence = None
        if line is not None:
            sequence = Sequence(line.score, (*task.prefix, *line.moves), tuple(line.codes))
        return Outcome(
            sequence=sequence,
            playouts=monitor.count(),
            improvements=tuple(monitor.improvements),
            finished=complete,
            reached_target=bool(signal.control[HALT] == HALT_TARGET),
        )

    def value(self, task: Task) -> Any:
        """Compute a task that finds something else."""
        fast, root = self._fast(task), self._state_after(task.prefix)
        if fast is None:
            return task.from_twin(twin_of(task)(self._rules, root, **task.plain()))
        return task.from_twin(fast(self._bound, root, **task.plain()))

    def _fast(self, task: Task) -> Any:
        """The function that computes a task at speed, or None."""
        return None if self._by_twins else fast_twin(task.twin)

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""
        return tuple(self._rules.moves(self._state_after(moves)))

    def replay(self, moves: Moves) -> tuple[float, Moves]:
        """Score (to be maximised) and legal moves after these moves."""
        state = self._state_after(moves)
        return self._rules.value(state), tuple(self._rules.moves(state))

    def _state_after(self, moves: Moves) -> Any:
        state = self._problem.start()
        for ply, move in enumerate(moves):
            if move not in self._rules.moves(state):
                name = type(self._problem).__name__
                raise InputError(f"move {ply + 1} must be legal in {name}, got {shown(move)}")
            state = self._rules.play(state, move)
        return state


def twin_of(task: Task) -> Any:
    """The function in plain Python that computes a task."""
    return load_twin(task.twin, task.search)


def load_twin(name: str | None, search: Any) -> Any:
    """The function in plain Python that ``module:function`` names; a search need not have one.

    >>> load_twin("rookery.reference.flat:search", None).__name__
    'search'
    """
    if name is None:
        kind = type(search).__name__
        raise InputError(f"{kind} searches compiled problems only: it names no twin in plain Python")
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)
