"""What a worker process runs: it computes one order after another, gives signs of life, and ends with its parent."""

from __future__ import annotations

import os
import pickle
import queue
import signal
import struct
import sys
import threading
import time
from dataclasses import dataclass
from typing import IO, Any

from rookery.control import HALT, Signal
from rookery.crews import remote
from rookery.crews.remote import Answer, Order
from rookery.crews.shipping import Parcel
from rookery.crews.threads import PATIENCE

BEAT = 0.1
"""Seconds between two signs of life."""
LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Begin:
    """The first message: what a process needs before its first order; ``warm`` is a task of its kind, packed."""

    argv: list[str]
    parcel: Parcel
    debug: bool
    warm: bytes | None


@dataclass(frozen=True)
class Halt:
    """An order is no longer wanted, or wanted as it is."""

    token: str


@dataclass(frozen=True)
class Ready:
    """The process can compute orders."""


@dataclass(frozen=True)
class Beat:
    """A sign of life: playouts of an order so far, and where it is stuck if it has not halted when told to."""

    token: str | None
    playouts: int
    left: str | None


@dataclass(frozen=True)
class Answered:
    """The answer to an order."""

    token: str
    answer: Answer


def write(stream: IO[bytes], message: Any) -> None:
    """Send a message."""
    content = pickle.dumps(message)
    stream.write(LENGTH.pack(len(content)) + content)
    stream.flush()


def read(stream: IO[bytes]) -> Any:
    """The next message; EOFError if there will be none."""
    head = stream.read(LENGTH.size)
    if len(head) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        content = stream.read(length)
        if len(content) == length:
            return pickle.loads(content)
    raise EOFError


class WorkerMain:
    """The life of a worker process between two streams."""

    def __init__(self, source: IO[bytes], target: IO[bytes]) -> None:
        self._source, self._target = source, target
        self._writing = threading.Lock()
        self._orders: queue.SimpleQueue[tuple[Order, Signal] | None] = queue.SimpleQueue()
        self._current: tuple[Order, Signal] | None = None
        self._waiting: dict[str, Signal] = {}

    def live(self) -> None:
        """Compute orders until there are no more."""
        begin: Begin = read(self._source)
        sys.argv[:] = begin.argv
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._beat, daemon=True).start()
        remote.prepare(begin.parcel, begin.debug, begin.warm)
        self._send(Ready())
        for order, line in iter(self._orders.get, None):
            self._current = order, line
            answer = remote.compute_with(order, line)
            self._current = None
            self._waiting.pop(order.token, None)
            self._send(Answered(order.token, answer))

    def _send(self, message: Any) -> None:
        with self._writing:
            try:
                write(self._target, message)
            except OSError:
                os._exit(1)  # nobody is listening any more

    def _listen(self) -> None:
        try:
            while True:
                message = read(self._source)
                if isinstance(message, Order):
                    self._waiting[message.token] = line = Signal()
                    self._orders.put((message, line))
                elif isinstance(message, Halt):
                    known = self._waiting.get(message.token)
                    if known is not None:
                        known.halt()
                else:
                    self._orders.put(None)
        except (EOFError, OSError):
            os._exit(1)  # whatever is being computed: nobody will ask for it

    def _beat(self) -> None:
        halted, since, left = "", 0.0, None
        while True:
            time.sleep(BEAT)
            current = self._current
            if current is None:
                self._send(Beat(None, 0, None))
                continue
            order, line = current
            if not line.control[HALT] or order.token != halted:
                halted, since, left = order.token if line.control[HALT] else "", time.monotonic(), None
            elif left is None and time.monotonic() - since > PATIENCE / 2:
                left = remote.left(order.token) or None
            self._send(Beat(order.token, line.playouts, left))


def main() -> None:
    """Take over a process whose standard input and output are a parent's: what user code prints goes elsewhere."""
    remote.ignore_interrupts()
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})  # it was blocked until it was ignored
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    WorkerMain(source, target).live()
