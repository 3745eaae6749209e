"""A worker process as its parent sees it: messages go there and come back, and none of them blocks."""

from __future__ import annotations

import json
import multiprocessing.spawn
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from rookery.crews.process_main import Begin, Ready, read, write

BOOT = "import sys, json; sys.path[:] = json.loads(sys.argv.pop()); from rookery.crews.process_main import main; main()"
KEPT = 4000
"""Bytes of what a process says on standard error that are kept."""
JOIN = 1.0
"""Seconds within which a killed process, and what listens to it, is gone."""


@dataclass(frozen=True)
class Gone:
    """The last message of a process, in its parent's words: why it is gone."""

    cause: str


class WorkerProcess:
    """A process that computes one order at a time; ``hear`` is called in other threads with whatever it says.

    Everything that can block is done in threads: a process that was stopped reads nothing, and says nothing.
    """

    def __init__(self, begin: Begin, hear: Callable[[WorkerProcess, Any], None]) -> None:
        self.ready = False
        self.token: str | None = None  # of the order that it computes
        self.playouts = 0
        self.heard = 0.0  # when it gave a sign of life
        self.left: str | None = None  # where its order is stuck
        self._hear = hear
        self._begin = begin
        self._said = b""
        self._outbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._killed = False
        self._threads = [threading.Thread(target=self._live, daemon=True)]
        self._threads[0].start()

    def send(self, message: Any) -> None:
        """Have a message sent; None asks it to end."""
        self._outbox.put(message)

    def kill(self) -> None:
        """End it at once, even if it was stopped."""
        with self._lock:
            self._killed = True
            if self._process is not None:
                self._process.kill()
        self._outbox.put(EOFError)

    def join(self, seconds: float) -> bool:
        """Wait until it is gone; False if it is not after this many seconds."""
        for thread in self._threads:
            thread.join(seconds)
        return not any(thread.is_alive() for thread in self._threads)

    @property
    def pid(self) -> int | None:
        """Its number; None before it is started."""
        return None if self._process is None else self._process.pid

    def _live(self) -> None:
        try:
            self._start()
        except OSError as error:
            self._hear(self, Gone(error.strerror or str(error)))
            return
        assert self._process is not None
        assert self._process.stdin is not None
        with suppress(OSError), self._process.stdin as stdin:  # if its input is closed without a word, it ends at once
            write(stdin, self._begin)
            for message in iter(self._outbox.get, EOFError):
                write(stdin, message)

    def _start(self) -> None:
        """Start the process, deaf to a Ctrl-C that comes before it can ignore it itself."""
        folders = [os.path.abspath(folder) for folder in sys.path]
        flags = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
        executable = os.fsdecode(multiprocessing.spawn.get_executable())
        command = [executable, *flags, "-c", BOOT, json.dumps(folders)]
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # of this thread, and of what it starts
        pipe = subprocess.PIPE
        process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe)
        for target in (self._listen, self._overhear):
            self._threads.append(threading.Thread(target=target, args=(process,), daemon=True))
            self._threads[-1].start()
        with self._lock:
            self._process = process
            if self._killed:
                process.kill()

    def _listen(self, process: subprocess.Popen[bytes]) -> None:
        """Pass on its messages, and finally why it is gone."""
        assert process.stdout is not None
        with suppress(EOFError, OSError), process.stdout as stdout:
            while True:
                message = read(stdout)
                if isinstance(message, Ready):
                    self.ready = True
                self._hear(self, message)
        try:
            code = process.wait(JOIN)
        except subprocess.TimeoutExpired:  # it has nothing more to say
            process.kill()
            code = process.wait()
        self._threads[2].join(JOIN)  # for its last words
        self._outbox.put(EOFError)
        self._hear(self, Gone(self._cause(code)))

    def _overhear(self, process: subprocess.Popen[bytes]) -> None:
        """Pass on what it says on standard error; what it says while it starts is kept until it is ready."""
        assert process.stderr is not None
        with suppress(OSError, ValueError), process.stderr as stderr:
            while said := os.read(stderr.fileno(), 1 << 16):
                self._said += said
                if self.ready:
                    _print(self._said)
                    self._said = b""
                self._said = self._said[-KEPT:]
        if self.ready:
            _print(self._said)

    def _cause(self, code: int) -> str:
        """Why a process has ended: the last line that it has said, or its exit code."""
        lines = self._said.decode(errors="replace").strip().splitlines()
        if lines:
            return lines[-1].strip()
        if code < 0:
            with suppress(ValueError):
                return f"killed by {signal.Signals(-code).name}"
        return f"exit code {code}"


def _print(said: bytes) -> None:
    with suppress(OSError, ValueError, AttributeError):
        sys.stderr.write(said.decode(errors="backslashreplace"))
        sys.stderr.flush()
