"""Computes tasks on a compiled problem, in memory of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rookery.control import FULL, HALT, HALT_TARGET, IMPROVEMENTS, OK, PLAYOUTS, Signal
from rookery.engine.faults import Caller, whole_moves
from rookery.kernels.call import Call
from rookery.kernels.memory import Memory, set_limits
from rookery.kernels.playout import make_replay
from rookery.tasks import Moves, Outcome, Sequence, Task

if TYPE_CHECKING:
    from rookery.engine.compiled import CompiledEngine


class CompiledWorker(Caller):
    """Computes tasks in memory of its own."""

    def __init__(self, engine: CompiledEngine) -> None:
        super().__init__(engine)
        self._memory = Memory(engine.specialisation, engine.constants, engine.limits, engine.debug)
        self._at: Moves | None = None  # the moves that lead to states[0]

    # --- tasks ---

    def warm(self, task: Task) -> None:
        """Compile what this task needs, or read it from disk."""
        self.legal(task.prefix)
        call = task.call(self._memory, Signal())
        self._engine.warm(*call.kernel, *call.arguments)

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task that finds a sequence."""
        status, call = self._compute(task, signal)
        score, moves, codes = call.found()
        control, reported = signal.control, self._memory.assignment
        n = int(control[IMPROVEMENTS])
        sequence = None
        if score > -np.inf and control[PLAYOUTS] + (status == OK) > 0:
            sequence = Sequence(score, (*task.prefix, *map(int, moves)), tuple(map(int, codes)))
        return Outcome(
            sequence=sequence,
            playouts=int(control[PLAYOUTS]),
            improvements=tuple(
                (int(at), float(to)) for at, to in zip(reported.improved_at[:n], reported.improved_to[:n], strict=True)
            ),
            finished=status == OK,
            reached_target=bool(control[HALT] == HALT_TARGET),
        )

    def value(self, task: Task) -> Any:
        """Compute a task that finds something else."""
        return self._compute(task, Signal())[1].found()

    def _compute(self, task: Task, signal: Signal) -> tuple[int, Call]:
        while True:
            if self._at != task.prefix:
                self.legal(task.prefix)
            call = task.call(self._memory, signal)
            if call.start > 0:
                self._memory.states[call.start] = self._memory.states[0]
                self._at = None  # nested calls play on states[0]
            status = int(self._call(call.again, *call.kernel, *call.arguments))
            if status != FULL:
                self._check(status, signal, call.again)
                return status, call
            self._memory.make_room()  # a pure task: compute it again with twice the room

    # --- states ---

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""
        return self._replay(moves, False)[1]

    def replay(self, moves: Moves) -> tuple[float, Moves]:
        """Score (to be maximised) and legal moves after these moves."""
        return self._replay(moves, True)

    def _replay(self, moves: Moves, scored: bool) -> tuple[float, Moves]:
        self._at = None
        signal, memory = Signal(), self._memory
        set_limits(signal.control, self._engine.limits)
        memory.states[0] = np.zeros((), memory.states.dtype)
        sequence = whole_moves(moves, -(2**63), "whole numbers of 64 bits")
        arguments = (memory.constants, memory.states, sequence, memory.out, signal.control, scored)
        status, n, score = self._call(lambda by: by.replay(moves), "replay", make_replay, *arguments)
        self._check_replay(status, signal, moves)
        self._at = moves
        return float(score), tuple(map(int, memory.out[:n]))
