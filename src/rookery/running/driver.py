"""The one driver of every run: hands jobs to a crew, commits outcomes in order, stops when it must."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Protocol

from rookery.control import INFEASIBLE_SCORE
from rookery.crews.threads import Crew, Ended
from rookery.errors import SearchError
from rookery.plans.plan import Commit, Job, Plan
from rookery.plans.pool import Pool
from rookery.running.callbacks import Callback, Progress
from rookery.running.interrupts import Interrupts
from rookery.running.result import Improvement, Tally, Work
from rookery.running.watched import TICK, Overstayed
from rookery.stop import Stop
from rookery.tasks import UNLIMITED, Outcome
from rookery.tasks import Sequence as Found

ROUNDS = 4
"""How often a crew waits longer for jobs that were told to halt and are still moving."""


class Keeper(Protocol):
    """Keeps a run on disk, so that it can continue whatever happens to this process."""

    def due(self, seconds: float) -> bool:
        """Whether it is time to save, this many seconds into the search."""

    def save(self, state: dict[str, Any], seconds: float) -> None:
        """Save the state of a run; a full disk never raises."""

    def close(self) -> None:
        """The run is over."""


class Driver:
    """Runs a plan on a crew until it is finished or a limit is met.

    Parameters
    ----------
    sign
        -1 for a problem that is minimised: what observers see is in the problem's own sense
    clock, began
        a clock, and what it showed, or would have shown, when the search began
    describe
        the level and the number of iterations of the search, for observers
    interrupts
        listened to while the driver waits and while observers are at work
    keeper
        saves the run from time to time
    """

    def __init__(
        self,
        plan: Plan,
        crew: Crew,
        stop: Stop,
        callbacks: Sequence[Callback],
        sign: float,
        clock: Callable[[], float],
        describe: tuple[int, int | None],
        interrupts: Interrupts,
        keeper: Keeper | None = None,
        began: float = 0.0,
    ) -> None:
        self._plan = plan
        self._crew = crew
        self._stop = stop
        self._callbacks = callbacks
        self._sign, self._time, self._began = sign, clock, began
        self._level, self._iterations = describe
        self._interrupts = interrupts
        self._keeper = keeper
        self._running: dict[Job, float] = {}  # when it began
        self._ended: deque[Ended] = deque()  # collected, to be received
        self._ticked = float("-inf")
        self._waits = True  # for moves that take a long time
        self._keeps = True  # the state is whole
        self._hurried = False  # the user did not want to wait
        self._shortened = False  # the frontier, to the playouts that count
        self._error: BaseException | None = None  # for a task that was being halted
        self._whole: dict[str, Any] | None = None  # the state before a stopped job was committed
        self.tally = Tally()
        self.work = Work()
        self.best_seen: Found | None = None  # including those of discarded jobs
        self.pool: Pool | None = None  # what tasks keep
        self.left: str | None = None  # a sentence about what did not end when it should have

    def run(self) -> str:
        """Drive the plan; returns the status of the run. Later requests to stop wait."""
        self._interrupts.hold()
        try:
            status = self._ended_with()
            self._save(status)
            return status
        finally:
            if self._keeper is not None:
                self._keeper.close()

    def _ended_with(self) -> str:
        """Drive the plan; however it ends, no worker is left at work."""
        try:
            return self._drive()
        except KeyboardInterrupt:
            self._interrupts.answer()
            return self._halt("interrupted")
        except Overstayed as overstayed:  # the plan would call the same function again: nothing more can be committed
            self._interrupts.answer()
            self.left, self._keeps = str(overstayed), self._whole is not None  # it may be in the middle of a commit
            return overstayed.status
        except BaseException:
            self._save()
            raise
        finally:
            self._crew.close(wait=self._halted())

    def _drive(self) -> str:
        status = self._met() or self._commit_all(self._clock())  # what a restored plan has ready
        if status is not None:
            return status
        while True:
            self._submit()
            if not self._running:
                return "finished"
            self._interrupts.interruptible(self._crew.wait, self._patience())
            self._ended.extend(self._crew.collect())
            while self._ended:
                ended = self._ended.popleft()
                began = self._running.pop(ended.job)
                self._receive(ended)
                status = self._commit_all(began)
                if status is not None:
                    return status
            self._cancel_discarded()
            if self._stop.time is not None and self._clock() >= self._stop.time:
                return self._halt("time")
            if self._tick() and self._wanted():
                return self._halt("condition")
            if self._keeper is not None and self._keeper.due(self._clock()):
                self._save()

    def _halted(self, wanted: bool = False) -> bool:
        """Stop what is running and wait for it; False if it does not end, or the user does not want to wait.

        If what it has found is ``wanted``, a job that does not end is reported in a sentence.
        """
        for job in self._running:
            self._crew.halt(job)
        try:
            for _ in range(ROUNDS):
                until = time.monotonic() + self._crew.patience
                while self._waits and self._running and time.monotonic() < until:
                    if not self._ended:
                        self._interrupts.interruptible(self._crew.wait, TICK)
                    self._collect()
                if not self._waits or not self._running:
                    break
                left = self._crew.left(next(iter(self._running))) if wanted else None
                self._collect()
                if left != "":  # else it is moving: the machine is busy
                    self.left = self.left or (left if self._running else None)
                    break
            self._waits = self._waits and not self._running
        except KeyboardInterrupt:
            self._interrupts.answer()
            self._waits, self._hurried = False, True
        return self._waits and not self._running

    def _collect(self) -> None:
        """Receive what has ended since it was told to halt."""
        self._ended.extend(self._crew.collect())
        while self._ended:
            ended = self._ended.popleft()
            self._running.pop(ended.job)
            if ended.error is None:
                self._receive(ended)
            else:
                self._error = self._error or ended.error

    # --- the state of a run, on disk ---

    def state(self) -> dict[str, Any]:
        """Everything needed to continue from here: what is committed, and what is known about the jobs that are not."""
        return {
            "plan": self._plan.state(),
            "tally": replace(self.tally, history=list(self.tally.history)),
            "work": replace(self.work),
            "best_seen": self.best_seen,
            "pool": [] if self.pool is None else list(self.pool.sequences),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Continue from a state; the plan must have been made from the same search, problem and seed."""
        self._plan.restore(state["plan"])
        self.tally, self.work, self.best_seen = state["tally"], state["work"], state["best_seen"]
        if self.pool is not None:
            self.pool.add(state.get("pool", ()))

    def _save(self, status: str | None = None) -> None:
        """Have the run saved as it is, or as it was before a job was stopped in the middle."""
        if self._keeper is not None and self._keeps:
            self._keeper.save({**(self._whole or self.state()), "status": status}, self._clock())

    # --- jobs ---

    def _submit(self) -> None:
        while len(self._running) < self._crew.size:
            # A plan may adapt a policy here, which takes a long time in plain Python.
            job = self._interrupts.interruptible(self._plan.next_job)
            if job is None:
                return
            budget = min(job.task.budget, self._playouts_left())
            if budget < UNLIMITED:
                job.task = job.task.within(budget)
            if self.pool is not None:
                job.task = replace(job.task, keep=self.pool.keep)
            now = self._clock()
            self._running[job] = now
            self._crew.submit(job, None if self._stop.time is None else max(0.0, self._stop.time - now))

    def _receive(self, ended: Ended) -> None:
        if ended.error is not None:
            raise ended.error
        outcome = ended.outcome
        assert outcome is not None
        self.work.tasks += 1
        self.work.playouts += outcome.playouts
        found = outcome.sequence
        if found is not None and found.score > (INFEASIBLE_SCORE if self.best_seen is None else self.best_seen.score):
            self.best_seen = found
        self._plan.receive(ended.job, outcome)

    def _cancel_discarded(self) -> None:
        for job in self._plan.discards:
            self.work.discarded += 1
            if job in self._running:
                self._crew.halt(job)
        self._plan.discards.clear()

    def _clock(self) -> float:
        """Seconds of search so far."""
        return self._time() - self._began

    def _patience(self) -> float:
        return TICK if self._stop.time is None else min(TICK, max(0.0, self._stop.time - self._clock()))

    def _halt(self, status: str) -> str:
        """Stop what is running; what it has found counts as far as the sequential search would have got."""
        if self._keeper is not None:
            self._whole = self._whole or self.state()
            self._save()  # whoever asks may not leave much time
        began = min(self._running.values(), default=self._clock())
        if not self._halted(wanted=True) and self._hurried:
            status = "interrupted"
        if self._error is not None:
            raise self._error
        try:
            return self._commit_all(began) or status
        except Overstayed as overstayed:
            self.left = self.left or str(overstayed)
            return status
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
        """Commit what can be committed; returns a status when that ends the run."""
        while True:
            job = self._plan.frontier()
            if job is None:
                return "finished" if self._plan.finished else None
            outcome = job.outcome
            assert outcome is not None
            allowed = self._allowed(outcome)
            if outcome.playouts > allowed:
                self._shorten(job, outcome.playouts, allowed)
                return None
            self._shortened = False
            if not outcome.finished:
                if self._keeper is not None and self._whole is None:
                    self._whole = self.state()
                self._plan.prune()
            self._commit(outcome, began)
            status = "target" if outcome.reached_target else self._met()
            if status is not None:
                return status

    def _shorten(self, job: Job, playouts: int, allowed: int) -> None:
        """Compute the frontier again with the playouts that count; only once, or it would never end."""
        if self._shortened:
            name = type(job.task.search).__name__
            raise SearchError(f"{name} does not keep its budget: a task of {allowed} playouts has made {playouts}")
        self._shortened = True
        self._plan.retry(allowed)

    def _commit(self, outcome: Outcome, began: float) -> None:
        tally, now = self.tally, self._clock()
        commit = self._plan.commit()
        best = self._plan.best
        improvements = outcome.improvements
        if not self._plan.keeps_best:
            # The answer of such a run may be worse than a playout on the way: only answers count.
            improvements = ()
            ends = not outcome.finished or outcome.playouts == self._playouts_left()
            best = best if commit.iterations or ends else None
        if best is not None:  # including a line that ends without a playout
            improvements = (*improvements, (outcome.playouts, best.score))
        before = len(tally.history)
        if self.pool is not None:
            self.pool.add(outcome.kept)
        for at, score in improvements:
            if score > max(tally.best, INFEASIBLE_SCORE):
                tally.best = score
                seconds = began + (now - began) * at / max(1, outcome.playouts)
                tally.history.append(Improvement(seconds, tally.playouts + at, self._sign * score))
                if self._plan.iteration_is_playout:
                    tally.last_improvement = tally.playouts + at
        tally.playouts += outcome.playouts
        tally.tasks += 1
        tally.busy += outcome.seconds
        improved = tuple(tally.history[before:])
        if improved and not self._plan.iteration_is_playout:
            tally.last_improvement = tally.iterations + 1
        tally.iterations += outcome.playouts if self._plan.iteration_is_playout else commit.iterations
        self._tell(outcome, commit, improved)

    def _met(self) -> str | None:
        """The limit that is met by what is committed."""
        tally, stop = self.tally, self._stop
        if stop.target is not None and tally.best >= self._sign * stop.target:
            return "target"
        if stop.playouts is not None and tally.playouts >= stop.playouts:
            return "playouts"
        if stop.iterations is not None and tally.iterations >= stop.iterations:
            return "iterations"
        if stop.no_improvement is not None and tally.iterations - tally.last_improvement >= stop.no_improvement:
            return "no_improvement"
        return "condition" if tally.tasks and self._wanted() else None

    def _wanted(self) -> bool:
        """Whether the user's own condition is met."""
        if self._stop.when is None:
            return False
        with self._interrupts.listening():
            return bool(self._stop.when(self.progress()))

    # --- observers ---

    def _tick(self) -> bool:
        """Tell observers where the run stands, if it is time for that; returns whether it was."""
        now = time.monotonic()
        if now - self._ticked < TICK / 2:
            return False
        self._ticked = now
        if self._callbacks:
            with self._interrupts.listening():
                for callback in self._callbacks:
                    callback.on_tick(self.progress())
        return True

    def _tell(self, outcome: Outcome, commit: Commit, improved: tuple[Improvement, ...]) -> None:
        """Tell observers what was committed."""
        if not self._callbacks:
            return
        progress = replace(self.progress(), improvements=improved)
        best = self._plan.best
        with self._interrupts.listening():
            for callback in self._callbacks:
                for r in commit.replacements:
                    callback.on_replace(r.level, r.iteration, r.sequence.moves, r.tie)
                if improved and best is not None:
                    callback.on_best(progress, best.moves)
                if commit.iterations:
                    callback.on_iteration(progress)

    def progress(self) -> Any:
        """Where the run stands, for observers."""
        return Progress(
            level=self._level,
            iteration=self.tally.iterations,
            iterations=self._iterations,
            restart=getattr(self._plan, "number", 0),
            playouts=self.tally.playouts + self._crew.playouts(),
            seconds=self._clock(),
            score=None if self.tally.best == float("-inf") else self._sign * self.tally.best,
            workers=self._crew.size,
            running=len(self._running),
            tasks=self.tally.tasks,
            discarded=self.work.discarded,
            busy=self.tally.busy,
            details=getattr(self._plan, "details", ()),
            figures=getattr(self._plan, "figures", {}),
        )
