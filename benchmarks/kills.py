"""Kills runs at random moments and resumes them: every one must end as if it had never been disturbed.

Each run is a real command, `rookery solve ... --checkpoint FILE`, that is ended by SIGKILL, resumed on other workers,
killed again, and finally left alone. Its result must be that of the undisturbed run, and no worker process may
outlive the command that has started it.

    python benchmarks/kills.py --times 200
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import psutil

SEARCHES = {
    "nrpa": ("--algorithm", "nrpa", "--level", "3", "--iterations", "50", "--ties", "3:0.3", "--ties", "2:0.3"),
    "nmcs": ("--algorithm", "nmcs", "--level", "2", "--runs", "3"),
    "restarts": ("--algorithm", "nrpa", "--level", "2", "--iterations", "70", "--playouts", "120001"),
}
"""Each takes about a second on one core."""
WORKERS = {
    "sequential": ("--workers", "1"),
    "threads": ("--workers", "2"),
    "processes": ("--executor", "processes", "--workers", "2"),
}
KEPT = ("--checkpoint-every", "50ms", "--json", "--quiet")
SOON = 0.25
"""The share of kills that come at any time after the start: while modules are imported, before the first checkpoint."""
PATIENCE = 60.0
"""Seconds after which a process that should end, or a file that should be written, counts as lost."""


class Disturbed(Exception):
    """A run did not end as it should; the text says in what way."""


def rookery(*arguments: str) -> list[str]:
    """A command line."""
    return [sys.executable, "-m", "rookery", *arguments]


def solve(search: str) -> list[str]:
    """The beginning of every command line for a search."""
    return rookery("solve", "morpion", "-p", "variant=5D", "--seed", "1", "--atomic-level", "1", *SEARCHES[search])


def told(output: str) -> dict[str, Any]:
    """All of a result that must be the same."""
    result = json.loads(output)
    names = ("problem", "search", "seed", "score", "moves", "playouts", "iterations", "restarts", "status")
    history = [{name: value for name, value in entry.items() if name != "seconds"} for entry in result["history"]]
    return {**{name: result[name] for name in names}, "history": history}


@cache
def undisturbed(search: str) -> dict[str, Any]:
    """The result of a run that nobody kills."""
    done = subprocess.run([*solve(search), "--workers", "2", "--json", "--quiet"], capture_output=True, text=True)
    if done.returncode:
        raise Disturbed(f"the undisturbed run ended with {done.returncode}: {done.stderr}")
    return told(done.stdout)


@contextmanager
def started(command: list[str]) -> Iterator[subprocess.Popen[str]]:
    """A command that runs in a session of its own; at the end of the block it has ended, whatever happens."""
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for_change(path: Path, before: int | None, process: subprocess.Popen[str]) -> None:
    """Return when there is another file at a path than before, or when the process has ended."""
    until = time.monotonic() + PATIENCE
    while process.poll() is None and _identity(path) in (None, before):
        if time.monotonic() > until:
            raise Disturbed("no checkpoint was written")
        time.sleep(0.002)


def kill(process: subprocess.Popen[str]) -> None:
    """End a command at once; its workers must then end by themselves."""
    try:
        workers = psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        workers = []
    process.kill()
    process.wait()
    _, alive = psutil.wait_procs(workers, timeout=PATIENCE)
    if alive:
        raise Disturbed(f"{len(alive)} workers outlive the command that has started them")


def _identity(path: Path) -> int | None:
    """Every checkpoint is a new file; None if there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


@dataclass
class Kills:
    """This many kills, shared by runs at the same time; how they ended."""

    times: int
    before: int = 0  # the first checkpoint was written
    runs: int = 0
    used: dict[str, int] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, generator: random.Random) -> bool:
        """Whether the next process is to be killed."""
        with self._lock:
            if self.times == 0 or generator.random() < 0.2:
                return False
            self.times -= 1
            return True

    def give_back(self) -> None:
        """The process had ended before it could be killed."""
        with self._lock:
            self.times += 1

    def count(self, how: str) -> None:
        """A process was killed."""
        with self._lock:
            self.used[how] = self.used.get(how, 0) + 1


def disturb(search: str, folder: Path, kills: Kills, generator: random.Random) -> None:
    """One run, killed from time to time; raises Disturbed unless it ends as it should."""
    path = folder / f"{search}-{generator.randrange(1 << 30)}.ckpt"
    hows: list[str] = []
    while True:
        how = generator.choice(list(WORKERS))
        begin = rookery("resume", str(path)) if path.exists() else [*solve(search), "--checkpoint", str(path)]
        hows.append(how)
        to_be_killed = kills.take(generator)
        before = _identity(path)
        with started([*begin, *WORKERS[how], *KEPT]) as process:
            if to_be_killed:
                if generator.random() < SOON:
                    time.sleep(generator.uniform(0.0, 1.5))
                else:
                    wait_for_change(path, before, process)
                    time.sleep(generator.uniform(0.0, 0.4))
                if process.poll() is None:
                    kill(process)
                    kills.count(how)
                    kills.before += not path.exists()
                    continue
                kills.give_back()
            out, err = process.communicate(timeout=PATIENCE)
        if process.returncode:
            raise Disturbed(f"{search} on {', '.join(hows)} ended with {process.returncode}: {err}")
        if told(out) != undisturbed(search):
            raise Disturbed(f"{search} on {', '.join(hows)} ended with another result than the undisturbed run")
        kills.runs += 1
        return


def disturb_many(times: int, seed: int, at_once: int, folder: Path) -> Kills:
    """Runs of all searches until this many processes were killed."""
    kills = Kills(times)
    for search in SEARCHES:
        undisturbed(search)  # also compiles what will be needed

    def one_after_the_other(number: int) -> None:
        generator = random.Random(f"{seed} {number}")
        searches = list(SEARCHES)
        turn = number
        while kills.times > 0:
            disturb(searches[turn % len(searches)], folder, kills, generator)
            turn += 1

    with ThreadPoolExecutor(at_once) as pool:
        for future in [pool.submit(one_after_the_other, number) for number in range(at_once)]:
            future.result()
    return kills


def end_politely(search: str, how: str, number: signal.Signals, folder: Path) -> tuple[int, str, dict[str, Any]]:
    """End a run by a signal to all its processes, as a terminal does: its exit code, its status, and its end."""
    path = folder / f"{search}.ckpt"
    undisturbed(search)
    with started([*solve(search), "--checkpoint", str(path), *WORKERS[how], *KEPT]) as process:
        wait_for_change(path, None, process)
        time.sleep(0.2)
        os.killpg(process.pid, number)
        out, err = process.communicate(timeout=PATIENCE)
    if "Traceback" in err or not out:
        raise Disturbed(f"the run ended with {process.returncode}: {err}")
    status = json.loads(out)["status"]
    done = subprocess.run([*rookery("resume", str(path)), *WORKERS[how], *KEPT], capture_output=True, text=True)
    if done.returncode:
        raise Disturbed(f"the run did not continue: {done.stderr}")
    return process.returncode, status, told(done.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--times", type=int, default=200, help="how many processes are killed (default: 200)")
    parser.add_argument("--seed", type=int, default=1, help="of the moments (default: 1)")
    parser.add_argument("--at-once", type=int, default=2, metavar="N", help="runs at the same time (default: 2)")
    options = parser.parse_args()
    if min(options.times, options.at_once) < 1:
        parser.error("--times and --at-once must be at least 1")
    began = time.monotonic()
    try:
        with tempfile.TemporaryDirectory() as folder:
            kills = disturb_many(options.times, options.seed, options.at_once, Path(folder))
    except Disturbed as error:
        print(f"kills: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    by = ", ".join(f"{number} of {how}" for how, number in sorted(kills.used.items()))
    print(f"killed {sum(kills.used.values())} times ({by}; {kills.before} before the first checkpoint)")
    print(f"{kills.runs} runs, every one with the undisturbed result, in {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
