"""The one driver of every run: hands jobs to workers, commits outcomes in order, stops when it must."""

from __future__ import annotations

import queue
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rookery.callbacks import Callback, Progress
from rookery.interrupts import Interrupts
from rookery.parallel.plan import Job, Plan
from rookery.result import Improvement
from rookery.stop import Stop
from rookery.tasks import UNLIMITED, Outcome, Signal, Worker
from rookery.tasks import Sequence as Found

TICK = 0.1
"""Seconds between two looks at the clock for observers; a time limit is kept to the millisecond."""


@dataclass
class Tally:
    """What is committed so far; scores are to be maximised."""

    playouts: int = 0
    iterations: int = 0
    last_improvement: int = 0  # the iteration of the last improvement
    best: float = float("-inf")
    history: list[Improvement] = field(default_factory=list)


@dataclass
class _Running:
    job: Job
    signal: Signal
    began: float


class Driver:
    """Runs a plan on worker threads until it is finished or a limit is met.

    Parameters
    ----------
    workers
        one for each thread; they are used one task at a time
    sign
        -1 for a problem that is minimised: what observers see is in the problem's own sense
    clock
        seconds of search so far
    describe
        the level and the number of iterations of the search, for observers
    interrupts
        listened to while the driver waits and while observers are at work
    """

    def __init__(
        self,
        plan: Plan,
        workers: Sequence[Worker],
        stop: Stop,
        callbacks: Sequence[Callback],
        sign: float,
        clock: Callable[[], float],
        describe: tuple[int, int | None],
        interrupts: Interrupts,
    ) -> None:
        self._plan = plan
        self._stop = stop
        self._callbacks = callbacks
        self._sign, self._clock = sign, clock
        self._level, self._iterations = describe
        self._interrupts = interrupts
        self._idle: queue.SimpleQueue[Worker] = queue.SimpleQueue()
        for worker in workers:
            self._idle.put(worker)
        self._size = len(workers)
        self._running: dict[Future[Outcome], _Running] = {}
        self._ended: queue.SimpleQueue[None] = queue.SimpleQueue()  # wakes the driver up
        self._waits = True  # for moves that take long
        self.tally = Tally()
        self.best_seen: Found | None = None  # also of jobs that were discarded

    def run(self) -> str:
        """Drive the plan; returns the status of the run. Requests to stop that come later wait."""
        self._interrupts.hold()
        pool = ThreadPoolExecutor(self._size, thread_name_prefix="rookery")
        try:
            return self._drive(pool)
        except KeyboardInterrupt:
            self._interrupts.answer()
            return self._halt("interrupted")
        finally:
            pool.shutdown(wait=self._halted())

    def _drive(self, pool: ThreadPoolExecutor) -> str:
        while True:
            self._submit(pool)
            if not self._running:
                return "finished"
            self._pause(self._patience())
            for future in self._done():
                running = self._running.pop(future)
                self._receive(running.job, future.result())
                status = self._commit_all(running.began)
                if status is not None:
                    return status
            self._cancel_discarded()
            if self._stop.time is not None and self._clock() >= self._stop.time:
                return self._halt("time")
            with self._interrupts.listening():
                for callback in self._callbacks:
                    callback.on_tick(self._progress())

    def _pause(self, seconds: float) -> None:
        """Wait until a job has ended, but not longer than this; here the driver hears Ctrl-C."""
        with suppress(queue.Empty):
            with self._interrupts.listening():  # concurrent.futures.wait could be left with its locks taken
                self._ended.get(timeout=seconds)
            while True:  # those that ended at the same time
                self._ended.get_nowait()

    def _done(self) -> list[Future[Outcome]]:
        return [future for future in self._running if future.done()]

    def _halted(self) -> bool:
        """Stop what is running and wait for it; False if the user would not wait: it then ends by itself."""
        for running in self._running.values():
            running.signal.halt()
        try:
            while self._waits and len(self._done()) < len(self._running):
                self._pause(TICK)
        except KeyboardInterrupt:
            self._interrupts.answer()
            self._waits = False
        return self._waits

    # --- jobs ---

    def _submit(self, pool: ThreadPoolExecutor) -> None:
        while len(self._running) < self._size:
            with self._interrupts.listening():  # a plan may adapt a policy here, which takes long in plain Python
                job = self._plan.next_job()
            if job is None:
                return
            budget = min(job.task.budget, self._playouts_left())
            if budget < UNLIMITED:
                job.task = job.task.within(budget)
            signal = Signal()
            future = pool.submit(self._compute, job, signal)
            self._running[future] = _Running(job, signal, self._clock())
            future.add_done_callback(lambda _: self._ended.put(None))

    def _compute(self, job: Job, signal: Signal) -> Outcome:
        worker = self._idle.get()
        try:
            return worker.run(job.task, signal)
        finally:
            self._idle.put(worker)

    def _receive(self, job: Job, outcome: Outcome) -> None:
        found = outcome.sequence
        if found is not None and (self.best_seen is None or found.score > self.best_seen.score):
            self.best_seen = found
        self._plan.receive(job, outcome)

    def _cancel_discarded(self) -> None:
        unwanted = set(self._plan.discards.drain())
        for running in self._running.values():
            if running.job in unwanted:
                running.signal.halt()

    def _patience(self) -> float:
        return TICK if self._stop.time is None else min(TICK, max(0.0, self._stop.time - self._clock()))

    def _halt(self, status: str) -> str:
        """Stop what is running; what it has found counts as far as the sequential search would have got."""
        began = min((running.began for running in self._running.values()), default=self._clock())
        if not self._halted():
            status = "interrupted"
        for future in self._done():
            self._receive(self._running.pop(future).job, future.result())
        try:
            return self._commit_all(began) or status
        except KeyboardInterrupt:  # in an observer: what is committed is whole
            self._interrupts.answer()
            return "interrupted"

    # --- commits ---

    def _playouts_left(self) -> int:
        """How many playouts a job may have, by the limits on playouts and on iterations that are playouts."""
        left = UNLIMITED
        if self._stop.playouts is not None:
            left = min(left, self._stop.playouts - self.tally.playouts)
        if self._plan.iteration_is_playout and self._stop.iterations is not None:
            left = min(left, self._stop.iterations - self.tally.playouts)
        return left

    def _allowed(self, outcome: Outcome) -> int:
        """How many playouts of an outcome count before a limit is met."""
        allowed = self._playouts_left()
        patience = self._stop.no_improvement
        if self._plan.iteration_is_playout and patience is not None:
            last = self.tally.last_improvement - self.tally.playouts
            for at, score in outcome.improvements:
                if at > last + patience:
                    break
                if score > self.tally.best:
                    last = at
            allowed = min(allowed, last + patience)
        return allowed

    def _commit_all(self, began: float) -> str | None:
        """Commit what can be; returns a status when that ends the run."""
        while True:
            job = self._plan.frontier()
            if job is None:
                return "finished" if self._plan.finished else None
            outcome = job.outcome
            assert outcome is not None
            allowed = self._allowed(outcome)
            if outcome.playouts > allowed:
                self._plan.retry(allowed)
                return None
            if not outcome.finished:
                self._plan.prune()
            self._commit(outcome, began)
            status = self._met(outcome)
            if status is not None:
                return status
            if self._plan.finished:
                return "finished"

    def _commit(self, outcome: Outcome, began: float) -> None:
        tally, now = self.tally, self._clock()
        commit = self._plan.commit()
        best = self._plan.best
        improvements = outcome.improvements
        if not self._plan.keeps_best:
            # The answer of such a run may be worse than a playout on the way: only answers count.
            improvements = ()
            best = best if commit.iterations or not outcome.finished else None
        if best is not None:  # also a line that ends without a playout
            improvements = (*improvements, (outcome.playouts, best.score))
        improved = False
        for at, score in improvements:
            if score > tally.best:
                improved = True
                tally.best = score
                seconds = began + (now - began) * at / max(1, outcome.playouts)
                tally.history.append(Improvement(seconds, tally.playouts + at, self._sign * score))
                if self._plan.iteration_is_playout:
                    tally.last_improvement = tally.playouts + at
        tally.playouts += outcome.playouts
        if improved and not self._plan.iteration_is_playout:
            tally.last_improvement = tally.iterations + 1
        tally.iterations += outcome.playouts if self._plan.iteration_is_playout else commit.iterations
        self._tell(improved, commit.iterations, commit.replacements)

    def _met(self, outcome: Outcome) -> str | None:
        tally, stop = self.tally, self._stop
        if outcome.reached_target:
            return "target"
        if stop.playouts is not None and tally.playouts >= stop.playouts:
            return "playouts"
        if stop.iterations is not None and tally.iterations >= stop.iterations:
            return "iterations"
        if stop.no_improvement is not None and tally.iterations - tally.last_improvement >= stop.no_improvement:
            return "no_improvement"
        return None

    # --- observers ---

    def _tell(self, improved: bool, iterations: int, replacements: Sequence[Any]) -> None:
        if not self._callbacks:
            return
        progress = self._progress()
        best = self._plan.best
        with self._interrupts.listening():
            for callback in self._callbacks:
                for r in replacements:
                    callback.on_replace(r.level, r.iteration, r.sequence.moves, r.tie)
                if improved and best is not None:
                    callback.on_best(progress, best.moves)
                if iterations:
                    callback.on_iteration(progress)

    def _progress(self) -> Progress:
        under_way = sum(running.signal.playouts for running in self._running.values())
        return Progress(
            level=self._level,
            iteration=self.tally.iterations,
            iterations=self._iterations,
            restart=getattr(self._plan, "number", 0),
            playouts=self.tally.playouts + under_way,
            seconds=self._clock(),
            score=None if self.tally.best == float("-inf") else self._sign * self.tally.best,
        )
