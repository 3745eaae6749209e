"""Nested Rollout Policy Adaptation (Rosin 2011)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from typing import Any, NamedTuple

import numpy as np

from rookery.arguments import MOST_LEVEL, Tie, finite, flag, per_level, tie_number, whole
from rookery.compiler.specialise import Specialisation
from rookery.control import DETAIL, FULL, OK, STOPPED, Signal
from rookery.errors import InputError
from rookery.kernels.buffers import INTERNED, STAMPS, STREAM_BEFORE, WEIGHTED_STREAM
from rookery.kernels.layers import make_layer
from rookery.kernels.memory import Call, Kernel, Memory
from rookery.kernels.playout import make_weighted_playout
from rookery.kernels.policy import make_policy
from rookery.kernels.repeat import Repeat
from rookery.plans.plan import Plan
from rookery.plans.risks import SELECTS
from rookery.plans.speculation_tree import Nesting, SpeculationTree
from rookery.rng import mix, seed_stream
from rookery.search.protocol import (
    LEAST_TASK_SECONDS,
    TASKS_A_SECOND,
    TASKS_A_WORKER,
    Cost,
    Search,
    Setting,
)
from rookery.stop import Stop
from rookery.tasks import Moves, Task, Weights, Worker

SEARCH, ADAPT = 0, 1
MEASURED = 100
"""How many playouts are measured, if they are fast."""


@dataclass(frozen=True)
class NRPA(Search):
    """Nested Rollout Policy Adaptation (Rosin 2011, Figure 2).

    Parameters
    ----------
    level
        depth of the nesting; each level costs ``iterations`` times the one below
    iterations
        nested calls per level (N in the paper); one number, or ``{level: number}`` (100 for levels left out)
    alpha
        step of adapt
    ties
        when an equal score replaces the best: ``">="`` always, ``">"`` never, a fraction only if more than
        that share of its codes is not in the old sequence; one rule, or ``{level: rule}`` (``">="``
        for levels left out)
    layers
        adapt all moves of the best sequence that were legal at the same time together; needs a problem that says
        with ``commute`` when the order of moves does not matter

    >>> NRPA(level=2, iterations=50).iterations
    50
    >>> NRPA(level=4, ties={4: 0.3, 3: 0.3}).ties_by_level[3:]
    (0.3, 0.3)
    """

    level: int = 3
    iterations: int | Mapping[int, int] = 100
    alpha: float = 1.0
    ties: Tie | Mapping[int, Tie] = ">="
    layers: bool = False
    iterations_by_level: tuple[int, ...] = field(init=False, repr=False, compare=False)
    ties_by_level: tuple[float, ...] = field(init=False, repr=False, compare=False)

    name = "nrpa"
    twin = "rookery.reference.nrpa:nrpa"
    options = ("restarts", "runs", "select", "atomic_level", "warm_start")

    def __post_init__(self) -> None:
        level = whole("level", self.level, 1, MOST_LEVEL)
        iterations = partial(whole, "iterations", least=1, most=1 << 40)
        flag("layers", self.layers)
        object.__setattr__(self, "alpha", finite("alpha", self.alpha))
        by_level = per_level("iterations", self.iterations, level, 100, iterations)
        object.__setattr__(self, "iterations_by_level", by_level)
        object.__setattr__(self, "ties_by_level", per_level("ties", self.ties, level, ">=", tie_number))

    @classmethod
    def rosin(cls, level: int = 3) -> NRPA:
        """The settings of Rosin 2011: N = 100, alpha = 1, ties replace.

        >>> NRPA.rosin(4).iterations
        100
        """
        return cls(level=level, iterations=100, alpha=1.0, ties=">=")

    @classmethod
    def nagorko(cls, level: int = 6, iterations: int = 80) -> NRPA:
        """The settings of Nagorko 2019: at the top three levels a tie must differ in more than 30% of its moves.

        >>> NRPA.nagorko(4).ties_by_level
        (-1.0, -1.0, 0.3, 0.3, 0.3)
        """
        top = {i: 0.3 for i in range(max(1, level - 2), level + 1)}
        return cls(level=level, iterations=iterations, ties=top)

    # --- a run ---

    @property
    def shape(self) -> tuple[int, int | None]:
        """Level, and iterations of the top level."""
        return self.level, self.iterations_by_level[self.level]

    def check(self, problem: Any) -> None:
        """Refuse layers for a problem that does not say which moves commute."""
        if self.layers and not hasattr(problem, "commute"):
            name = type(problem).__name__
            raise InputError(
                f"layers need a problem that says which moves commute: {name} must define commute(self, a, b)"
            )

    def smallest_task(self, prefix: Moves, playouts: int = 1) -> Task:
        """A call of level 1 with one playout, or a few."""
        small = replace(self, level=1, iterations=playouts, ties=">=")
        return NRPATask(search=small, key=0, prefix=prefix, policy=Weights(), level=1)

    def warm_policy(self, worker: Worker, prefix: Moves, warm_start: Iterable[Any], steps: int) -> Weights:
        """The policy that a run begins with, adapted to a known sequence."""
        policy = Weights()
        whole("warm_steps", steps, 1)
        moves = tuple(warm_start)
        if moves[: len(prefix)] != prefix:
            raise InputError("warm_start must begin with the moves of start_from")
        worker.legal(moves)
        for _ in range(steps):
            policy = self.adapted(worker, prefix, policy, moves)
        return policy

    def adapted(self, worker: Worker, prefix: Moves, policy: Weights, moves: Moves) -> Weights:
        """A policy after one step of adapt towards a sequence."""
        task = AdaptTask(search=self, key=0, prefix=prefix, policy=policy, sequence=moves[len(prefix) :])
        weights: Weights = worker.value(task)
        return weights

    def codes(self, worker: Worker, prefix: Moves, moves: Moves) -> Moves | None:
        """The codes of the moves of a sequence."""
        found: Moves = worker.value(
            CodesTask(search=self, key=0, prefix=prefix, policy=Weights(), sequence=moves[len(prefix) :])
        )
        return found

    def atomic_level(self, cost: Cost, stop: Stop, given: int | None, workers: int) -> int | None:
        """The highest level whose nested call takes no longer than a task may; with several workers, enough tasks."""
        level = given or self._level_that_fits(cost, workers)
        if any(limit is not None for limit in (stop.iterations, stop.no_improvement, stop.when)):
            level = max(1, min(level, self.level - 1))  # iterations of the top level are seen by the driver
        return level

    def _level_that_fits(self, cost: Cost, workers: int) -> int:
        sizes = self.iterations_by_level
        tasks = (self.smallest_task(cost.prefix, playouts) for playouts in (1, MEASURED))
        seconds = [cost.playout(*tasks)]  # for a call of each level
        for level in range(1, self.level + 1):
            seconds.append(seconds[-1] * sizes[level])
        level = max([level for level in range(1, self.level + 1) if seconds[level] <= cost.most], default=1)
        if workers == 1:
            return level
        least = workers / TASKS_A_SECOND
        while level < self.level - 1 and seconds[level] < least:
            level += 1
        least = max(least, LEAST_TASK_SECONDS)
        while level > 1 and prod(sizes[level + 1 :]) < TASKS_A_WORKER * workers and seconds[level - 1] >= least:
            level -= 1
        return level

    def nesting(self, worker: Worker, prefix: Moves = (), target: float = float("inf")) -> Nesting:
        """What the speculation tree knows about the search."""
        task = partial(NRPATask, search=self, prefix=prefix, target=target)
        adapted = partial(self.adapted, worker, prefix)
        return Nesting(self.level, self.iterations_by_level, self.ties_by_level, task, adapted)

    def planner(self, setting: Setting) -> Callable[[int], Plan]:
        """Speculation above the atomic level (Nagorko 2019)."""
        nesting = self.nesting(setting.worker, setting.prefix, setting.target)
        atomic, select = setting.atomic_level or 1, SELECTS[setting.select]
        return lambda key: SpeculationTree(nesting, key, atomic, setting.policy, select())

    # --- a task ---

    def kernel(self) -> Kernel:
        """What computes its tasks: a name, and the function that makes the kernel for a problem."""
        return ("nrpa_layers", partial(make_nrpa, layered=True)) if self.layers else ("nrpa", make_nrpa)


@dataclass(frozen=True, kw_only=True)
class NRPATask(Task):
    """A nested call of some level from a policy."""

    policy: Weights
    level: int

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search, level = self.search, self.level
        run = memory.assign(self, signal, level + 2)._replace(alpha=search.alpha)
        run.iterations[: level + 1] = search.iterations_by_level[: level + 1]
        run.ties[: level + 1] = search.ties_by_level[: level + 1]
        pairs = memory.pairs(self.policy)

        def found() -> tuple[float, Any, Any]:
            trace = memory.trace
            row = trace.row[level]
            length = trace.lengths[row]
            codes = trace.codes[row, trace.chosen[row, :length]]
            return float(trace.scores[row]), trace.moves[row, :length], codes

        return Call(
            kernel=search.kernel(),
            arguments=_arguments(SEARCH, level, self, memory, run, pairs),
            again=lambda by: _again(by, self, memory, memory.trace.moves[memory.trace.row[0]]),
            found=found,
            repeat=Repeat(2, memory.trace.scores, memory.trace.row, level),
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        return {
            "level": self.level,
            "policy": dict(zip(self.policy.codes, map(float, self.policy.weights), strict=True)),
            "key": self.key,
            "iterations": search.iterations_by_level,
            "ties": search.ties_by_level,
            "alpha": search.alpha,
            "layers": search.layers,
            **search.own_parameters(),
        }


@dataclass(frozen=True, kw_only=True)
class AdaptTask(Task):
    """One step of adapt towards a sequence, given without the fixed moves; its outcome is a policy."""

    policy: Weights
    sequence: Moves

    twin = "rookery.reference.nrpa:adapted"

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        run = memory.assign(self, signal)._replace(alpha=self.search.alpha)
        codes, weights = memory.pairs(self.policy, 2 * memory.room)

        def found() -> Weights:
            written = int(run.control[DETAIL])
            return Weights(codes[:written].copy(), weights[:written].copy())

        return Call(
            kernel=self.search.kernel(),
            arguments=_arguments(ADAPT, 0, self, memory, run, (codes, weights), self.sequence),
            again=lambda by: _again(by, self, memory, np.array(self.sequence, np.int64)),
            found=found,
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        policy = dict(zip(self.policy.codes, map(float, self.policy.weights), strict=True))
        return {
            "policy": policy,
            "sequence": self.sequence,
            "alpha": self.search.alpha,
            "layers": self.search.layers,
        }

    def from_twin(self, policy: dict[Any, float]) -> Weights:
        """The policy of the twin, in the form that the library uses."""
        return Weights(list(policy), np.array(list(policy.values())))


@dataclass(frozen=True, kw_only=True)
class CodesTask(AdaptTask):
    """A step of adapt, made for the codes of its sequence: they come from the same kernel."""

    twin = "rookery.reference.nrpa:codes"

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""

        def found() -> Moves:
            trace = memory.trace
            row = trace.row[0]
            return tuple(map(int, trace.codes[row, trace.chosen[row, : trace.lengths[row]]]))

        return replace(super().call(memory, signal), found=found)

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        return {"sequence": self.sequence, "layers": self.search.layers}

    def from_twin(self, codes: Any) -> Any:
        """The codes of the twin."""
        return tuple(codes)


def _arguments(
    operation: int, level: int, task: Any, memory: Memory, run: Any, pairs: tuple[Any, Any], sequence: Moves = ()
) -> tuple[Any, ...]:
    return (
        *(operation, level, np.uint64(task.key), memory.constants, memory.states, memory.policy, memory.trace, run),
        *(*pairs, len(task.policy.weights), np.array(sequence, np.int64)),
    )


def _again(by: Any, task: Task, memory: Memory, moves: Any) -> Any:
    """The fault of the last playout."""
    return by.playout(memory.states[0], moves, len(task.prefix), "weights", memory.assignment.rng[STREAM_BEFORE])


# --- the kernel ---


class NRPAParts(NamedTuple):
    """What the kernel of NRPA is made of, for searches that share some of it."""

    begin: Any
    """``begin(level, key, policy, run)``: a call begins; returns what ``end`` needs."""
    playout: Any
    """``playout(self, states, policy, trace, run)``: a playout by the policy; returns a status."""
    keep_better: Any
    """``keep_better(level, status, best, self, states, policy, trace, run)``: let the last result replace the best of
    a level if it is better, or equal and the tie rule of the level allows it; returns status and best score."""
    adapt: Any
    """``adapt(policy, trace, row, alpha, level)``: a step towards the playout in a row; returns a status."""
    end: Any
    """``end(level, best, begun, policy, trace)``: a call returns; its changes to the policy are undone."""
    task: Any
    """``task(nrpa)``: what Python calls, from the function that computes a nested call."""


def make_nrpa(spec: Specialisation, layered: bool = False) -> Any:
    """The kernel of NRPA."""
    parts = make_nrpa_parts(spec, layered)
    begin, playout, keep_better, adapt, end = parts.begin, parts.playout, parts.keep_better, parts.adapt, parts.end

    @spec.kernel
    def nrpa(level, key, self, states, policy, trace, run):
        """Rosin 2011, Figure 2; the best playout of the call is left in the row of its level."""
        begun = begin(level, key, policy, run)
        best, status = -np.inf, OK
        for i in range(run.iterations[level]):
            if level == 1:
                status = playout(self, states, policy, trace, run)
            else:
                status = nrpa(level - 1, mix(key, i), self, states, policy, trace, run)
            status, best = keep_better(level, status, best, self, states, policy, trace, run)
            if status == OK and i + 1 < run.iterations[level]:  # the last policy of a call is never used
                status = adapt(policy, trace, trace.row[level], run.alpha, level)
            if status != OK:
                break
        end(level, best, begun, policy, trace)
        return status

    return parts.task(nrpa)


def make_nrpa_parts(spec: Specialisation, layered: bool = False) -> NRPAParts:
    """What NRPA is made of, for a problem; ``layered``: moves that commute are adapted together."""
    kernels = make_policy(spec, layered)
    adapt, undo, share_absent = kernels.adapt, kernels.undo, kernels.share_absent
    weighted_playout, follow = make_weighted_playout(spec, kernels)
    layer = make_layer(spec, kernels) if layered else None

    @spec.inlined
    def begin(level, key, policy, run):
        if level == 1:
            seed_stream(run.rng[WEIGHTED_STREAM], key)
        return policy.clock[INTERNED]

    @spec.inlined
    def playout(self, states, policy, trace, run):
        states[1] = states[0]
        return weighted_playout(self, states[1], policy, trace, run)

    @spec.inlined
    def keep_better(level, status, best, self, states, policy, trace, run):
        new, old = trace.row[level - 1], trace.row[level]
        if status != OK and not (status == STOPPED and level > 1):  # a call that was stopped still has its best so far
            return status, best
        result, tie = trace.scores[new], run.ties[level]
        if result == -np.inf:
            return status, best
        taken = result > best or (result == best and tie < 0.0)
        if result == best and 0.0 <= tie < 1.0:
            share = share_absent(
                *(trace.codes[new], trace.chosen[new, : trace.lengths[new]]),
                *(trace.codes[old], trace.chosen[old, : trace.lengths[old]]),
                *(policy.stamp, policy.slot_code, policy.inserted, policy.clock),
            )
            if share < 0.0:  # too little room to tell
                return FULL, best
            taken = share > tie
        if taken:
            best = result
            trace.row[level] = new
            trace.row[level - 1] = old
            if layered and level == 1:
                states[1] = states[0]
                status = layer(self, states[1], policy, trace, new, run)
        return status, best

    @spec.inlined
    def end(level, best, begun, policy, trace):
        trace.scores[trace.row[level]] = best
        trace.fresh[trace.row[level]] = False
        undo(policy, level, begun)

    def task(nrpa):
        return _make_task(nrpa, kernels, follow, layer)

    return NRPAParts(begin, playout, keep_better, adapt, end, task)


def _make_task(nrpa: Any, kernels: Any, follow: Any, layer: Any) -> Any:
    """What Python calls: a nested call, or one step of adapt."""
    adapt, undo, load, export = kernels.adapt, kernels.undo, kernels.load, kernels.export
    layered = layer is not None

    def nrpa_task(operation, level, key, self, states, policy, trace, run, codes, weights, size, sequence):
        """Load a policy; search from it, or adapt it to a sequence and write it back.

        After a step of adapt, the number of (code, weight) pairs written is in the cell DETAIL.
        """
        top = level + 1
        if policy.clock[STAMPS] > 1 << 31:  # stamps are 32 bits wide: start again before they wrap around
            policy.clock[STAMPS] = 0
            policy.stamp[:] = 0
        status = load(policy, top, codes[:size], weights[:size])
        if status == OK and operation == SEARCH:
            status = nrpa(level, key, self, states, policy, trace, run)
        elif status == OK:
            states[1] = states[0]
            status = follow(self, states[1], sequence, policy, trace, run)
            if layered and status == OK:
                states[1] = states[0]
                status = layer(self, states[1], policy, trace, trace.row[0], run)
            if status == OK:
                status = adapt(policy, trace, trace.row[0], run.alpha, top)
            if status == OK and policy.log_size[top] > codes.size:
                status = FULL
            if status == OK:
                run.control[DETAIL] = export(policy, top, codes, weights)
        undo(policy, top, np.int64(0))
        return status

    return nrpa_task
