"""Compiled kernels for one problem, and workers that compute tasks with them, each in its own memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from collections.abc import Sequence as Several
from functools import cached_property
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from rookery.arguments import shown
from rookery.compiler.soundness import check_functions, kernel_error
from rookery.compiler.specialise import specialise
from rookery.control import DETAIL, FULL, HALT, HALT_TARGET, ILLEGAL_MOVE, IMPROVEMENTS, OK, PLAYOUTS, STOPPED, Signal
from rookery.engine.faults import Fault, Rerun
from rookery.engine.promises import broken_promise, located
from rookery.engine.whereabouts import in_kernel
from rookery.errors import InputError, RookeryError
from rookery.kernels.memory import Call, Memory, poisoned
from rookery.kernels.playout import make_replay
from rookery.kernels.repeat import Runs, new_runs, repeated
from rookery.problem import Model
from rookery.settings import INTERPRETED, uncollected
from rookery.tasks import Moves, Outcome, Sequence, Task


class CompiledEngine:
    """Workers for one compiled problem."""

    def __init__(self, problem: Model, debug: bool = False, keeps: bool = False) -> None:
        self.problem = problem
        self.specialisation, self.constants, self.limits = specialise(problem, debug, keeps)
        self.debug = debug
        self._warm: set[Any] = set()

    def states(self, n: int) -> npt.NDArray[Any]:
        """Room for states."""
        states = np.zeros(n, self.specialisation.dtype)
        return poisoned(states) if self.debug else states

    def worker(self) -> CompiledWorker:
        """A worker with its own memory."""
        return CompiledWorker(self)

    @cached_property
    def keeping(self) -> CompiledEngine:
        """The same for tasks that keep candidates."""
        return CompiledEngine(self.problem, self.debug, keeps=True)

    def call(self, name: str, make: Any, *arguments: Any) -> Any:
        """Call a kernel, compiled if need be."""
        return self.warm(name, make, *arguments)(*arguments)

    def warm(self, name: str, make: Any, *arguments: Any) -> Any:
        """A kernel compiled for these arguments, or read from disk."""
        kernel = self.specialisation.entry(name, make)
        if INTERPRETED or kernel in self._warm:
            return kernel
        types = tuple(numba.typeof(a) for a in arguments)
        if types not in kernel.overloads:  # from an earlier engine
            with uncollected():
                self._compile(kernel, make, types)
        self._warm.add(kernel)
        return kernel

    def _compile(self, kernel: Any, make: Any, types: tuple[Any, ...]) -> None:
        if not (self.specialisation.sound or self.specialisation.is_kept(kernel, types)):
            compiled, biases = self.specialisation.compiled, self.limits.biases
            check_functions(type(self.problem), compiled, self.constants, self.states(1), biases)
            self.specialisation.sound = True
        try:
            kernel.compile(types)
        except Exception as error:
            raise kernel_error(make, error) from error


Rerunning = Callable[[Any], Fault | None]
"""Replays what went wrong, interpreted: given the functions of the problem or game as a :class:`Rerun`."""


class Caller:
    """What workers for compiled problems and games share: they call kernels, and explain how one ended."""

    rerun: type[Rerun] = Rerun

    def __init__(self, engine: CompiledEngine) -> None:
        self._engine = engine

    def _call(self, again: Rerunning, name: str, make: Any, *arguments: Any) -> Any:
        """Call a kernel; an exception in it gets the place where the interpreted functions raise it."""
        kernel = self._engine.warm(name, make, *arguments)
        try:
            with in_kernel(lambda: again(self.rerun(self._engine.problem))):
                return kernel(*arguments)
        except RookeryError:
            raise
        except Exception as error:
            fault = again(self.rerun(self._engine.problem, divide=isinstance(error, ZeroDivisionError)))
            raise located(error, fault) from None

    def _check(self, status: int, control: npt.NDArray[np.int64], again: Rerunning) -> None:
        """Raise the error of a broken promise, at the line that broke it."""
        if status not in (OK, STOPPED):
            fault = again(self.rerun(self._engine.problem))
            raise broken_promise(self._engine.problem, status, int(control[DETAIL]), fault)

    def _check_replay(self, status: int, control: npt.NDArray[np.int64], moves: Moves) -> None:
        """The same after a kernel has played these moves, which may be illegal."""
        if status == ILLEGAL_MOVE:
            ply = int(control[DETAIL])
            name = type(self._engine.problem).__name__
            raise InputError(f"move {ply + 1} must be legal in {name}, got {shown(moves[ply])}")
        self._check(status, control, lambda by: by.replay(moves))


class CompiledWorker(Caller):
    """Computes tasks in its own memory."""

    def __init__(self, engine: CompiledEngine) -> None:
        super().__init__(engine)
        self._memory = Memory(engine.specialisation, engine.constants, engine.limits, engine.debug)
        self._at: Moves | None = None  # the moves that lead to states[0]
        self._keeping: CompiledWorker | None = None
        self._root: Moves | None = None  # the moves that lead to the root of memory

    # --- tasks ---

    def _for(self, task: Task) -> CompiledWorker:
        """The worker with the machine code that a task needs: this one, or one whose kernels keep candidates."""
        if task.keep is None or self._engine.specialisation.keeps:
            return self
        if self._keeping is None:
            self._keeping = self._engine.keeping.worker()
        return self._keeping

    def warm(self, task: Task) -> None:
        """Compile what this task needs, or read it from disk."""
        if self._for(task) is not self:
            return self._for(task).warm(task)
        self.legal(task.prefix)
        call = task.call(self._memory, Signal())
        self._engine.warm(*call.kernel, *call.arguments)

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task that finds a sequence."""
        if self._for(task) is not self:
            return self._for(task).run(task, signal)
        status, call = self._compute(task, signal)
        score, moves, codes = call.found()
        control, reported = signal.control, self._memory.assignment
        n = int(control[IMPROVEMENTS])
        sequence = None
        if score > -np.inf and control[PLAYOUTS] + (status == OK) > 0:
            sequence = Sequence(score, (*task.prefix, *_whole(moves)), tuple(_whole(codes)))
        return Outcome(
            sequence=sequence,
            playouts=int(control[PLAYOUTS]),
            improvements=tuple(zip(reported.improved_at[:n].tolist(), reported.improved_to[:n].tolist(), strict=True)),
            finished=status == OK,
            reached_target=bool(control[HALT] == HALT_TARGET),
            kept=() if task.keep is None else self._memory.kept(task),
            value=call.carried() if status == OK else None,
        )

    def value(self, task: Task) -> Any:
        """Compute a task that finds something else."""
        return self._compute(task, Signal())[1].found()

    def repeat(self, task: Task, keys: Several[int], signal: Signal) -> tuple[list[float], int] | None:
        """Compute a task with each of these keys, in one compiled call: scores, and playouts in all.

        There are fewer scores if the signal stopped it. None: the task must be computed with one key at a time.
        """
        if task.call(self._memory, signal).repeat is None:
            return None
        runs = new_runs(keys, self._memory.spec.dtype)
        self._compute(task, signal, runs)
        ended, playouts = runs.ended.tolist()
        return runs.scores[:ended].tolist(), playouts

    def _find_root(self, task: Task) -> None:
        """Have the state in memory from which the candidates of a task are played."""
        if task.keep is not None and self._root != (fixed := task.prefix[: task.keep.fixed]):
            self.legal(fixed)
            self._memory.root[0], self._root = self._memory.states[0], fixed

    def _compute(self, task: Task, signal: Signal, runs: Runs | None = None) -> tuple[int, Call]:
        """Call the kernel of a task, or for many runs of it the one that calls it for each."""
        self._find_root(task)
        while True:
            if self._at != task.prefix:
                self.legal(task.prefix)
            call = task.call(self._memory, signal)
            kernel, arguments = call.kernel, call.arguments
            if runs is not None:
                kernel, arguments = repeated(call, runs, self._memory.states, signal.control, task.budget)
            if call.start > 0:
                self._memory.states[call.start] = self._memory.states[0]
                self._at = None  # nested calls play on states[0]
            status = int(self._call(call.again, *kernel, *arguments))
            if status != FULL:
                self._check(status, signal.control, call.again)
                return status, call
            (call.grow or self._memory.make_room)()  # a pure task: compute it again with twice the room

    # --- the problem, and its states ---

    def has(self, function: str) -> bool:
        """Whether the problem defines a function that it may leave out."""
        return hasattr(self._engine.problem, function)

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""
        return self._replay(moves, False)[1]

    def replay(self, moves: Moves) -> tuple[float, Moves]:
        """Score (to be maximised) and legal moves after these moves."""
        return self._replay(moves, True)

    def _replay(self, moves: Moves, scored: bool) -> tuple[float, Moves]:
        self._at = None
        memory = self._memory
        memory.states[0] = np.zeros((), memory.states.dtype)
        sequence = whole_moves(moves, -(2**63), "whole numbers of 64 bits")
        arguments = (memory.constants, memory.states, sequence, memory.out, memory.control, scored)
        status, n, score = self._call(lambda by: by.replay(moves), "replay", make_replay, *arguments)
        self._check_replay(status, memory.control, moves)
        self._at = moves
        return float(score), tuple(map(int, memory.out[:n]))


def _whole(numbers: Any) -> Iterable[int]:
    """Whole numbers of Python; an array gives them all at once."""
    if isinstance(numbers, np.ndarray) and numbers.dtype.kind in "iu":
        given: list[int] = numbers.tolist()
        return given
    return map(int, numbers)


def whole_moves(moves: Iterable[Any], least: int, rule: str) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Moves as kernels take them; anything but whole numbers of at least ``least`` is refused."""
    for move in moves:
        if isinstance(move, bool) or not isinstance(move, (int, np.integer)) or not least <= move < 2**63:
            raise InputError(f"moves must be {rule}, got {shown(move)}")
    return np.array(moves, np.int64)
