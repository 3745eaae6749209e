"""What runs where tasks are computed, in whatever process that is."""

from __future__ import annotations

import pickle
import signal
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import parent_process
from typing import Any

from rookery.control import Signal
from rookery.crews.shipping import Parcel, pack_reply, unpack
from rookery.crews.threads import timed_run
from rookery.engine.engines import make_engine
from rookery.engine.whereabouts import left_behind, whereabouts
from rookery.errors import RemoteError, RookeryError
from rookery.tasks import Task
from rookery.user_code import describe_exception

KEPT = 8
"""Problems that a process keeps: one that lives long may see many."""
GRACE = 0.02
"""Seconds after its deadline at which a task halts: whoever sent it has then seen the time pass too."""


@dataclass(frozen=True)
class Order:
    """A task to be computed.

    ``content`` is that of the problem's parcel, or None where the process is thought to have it; ``token`` names the
    task within this process; ``seconds`` are what it may take.
    """

    token: str
    digest: str
    content: bytes | None
    debug: bool
    task: bytes
    seconds: float | None


@dataclass(frozen=True)
class Missing:
    """The process does not have the problem: the order has to be sent again with its content."""


@dataclass(frozen=True)
class Failed:
    """The task raised an error."""

    error: RookeryError


Answer = bytes | Missing | Failed
"""To an order: an outcome, packed, or why there is none."""


class Station:
    """The workers for one problem or game in this process: as many as there are threads that compute its tasks."""

    def __init__(self, problem: Any, debug: bool) -> None:
        self.problem = problem
        self._engine = make_engine(problem, debug, wanted=None)
        self._idle: list[Any] = [self._engine.worker()]
        self._warm: set[Hashable] = set()
        self._lock = threading.Lock()

    def warm(self, task: Task) -> None:
        """Read what tasks of this kind need from disk, once; it is compiled only if it is not there."""
        with self._lock:
            if task.kind not in self._warm:
                self._idle = self._idle or [self._engine.worker()]
                task.warm(self._idle[0])
                self._warm.add(task.kind)

    @contextmanager
    def worker(self) -> Iterator[Any]:
        """A worker that no other thread has."""
        with self._lock:
            worker = self._idle.pop() if self._idle else self._engine.worker()
        try:
            yield worker
        finally:
            with self._lock:
                self._idle.append(worker)


_stations: OrderedDict[tuple[str, bool], Station] = OrderedDict()
_signals: dict[str, Signal] = {}
_at_work: dict[str, tuple[Any, int]] = {}  # token -> problem, thread
_lock = threading.Lock()


def compute(order: Order) -> Answer:
    """Compute a task; whatever goes wrong is an answer."""
    return compute_with(order, Signal())


def compute_with(order: Order, line: Signal) -> Answer:
    """Compute a task that can be halted by this signal."""
    with _deaf_to_interrupts():
        _signals[order.token] = line
        try:
            station = _station(order.digest, order.content, order.debug)
            if station is None:
                return Missing()
            task: Task = pickle.loads(order.task)
            station.warm(task)
            with station.worker() as worker, halted_after(line, order.seconds):
                _at_work[order.token] = station.problem, threading.get_ident()
                return pack_reply(timed_run(worker, task, line))
        except (Exception, SystemExit) as error:
            return Failed(presentable(error))
        finally:
            _signals.pop(order.token, None)
            _at_work.pop(order.token, None)


def prepare(parcel: Parcel, debug: bool, warm: bytes | None) -> None:
    """Have a problem ready before the first task comes; an error is left for that task to report.

    ``warm`` is a task of the kind that will come, packed.
    """
    try:
        station = _station(parcel.digest, parcel.content, debug)
        if station is not None and warm is not None:
            station.warm(pickle.loads(warm))
    except (Exception, SystemExit):
        return


def halt(token: str) -> None:
    """Halt a task if it is being computed in this very process."""
    line = _signals.get(token)
    if line is not None:
        line.halt()


def playouts(token: str) -> int:
    """Playouts of a task that is being computed in this very process."""
    line = _signals.get(token)
    return 0 if line is None else line.playouts


def left(token: str) -> str | None:
    """A sentence about the function that a task does not return from, if it is being computed in this very process.

    Empty if it is stuck in none; None if nothing is known.
    """
    if token not in _at_work:
        return None
    model, thread = _at_work[token]
    found = whereabouts(model, thread)
    return "" if found is None else left_behind(model, found)


def ignore_interrupts() -> None:
    """Leave Ctrl-C, which a terminal sends to all of its processes, to the one that waits for the answers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def presentable(error: BaseException) -> RookeryError:
    """An error as it can be sent: the library's own as it is, any other as a sentence that says where it was.

    >>> presentable(ValueError("no such city"))
    RemoteError('ValueError: no such city')
    """
    if isinstance(error, RookeryError) and type(error).__module__.split(".")[0] == "rookery":
        return error
    return RemoteError(describe_exception(error))


@contextmanager
def halted_after(line: Signal, seconds: float | None) -> Iterator[None]:
    """Halt a task that runs longer than it may, even if nobody is left to say so."""
    if seconds is None:
        yield
        return
    timer = threading.Timer(min(seconds + GRACE, threading.TIMEOUT_MAX / 2), line.halt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _station(digest: str, content: bytes | None, debug: bool) -> Station | None:
    with _lock:
        name = (digest, debug)
        if name not in _stations:
            if content is None:
                return None
            _stations[name] = Station(unpack(content), debug)
            while len(_stations) > KEPT:
                _stations.popitem(last=False)
        _stations.move_to_end(name)
        return _stations[name]


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """While a child process computes, Ctrl-C is its parent's to answer."""
    of_python = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    child = parent_process() is not None and threading.current_thread() is threading.main_thread()
    if not (child and of_python):
        yield
        return
    ignore_interrupts()
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
