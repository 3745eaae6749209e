"""Phase four for problems: playouts per second, and the share of each function.

Compiled: the playouts of a task are known from phase two. Compiled, the task plays exactly those again, so its time is
the time of these playouts. A kernel that walks along them with one function after another switched on tells what each
adds. In plain Python, each call is timed.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from rookery.checking.kernels import BIAS, CODE, MOVES, PLAY, SCORE, WALK, Recorded, make_profile
from rookery.checking.measures import COPY, LIST, Measures, Part, measured, shares
from rookery.checking.playouts import Ran, nrpa_task, sampling_task
from rookery.checking.problem_watch import ProblemWatch
from rookery.checking.states import record_of
from rookery.checking.watch import Playout
from rookery.control import Signal
from rookery.engine.compiled import CompiledEngine, CompiledWorker
from rookery.engine.python_worker import PythonEngine
from rookery.kernels.memory import legal_width
from rookery.problem import PythonProblem
from rookery.tasks import Task

TIMED: dict[str, tuple[Task, int]] = {
    "random playouts": (sampling_task(1 << 40, 0), 100_000),
    "NRPA level 2": (nrpa_task(2, 100, 0), 100 * 100),
}
"""The task that is timed, and the most playouts of it."""
REPETITIONS = 7
SHORTEST = 0.004
"""The fewest seconds that a measured loop must take."""
LONGEST, PYTHON_LONGEST = 0.4, 0.5
"""Seconds for each rate, about."""
MOST_PLAYOUTS = 64
"""Playouts that are walked along."""


def measure_compiled(watch: ProblemWatch, engine: CompiledEngine, runs: list[Ran]) -> Measures:
    """Time a problem and its functions."""
    adapted = [ran for ran in runs if ran.name != "sampling" and ran.outcome.playouts]
    parts = _parts(watch, engine, adapted[-1]) if adapted else ()
    return measured(Measures, watch, engine, _rates(engine), parts=parts)


def _rates(engine: CompiledEngine) -> dict[str, float]:
    """Search -> playouts per second, as a user would run it."""
    worker = engine.worker()

    def rate(task: Task, most: int) -> float:
        """The rate over runs of up to ``most`` playouts, shorter ones if they would take long."""
        playouts, took = 25, 0.0
        while took < LONGEST / 4 and playouts < most:
            playouts = min(4 * playouts, most)
            took = _seconds(_search(worker, task.within(playouts)), 1)
        times = max(1, int(LONGEST / took))
        return playouts * times / _seconds(_search(worker, task.within(playouts)), times)

    return {name: rate(task, most) for name, (task, most) in TIMED.items()}


def _parts(watch: ProblemWatch, engine: CompiledEngine, ran: Ran) -> tuple[Part, ...]:
    """What each function costs in the playouts of a task of NRPA."""
    states = np.zeros(2, engine.specialisation.dtype)
    states[0] = record_of(watch.start())
    recorded = record(watch, [p for p in watch.playouts if p.by == ran.name][:MOST_PLAYOUTS])
    out = np.zeros(legal_width(engine.limits), np.int64)
    worker, task = engine.worker(), ran.task.within(ran.outcome.playouts)

    def walk(parts: int) -> Callable[[int], Any]:
        name, constants = "profile", engine.constants
        return lambda times: engine.call(name, make_profile, parts, times, constants, states, recorded, out)

    n = len(recorded.ends)
    steps, legal = len(recorded.moves) / n, len(recorded.legal) / n
    calls = {LIST if watch.calls.has("count") else "moves": (MOVES, steps + 1), "code": (CODE, legal)}
    if watch.calls.has("bias"):
        calls["bias"] = (BIAS, legal)
    calls["score"] = (SCORE, 1.0)
    loops = {
        "copy": walk(0),
        "walk": walk(WALK),
        "play": walk(WALK | PLAY),
        "whole": _search(worker, task),
        "task": _search(worker, task.within(0)),
    }
    loops |= {name: walk(WALK | PLAY | part) for name, (part, _) in calls.items()}
    took = _interleaved(loops)
    played = took["play"] / n
    costs = {COPY: (1.0, took["copy"] / n), "play": (steps, max(took["play"] - took["walk"], 0.0) / n)}
    for name, (_, number) in calls.items():
        costs[name] = number, max(took[name] / n - played, 0.0)
    return shares(costs, (took["whole"] - took["task"]) / ran.outcome.playouts)


def _search(worker: CompiledWorker, task: Task) -> Callable[[int], Any]:
    return lambda times: [worker.run(task, Signal()) for _ in range(times)]


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


def record(watch: ProblemWatch, playouts: list[Playout]) -> Recorded:
    """Playouts with the legal moves of each step, as the kernel walks along them."""
    columns: list[list[int]] = [[], [], [], []]
    ends, moves, legal_ends, legal = columns
    for playout in playouts:
        state = watch.begin()
        for move in playout.moves:
            legal += watch.look(state).moves
            legal_ends.append(len(legal))
            moves.append(move)
            state = watch.after(state, move)
        ends.append(len(moves))
    return Recorded(*(np.array(values, np.int64) for values in columns))


class Timed(PythonProblem):
    """A problem that notes how often and how long its functions run."""

    def __init__(self, problem: PythonProblem) -> None:
        self.sense = problem.sense  # type: ignore[misc]
        self.calls: dict[str, int] = {}
        self.seconds: dict[str, float] = {}
        for name in ("start", "moves", "code", "play", "score", "copy", "bias", "begin_playout", "choose"):
            function = getattr(problem, name, None)
            if function is not None:
                setattr(self, name, self._timed(name, function))

    def _timed(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        self.calls[name], self.seconds[name] = 0, 0.0
        clock = time.perf_counter

        def timed(*arguments: Any) -> Any:
            began = clock()
            result = function(*arguments)
            self.seconds[name] += clock() - began
            self.calls[name] += 1
            return result

        return timed


def measure_python(watch: ProblemWatch) -> Measures:
    """Time a problem and its functions."""
    problem = watch.of
    runs = {name: _run(problem, task) for name, (task, _) in TIMED.items()}
    rates = {name: playouts / seconds for name, (playouts, seconds) in runs.items() if playouts}
    timed = Timed(problem)
    playouts, seconds = _run(timed, TIMED["NRPA level 2"][0])
    costs = {
        name: (calls / playouts, 1e9 * timed.seconds[name] / playouts)
        for name, calls in timed.calls.items()
        if calls and name != "start" and playouts
    }
    parts = shares(costs, 1e9 * seconds / playouts) if playouts else ()
    return measured(Measures, watch, None, rates, parts=parts)


def _run(problem: PythonProblem, task: Task) -> tuple[int, float]:
    """Playouts of a task that is stopped after a while, and the seconds that they took."""
    signal = Signal()
    worker = PythonEngine(problem).worker()
    stop = threading.Timer(PYTHON_LONGEST, signal.halt)
    stop.daemon = True
    began = time.perf_counter()
    stop.start()
    try:
        made = worker.run(task, signal).playouts
    finally:
        stop.cancel()
    return made, time.perf_counter() - began
