"""Computes tasks on a compiled problem, in memory of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rookery.compiler import buffers
from rookery.compiler.buffers import BUDGET, DETAIL, HALT, HALT_TARGET, IMPROVEMENTS, PLAYOUTS
from rookery.compiler.faults import broken_promise, located
from rookery.compiler.linecalls import LineCall, LineMemory, Rerunning, levels, line_call
from rookery.compiler.rerun import Fault, Rerun
from rookery.compiler.workspace import (
    FIRST_ROOM,
    legal_width,
    new_lines,
    new_policy,
    new_run,
    new_trace,
    new_tree,
    poisoned,
    set_limits,
)
from rookery.errors import InputError, RookeryError
from rookery.playout import make_replay
from rookery.search.nrpa import ADAPT, SEARCH, make_layered_nrpa, make_nrpa
from rookery.search.parameters import shown
from rookery.tasks import Moves, NMCSTask, NRPATask, Outcome, Sequence, Signal, Task, UCTTask, Weights

if TYPE_CHECKING:
    from rookery.compiler.engine import CompiledEngine


def _kernel(layers: bool) -> tuple[str, Any]:
    """Name and maker of the kernel of NRPA."""
    return ("nrpa_layers", make_layered_nrpa) if layers else ("nrpa", make_nrpa)


class CompiledWorker:
    """Computes tasks in memory of its own."""

    def __init__(self, engine: CompiledEngine) -> None:
        self._engine = engine
        self._levels = 0
        self._room = FIRST_ROOM
        self._states = engine.states(3)
        self._out = np.zeros(legal_width(engine.limits), np.int64)
        self._at: Moves | None = None  # the moves that lead to states[0]
        self._tree = new_tree(engine.limits, 1)
        self._ensure(3)

    # --- memory ---

    def _ensure(self, levels: int, more_room: bool = False) -> None:
        """Room for nested calls of up to ``levels - 2``."""
        if levels <= self._levels and not more_room:
            return
        engine = self._engine
        self._levels = max(levels, self._levels)
        self._room *= 2 if more_room else 1
        biased = engine.specialisation.functions.bias is not None
        self._policy = new_policy(engine.limits, self._levels, self._room)
        self._trace = new_trace(engine.limits, self._levels, self._room, biased)
        self._lines = new_lines(engine.limits, self._levels)
        self._buffers = new_run(engine.limits, self._levels)
        if len(self._states) < self._levels:
            states = engine.states(self._levels)
            states[: len(self._states)] = self._states
            self._states = states
        if engine.debug:
            for out in (self._out, self._trace.out, self._lines.out):
                poisoned(out)

    def _run(self, task: Task, signal: Signal) -> buffers.Run:
        """The buffers of a task, reset."""
        control = signal.control
        control[PLAYOUTS] = 0
        control[IMPROVEMENTS] = 0
        control[BUDGET] = task.budget
        set_limits(control, self._engine.limits)
        return self._buffers._replace(control=control, target=float(task.target))

    # --- tasks ---

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task."""
        if isinstance(task, NRPATask):
            return self._nrpa(task, signal)
        self._go_to(task.prefix)
        call = self._line_call(task, signal)
        if call.start > 0:
            self._states[call.start] = self._states[0]
            self._at = None  # nested calls play on states[0]
        status = self._call(call.rerun, call.name, call.make, *call.arguments)
        self._check(status, signal, call.rerun)
        moves = self._lines.moves[call.row, len(task.prefix) : int(self._lines.lengths[call.row])]
        return self._outcome(status, signal, self._lines.scores[call.row], moves, (), task.prefix)

    def warm(self, task: Task) -> None:
        """Compile what this task needs, or read it from disk."""
        self.legal(task.prefix)
        signal = Signal()
        if isinstance(task, NRPATask):
            self._engine.warm(*_kernel(task.layers), *self._nrpa_arguments(task, signal))
        else:
            call = self._line_call(task, signal)
            self._engine.warm(call.name, call.make, *call.arguments)

    def _line_call(self, task: Task, signal: Signal) -> LineCall:
        """The call that computes a task of a search without a policy; makes room for it."""
        engine = self._engine
        self._ensure(levels(task))
        if isinstance(task, NMCSTask) and task.sample > self._lines.sampled.shape[1]:
            self._lines = new_lines(engine.limits, self._levels, task.sample)
        if isinstance(task, UCTTask) and (playouts := min(task.playouts, task.budget)) >= self._tree.move.size:
            self._tree = new_tree(engine.limits, playouts)
        memory = LineMemory(self._states, self._lines, self._run(task, signal), self._tree)
        return line_call(task, engine.specialisation, engine.constants, memory)

    def _nrpa_arguments(self, task: NRPATask, signal: Signal) -> tuple[Any, ...]:
        self._ensure(task.level + 2)
        run = self._run(task, signal)._replace(alpha=float(task.alpha))
        run.iterations[: task.level + 1] = task.iterations[: task.level + 1]
        run.ties[: task.level + 1] = task.ties[: task.level + 1]
        codes, weights = self._pairs(task.policy)
        return self._arguments(SEARCH, task.level, task.key, run, codes, weights, len(task.policy), ())

    def _arguments(
        self,
        operation: int,
        level: int,
        key: int,
        run: buffers.Run,
        codes: npt.NDArray[np.uint64],
        weights: npt.NDArray[np.float64],
        size: int,
        sequence: Moves,
    ) -> tuple[Any, ...]:
        constants, states = self._engine.constants, self._states
        moves = np.array(sequence, np.int64)
        return (
            *(operation, level, np.uint64(key), constants, states),
            *(self._policy, self._trace, run, codes, weights, size, moves),
        )

    @staticmethod
    def _pairs(policy: Weights, room: int = 0) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
        size = max(len(policy) + room, 1)
        codes, weights = np.zeros(size, np.uint64), np.zeros(size)
        codes[: len(policy)] = policy.codes
        weights[: len(policy)] = policy.weights
        return codes, weights

    def _nrpa(self, task: NRPATask, signal: Signal) -> Outcome:
        def rerun(by: Rerun) -> Fault | None:
            return self._rerun_weighted(by, task.prefix)

        while True:
            self._go_to(task.prefix)
            arguments = self._nrpa_arguments(task, signal)
            status, _ = self._call(rerun, *_kernel(task.layers), *arguments)
            if status != buffers.FULL:
                break
            self._ensure(0, more_room=True)  # a pure task: compute it again with twice the room
        self._check(status, signal, rerun)
        trace = self._trace
        row = int(trace.row[task.level])
        length = int(trace.lengths[row])
        codes = trace.codes[row, trace.chosen[row, :length]]
        return self._outcome(status, signal, trace.scores[row], trace.moves[row, :length], codes, task.prefix)

    def adapt(self, policy: Weights, sequence: Moves, alpha: float, prefix: Moves, layers: bool) -> Weights:
        """One step of adapt towards a sequence, given without its prefix."""
        signal = Signal()
        more = 4096

        def rerun(by: Rerun) -> Fault | None:
            return self._rerun_weighted(by, prefix, sequence)

        while True:
            self._go_to(prefix)
            codes, weights = self._pairs(policy, more)
            run = self._run(Task(key=0), signal)._replace(alpha=float(alpha))
            arguments = self._arguments(ADAPT, 0, 0, run, codes, weights, len(policy), sequence)
            status, written = self._call(rerun, *_kernel(layers), *arguments)
            if status != buffers.FULL:
                break
            more *= 2
            if more > self._room:
                self._ensure(0, more_room=True)
        self._check(status, signal, rerun)
        return Weights(codes[:written].copy(), weights[:written].copy())

    def _rerun_weighted(self, by: Rerun, prefix: Moves, sequence: Moves | None = None) -> Fault | None:
        trace = self._trace
        moves = trace.moves[trace.row[0]] if sequence is None else np.array(sequence, np.int64)
        return by.playout(self._states[0], moves, len(prefix), "weights", self._buffers.rng[-1])

    def _outcome(self, status: int, signal: Signal, score: float, moves: Any, codes: Any, prefix: Moves) -> Outcome:
        control = signal.control
        n = int(control[IMPROVEMENTS])
        sequence = None
        if score > -np.inf and control[PLAYOUTS] + (status == buffers.OK) > 0:
            sequence = Sequence(float(score), (*prefix, *map(int, moves)), tuple(map(int, codes)))
        return Outcome(
            sequence=sequence,
            playouts=int(control[PLAYOUTS]),
            improvements=tuple(
                (int(at), float(to))
                for at, to in zip(self._buffers.improved_at[:n], self._buffers.improved_to[:n], strict=True)
            ),
            finished=status == buffers.OK,
            reached_target=bool(control[HALT] == HALT_TARGET),
        )

    # --- states ---

    def _go_to(self, moves: Moves) -> None:
        if self._at != moves:
            self.legal(moves)

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""
        return self._replay(moves, False)[1]

    def replay(self, moves: Moves) -> tuple[float, Moves]:
        """Score (to be maximised) and legal moves after these moves."""
        return self._replay(moves, True)

    def _replay(self, moves: Moves, scored: bool) -> tuple[float, Moves]:
        self._at = None
        signal = Signal()
        control = signal.control
        set_limits(control, self._engine.limits)
        self._states[0] = np.zeros((), self._states.dtype)
        for move in moves:
            if isinstance(move, bool) or not isinstance(move, (int, np.integer)) or not -(2**63) <= move < 2**63:
                raise InputError(f"moves must be whole numbers of 64 bits, got {shown(move)}")
        sequence = np.array(moves, np.int64)
        arguments = (self._engine.constants, self._states, sequence, self._out, control, scored)

        def rerun(by: Rerun) -> Fault | None:
            return by.replay(moves)

        status, n, score = self._call(rerun, "replay", make_replay, *arguments)
        if status == buffers.ILLEGAL_MOVE:
            ply = int(control[DETAIL])
            name = type(self._engine.problem).__name__
            raise InputError(f"move {ply + 1} must be legal in {name}, got {shown(moves[ply])}")
        self._check(status, signal, rerun)
        self._at = moves
        return float(score), tuple(map(int, self._out[:n]))

    # --- faults ---

    def _check(self, status: int, signal: Signal, rerun: Rerunning) -> None:
        """Raise the error of a broken promise, at the line that broke it."""
        if status in (buffers.OK, buffers.STOPPED):
            return
        fault = rerun(Rerun(self._engine.problem))
        raise broken_promise(self._engine.problem, status, int(signal.control[DETAIL]), fault)

    def _call(self, rerun: Rerunning, name: str, make: Any, *arguments: Any) -> Any:
        """Call a kernel; an exception in it gets the place where the interpreted functions raise it."""
        try:
            return self._engine.call(name, make, *arguments)
        except RookeryError:
            raise
        except Exception as error:
            fault = rerun(Rerun(self._engine.problem, divide=isinstance(error, ZeroDivisionError)))
            raise located(error, fault) from None
