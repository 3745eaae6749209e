"""A process of its own for whatever runs the code of problems and games: pictures, positions, searches.

Files can ask for anything: a board of a million cells, a search without end. Here that costs a process, which has a
limit on its memory and on its time, and is replaced. Questions and answers are lines of JSON; nothing in them is code.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import rookery as rk

PATIENCE = 120.0
"""Seconds until a process that does not answer is replaced: the first question may need a compilation."""


class Desk:
    """Answers questions in a process of its own, one after the other.

    Parameters
    ----------
    folder
        where it works: names of files in parameters are looked up there, and nowhere else
    own
        problems and games of the user's that it may load, as ``path/to/file.py:Class``
    """

    def __init__(self, folder: Path, own: Sequence[str] = (), patience: float = PATIENCE) -> None:
        self._folder, self._own, self._patience = folder, tuple(own), patience
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._lock = threading.Lock()

    def ask(self, do: str, **question: Any) -> dict[str, Any]:
        """The answer to a question."""
        *_, last = self.answers(do, **question)
        return last

    def answers(self, do: str, **question: Any) -> Iterator[dict[str, Any]]:
        """The answers to a question: all but the last one are of a search that goes on."""
        with self._lock:
            try:
                yield from self._exchange({"do": do, **question})
            except BaseException:
                if self._process is not None and self._process.poll() is None and self._busy:
                    self._end()
                raise

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    # --- the process ---

    _busy = False

    def _exchange(self, question: dict[str, Any]) -> Iterator[dict[str, Any]]:
        process = self._running()
        assert process.stdin is not None
        self._busy = True
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        except OSError:
            raise self._lost("has ended") from None
        while True:
            try:
                line = self._answers.get(timeout=self._patience)
            except queue.Empty:
                raise self._lost(f"took more than {self._patience:g} s") from None
            if not line:
                raise self._lost("has ended: it may have needed too much memory")
            answer = json.loads(line)
            if "refused" in answer:
                self._busy = False
                raise rk.InputError(answer["refused"])
            if not answer.get("more"):
                self._busy = False
            yield answer
            if not answer.get("more"):
                return

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None:
            self._end()
            command = [sys.executable, "-m", "rookery.web.desk_main", *self._own]
            self._process = subprocess.Popen(
                command, cwd=self._folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment()
            )
            self._answers = queue.SimpleQueue()
            threading.Thread(target=_lines, args=(self._process, self._answers), daemon=True).start()
        return self._process

    def _lost(self, why: str) -> rk.InputError:
        self._end()
        return rk.InputError(f"the process that draws and plays {why}; it is started afresh")

    def _end(self) -> None:
        process, self._process, self._busy = self._process, None, False
        if process is not None:
            with suppress(OSError):
                process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()


def _lines(process: subprocess.Popen[bytes], answers: queue.SimpleQueue[bytes]) -> None:
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        for line in process.stdout:
            answers.put(line)
    answers.put(b"")


def environment() -> dict[str, str]:
    """That of this process; the library is found where it is found here, not in the folder that is served."""
    above = str(Path(rk.__file__).parents[1])
    path = os.pathsep.join(filter(None, (above, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
