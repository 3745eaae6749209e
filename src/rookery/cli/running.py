"""What ``solve`` and ``resume`` have in common: observers, signals, the result."""

from __future__ import annotations

import contextlib
import json
import shlex
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import options as o
from rookery.cli.interrupts import Interrupts
from rookery.cli.summary import summary

Workers = Annotated[
    o.Text,
    typer.Option(metavar="N", help="Tasks at a time; the result is the same for any number [default: all cores]"),
]
Executor = Annotated[str, typer.Option(metavar="NAME", help="What computes tasks: threads, processes, mpi or dask.")]
Address = Annotated[o.Text, typer.Option(metavar="URL", help="The scheduler, as tcp://host:8786 (dask).")]
CheckpointEvery = Annotated[o.Text, typer.Option(metavar="TIME", help="How often: 10m, 1h [default: 30s]")]
Log = Annotated[o.Text, typer.Option(metavar="FILE", help="Write what happens as lines of JSON.")]
Out = Annotated[o.Text, typer.Option(metavar="FILE", help="Save the result as JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")]


def every(text: str | None) -> float:
    """Seconds between two checkpoints."""
    return 30.0 if text is None else o.duration("--checkpoint-every", text)


def workers_of(executor: str, text: str | None, problem: Any) -> int | None:
    """How many workers: all cores for threads; one in plain Python, where threads would take turns."""
    if text is not None:
        return o.whole("--workers", text)
    if executor == "threads":
        return 1 if isinstance(problem, rk.PythonProblem) else o.cores()
    return None


def run(
    search: Callable[[tuple[rk.Callback, ...]], rk.Result],
    *,
    quiet: bool,
    log: rk.RunLog | None,
    out: str | None,
    as_json: bool,
    checkpoint: str | None,
) -> int:
    """Run a search with observers, save and print its result; returns the exit code.

    If an error ends it, what was found until then is saved and printed all the same.
    """
    if out is not None:
        rk.check_writable(out)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what a user's code prints is not the result
            result, code = _observed(search, quiet, log)
    except Exception as error:
        found = getattr(error, "best_so_far", None)
        if isinstance(found, rk.Result):
            _report(found, out, as_json, checkpoint)
        raise
    if result is not None:
        _report(result, out, as_json, checkpoint)
    return code


def _observed(
    search: Callable[[tuple[rk.Callback, ...]], rk.Result], quiet: bool, log: rk.RunLog | None
) -> tuple[rk.Result | None, int]:
    """The result, if there is one, and the exit code."""
    line = None if quiet or sys.stderr is None else rk.ProgressLine()
    interrupts = Interrupts()
    observers = tuple(observer for observer in (interrupts, line, log) if observer is not None)
    try:
        with interrupts:
            result = search(observers)
    except (KeyboardInterrupt, rk.InputError):
        if interrupts.exit_code is None:
            raise
        if line is not None:
            line.close()
        print("rookery: interrupted before the first playout was finished", file=sys.stderr)
        return None, interrupts.exit_code
    finally:
        if line is not None:
            line.close()
        if log is not None:
            log.close()
    return result, (interrupts.exit_code or 0) if result.status == "interrupted" else 0


def _report(result: rk.Result, out: str | None, as_json: bool, checkpoint: str | None) -> None:
    """Save and print a result; say where the run is kept if there is more of it."""
    try:
        if out is not None:
            result.save(out)
    finally:  # what was found is not lost with a disk that is full
        assert result.of is not None
        print(json.dumps(result.to_json()) if as_json else summary(result.of, result))
        if checkpoint is not None and result.status not in ("finished", "target"):
            advice = f"rookery resume {shlex.quote(checkpoint)} goes on with it"
            print(f"rookery: the run is kept: {advice}", file=sys.stderr)
