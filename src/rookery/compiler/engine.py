"""Runs tasks on a compiled problem."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import numpy.typing as npt
from numba.core.errors import NumbaError

from rookery.compiler import buffers
from rookery.compiler.buffers import BUDGET, DETAIL, HALT, HALT_TARGET, IMPROVEMENTS, PLAYOUTS
from rookery.compiler.settings import INTERPRETED, quiet_overflow
from rookery.compiler.specialise import specialise
from rookery.compiler.workspace import FIRST_ROOM, new_lines, new_policy, new_run, new_trace, set_limits
from rookery.errors import CompileError, InputError, ProblemError
from rookery.playout import make_replay
from rookery.problem import Problem
from rookery.search.nmcs import make_nmcs
from rookery.search.nrpa import ADAPT, SEARCH, make_nrpa
from rookery.search.sampling import make_sampling
from rookery.tasks import Moves, NMCSTask, NRPATask, Outcome, SamplingTask, Sequence, Signal, Task, Weights


class CompiledEngine:
    """Workers for one compiled problem."""

    def __init__(self, problem: Problem, debug: bool = False) -> None:
        self.problem = problem
        self.limits = problem.limits()
        self.specialisation, self.constants = specialise(problem, debug)
        self._warm: set[str] = set()

    def worker(self) -> CompiledWorker:
        """A worker with memory of its own."""
        return CompiledWorker(self)

    def call(self, name: str, make: Any, *arguments: Any) -> Any:
        """Call a kernel, compiled if need be."""
        self.warm(name, make, *arguments)
        with quiet_overflow():
            return self.specialisation.entry(name, make)(*arguments)

    def warm(self, name: str, make: Any, *arguments: Any) -> None:
        """Compile a kernel for these arguments, or read it from disk, without calling it."""
        if INTERPRETED or name in self._warm:
            return
        kernel = self.specialisation.entry(name, make)
        try:
            kernel.compile(tuple(numba.typeof(a) for a in arguments))
        except (NumbaError, KeyError) as error:  # KeyError: a field that the state does not have
            raise _compile_error(self.problem, error) from error
        self._warm.add(name)


class CompiledWorker:
    """Computes tasks in memory of its own."""

    def __init__(self, engine: CompiledEngine) -> None:
        self._engine = engine
        self._levels = 0
        self._room = FIRST_ROOM
        self._states = np.zeros(2, engine.specialisation.dtype)
        self._out = np.zeros(4 * engine.limits.moves + 64, np.int64)
        self._at: Moves | None = None  # the moves that lead to states[0]
        self._ensure(2)

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
            self._states = np.resize(self._states, self._levels)

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
        if isinstance(task, NMCSTask):
            return self._nmcs(task, signal)
        assert isinstance(task, SamplingTask)
        return self._sample(task, signal)

    def warm(self, task: Task) -> None:
        """Compile what this task needs, or read it from disk."""
        self.legal(task.prefix)
        signal = Signal()
        if isinstance(task, NRPATask):
            self._engine.warm("nrpa", make_nrpa, *self._nrpa_arguments(task, signal))
        elif isinstance(task, NMCSTask):
            self._engine.warm("nmcs", make_nmcs, *self._nmcs_arguments(task, signal))
        elif isinstance(task, SamplingTask):
            self._engine.warm("sampling", make_sampling, *self._sampling_arguments(task, signal))

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
        while True:
            self._go_to(task.prefix)
            arguments = self._nrpa_arguments(task, signal)
            status, _ = self._engine.call("nrpa", make_nrpa, *arguments)
            if status != buffers.FULL:
                break
            self._ensure(0, more_room=True)  # a pure task: compute it again with twice the room
        self._check(status, signal)
        trace = self._trace
        row = int(trace.row[task.level])
        length = int(trace.lengths[row])
        codes = trace.codes[row, trace.chosen[row, :length]]
        return self._outcome(status, signal, trace.scores[row], trace.moves[row, :length], codes, task.prefix)

    def adapt(self, policy: Weights, sequence: Moves, alpha: float, prefix: Moves) -> Weights:
        """One step of adapt towards a sequence, given without its prefix."""
        signal = Signal()
        more = 4096
        while True:
            self._go_to(prefix)
            codes, weights = self._pairs(policy, more)
            run = self._run(Task(key=0), signal)._replace(alpha=float(alpha))
            arguments = self._arguments(ADAPT, 0, 0, run, codes, weights, len(policy), sequence)
            status, written = self._engine.call("nrpa", make_nrpa, *arguments)
            if status != buffers.FULL:
                break
            more *= 2
            if more > self._room:
                self._ensure(0, more_room=True)
        self._check(status, signal)
        return Weights(codes[:written].copy(), weights[:written].copy())

    def _nmcs_arguments(self, task: NMCSTask, signal: Signal) -> tuple[Any, ...]:
        self._ensure(task.level + 2)
        if task.sample > self._lines.sampled.shape[1]:
            self._lines = new_lines(self._engine.limits, self._levels, task.sample)
        return (
            *(task.level, np.uint64(task.key), len(task.prefix), self._engine.constants, self._states),
            *(self._lines, self._run(task, signal), task.memorise, task.random_ties, task.sample),
        )

    def _nmcs(self, task: NMCSTask, signal: Signal) -> Outcome:
        arguments = self._nmcs_arguments(task, signal)
        self._go_to(task.prefix)
        self._states[task.level] = self._states[0]
        self._at = None  # nested calls play on states[0]
        status = self._engine.call("nmcs", make_nmcs, *arguments)
        self._check(status, signal)
        return self._line_outcome(2 * task.level, status, signal, task)

    def _sampling_arguments(self, task: SamplingTask, signal: Signal) -> tuple[Any, ...]:
        return (
            *(task.first, task.last, np.uint64(task.key), len(task.prefix)),
            *(self._engine.constants, self._states, self._lines, self._run(task, signal)),
        )

    def _sample(self, task: SamplingTask, signal: Signal) -> Outcome:
        self._go_to(task.prefix)
        status = self._engine.call("sampling", make_sampling, *self._sampling_arguments(task, signal))
        self._check(status, signal)
        return self._line_outcome(1, status, signal, task)

    def _line_outcome(self, row: int, status: int, signal: Signal, task: Task) -> Outcome:
        lines = self._lines
        moves = lines.moves[row, len(task.prefix) : int(lines.lengths[row])]
        return self._outcome(status, signal, lines.scores[row], moves, (), task.prefix)

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
        control = Signal().control
        set_limits(control, self._engine.limits)
        self._states[0] = np.zeros((), self._states.dtype)
        try:
            sequence = np.array(moves, np.int64).reshape(len(moves))
        except (OverflowError, TypeError, ValueError):
            raise InputError(f"moves must be whole numbers, got {moves!r}") from None
        arguments = (self._engine.constants, self._states, sequence, self._out, control, scored)
        status, n, score = self._engine.call("replay", make_replay, *arguments)
        if status == buffers.ILLEGAL_MOVE:
            ply = int(control[DETAIL])
            move = self._engine.problem.describe_move(moves[ply])
            raise InputError(f"move {ply + 1} ({move}) is not legal in {type(self._engine.problem).__name__}")
        self._check(status, None, int(control[DETAIL]))
        self._at = moves
        return float(score), tuple(map(int, self._out[:n]))

    # --- promises ---

    def _check(self, status: int, signal: Signal | None, detail: int = 0) -> None:
        if status in (buffers.OK, buffers.STOPPED):
            return
        if signal is not None:
            detail = int(signal.control[DETAIL])
        limits = self._engine.limits
        text = {
            buffers.TOO_MANY_MOVES: f"moves() returned {detail}, but limits() declares moves={limits.moves}",
            buffers.NEGATIVE_MOVES: f"moves() returned {detail}, which is negative",
            buffers.TOO_LONG: f"a playout is longer than limits() declares (length={limits.length})",
            buffers.CODE_RANGE: f"code() returned {detail}, but limits() declares codes={limits.codes}",
            buffers.BAD_SCORE: "score() returned a value that is not finite",
            buffers.BAD_CHOICE: f"choose() returned {detail}, which is not an index of the legal moves",
            buffers.ILLEGAL_MOVE: f"move {detail + 1} of a sequence is not legal",
        }[status]
        raise ProblemError(f"{type(self._engine.problem).__name__}: {text}")


def _compile_error(problem: Problem, error: Exception) -> CompileError:
    """One short message out of Numba's long one: the reason, and the place in the user's file."""
    if isinstance(error, KeyError):
        return CompileError(f"{type(problem).__name__} cannot be compiled: the state has no field {error}")
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    place = next((line for line in reversed(lines) if line.startswith("File ")), "")
    skip = ("Failed in nopython", "During:", "File ", "^", "There are", "-", "Overload", ">>>")
    reason = next((line for line in lines if not line.startswith(skip)), lines[0] if lines else "unknown reason")
    where = f" ({place.rstrip(':')})" if place else ""
    return CompileError(f"{type(problem).__name__} cannot be compiled{where}: {reason}")
