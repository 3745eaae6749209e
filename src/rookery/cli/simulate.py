"""``rookery simulate``: what a cluster would give."""

from __future__ import annotations

import contextlib
import json
import math
import sys
import time
from collections.abc import Iterator
from typing import Any, TextIO

import rookery as rk
from rookery.cli import options as o
from rookery.cli import running as r
from rookery.cli.search import Chosen, takes_search

PAPER = {768: (547.48, 0.71)}
"""Speed-up and efficiency on this many cores in Nagorko 2019, section V.F."""
DIFFERS = (
    "Nagorko 2019: Morpion 5T, level 6, N = 80 at each, tasks of level 3 (about 25 s), 512,000 of them; the mean of "
    "10 runs on real cores. Here: level {level}, N = {iterations}, tasks of level {atomic}, {tasks:,} of them."
)
LINE_SECONDS = 10.0
"""Seconds between two lines of progress where there is no terminal."""
WIDTH = 140
"""Columns of the table at most: what is too wide for a terminal is wrapped there, not cut."""


@takes_search(only=("nrpa",), defaults={"level": "4"})
def simulate(
    problem: o.ProblemName,
    chosen: Chosen,
    parameters: o.Parameters = None,
    seed: str = o.option("N", "The same seed gives the same result.", "1"),
    atomic_level: str = o.option("N", "Nested calls of this level are one task.", "1"),
    workers: str = o.option("N,N,...", "Numbers of workers to simulate.", "1,8,64,256,768"),
    select: str = o.option("RULE,...", "How the next task is chosen: learned, table, literal, or all.", "learned"),
    duration: str = o.option("TIME", "How long a task takes on average, or 'measured'.", "25s"),
    spread: o.Text = o.option("X", "Standard deviation of durations over their mean [default: 0.2]"),
    delay: str = o.option("TIME", "How long a message takes, either way.", "1ms"),
    cancel: bool = o.flag("--cancel/--no-cancel", "Workers drop discarded tasks instead of finishing them."),
    threads: o.Text = o.option("N", "Threads that compute tasks; they change no result [default: all cores]"),
    plot: o.Text = o.option("FILE", "Draw a figure, as .png, .svg or .pdf."),
    log: r.Log = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Simulate NRPA on a cluster: the real scheduler and real tasks, in virtual time."""
    if chosen.algorithm != "nrpa":
        raise rk.InputError(f"only nrpa is simulated: --algorithm must be nrpa, got {o.shown(chosen.algorithm)}")
    search: Any = chosen.search()
    run: dict[str, Any] = {
        "workers": _numbers(workers),
        "seed": o.whole("--seed", seed, least=0),
        "atomic_level": o.whole("--atomic-level", atomic_level),
        "select": select,
        "duration": "measured" if duration == "measured" else _above_zero("--duration", duration),
        "spread": o.optional(o.number, "--spread", spread),
        "delay": o.duration("--delay", delay),
        "cancel": cancel,
        "threads": o.cores() if threads is None else o.whole("--threads", threads),
    }
    if plot is not None:
        o.check_plot(plot)
    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is not part of the result
        loaded = rk.load_problem(problem, o.key_values(parameters))
        line = None if quiet else SimulationLine(sys.stderr, search, run["atomic_level"])
        journal = None if log is None else r.journal(log)
        observers = tuple(x for x in (line, None if journal is None else journal.run(numbered=True)) if x is not None)
        with r.ExitSignals() as interrupts:
            try:
                done = rk.simulate(loaded, search, callbacks=observers, **run)
            except KeyboardInterrupt:
                print("rookery: interrupted before the first row was complete", file=sys.stderr)
                return interrupts.exit_code or 130
            finally:
                for one in (line, journal):
                    if one is not None:
                        one.close()
    try:
        if plot is not None:
            done.plot(plot)
    finally:  # what took minutes must not be lost to a full disk
        print(json.dumps(done.to_json(), default=str) if as_json else table(done, loaded.format_score(done.score)))
    return 0 if done.complete else interrupts.exit_code or 130


class SimulationLine(rk.ProgressLine):
    """Where a simulation stands: tasks done of all, virtual time, the best score."""

    def __init__(self, stream: TextIO, search: rk.NRPA, atomic_level: int) -> None:
        super().__init__(stream)
        self._tasks = math.prod(search.iterations_by_level[atomic_level + 1 :])
        self._said = time.monotonic()

    def on_tick(self, progress: rk.Progress) -> None:
        """Bring the line up to date; where there is no terminal, write one from time to time."""
        self._progress = progress
        if self._live is None and time.monotonic() - self._said >= LINE_SECONDS:
            self._said = time.monotonic()
            self._print(self.text(progress))

    def on_end(self, result: Any) -> None:
        """Stay for the next run."""

    def text(self, progress: rk.Progress) -> str:
        """Where a run stands, in one line."""
        best = "" if progress.score is None else f" | best {progress.written_score(self._problem)}"
        return (
            f"{progress.workers:,} workers | {progress.tasks:,}/{self._tasks:,} tasks, {progress.discarded:,} in vain"
            f" | {_hours(progress.seconds)} of virtual time, speed-up {progress.speedup:.4g}{best}"
        )


def table(done: rk.Simulation, score: str) -> str:
    """The rows of a simulation, as text.

    >>> search = rk.NRPA(level=2, iterations=5)
    >>> text = table(rk.simulate(rk.problems.LeftMove(depth=5), search, workers=[2]), "5")
    >>> text.splitlines()[-1].startswith("score 5")
    True
    """
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    sides = [name for name in ("select",) if "," in done.select]
    paper = [name for name in ("Nagorko 2019",) if done.problem == "morpion" and _in_paper(done)]
    columns = ["workers", *sides, "time", "speed-up", "efficiency", "tasks", "in vain", "useful"]
    grid = Table(*columns, "oracle", "of oracle", *paper, box=SIMPLE_HEAD, padding=(0, 0, 0, 1))
    for column in grid.columns:
        column.justify, column.no_wrap = "right", True
    for row in done.rows:
        published = PAPER.get(row.workers)
        grid.add_row(
            f"{row.workers:,}",
            *([row.select] if sides else []),
            _hours(row.seconds),
            f"{row.speedup:.2f}",
            f"{row.efficiency:.3f}",
            f"{row.tasks:,}",
            f"{row.tasks_discarded:,}",
            f"{row.useful_share:.0%}",
            f"{row.oracle_speedup:.2f}",
            f"{row.share_of_oracle:.1%}",
            *(["" if published is None else "{:.2f} ({:.2f})".format(*published)] if paper else []),
        )
    console = Console(width=WIDTH, color_system=None, force_terminal=False, legacy_windows=False)
    with console.capture() as captured:
        console.print(grid)
    lines = [text.rstrip() for text in captured.get().splitlines()]
    return "\n".join([*(text for text in lines if text), "", *_notes(done, score, bool(paper))])


def _notes(done: rk.Simulation, score: str, paper: bool) -> Iterator[str]:
    if paper:
        each = done.search["iterations"]
        each = ", ".join(f"{n} at level {i}" for i, n in each.items()) if isinstance(each, dict) else each
        level, tasks = done.search["level"], done.rows[0].tasks
        yield DIFFERS.format(level=level, iterations=each, atomic=done.atomic_level, tasks=tasks)
    lasts = "as measured" if done.duration == "measured" else f"{done.duration:g} s on average, spread {done.spread:g}"
    ends = "are dropped" if done.cancel else "are finished in vain"
    yield f"tasks last {lasts}; a message takes {done.delay:g} s; discarded tasks {ends}"
    yield f"score {score}, seed {done.seed}, as rookery solve gives"


def _in_paper(done: rk.Simulation) -> bool:
    return any(row.workers in PAPER for row in done.rows)


def _numbers(text: str) -> tuple[int, ...]:
    numbers = tuple(o.whole("--workers", part.strip()) for part in text.split(","))
    for i, number in enumerate(numbers):
        if number in numbers[:i]:
            raise rk.InputError(f"--workers must not repeat a number, got {number} twice")
    return numbers


def _above_zero(option: str, text: str) -> float:
    seconds = o.duration(option, text)
    if not seconds > 0:
        raise rk.InputError(f"{option} must be above 0, got {o.shown(text)}")
    return seconds


def _hours(seconds: float) -> str:
    """Virtual time as people read it."""
    if seconds < 120:
        return f"{seconds:.4g} s"
    return f"{seconds / 60:.1f} min" if seconds < 7200 else f"{seconds / 3600:,.1f} h"
