"""The searches without a policy, as calls of their kernels: which kernel, its arguments, where the answer is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.compiler import buffers
from rookery.compiler.buffers import PLY
from rookery.compiler.rerun import Fault, Rerun
from rookery.compiler.specialise import Specialisation
from rookery.playout_rules import default_rule
from rookery.search.nmcs import make_nmcs
from rookery.search.reflexive import make_reflexive
from rookery.search.sampling import make_sampling
from rookery.search.uct import make_uct
from rookery.tasks import NMCSTask, ReflexiveTask, SamplingTask, Task, UCTTask

Rerunning = Callable[[Rerun], Fault | None]
"""Plays what went wrong again, interpreted."""

LineTask = NMCSTask | ReflexiveTask | UCTTask | SamplingTask


class LineMemory(NamedTuple):
    """What the kernels work in."""

    states: npt.NDArray[Any]
    lines: buffers.Lines
    run: buffers.Run
    tree: buffers.Tree


@dataclass(frozen=True)
class LineCall:
    """A call: ``row`` of the lines is the answer, the search begins from ``states[start]``."""

    name: str
    make: Callable[[Specialisation], Any]
    arguments: tuple[Any, ...]
    row: int
    start: int
    rerun: Rerunning


def line_call(task: Task, spec: Specialisation, constants: Any, memory: LineMemory) -> LineCall:
    """The call that computes a task."""
    if isinstance(task, NMCSTask):
        return _nmcs(task, spec, constants, memory)
    if isinstance(task, ReflexiveTask):
        return _reflexive(task, spec, constants, memory)
    if isinstance(task, UCTTask):
        return _uct(task, spec, constants, memory)
    assert isinstance(task, SamplingTask)
    return _sampling(task, spec, constants, memory)


def levels(task: Task) -> int:
    """Levels of memory that a task needs; the last is where playouts by mobility try moves."""
    if isinstance(task, ReflexiveTask):
        return task.level + 3
    return task.level + 2 if isinstance(task, NMCSTask) else 3


def _kernel(name: str, make: Any, rule: str | None, spec: Specialisation) -> tuple[str, Any]:
    """Name and maker of the kernel with playouts by a rule."""
    return (name, make) if rule in (None, default_rule(spec)) else (f"{name}_{rule}", partial(make, rule=rule))


def _nmcs(task: NMCSTask, spec: Specialisation, constants: Any, memory: LineMemory) -> LineCall:
    states, lines, run, _ = memory
    arguments = (
        *(task.level, np.uint64(task.key), len(task.prefix), constants, states, lines, run),
        *(task.memorise, task.random_ties, task.sample),
    )

    def rerun(by: Rerun) -> Fault | None:
        ply, rng = int(run.control[PLY]), run.rng[-1]
        nodes = (by.children(states[i], lines.moves[0, ply:], ply, task.rule, rng) for i in range(1, task.level + 1))
        return next((fault for fault in nodes if fault is not None), None)

    kernel = _kernel("nmcs", make_nmcs, task.rule, spec)
    return LineCall(*kernel, arguments, row=2 * task.level, start=task.level, rerun=rerun)


def _reflexive(task: ReflexiveTask, spec: Specialisation, constants: Any, memory: LineMemory) -> LineCall:
    states, lines, run, _ = memory
    run.iterations[: task.level + 1] = task.games[: task.level + 1]
    first, last = task.children or (0, 0)
    arguments = (task.level, np.uint64(task.key), first, last, len(task.prefix), constants, states, lines, run)

    def rerun(by: Rerun) -> Fault | None:
        ply, rng = int(run.control[PLY]), run.rng[-1]
        nodes = (by.below(states[i], lines.moves[0, ply:], ply, ply, task.rule, rng) for i in range(1, task.level + 1))
        return next((fault for fault in nodes if fault is not None), None)

    kernel = _kernel("reflexive", make_reflexive, task.rule, spec)
    return LineCall(*kernel, arguments, row=2 * task.level + 1, start=task.level + 1, rerun=rerun)


def _uct(task: UCTTask, spec: Specialisation, constants: Any, memory: LineMemory) -> LineCall:
    states, lines, run, tree = memory
    first = len(task.prefix)
    arguments = (
        *(task.playouts, np.uint64(task.key), first, constants, states, lines, run),
        *(tree, task.c, task.d, task.deviates),
    )

    def rerun(by: Rerun) -> Fault | None:
        leaf = max(first, int(run.control[PLY]))
        return by.below(states[0], lines.moves[0, first:], first, leaf, task.rule, run.rng[-1])

    return LineCall(*_kernel("uct", make_uct, task.rule, spec), arguments, row=1, start=0, rerun=rerun)


def _sampling(task: SamplingTask, spec: Specialisation, constants: Any, memory: LineMemory) -> LineCall:
    states, lines, run, _ = memory
    ply = len(task.prefix)
    arguments = (task.first, task.last, np.uint64(task.key), ply, constants, states, lines, run)

    def rerun(by: Rerun) -> Fault | None:
        return by.playout(states[0], lines.moves[0, ply:], ply, task.rule, run.rng[-1])

    return LineCall(*_kernel("sampling", make_sampling, task.rule, spec), arguments, row=1, start=0, rerun=rerun)
