"""Calls of a user's code by the driver itself: however long they take, limits and Ctrl-C are heard."""

from __future__ import annotations

import math
import queue
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from rookery.control import Signal
from rookery.crews.threads import PATIENCE, Lanes
from rookery.engine.whereabouts import is_in_kernel, left_behind, whereabouts
from rookery.errors import RookeryWarning
from rookery.game import Game
from rookery.problem import Problem
from rookery.running.interrupts import Interrupts
from rookery.search.game_search import Decision, GameSearch
from rookery.tasks import Moves, Outcome, Task

TICK = 0.1
"""Seconds between two looks at the clock for observers; a time limit is kept to the millisecond."""


class Overstayed(Exception):
    """A call that had not returned when the run had to end: by its time limit, or because somebody asked for it."""

    def __init__(self, sentence: str, asked: bool) -> None:
        super().__init__(sentence)
        self.asked = asked

    @property
    def status(self) -> str:
        """The status of the run."""
        return "interrupted" if self.asked else "time"


@contextmanager
def as_interrupt() -> Iterator[None]:
    """Where only Ctrl-C ends anything: what did not return is named, and KeyboardInterrupt raised."""
    try:
        yield
    except Overstayed as overstayed:
        warnings.warn(str(overstayed), RookeryWarning, stacklevel=4)
        raise KeyboardInterrupt from None


class Watched:
    """A worker whose calls are made in a thread of their own, while this one waits and listens.

    Python hears no signal while it is in compiled code, and no time limit ends a function that does not return. Here
    both are noticed; what has not returned a moment later is left behind.

    Parameters
    ----------
    worker
        what computes
    model
        its problem or game
    """

    def __init__(self, worker: Any, model: Any, interrupts: Interrupts) -> None:
        self.seconds_left: Callable[[], float] = lambda: math.inf  # until the time limit
        self._worker, self._model, self._interrupts = worker, model, interrupts
        self._compiled = isinstance(model, (Problem, Game))
        self._lanes = Lanes(1, "rookery-driver")
        self._left: Overstayed | None = None

    def warm(self, task: Any) -> None:
        """Compile all that a task of this kind needs."""
        self._call(self._worker.warm, task)

    def run(self, task: Task, signal: Signal) -> Outcome:
        """Compute a task that finds a sequence."""
        outcome: Outcome = self._call(self._worker.run, task, signal, signal=signal)
        return outcome

    def decide(self, search: GameSearch, moves: Moves, key: int, signal: Signal) -> Decision | None:
        """Search for a move after these moves; None if the signal stopped it."""
        decision: Decision | None = self._call(
            self._worker.decide, search, moves, key, signal, signal=signal, cut=False
        )
        return decision

    def value(self, task: Task) -> Any:
        """Compute a task that finds something else; compiled, it only plays what returned before, so in this
        thread."""
        if self._left is None and self._compiled:
            return self._worker.value(task)
        return self._call(self._worker.value, task)

    def repeat(self, task: Task, keys: Sequence[int], signal: Signal) -> tuple[list[float], int] | None:
        """Compute a task with each of these keys."""
        scores: tuple[list[float], int] | None = self._call(self._worker.repeat, task, keys, signal, signal=signal)
        return scores

    def has(self, function: str) -> bool:
        """Whether the problem defines a function that it may leave out."""
        return hasattr(self._model, function)

    def legal(self, moves: Moves) -> Moves:
        """The legal moves after these moves, each checked to be legal."""
        legal: Moves = self._call(self._worker.legal, moves)
        return legal

    def replay(self, moves: Moves) -> Any:
        """What these moves lead to."""
        return self._call(self._worker.replay, moves)

    def close(self) -> None:
        """No more calls."""
        self._lanes.close(wait=False)

    def _call(
        self, function: Callable[..., Any], *arguments: Any, signal: Signal | None = None, cut: bool = True
    ) -> Any:
        """Call; ``signal`` halts it, at the time limit only if it may be ``cut`` there."""
        if self._left is not None:
            raise self._left
        answer = _Answer()
        until = time.monotonic() + self.seconds_left()
        self._lanes.submit(lambda: answer.compute(function, arguments))
        raised: KeyboardInterrupt | None = None
        over: float | None = None  # since when it is in the user's code although it should have ended
        while True:
            try:
                answer.wait(TICK)
            except KeyboardInterrupt as interrupt:
                if self._interrupts.impatient:
                    raise
                raised = interrupt
            if answer.arrived:
                if raised is not None:
                    raise raised
                return answer.value()
            now = time.monotonic()
            asked = raised is not None or self._interrupts.pending
            if not asked and now <= until:
                continue
            if signal is not None and (asked or cut):
                signal.halt()
            over = (over or now) if self._in_users_code() else None
            if over is not None and now - over > PATIENCE:
                self._leave(asked, asked or cut)
                over = None  # it is slow, but it moves

    def _in_users_code(self) -> bool:
        thread = self._lanes.threads[0].ident
        return not self._compiled or (thread is not None and is_in_kernel(thread))

    def _leave(self, asked: bool, anyway: bool) -> None:
        """Leave a call behind, ``anyway`` or if it stays in one of the user's functions."""
        thread = self._lanes.threads[0].ident
        found = None if thread is None else whereabouts(self._model, thread)
        if found is not None or anyway:
            self._left = Overstayed(left_behind(self._model, found), asked)
            raise self._left


class _Answer:
    """What a call in another thread comes to; an interrupt that arrives with it does not lose it."""

    def __init__(self) -> None:
        self.arrived = False
        self._value: Any = None
        self._error: BaseException | None = None
        self._wake: queue.SimpleQueue[None] = queue.SimpleQueue()

    def compute(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
        """Make the call."""
        try:
            self._value = function(*arguments)
        except BaseException as error:
            self._error = error
        self.arrived = True
        self._wake.put(None)

    def wait(self, seconds: float) -> None:
        """Return when it has arrived, or after this many seconds."""
        with suppress(queue.Empty):
            self._wake.get(timeout=seconds)

    def value(self) -> Any:
        """What the call returned, or raise what it raised."""
        if self._error is not None:
            raise self._error
        return self._value
