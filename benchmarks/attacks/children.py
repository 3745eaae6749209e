"""Commands in forked children: a crash is seen as such, a hang is ended, and nothing is imported or compiled again."""

from __future__ import annotations

import contextlib
import io
import json
import os
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import rookery as rk
from rookery.cli import main

BATCH = 40
"""Commands that one child runs."""
PATIENCE = 60.0
"""Seconds that a command may take: most take some milliseconds."""


@dataclass(frozen=True)
class Ran:
    """How a command ended.

    Parameters
    ----------
    code
        its exit code; None if its process crashed or hung
    said
        what stands on standard error, or how its process ended
    printed
        what stands on standard output
    seconds, megabytes
        of the processor, and of memory beyond what the process had before
    """

    code: int | None
    said: str
    printed: str = ""
    seconds: float = 0.0
    megabytes: float = 0.0

    @property
    def wrong(self) -> tuple[str, str] | None:
        """What is wrong with how it ended, by kind; None if it was answered, or refused in one line."""
        if self.code is None:
            return self.said.partition(":")[0], self.said
        if self.code not in (0, 1, 2) or (self.code == 1 and self.said):
            return "internal error", f"exit {self.code}: {self.said[:300]}"
        if self.code == 2 and (not self.said.startswith("rookery: ") or self.said.count("\n") != 1):
            return "internal error", f"not one sentence: {self.said[:300]}"
        return None


def run_all(commands: Sequence[Sequence[str]], patience: float = PATIENCE) -> Iterator[Ran]:
    """Run commands one after another, in children of this process."""
    done = 0
    while done < len(commands):
        for ran in _batch(commands[done : done + BATCH], patience):
            done += 1
            yield ran


def _batch(commands: Sequence[Sequence[str]], patience: float) -> Iterator[Ran]:
    """Run commands in one child, up to the first that ends it."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as out:
            for command in commands:
                print(json.dumps(vars(run(command))), file=out, flush=True)
        os._exit(0)
    os.close(writing)
    lines = _Lines(reading)
    try:
        for _ in commands:
            line = lines.next(time.monotonic() + patience)
            if line is None:
                os.kill(child, signal.SIGKILL)
                yield Ran(None, f"hang: more than {patience:.0f} s")
                return
            if not line:
                yield Ran(None, f"crash: {_end(child)}")
                child = 0
                return
            yield Ran(**json.loads(line))
    finally:
        os.close(reading)
        if child:
            os.waitpid(child, 0)


class _Lines:
    """What a child says, line by line."""

    def __init__(self, reading: int) -> None:
        self._reading, self._rest = reading, b""

    def next(self, until: float) -> bytes | None:
        """The next line; empty at the end, None if it does not begin to come."""
        parts = [self._rest]
        while b"\n" not in parts[-1]:
            if not select.select([self._reading], [], [], max(0.0, until - time.monotonic()))[0]:
                return None
            parts.append(os.read(self._reading, 1 << 20))
            if not parts[-1]:
                return b""
            until = time.monotonic() + PATIENCE  # it comes: a long line may take its time
        line, _, self._rest = b"".join(parts).partition(b"\n")
        return line


def _end(child: int) -> str:
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status):
        return signal.Signals(os.WTERMSIG(status)).name
    return f"exit {os.waitstatus_to_exitcode(status)}"


def run(command: Sequence[str]) -> Ran:
    """Run a command in this process."""
    out, said = io.StringIO(), io.StringIO()
    before, began = _megabytes(), time.process_time()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
        code: Any = _load(*command[1:]) if command[0] == "load" else main(list(command))
    return Ran(code, said.getvalue(), out.getvalue(), time.process_time() - began, _megabytes() - before)


def _load(name: str, *given: str) -> int:
    """Read a file for which there is no command, as a user would; returns the exit code."""
    try:
        if name == "experiment":
            rk.Experiment.load(given[0])
        else:
            rk.load_problem(name, dict(item.split("=", 1) for item in given))
    except rk.InputError as error:
        print(f"rookery: {error}", file=sys.stderr)
        return 2
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1
    return 0


def _megabytes() -> float:
    """The most memory that this process ever had."""
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / scale
