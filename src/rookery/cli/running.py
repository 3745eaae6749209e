"""What commands that run searches have in common: observers, signals, the result."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextvars import ContextVar
from pathlib import Path
from types import FrameType, TracebackType
from typing import Annotated, Any, TypeVar

import typer

import rookery as rk
from rookery.cli import completion
from rookery.cli import options as o

T = TypeVar("T", rk.Result, rk.MatchResult, rk.Tournament)

Workers = Annotated[
    o.Text,
    typer.Option(
        metavar="N", help="Tasks computed at the same time; the result is the same for any number [default: all cores]"
    ),
]
Executor = Annotated[
    o.Text,
    typer.Option(
        metavar="NAME",
        help="What computes tasks: threads, processes, mpi or dask [default: threads; processes for several workers on "
        "a PythonProblem]",
        autocompletion=completion.executors,
    ),
]
Address = Annotated[o.Text, typer.Option(metavar="URL", help="Address of the scheduler: tcp://host:8786 (dask).")]
CheckpointEvery = Annotated[o.Text, typer.Option(metavar="TIME", help="How often to write it: 10m, 1h [default: 30s]")]
Log = Annotated[o.Text, typer.Option(metavar="FILE", help="Write the events of the run as lines of JSON.")]
Out = Annotated[o.Text, typer.Option(metavar="FILE", help="Save the result as .json, or its moves as .csv.")]
Serve = Annotated[bool, typer.Option("--serve", help="Show the run on a page while it goes on, until Ctrl-C.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Show no progress on standard error.")]


COMMAND: ContextVar[tuple[str, ...]] = ContextVar("COMMAND", default=())
"""The arguments of the command that is being executed."""
INFEASIBLE = 3
"""The exit code when nothing feasible was found."""


def every(text: str | None) -> float:
    """Seconds between two checkpoints."""
    return 30.0 if text is None else o.duration("--checkpoint-every", text)


def workers_of(executor: str | None, text: str | None, problem: Any) -> int | None:
    """How many workers: all cores for threads; one in plain Python, where threads would take turns."""
    if text is not None:
        return o.whole("--workers", text)
    if executor in (None, "threads"):
        return 1 if isinstance(problem, (rk.PythonProblem, rk.PythonGame)) else o.cores()
    return None


def run(
    search: Callable[[tuple[rk.Callback, ...]], rk.Result],
    *,
    quiet: bool,
    log: rk.files.Journal | None,
    out: str | None,
    as_json: bool,
    checkpoint: str | None,
) -> int:
    """Run a search with observers, save and print its result; returns the exit code.

    If an error ends it, what was found until then is still saved and printed.
    """
    if out is not None:
        rk.files.check_writable(out)
        rk.Result.check_ending(out)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # what user code prints is not part of the result
            result, code = observed(search, "the first playout was finished", progress_line(quiet), log)
    except Exception as error:
        found = getattr(error, "best_so_far", None)
        if isinstance(found, rk.Result):
            _report(found, out, as_json, checkpoint)
        raise
    if result is not None:
        _report(result, out, as_json, checkpoint)
    return code


def journal(path: str, append: bool = False, **kept: str | None) -> rk.files.Journal:
    """The journal of this command; ``kept`` are the files that it writes beside it."""
    beside = Path(path).resolve().parent
    files = {name: os.path.relpath(Path(file).resolve(), beside) for name, file in kept.items() if file is not None}
    about = {"command": ["rookery", *COMMAND.get()], **({"files": files} if files else {})}
    return rk.files.Journal(path, append, about)


def observers_of(journal: rk.files.Journal) -> Callable[[str, str, int], tuple[rk.Callback, ...]]:
    """The observers of the runs of an experiment: their lines bear the names of search and problem, and the seed."""
    return lambda problem, search, seed: (journal.run(" on ".join(filter(None, (search, problem))) + f", seed {seed}"),)


@contextlib.contextmanager
def watched(serve: bool, log: str | None, own: Sequence[str] = ()) -> Iterator[tuple[str | None, Callable[[int], int]]]:
    """The journal of a run that is shown on a page if ``serve``: one that is thrown away unless ``log`` names it.

    Comes with what to call with the exit code: after a run that was not interrupted, the page stays until Ctrl-C.
    """
    if not serve:
        yield log, lambda code: code
        return
    from rookery.web.serving import Beside

    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="rookery-")) if log is None else ""
        path = os.path.join(folder, "run.jsonl") if log is None else log
        rk.files.check_writable(path)
        page = Beside(path, own, lambda address: print(f"rookery: see {address}", file=sys.stderr, flush=True))
        stack.callback(page.close)

        def stay(code: int) -> int:
            if code in (0, INFEASIBLE):
                print("rookery: the page stays until Ctrl-C", file=sys.stderr, flush=True)
                sys.stdout.flush()
                with ExitSignals() as asked:
                    page.wait()
                return code if asked.exit_code in (None, 130) else asked.exit_code
            return code

        yield path, stay


def progress_line(quiet: bool, title: str = "") -> rk.ProgressLine | None:
    """Print a line on standard error, unless asked not to."""
    return None if quiet or sys.stderr is None else rk.ProgressLine(title=title)


def observed(
    call: Callable[[tuple[rk.Callback, ...]], T],
    first: str,
    line: rk.ProgressLine | None,
    log: rk.files.Journal | None = None,
    numbered: bool = False,
) -> tuple[T | None, int]:
    """The result of a call with observers, if there is one, and the exit code.

    ``first`` is what a result needs; ``numbered``: the call makes several runs, which the journal tells apart.
    """
    interrupts = ExitSignals()
    lines = None if log is None else log.run(numbered=numbered)
    observers = tuple(observer for observer in (interrupts, line, lines) if observer is not None)
    try:
        with interrupts:
            result = call(observers)
    except (KeyboardInterrupt, rk.InputError):
        if interrupts.exit_code is None:
            raise
        if line is not None:
            line.close()
        print(f"rookery: interrupted before {first}", file=sys.stderr)
        return None, interrupts.exit_code
    finally:
        for open_file in (line, log):
            if open_file is not None:
                open_file.close()
    if result.status == "infeasible":
        return result, INFEASIBLE
    return result, (interrupts.exit_code or 130) if result.status == "interrupted" else 0


def _report(result: rk.Result, out: str | None, as_json: bool, checkpoint: str | None) -> None:
    """Save and print a result; say where the run is kept if there is more of it."""
    try:
        if out is not None:
            result.save(out)
    finally:  # what was found must not be lost to a full disk
        print(json.dumps(result.to_json()) if as_json else result)
        if checkpoint is not None and result.status not in ("finished", "target"):
            algorithm = str(result.search["algorithm"])
            again = f" --algorithm {shlex.quote(algorithm)}" if ":" in algorithm else ""
            advice = f"rookery resume {shlex.quote(checkpoint)}{again} continues it"
            print(f"rookery: the run is kept: {advice}", file=sys.stderr)


ONE_REQUEST = 1.0
"""Signals within this many seconds count as one request: some programs that stop others send two."""


class ExitSignals(rk.Callback):
    """While in this context, SIGTERM raises KeyboardInterrupt as Ctrl-C does; which it was is remembered.

    >>> with ExitSignals() as interrupts:
    ...     pass
    >>> interrupts.exit_code is None
    True
    """

    def __init__(self) -> None:
        self.exit_code: int | None = None
        self._at = float("-inf")
        self._before: dict[int, Any] = {}

    def __enter__(self) -> ExitSignals:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                handler = signal.getsignal(number)
                if handler not in (signal.SIG_IGN, None):  # whoever started this process wants it ignored
                    self._before[number] = handler
                    signal.signal(number, self._interrupt)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def on_tick(self, progress: rk.Progress) -> None:
        """Raise again an interrupt that was swallowed: what a signal raises while LLVM is at work gets lost."""
        if self.exit_code is not None:
            raise KeyboardInterrupt

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        if time.monotonic() - self._at < ONE_REQUEST:
            return
        self._at = time.monotonic()
        if self.exit_code is None:
            self.exit_code = 128 + number
        if not rk.tools.interrupt_run():  # which raises it where nothing is left half-done
            raise KeyboardInterrupt
