"""Runs a command beside processes that keep all cores busy, and ends them whatever happens.

    python tools/busy.py 8 python -m pytest -m timing

A test that waits for time instead of for an event fails here. The exit code is that of the command.
"""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

# It ends by itself when the process that has started it is gone, even if that one was killed.
LOOP = """
import os
parent = os.getppid()
while os.getppid() == parent:
    for _ in range(1_000_000):
        pass
"""


@contextmanager
def busy(number: int) -> Iterator[None]:
    """So many processes that do nothing but compute."""
    loops: list[subprocess.Popen[bytes]] = []
    try:
        loops.extend(subprocess.Popen([sys.executable, "-c", LOOP]) for _ in range(number))
        yield
    finally:
        for loop in loops:
            loop.kill()
        for loop in loops:
            loop.wait()


def main() -> int:
    """Run the command that is given after the number of processes."""
    if len(sys.argv) < 3 or not sys.argv[1].isdecimal():
        print("usage: busy.py NUMBER COMMAND ...", file=sys.stderr)
        return 2
    signal.signal(signal.SIGTERM, lambda number, frame: sys.exit(128 + number))  # else nothing would be ended
    with busy(int(sys.argv[1])):
        try:
            return subprocess.run(sys.argv[2:], check=False).returncode
        except KeyboardInterrupt:
            return 130


if __name__ == "__main__":
    sys.exit(main())
