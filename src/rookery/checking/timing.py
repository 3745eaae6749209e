"""Phase four, for problems in plain Python: playouts per second, and the share of each function."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from rookery.checking.measures import Measures, make_measures, shares
from rookery.checking.playouts import nrpa_task
from rookery.checking.watch import Watch
from rookery.problem import PythonProblem
from rookery.reference.engine import PythonEngine
from rookery.rng import root_key
from rookery.tasks import SamplingTask, Signal, Task

LONGEST = 0.5
"""Seconds for each measurement, about."""
MANY = 1 << 40


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


def measure_python(watch: Watch) -> Measures:
    """Time a problem and its functions."""
    problem = watch.of
    assert isinstance(problem, PythonProblem)
    tasks = {
        "random playouts": SamplingTask(key=root_key(0), first=0, last=MANY),
        "NRPA level 2": nrpa_task(2, 100, 0),
    }
    runs = {name: _run(problem, task) for name, task in tasks.items()}
    rates = {name: playouts / seconds for name, (playouts, seconds) in runs.items() if playouts}
    timed = Timed(problem)
    playouts, seconds = _run(timed, nrpa_task(2, 100, 0))
    costs = {
        name: (calls / playouts, 1e9 * timed.seconds[name] / playouts)
        for name, calls in timed.calls.items()
        if calls and name != "start" and playouts
    }
    return make_measures(watch.seen, None, None, rates, shares(costs, 1e9 * seconds / playouts) if playouts else ())


def _run(problem: PythonProblem, task: Task) -> tuple[int, float]:
    """Playouts of a task that is stopped after a while, and the seconds that they took."""
    signal = Signal()
    worker = PythonEngine(problem).worker()
    stop = threading.Timer(LONGEST, signal.halt)
    stop.daemon = True
    began = time.perf_counter()
    stop.start()
    try:
        made = worker.run(task, signal).playouts
    finally:
        stop.cancel()
    return made, time.perf_counter() - began
