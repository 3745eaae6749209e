"""Phase four, for compiled problems: playouts per second, and the share of each function.

The playouts of a task are known from phase two. Compiled, the task plays exactly those again, so its time is the time
of these playouts. A kernel that walks along them with one function after another switched on tells what each adds.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rookery.checking.fields import record_of
from rookery.checking.kernels import BIAS, CODE, MOVES, PLAY, SCORE, WALK, Recorded, make_profile
from rookery.checking.measures import COPY, LIST, Measures, Part, make_measures, shares
from rookery.checking.playouts import Ran, nrpa_task
from rookery.checking.records import RecordWatch
from rookery.checking.watch import Playout
from rookery.compiler.engine import CompiledEngine
from rookery.rng import root_key
from rookery.tasks import SamplingTask, Signal, Task

REPETITIONS = 7
SHORTEST = 0.004
"""Seconds that a measured loop must take at least."""
LONGEST = 0.4
"""Seconds for each rate, about."""
MANY = 1 << 40
MOST_PLAYOUTS = 64


def measure(watch: RecordWatch, engine: CompiledEngine, runs: list[Ran]) -> Measures:
    """Time a problem and its functions."""
    adapted = [ran for ran in runs if ran.name != "sampling" and ran.outcome.playouts]
    parts = _parts(watch, engine, adapted[-1]) if adapted else ()
    size = engine.specialisation.dtype.itemsize
    return make_measures(watch.seen, engine.limits, size, _rates(engine), parts)


def _rates(engine: CompiledEngine) -> dict[str, float]:
    """Search -> playouts per second, as a user would run it."""
    worker = engine.worker()

    def seconds(task: Task, times: int = 1) -> float:
        return _seconds(lambda n: [worker.run(task, Signal()) for _ in range(n)], times)

    def rate(task: Task, most: int) -> float:
        """Of runs of up to ``most`` playouts, shorter ones if they would take long."""
        playouts, took = 25, 0.0
        while took < LONGEST / 4 and playouts < most:
            playouts = min(4 * playouts, most)
            took = seconds(task.within(playouts))
        times = max(1, int(LONGEST / took))
        return playouts * times / seconds(task.within(playouts), times)

    return {
        "random playouts": rate(SamplingTask(key=root_key(0), first=0, last=MANY), 100_000),
        "NRPA level 2": rate(nrpa_task(2, 100, 0), 100 * 100),
    }


def _parts(watch: RecordWatch, engine: CompiledEngine, ran: Ran) -> tuple[Part, ...]:
    """What each function costs in the playouts of a task of NRPA."""
    states = np.zeros(2, engine.specialisation.dtype)
    states[0] = record_of(watch.start())
    recorded = record(watch, [p for p in watch.seen.playouts if p.search == ran.name][:MOST_PLAYOUTS])
    out = np.zeros(4 * engine.limits.moves + 64, np.int64)
    worker, task = engine.worker(), ran.task.within(ran.outcome.playouts)

    def walk(parts: int) -> Callable[[int], Any]:
        name, constants = "profile", engine.constants
        return lambda times: engine.call(name, make_profile, parts, times, constants, states, recorded, out)

    def search(task: Task) -> Callable[[int], Any]:
        return lambda times: [worker.run(task, Signal()) for _ in range(times)]

    n = len(recorded.ends)
    steps, legal = len(recorded.moves) / n, len(recorded.legal) / n
    calls = {LIST if watch.call.has("count") else "moves": (MOVES, steps + 1), "code": (CODE, legal)}
    if watch.call.has("bias"):
        calls["bias"] = (BIAS, legal)
    calls["score"] = (SCORE, 1.0)
    loops = {
        "copy": walk(0),
        "walk": walk(WALK),
        "play": walk(WALK | PLAY),
        "whole": search(task),
        "task": search(task.within(0)),
    }
    loops |= {name: walk(WALK | PLAY | part) for name, (part, _) in calls.items()}
    took = _interleaved(loops)
    played = took["play"] / n
    costs = {COPY: (1.0, took["copy"] / n), "play": (steps, max(took["play"] - took["walk"], 0.0) / n)}
    for name, (_, number) in calls.items():
        costs[name] = number, max(took[name] / n - played, 0.0)
    return shares(costs, (took["whole"] - took["task"]) / ran.outcome.playouts)


def _interleaved(loops: dict[str, Callable[[int], Any]]) -> dict[str, float]:
    """Nanoseconds of one turn of each loop: the fastest of several, taken in turn, so that all see the same machine."""
    times = {}
    for name, loop in loops.items():
        loop(1)
        times[name] = 1
        while _seconds(loop, times[name]) < SHORTEST:
            times[name] *= 2
    rounds = [{name: _seconds(loop, times[name]) for name, loop in loops.items()} for _ in range(REPETITIONS)]
    return {name: 1e9 * min(took[name] for took in rounds) / times[name] for name in loops}


def _seconds(loop: Callable[[int], Any], times: int) -> float:
    began = time.perf_counter()
    loop(times)
    return time.perf_counter() - began


def record(watch: RecordWatch, playouts: list[Playout]) -> Recorded:
    """Playouts with the legal moves of each step, as the kernel walks along them."""
    ends: list[int] = []
    moves: list[int] = []
    legal_ends: list[int] = []
    legal: list[int] = []
    for playout in playouts:
        state = watch.start()
        if watch.call.has("begin_playout"):
            watch.call.raw("begin_playout", state)
        for move in playout.moves:
            legal += watch.look(state).moves
            legal_ends.append(len(legal))
            moves.append(move)
            watch.step(state, move)
        ends.append(len(moves))
    return Recorded(*(np.array(values, np.int64) for values in (ends, moves, legal_ends, legal)))
