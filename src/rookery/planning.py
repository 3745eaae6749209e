"""From a search and its limits to a plan: the key of every run, the atomic level, the size of tasks."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from math import prod
from typing import Any

from rookery.errors import InputError
from rookery.parallel.nested import NestedSteps
from rookery.parallel.plan import Plan
from rookery.parallel.restarts import AHEAD, Restarts
from rookery.parallel.samples import Samples
from rookery.parallel.select import make_select
from rookery.parallel.single import SingleTask
from rookery.parallel.tree import SpeculationTree
from rookery.rng import mix_int, root_key
from rookery.search.nmcs import NMCS
from rookery.search.nrpa import NRPA
from rookery.search.parameters import whole
from rookery.search.reflexive import Reflexive
from rookery.search.sampling import Sampling
from rookery.search.uct import SPMCTS, UCT
from rookery.stop import Stop
from rookery.tasks import (
    Moves,
    NMCSTask,
    NRPATask,
    ReflexiveTask,
    SamplingTask,
    Signal,
    Task,
    UCTTask,
    Weights,
    Worker,
)

Search = NRPA | NMCS | Reflexive | UCT | SPMCTS | Sampling
SEARCHES = (NRPA, NMCS, Reflexive, UCT, SPMCTS, Sampling)

TASK_SECONDS = 1.0
"""A task of the atomic level takes at most about this long."""
SHARED_TASK_SECONDS = 0.5
"""The same if there are several workers."""
LEAST_TASK_SECONDS = 0.005
"""Shorter tasks cost more to hand out than there is to be gained from their number."""
TASKS_A_WORKER = 8
"""So many tasks a worker should have in a run, so that there are some to compute side by side."""
TASKS_A_SECOND = 1000
"""What one driver can hand out without becoming the bottleneck."""
CHUNK_SECONDS = 0.1
"""A task of many playouts or games takes about this long."""


def not_a_search(name: str, value: Any) -> InputError:
    """The error for something that is not a search.

    >>> str(not_a_search("search", "nrpa"))
    "search must be NRPA, NMCS, Reflexive, UCT, SPMCTS or Sampling, got 'nrpa'"
    """
    *kinds, last = (kind.__name__ for kind in SEARCHES)
    return InputError(f"{name} must be {', '.join(kinds)} or {last}, got {value!r}")


def check_layers(problem: Any, search: Search) -> None:
    """Refuse layers for a problem that does not say which moves commute."""
    if isinstance(search, NRPA) and search.layers and not hasattr(problem, "commute"):
        name = type(problem).__name__
        raise InputError(f"layers need a problem that says which moves commute: {name} must define commute(self, a, b)")


def check_rule(problem: Any, search: Search) -> None:
    """Refuse the problem's own playout rule where it has none."""
    if not isinstance(search, NRPA) and search.rule == "own" and not hasattr(problem, "choose"):
        name = type(problem).__name__
        raise InputError(f'rule "own" needs a problem that chooses its moves: {name} must define choose')


def smallest_task(search: Search, prefix: Moves) -> Task:
    """A task of the search's kind that takes next to no time: to compile, and to measure."""
    if isinstance(search, NRPA):
        return NRPATask(
            key=0,
            prefix=prefix,
            policy=Weights(),
            level=1,
            iterations=(1, 1),
            ties=(-1.0, -1.0),
            alpha=search.alpha,
            layers=search.layers,
        )
    if isinstance(search, NMCS):
        return NMCSTask(
            key=0,
            prefix=prefix,
            level=1,
            memorise=search.memorise,
            random_ties=search.ties == "random",
            sample=search.sample or 0,
            rule=search.rule,
        )
    if isinstance(search, Reflexive):
        return ReflexiveTask(key=0, prefix=prefix, level=1, games=(1, 1), rule=search.rule)
    if isinstance(search, Sampling):
        return SamplingTask(key=0, prefix=prefix, first=0, last=1, rule=search.rule)
    return replace(uct_task(search, 0, prefix), playouts=1)


def uct_task(search: UCT | SPMCTS, key: int, prefix: Moves, target: float = float("inf")) -> UCTTask:
    """A run of UCT or SP-MCTS as one task."""
    deviates = isinstance(search, SPMCTS)
    return UCTTask(
        key=key,
        prefix=prefix,
        target=target,
        playouts=search.playouts,
        c=search.c,
        d=search.d if isinstance(search, SPMCTS) else 0.0,
        deviates=deviates,
        rule=search.rule,
    )


def warm_policy(search: Search, worker: Worker, prefix: Moves, warm_start: Iterable[Any] | None, steps: int) -> Weights:
    """The policy that a run of NRPA begins with: adapted to a known sequence, if there is one."""
    if warm_start is None:
        return Weights()
    if not isinstance(search, NRPA):
        raise InputError(f"warm_start adapts a policy: it goes with NRPA, not with {type(search).__name__}")
    whole("warm_steps", steps, 1)
    moves = tuple(warm_start)
    if moves[: len(prefix)] != prefix:
        raise InputError("warm_start must begin with the moves of start_from")
    worker.legal(moves)
    policy = Weights()
    for _ in range(steps):
        policy = worker.adapt(policy, moves[len(prefix) :], search.alpha, prefix, search.layers)
    return policy


def atomic_level_of(
    search: Search, stop: Stop, worker: Worker, prefix: Moves, given: int | None, workers: int
) -> int | None:
    """The level whose nested calls are tasks: the given one, or the highest that takes no more than a task may."""
    if isinstance(search, (Sampling, UCT, SPMCTS)):
        return None
    cost = _Cost(worker, prefix)
    if isinstance(search, NMCS):
        return given or cost.nmcs_level(search, workers)
    if isinstance(search, Reflexive):
        return given or cost.reflexive_level(search, workers)
    atomic = given or cost.nrpa_level(search, workers)
    if stop.iterations is not None or stop.no_improvement is not None:
        atomic = max(1, min(atomic, search.level - 1))  # iterations of the top level are seen by the driver
    return atomic


def make_plan(
    search: Search,
    stop: Stop,
    seed: int,
    worker: Worker,
    prefix: Moves,
    policy: Weights,
    atomic_level: int | None,
    restarts: bool | int | None,
    sign: float,
    select: str,
    workers: int,
) -> Plan:
    """The plan of a run: what is handed to the driver."""
    root = root_key(seed)
    target = float("inf") if stop.target is None else sign * stop.target
    if isinstance(search, Sampling):
        chunk = max(1, int(CHUNK_SECONDS / max(_Cost(worker, prefix).playout(search), 1e-7)))
        return Samples(mix_int(root, 0), chunk, prefix, target, rule=search.rule)
    atomic = atomic_level or 1
    make: Callable[[int], Plan]
    if isinstance(search, NRPA):

        def make(number: int) -> Plan:
            key = mix_int(root, number)
            return SpeculationTree(search, worker, key, atomic, prefix, policy, target, make_select(select))
    elif isinstance(search, (UCT, SPMCTS)):
        tree = search

        def make(number: int) -> Plan:
            return SingleTask(uct_task(tree, mix_int(root, number), prefix, target))
    else:
        nested, batch = search, 1
        if isinstance(search, Reflexive):
            batch = _Cost(worker, prefix).reflexive_batch(search, atomic, workers)

        def make(number: int) -> Plan:
            return NestedSteps(nested, worker, mix_int(root, number), atomic, prefix, target, batch)

    if restarts is None:
        restarts = bool(stop)
    if isinstance(restarts, bool):
        return Restarts(make, None if restarts else 1)
    return Restarts(make, restarts, max(AHEAD, workers))


class _Cost:
    """How long things take, measured on a few playouts that are not part of the search."""

    def __init__(self, worker: Worker, prefix: Moves) -> None:
        self._worker = worker
        self._prefix = prefix

    def _seconds(self, task: Task) -> tuple[float, int]:
        """Seconds and playouts of a task."""
        began = time.perf_counter()
        outcome = self._worker.run(task, Signal())
        return time.perf_counter() - began, max(1, outcome.playouts)

    def playout(self, search: Search) -> float:
        """Seconds of one playout: of the first one, or of many if they are fast."""
        task = smallest_task(search, self._prefix)
        seconds, playouts = self._seconds(task)
        if seconds / playouts > 0.005:
            return seconds / playouts
        if isinstance(task, NRPATask):
            task = replace(task, iterations=(1, 100))
        elif isinstance(task, SamplingTask):
            task = replace(task, last=100)
        seconds, playouts = self._seconds(task)
        return seconds / playouts

    def nrpa_level(self, search: NRPA, workers: int) -> int:
        """The highest level whose nested call takes no more than a task may; with several workers, enough tasks."""
        sizes = search.iterations_by_level
        seconds = [self.playout(search)]  # of a call of each level
        for level in range(1, search.level + 1):
            seconds.append(seconds[-1] * sizes[level])
        most = TASK_SECONDS if workers == 1 else SHARED_TASK_SECONDS
        level = max([level for level in range(1, search.level + 1) if seconds[level] <= most], default=1)
        if workers == 1:
            return level
        least = workers / TASKS_A_SECOND
        while level < search.level - 1 and seconds[level] < least:
            level += 1
        least = max(least, LEAST_TASK_SECONDS)
        while level > 1 and prod(sizes[level + 1 :]) < TASKS_A_WORKER * workers and seconds[level - 1] >= least:
            level -= 1
        return level

    def nmcs_level(self, search: NMCS, workers: int) -> int:
        """The same for NMCS, where the calls of one step are computed side by side."""
        highest, most = search.level, TASK_SECONDS
        if workers > 1:
            highest, most = max(1, search.level - 1), SHARED_TASK_SECONDS
        seconds, playouts = self._seconds(smallest_task(search, self._prefix))
        level = 1
        while level < highest and seconds * playouts / 2 <= most:
            level += 1
            seconds *= playouts / 2
        return level

    def reflexive_level(self, search: Reflexive, workers: int) -> int:
        """The same for reflexive search, where the games of one step are computed side by side."""
        highest, most = search.level, TASK_SECONDS
        if workers > 1:
            highest, most = max(1, search.level - 1), SHARED_TASK_SECONDS
        seconds = self._games(search)
        return max([level for level in range(1, highest + 1) if seconds[level] <= most], default=1)

    def reflexive_batch(self, search: Reflexive, level: int, workers: int) -> int:
        """How many games of a level are a task: enough to be worth the handing out, few enough for all workers."""
        if level >= search.level:
            return 1
        wanted = int(CHUNK_SECONDS / max(self._games(search)[level], 1e-7))
        shared = search.games_by_level[level + 1] // (2 * workers) if workers > 1 else wanted
        return max(1, min(wanted, shared))

    def _games(self, search: Reflexive) -> list[float]:
        """Seconds of a game of each level; games become shorter with every step."""
        seconds, playouts = self._seconds(smallest_task(search, self._prefix))  # one playout at each step
        every = [seconds / playouts]
        for games in search.games_by_level[1:]:
            every.append(every[-1] * games * playouts / 2)
        return every
