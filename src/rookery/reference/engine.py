"""Runs tasks in plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.buffers import HALT, HALT_TARGET
from rookery.errors import InputError
from rookery.problem import PythonProblem
from rookery.reference.nmcs import nmcs
from rookery.reference.nrpa import adapt, nrpa
from rookery.reference.playout import Line, Monitor, Rules, followed, layered
from rookery.reference.reflexive import reflexive_games
from rookery.reference.sampling import sample
from rookery.reference.uct import uct
from rookery.search.parameters import shown
from rookery.tasks import (
    Moves,
    NMCSTask,
    NRPATask,
    Outcome,
    ReflexiveTask,
    SamplingTask,
    Sequence,
    Signal,
    Task,
    UCTTask,
    Weights,
)


class PythonEngine:
    """Workers for a problem whose state is a Python object."""

    def __init__(self, problem: PythonProblem) -> None:
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
        """Nothing to compile."""

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task."""
        rules = self._rules
        monitor = Monitor(signal, task.budget, task.target)
        root = self._state_after(task.prefix)
        if isinstance(task, NRPATask):
            policy = dict(zip(task.policy.codes, map(float, task.policy.weights), strict=True))
            line, complete = nrpa(
                *(rules, root, task.level, policy, task.key, task.iterations, task.ties, task.alpha),
                *(task.layers, monitor),
            )
        elif isinstance(task, NMCSTask):
            line, complete = nmcs(
                *(rules, root, task.level, task.key),
                *(task.memorise, task.random_ties, task.sample),
                *(task.rule, monitor),
            )
        elif isinstance(task, ReflexiveTask):
            line, complete = reflexive_games(
                *(rules, root, task.level, task.key, task.children, task.games),
                *(task.rule, monitor),
            )
        elif isinstance(task, UCTTask):
            line, complete = uct(
                *(rules, root, task.playouts, task.key, task.c, task.d, task.deviates),
                *(task.rule, monitor),
            )
        else:
            assert isinstance(task, SamplingTask)
            line, complete = sample(rules, root, task.first, task.last, task.key, task.rule, monitor)
        return self._outcome(line, complete, monitor, task.prefix)

    def adapt(self, policy: Weights, sequence: Moves, alpha: float, prefix: Moves, layers: bool) -> Weights:
        """One step of adapt towards a sequence, given without its prefix."""
        line = followed(self._rules, self._state_after(prefix), list(sequence))
        line = layered(self._rules, self._state_after(prefix), line) if layers else line
        old = dict(zip(policy.codes, map(float, policy.weights), strict=True))
        new = adapt(old, line, alpha)
        return Weights(list(new), np.array(list(new.values())))

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

    @staticmethod
    def _outcome(line: Line | None, complete: bool, monitor: Monitor, prefix: Moves) -> Outcome:
        sequence = None
        if line is not None:
            sequence = Sequence(line.score, (*prefix, *line.moves), tuple(line.codes))
        return Outcome(
            sequence=sequence,
            playouts=monitor.count(),
            improvements=tuple(monitor.improvements),
            finished=complete,
            reached_target=bool(monitor.control[HALT] == HALT_TARGET),
        )
