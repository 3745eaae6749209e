"""Workers that are killed, stopped, or die while they start: the run ends as if nothing had happened.

Each attempt is a real command, ``rookery solve ... --executor processes``. Its worker processes get signals at random
moments. The command must end in time, with the answer of the undisturbed run, and leave no process behind.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from typing import Any

import psutil

from attacks.outcome import Outcome

SEARCHES = {
    "nrpa": ("--level", "3", "--iterations", "60", "--ties", "3:0.3", "--ties", "2:0.3", "--atomic-level", "1"),
    "nmcs": ("--algorithm", "nmcs", "--level", "2", "--runs", "4", "--atomic-level", "1"),
}
"""Each takes some seconds on one core."""
ENDLESS = ("--level", "5", "--iterations", "100", "--atomic-level", "2")
HANG = 120.0
"""Seconds after which a command counts as hung."""
AT_ONCE = 2
"""Commands at a time."""
KILLS = 2
"""The most workers of one run that are killed: a task that is lost three times ends its run, as it should."""


def command(*arguments: str) -> list[str]:
    """A command line."""
    problem = ("morpion", "-p", "variant=5D", "--seed", "1")
    return [sys.executable, "-m", "rookery", "solve", *problem, *arguments, "--json", "--quiet"]


def answer(output: str) -> dict[str, Any]:
    """All of a result that must be the same."""
    result = json.loads(output)
    return {name: result[name] for name in ("score", "moves", "playouts", "iterations", "restarts", "status")}


@cache
def undisturbed(search: str) -> dict[str, Any]:
    """The answer of a run that nobody disturbs."""
    done = subprocess.run([*command(*SEARCHES[search]), "--workers", "1"], capture_output=True, text=True, check=True)
    return answer(done.stdout)


class Attempt:
    """A command with two worker processes, and whatever it has started."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.seen: set[psutil.Process] = set()

    def workers(self) -> list[psutil.Process]:
        """The worker processes that are alive."""
        try:
            found = psutil.Process(self.process.pid).children(recursive=True)
        except psutil.NoSuchProcess:
            found = []
        self.seen.update(found)
        return [worker for worker in found if worker.is_running() and worker.status() != psutil.STATUS_ZOMBIE]

    def wait_for_workers(self, known: frozenset[psutil.Process] = frozenset()) -> list[psutil.Process]:
        """Return when there are workers besides those known, or the command has ended."""
        until = time.monotonic() + HANG
        while self.process.poll() is None and time.monotonic() < until:
            workers = [worker for worker in self.workers() if worker not in known]
            if workers:
                return workers
            time.sleep(0.005)
        return []

    def end(self) -> tuple[str, str]:
        """What the command says; TimeoutExpired if it hangs."""
        self.workers()
        return self.process.communicate(timeout=HANG)


@contextmanager
def attempt(outcome: Outcome, name: str, arguments: list[str]) -> Iterator[Attempt]:
    """A running command; when the block ends, it and its workers must have ended, or that is noted."""
    process = subprocess.Popen(
        arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    tried = Attempt(process)
    try:
        yield tried
    except subprocess.TimeoutExpired:
        outcome.fail("hang", f"{name}: the command has not ended after {HANG:.0f} s")
    finally:
        tried.workers()
        process.kill()
        process.communicate()
        _, alive = psutil.wait_procs(tried.seen, timeout=10.0)
        for worker in alive:
            outcome.fail("orphan", f"{name}: process {worker.pid} ({worker.status()}) outlives its command")
            worker.kill()


def compare(outcome: Outcome, name: str, search: str, tried: Attempt) -> None:
    """Note a command that does not end with the answer of the undisturbed run."""
    out, err = tried.end()
    if tried.process.returncode:
        kind = "internal error" if "Traceback" in err else "crash" if tried.process.returncode < 0 else "error"
        outcome.fail(kind, f"{name}: exit code {tried.process.returncode}: {err.strip()[-300:]}")
    elif answer(out) != undisturbed(search):
        outcome.fail("other answer", name)


def signalled(worker: psutil.Process, number: int) -> bool:
    """Whether a signal could be sent: the worker may have ended."""
    try:
        worker.send_signal(number)
    except psutil.NoSuchProcess:
        return False
    return True


def repeated(outcome: Outcome, count: int, once: Callable[[int, random.Random], int]) -> Outcome:
    """Attempts, some at a time, until this many of them have taken place; each says how many it was."""
    for search in SEARCHES:
        undisturbed(search)
    lock = threading.Lock()
    numbers = iter(range(10 * count + 10))

    def work() -> None:
        while True:
            with lock:
                if outcome.tried >= count:
                    return
                number = next(numbers)
            done = once(number, random.Random(number))
            with lock:
                outcome.tried += done

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for future in [pool.submit(work) for _ in range(AT_ONCE)]:
            future.result()
    return outcome


def kills(count: int) -> Outcome:
    """Worker processes that are killed at any moment of a run."""
    outcome = Outcome("killed workers")

    def once(number: int, generator: random.Random) -> int:
        search = list(SEARCHES)[number % len(SEARCHES)]
        name, done = f"{search}, kill {number}", 0
        with attempt(outcome, name, [*command(*SEARCHES[search]), *processes()]) as tried:
            for _ in range(KILLS):
                workers = tried.wait_for_workers()
                time.sleep(generator.uniform(0.0, 4.0))
                done += bool(workers) and signalled(generator.choice(workers), signal.SIGKILL)
            compare(outcome, name, search, tried)
        return done

    return repeated(outcome, count, once)


def stops(count: int) -> Outcome:
    """A worker process that is stopped: the run ends with its answer, at its time limit, or at Ctrl-C."""
    outcome = Outcome("stopped workers")
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background of a shell, commands would not hear it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    endings = ("answer", "time", "interrupt", "two interrupts")

    def once(number: int, generator: random.Random) -> int:
        ending = endings[number % len(endings)]
        search = list(SEARCHES)[number // len(endings) % len(SEARCHES)]
        name, done = f"{search}, {ending}, stop {number}", 0
        what = {"answer": SEARCHES[search], "time": (*ENDLESS, "--time", "6s")}.get(ending, ENDLESS)
        with attempt(outcome, name, [*command(*what), *processes()]) as tried:
            workers = tried.wait_for_workers()
            time.sleep(generator.uniform(0.0, 4.0))
            done = bool(workers) and signalled(generator.choice(workers), signal.SIGSTOP)
            if ending == "answer":
                compare(outcome, name, search, tried)
                return int(done)
            for _ in range(("time", "interrupt", "two interrupts").index(ending)):
                time.sleep(1.5)
                tried.process.send_signal(signal.SIGINT)
            out, err = tried.end()
            expected = 0 if ending == "time" else 130
            if tried.process.returncode != expected or "Traceback" in err:
                outcome.fail("error", f"{name}: exit code {tried.process.returncode}: {err.strip()[-300:]}")
            elif out and answer(out)["status"] != ("time" if ending == "time" else "interrupted"):
                outcome.fail("other answer", name)
        return int(done)

    return repeated(outcome, count, once)


def start_deaths(count: int) -> Outcome:
    """Worker processes that are killed as soon as they are there."""
    outcome = Outcome("workers that die while they start")

    def once(number: int, generator: random.Random) -> int:
        search = list(SEARCHES)[number % len(SEARCHES)]
        name, done = f"{search}, death {number}", 0
        with attempt(outcome, name, [*command(*SEARCHES[search]), *processes()]) as tried:
            workers = tried.wait_for_workers()
            time.sleep(generator.uniform(0.0, 0.3))
            done += bool(workers) and signalled(workers[0], signal.SIGKILL)
            if number % 2:  # and the one that takes its place
                again = tried.wait_for_workers(frozenset(tried.seen))
                done += bool(again) and signalled(again[0], signal.SIGKILL)
            compare(outcome, name, search, tried)
        return done

    return repeated(outcome, count, once)


def processes() -> tuple[str, ...]:
    """The options for worker processes."""
    return "--executor", "processes", "--workers", "2"
