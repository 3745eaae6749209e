"""Computes tasks on a problem in plain Python, by the twins of the searches."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from rookery.arguments import shown
from rookery.control import HALT, HALT_TARGET, Signal
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
    """Computes tasks in plain Python."""

    def __init__(self, problem: PythonProblem) -> None:
        self._problem = problem
        self._rules = Rules(problem)

    def warm(self, task: Task) -> None:
        """Nothing to compile; the moves that are fixed must be legal."""
        twin_of(task)
        self.legal(task.prefix)

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task that finds a sequence."""
        monitor = Monitor(signal, task.budget, task.target)
        root = self._state_after(task.prefix)
        line, complete = twin_of(task)(self._rules, root, monitor=monitor, **task.plain())
        sequence = None
        if line is not None:
            sequence = Sequence(line.score, (*task.prefix, *line.moves), tuple(line.codes))
        return Outcome(
            sequence=sequence,
            playouts=monitor.count(),
            improvements=tuple(monitor.improvements),
            finished=complete,
            reached_target=bool(monitor.control[HALT] == HALT_TARGET),
        )

    def value(self, task: Task) -> Any:
        """Compute a task that finds something else."""
        return task.from_twin(twin_of(task)(self._rules, self._state_after(task.prefix), **task.plain()))

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
