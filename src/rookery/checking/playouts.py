"""Phase two: searches in plain Python on a problem under watch."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from rookery.checking.report import Broken, Log
from rookery.checking.watch import Playout, Watch
from rookery.reference.engine import PythonEngine
from rookery.rng import root_key
from rookery.search.nrpa import NRPA
from rookery.tasks import NRPATask, Outcome, SamplingTask, Signal, Task, Weights

REPLAYED = 10
"""Playouts that are played again at the end."""


@dataclass(frozen=True)
class Ran:
    """A task and what it came to in plain Python."""

    name: str
    task: Task
    outcome: Outcome


def nrpa_task(level: int, iterations: int, seed: int) -> NRPATask:
    """A run of NRPA as one task.

    >>> nrpa_task(2, 7, seed=0).iterations
    (7, 7, 7)
    """
    search = NRPA(level=level, iterations=iterations)
    return NRPATask(
        key=root_key(seed),
        policy=Weights(),
        level=level,
        iterations=search.iterations_by_level,
        ties=search.ties_by_level,
        alpha=search.alpha,
    )


def plan(playouts: int, seed: int) -> list[tuple[str, Task, float]]:
    """Tasks of so many playouts in all, each with the share of the time that it may take.

    Half are random; the rest follow policies, which push playouts to where random ones do not come.

    >>> [name for name, _, _ in plan(200, seed=0)]
    ['sampling', 'NRPA level 1', 'NRPA level 2']
    """
    quarter = max(playouts // 4, 1)
    wide = max(math.isqrt(quarter), 2)
    return [
        ("sampling", SamplingTask(key=root_key(seed), first=0, last=max(playouts - quarter - wide * wide, 1)), 0.35),
        ("NRPA level 1", nrpa_task(1, quarter, seed), 0.55),
        ("NRPA level 2", nrpa_task(2, wide, seed), 0.8),
    ]


def play(watch: Watch, playouts: int, seconds: float, seed: int, log: Log) -> list[Ran]:
    """Run the searches; those that came to an outcome are returned, to be compared with compiled ones."""
    worker = PythonEngine(watch).worker()
    began = time.perf_counter()
    done = []
    for name, task, share in plan(playouts, seed):
        signal = Signal()
        watch.under(name, signal, began + share * seconds)
        try:
            done.append(Ran(name, task, worker.run(task, signal)))
        except Broken:
            if log.count("does-not-return"):
                break  # it would not return in the next search either
    made = len(watch.seen.playouts)
    if not made and log.ok:
        log.add("no-playout", "", f"no playout was finished in {seconds:g} seconds")
    elif any(not ran.outcome.finished for ran in done) and log.ok:
        log.add(
            "few-playouts",
            "",
            f"{made} of {playouts} playouts were made in the {seconds:g} seconds that there are for them",
        )
    replay(watch, watch.seen.playouts[:: max(1, made // REPLAYED)][:REPLAYED], began + seconds, log)
    return done


def replay(watch: Watch, playouts: list[Playout], deadline: float, log: Log) -> None:
    """Play some playouts again: what depends on more than the state gives itself away."""
    for playout in playouts:
        if not log.ok or time.perf_counter() > deadline:
            return
        try:
            score = follow(watch, playout)
        except Broken:
            return
        if score is not None and score != playout.score and not log.count("narrow-arithmetic"):
            text = f"a playout had the score {playout.score:g}, and {score:g} when it was played again"
            log.add("not-deterministic", "score", text, playout.moves)


def follow(watch: Watch, playout: Playout) -> float | None:
    """The score of a playout that is played again; None if a move is not legal any more."""
    watch.restart()
    state = watch.copy(watch.start())
    begin = getattr(watch, "begin_playout", None)
    if begin is not None:
        after = begin(state)
        state = state if after is None else after
    for move in playout.moves:
        if move not in watch.moves(state):
            text = f"the move {move} was legal in a playout, and is not when it is played again"
            watch.find("not-deterministic", "moves", text)
            return None
        after = watch.play(state, move)
        state = state if after is None else after
    return watch._score(state)
