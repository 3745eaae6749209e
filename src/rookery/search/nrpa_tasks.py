"""The tasks of NRPA: a nested call, a step of adapt, the codes of a sequence."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rookery.control import DETAIL, Signal
from rookery.kernels.buffers import STREAM_BEFORE
from rookery.kernels.memory import LEAST_LEVELS, Call, Memory
from rookery.kernels.nrpa import ADAPT, SEARCH
from rookery.kernels.repeat import Repeat
from rookery.tasks import BiasNumber, Moves, Task, Weights


@dataclass(frozen=True, kw_only=True)
class NRPATask(Task):
    """A nested call of some level from a policy."""

    policy: Weights
    level: int

    def call(self, memory: Memory, signal: Signal) -> Call:
        """The call of the kernel."""
        search, level = self.search, self.level
        run = search.assignment(self, memory, signal, level + 2)
        run.iterations[: level + 1] = search.iterations_by_level[: level + 1]
        run.ties[: level + 1] = search.ties_by_level[: level + 1]
        policy = memory.pairs(self.policy)

        def found() -> tuple[float, Any, Any]:
            trace = memory.trace
            row = trace.row[level]
            length = trace.lengths[row]
            codes = trace.codes[row, trace.chosen[row, :length]]
            return float(trace.scores[row]), trace.moves[row, :length], codes

        return Call(
            kernel=search.kernel(),
            arguments=_arguments(SEARCH, level, self, memory, run, policy),
            again=lambda by: _again(by, self, memory, memory.trace.moves[memory.trace.row[0]]),
            found=found,
            repeat=Repeat(2, memory.trace.scores, memory.trace.row, level),
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        search = self.search
        return {
            "level": self.level,
            "policy": _plain(self.policy),
            "key": self.key,
            "iterations": search.iterations_by_level,
            "ties": search.ties_by_level,
            "alpha": search.alpha,
            "layers": search.layers,
            **search.chosen(),
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
        run = self.search.assignment(self, memory, signal, LEAST_LEVELS)
        codes, weights = memory.pairs(self.policy, 2 * memory.room)

        def found() -> Weights:
            written = int(run.control[DETAIL])
            biases = tuple(memory.bias_weights().weight.tolist()) if self.search.learn_bias else ()
            return Weights(codes[:written].copy(), weights[:written].copy(), biases)

        return Call(
            kernel=self.search.kernel(),
            arguments=_arguments(ADAPT, 0, self, memory, run, (codes, weights), self.sequence),
            again=lambda by: _again(by, self, memory, np.array(self.sequence, np.int64)),
            found=found,
        )

    def plain(self) -> dict[str, Any]:
        """The arguments of the twin."""
        return {
            "policy": _plain(self.policy),
            "sequence": self.sequence,
            "alpha": self.search.alpha,
            "layers": self.search.layers,
            "tau": self.search.tau,
            "bias_scale": self.search.bias_scale,
            "learn_bias": self.search.learn_bias,
        }

    def from_twin(self, policy: dict[Any, float]) -> Weights:
        """The policy of the twin, in the form that the library uses."""
        biases = {code: policy[code] for code in policy if isinstance(code, BiasNumber)}
        codes = [code for code in policy if code not in biases]
        weights = np.array([policy[code] for code in codes], np.float64)
        return Weights(codes, weights, tuple(biases[BiasNumber(f)] for f in range(len(biases))))


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


def _plain(policy: Weights) -> dict[Any, float]:
    """A policy as twins take it: a weight for each code, and for each bias that has one."""
    codes = (*policy.codes, *map(BiasNumber, range(len(policy.biases))))
    return dict(zip(codes, map(float, (*policy.weights, *policy.biases)), strict=True))


def _arguments(
    operation: int, level: int, task: Any, memory: Memory, run: Any, pairs: tuple[Any, Any], sequence: Moves = ()
) -> tuple[Any, ...]:
    return (
        *(operation, level, np.uint64(task.key), memory.constants, memory.states),
        *(task.search.weighing(memory, task.policy), memory.trace, run),
        *((*pairs, len(task.policy.weights)), np.array(sequence, np.int64)),
    )


def _again(by: Any, task: Task, memory: Memory, moves: Any) -> Any:
    """The fault of the last playout."""
    return by.playout(memory.states[0], moves, len(task.prefix), "weights", memory.assignment.rng[STREAM_BEFORE])
