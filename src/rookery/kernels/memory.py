"""Calls of kernels that tasks ask for, and the memory of one worker's kernels; it grows as tasks ask for more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rookery.compiler.specialise import Specialisation
from rookery.control import BUDGET, CODES_MOST, FIRST, IMPROVEMENTS, LENGTH_MOST, MOVES_MOST, PLAYOUTS, Signal
from rookery.kernels.beam import Beam, new_beam
from rookery.kernels.bias_weights import new_bias_weights
from rookery.kernels.buffers import Assignment, BiasWeights, Candidates, Lines, Pairs, Policy, Trace, Tree
from rookery.kernels.incumbents import Incumbents, new_incumbents
from rookery.kernels.nrpa_beam import new_pairs
from rookery.kernels.pool import new_candidates, read_candidates
from rookery.kernels.repeat import Repeat
from rookery.problem import Limits, capacity
from rookery.tasks import Keep, Sequence, Task, Weights

LEAST_LEVELS = 3
"""Levels that every worker has room for."""


class Memory:
    """The buffers of a worker, allocated when a task first needs them.

    Parameters
    ----------
    debug
        fill the buffers, so that reading what was never written gives nonsense
    """

    def __init__(self, spec: Specialisation, constants: Any, limits: Limits, debug: bool) -> None:
        self.spec = spec
        self.constants = constants
        self._limits = limits
        self._debug = debug
        self._levels = LEAST_LEVELS
        self._sample = 1
        self._pool: Candidates | None = None
        self.root = self._new_states(1)  # where a run whose tasks keep candidates begins
        self.room = FIRST_ROOM  # for hashed codes in a policy
        self.out = np.zeros(legal_width(limits), np.int64)
        self.control = np.zeros(16, np.int64)  # for replays; tasks have those of their signals
        set_limits(self.control, limits)
        self.assignment: Assignment
        self.tree = new_tree(limits, 1)
        self._incumbents: dict[tuple[int, int], Incumbents] = {}
        self._beam: Beam | None = None
        self._beam_room = FIRST_BEAM
        self._pairs: Pairs | None = None
        self._pairs_most = 0
        self._learned: BiasWeights | None = None
        self.states = self._new_states(LEAST_LEVELS)
        self._allocate()

    def make_nodes(self, playouts: int) -> None:
        """Have room for a tree with a node for each of this many playouts."""
        if playouts >= self.tree.move.size:
            self.tree = new_tree(self._limits, playouts)

    def incumbents(self, lines: int, numbers: int) -> Incumbents:
        """Room for this many lines that are edited, and numbers that are carried from task to task."""
        if (lines, numbers) not in self._incumbents:
            loose, by_code = self.spec.functions.undo is not None, self.spec.bias_by_code
            width = legal_width(self._limits)
            made = new_incumbents(self._limits, self.spec.dtype, width, lines, numbers, loose, by_code)
            self._incumbents = {(lines, numbers): made}
        return self._incumbents[lines, numbers]

    def beam(self, width: int) -> Beam:
        """Room for a beam of this width; for a wide one at first less, since it may not have so many states."""
        room = min(capacity(width), self._beam_room)
        if self._beam is None or self._beam.states.size < 2 * room:
            self._beam = new_beam(self._limits, self.spec.dtype, room, self.spec.functions.key is not None)
        return self._beam

    def policies(self, width: int) -> Pairs:
        """Room for this many pairs of a sequence and a policy; the last rows of the trace are theirs."""
        if width > self._pairs_most:
            self._pairs_most = width
            self._allocate()
        ids = self.policy.touched.size
        if self._pairs is None or self._pairs.weight.shape != (2 * width, ids):
            self._pairs = new_pairs(width, ids)
        return self._pairs

    def bias_weights(self) -> BiasWeights:
        """Room for weights of the problem's biases, beside the trace."""
        if self._learned is None:
            biases = 1 if self.spec.functions.biases is None else self._limits.biases
            shape, places = self.trace.factors.shape, 2 * self._pairs_most
            self._learned = new_bias_weights(biases, self._levels, shape, places)
        return self._learned

    def widen(self) -> None:
        """Have twice the room for beams."""
        self._beam_room *= 2

    def make_room(self) -> None:
        """Have twice the room for codes."""
        self.room *= 2
        self._allocate()

    def assign(self, task: Task, signal: Signal, levels: int = LEAST_LEVELS, sample: int = 1) -> Assignment:
        """What a task is given and reports, reset.

        There is room for nested calls of up to ``levels - 2``, each of which samples this many moves.
        """
        if levels > self._levels or sample > self._sample:
            self._levels, self._sample = max(levels, self._levels), max(sample, self._sample)
            self._allocate()
        control = signal.control
        control[PLAYOUTS] = 0
        control[IMPROVEMENTS] = 0
        control[BUDGET] = task.budget
        set_limits(control, self._limits)
        control[FIRST] = len(task.prefix)
        given: dict[str, Any] = {"control": control, "target": float(task.target), "own": task.search.own_numbers()}
        if task.keep is not None:
            given["pool"] = self._pool_for(task, task.keep)
        self.assignment = self.assignment._replace(**given)
        return self.assignment

    def _pool_for(self, task: Task, keep: Keep) -> Candidates:
        """An empty pool for a task of a run that begins from ``root[0]``."""
        pool = self._pool
        if pool is None or (pool.order.size, pool.exact) != (keep.most + 1, keep.exact):
            pool = self._pool = new_candidates(keep, self._limits, self.spec.dtype, self.out)
        given = task.prefix[keep.fixed :]
        pool.size[:] = 0, len(given)
        pool.prefix[: len(given)] = given
        pool.states[0] = self.root[0]
        return pool

    def kept(self, task: Task) -> tuple[Sequence, ...]:
        """The candidates that a task has kept."""
        if task.keep is None or self._pool is None:
            return ()
        return read_candidates(self._pool, task.prefix[: task.keep.fixed])

    def pairs(self, policy: Weights, more: int = 0) -> tuple[Any, Any]:
        """A policy as arrays of codes and weights, with room for more."""
        size = len(policy.weights)
        room = max(size + more, 1)
        codes, weights = np.empty(room, np.uint64), np.empty(room)  # what is behind them is written before it is read
        codes[:size] = policy.codes
        weights[:size] = policy.weights
        return codes, weights

    def line(self, row: int, ply: int) -> tuple[float, Any, Any]:
        """What was found in a row of lines: score, moves from a step on, no codes."""
        lines = self.lines
        return float(lines.scores[row]), lines.moves[row, ply : int(lines.lengths[row])], ()

    def _allocate(self) -> None:
        limits, levels = self._limits, self._levels
        biased = self.spec.functions.bias is not None
        self.policy = new_policy(limits, levels, self.room)
        self.trace = new_trace(limits, levels + 2 * self._pairs_most, self.room, biased)
        self._learned = None
        self.lines = new_lines(limits, levels, self._sample)
        self.assignment = new_assignment(levels)
        if len(self.states) < levels:
            states = self._new_states(levels)
            states[: len(self.states)] = self.states
            self.states = states
        if self._debug:
            for out in (self.out, self.trace.out, self.lines.out):
                poisoned(out)

    def _new_states(self, n: int) -> Any:
        states = np.zeros(n, self.spec.dtype)
        return poisoned(states) if self._debug else states


SLACK = 64
"""Extra room behind lists of moves, so that one move too many is found before it does harm."""

FIRST_ROOM = 1 << 11
"""Room for hashed codes in a policy at first; doubled when a task runs out. A small table stays in fast memory."""
CODES_PER_ROOM = 1 << 9
"""Codes in a row of the trace for each of these; memory that is not touched costs nothing."""

FIRST_BEAM = 1 << 10
"""Room for the states of a beam at first; doubled when a task runs out."""

IMPROVEMENTS_KEPT = 1024

POISON = 0xA5
"""What every byte of a state and of a list of moves holds before it is written, when a problem is debugged."""


def poisoned(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The array, filled so that reading what was never written gives nonsense, not zeros."""
    array.view(np.uint8)[:] = POISON
    return array


def legal_width(limits: Limits) -> int:
    """Room for a list of legal moves."""
    return 4 * limits.moves + SLACK


def new_policy(limits: Limits, levels: int, room: int) -> Policy:
    """Weights for all dense codes, or for ``room`` hashed ones in a table of twice as many slots."""
    hashed = limits.codes == "hashed"
    ids = 2 * room + 1 if hashed else int(limits.codes)
    return Policy(
        weight=np.zeros(ids),
        factor=np.ones(ids),
        stamp=np.zeros(ids, np.uint32),
        levels=np.zeros(ids, np.uint32),
        touched=np.empty(ids + 1, np.uint32),
        scratch=np.empty(ids + 1),
        log_id=np.empty((levels, ids + 1), np.uint32),
        log_weight=np.empty((levels, ids + 1)),
        log_factor=np.empty((levels, ids + 1)),
        log_size=np.zeros(levels, np.int64),
        clock=np.zeros(2, np.int64),
        slot_code=np.zeros(ids if hashed else 1, np.uint64),
        inserted=np.zeros(room if hashed else 1, np.uint32),
    )


def new_trace(limits: Limits, rows: int, room: int, biased: bool) -> Trace:
    """Rows for the best playout of each level and for the last one, and for those of a beam."""
    room = min(CODES_PER_ROOM * room, limits.length * limits.moves) + limits.moves
    hashed = limits.codes == "hashed"
    ids = np.empty((rows, room), np.uint32)
    return Trace(
        codes=np.empty((rows, room), np.uint64) if hashed else ids,
        ids=ids,
        factors=np.empty((rows, room if biased else 1)),
        ends=np.empty((rows, limits.length), np.int64),
        chosen=np.empty((rows, limits.length), np.int64),
        totals=np.empty((rows, limits.length)),
        moves=np.empty((rows, limits.length), np.int64),
        lengths=np.zeros(rows, np.int64),
        scores=np.zeros(rows),
        touched=np.empty((rows, room + 1), np.uint32),
        distinct=np.zeros(rows, np.int64),
        named=np.zeros(rows, np.int64),
        fresh=np.zeros(rows, np.bool_),
        row=np.arange(rows),
        out=np.zeros(legal_width(limits), np.int64),
        cumulative=np.empty(legal_width(limits)),
        layers=np.empty((5, limits.length), np.int64),
        table=np.empty(capacity(2 * limits.length), np.int64),
    )


def new_lines(limits: Limits, levels: int, sample: int = 1) -> Lines:
    """Two sequences and a list of legal moves for each level."""
    return Lines(
        moves=np.empty((2 * levels, limits.length + 1), np.int64),
        lengths=np.zeros(2 * levels, np.int64),
        scores=np.zeros(2 * levels),
        best=np.arange(0, 2 * levels, 2),
        step=np.arange(1, 2 * levels, 2),
        out=np.zeros((levels, legal_width(limits)), np.int64),
        sampled=np.zeros((levels, sample), np.int64),
        ratings=np.zeros(max(legal_width(limits), sample)),
    )


def new_tree(limits: Limits, playouts: int) -> Tree:
    """Room for the root and for a node of each playout."""
    nodes = playouts + 1
    return Tree(
        move=np.empty(nodes, np.int64),
        first=np.empty(nodes, np.int32),
        last=np.empty(nodes, np.int32),
        next=np.empty(nodes, np.int32),
        visits=np.empty(nodes, np.int32),
        total=np.empty(nodes),
        squares=np.empty(nodes),
        complete=np.empty(nodes, np.bool_),
        path=np.empty(limits.length + 1, np.int32),
        size=np.zeros(1, np.int64),
    )


def new_assignment(levels: int) -> Assignment:
    """What a task is given and reports, still empty."""
    return Assignment(
        control=np.zeros(16, np.int64),
        rng=np.zeros((levels + 1, 4), np.uint64),
        iterations=np.zeros(levels, np.int64),
        ties=np.full(levels, -1.0),
        alpha=1.0,
        target=np.inf,
        improved_at=np.zeros(IMPROVEMENTS_KEPT, np.int64),
        improved_to=np.zeros(IMPROVEMENTS_KEPT),
    )


def set_limits(control: npt.NDArray[np.int64], limits: Limits) -> None:
    """Write the limits of a problem where kernels check them."""
    control[LENGTH_MOST] = limits.length
    control[MOVES_MOST] = limits.moves
    control[CODES_MOST] = 0 if limits.codes == "hashed" else limits.codes


Kernel = tuple[str, Callable[[Specialisation], Any]]
"""The name of a kernel in the cache, and the function that makes it for a problem."""
Found = tuple[float, Any, Any]
"""What a kernel has found: score, moves without the fixed ones, codes (may be empty)."""


@dataclass(frozen=True)
class Call:
    """A call of a kernel, which returns a status.

    Parameters
    ----------
    arguments
        what it is given
    found
        what it has found, read from memory after the call
    again
        plays what went wrong again, interpreted, to find the line: given a :class:`rookery.engine.faults.Rerun`; by
        default nothing is played, and no line found
    carried
        what a later task goes on with, read from memory after the call
    start
        the search begins from ``states[start]``
    repeat
        how whole runs that differ in their keys alone are computed in one compiled call; None: one by one
    grow
        makes more room after the status FULL; None: room for codes
    """

    kernel: Kernel
    arguments: tuple[Any, ...]
    found: Callable[[], Any]
    again: Callable[[Any], Any] = lambda by: None
    start: int = 0
    carried: Callable[[], Any] = lambda: None
    repeat: Repeat | None = None
    grow: Callable[[], None] | None = None
