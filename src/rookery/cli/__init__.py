"""The command ``rookery``."""

from __future__ import annotations

import errno
import io
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import (
    bench,
    cache,
    check,
    experiment,
    gtp,
    listing,
    match,
    paper,
    play,
    running,
    serve,
    show,
    simulate,
    solve,
    tournament,
    tune,
    verify,
)
from rookery.errors import RookeryWarning

app = typer.Typer(
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


@app.callback(invoke_without_command=True)
def rookery(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Print the version and exit.")] = False,
) -> None:
    """Nested Monte Carlo search: write a problem in Python, search it at the speed of C++."""
    if version:
        print(f"rookery {rk.__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit


COMMANDS: dict[str, Callable[..., int]] = {
    "solve": solve.solve,
    "resume": solve.resume,
    "simulate": simulate.simulate,
    "list": listing.list_all,
    "match": match.match,
    "tournament": tournament.tournament,
    "gtp": gtp.gtp,
    "play": play.play,
    "experiment": experiment.experiment,
    "tune": tune.tune,
    "paper": paper.paper,
    "bench": bench.bench,
    "check": check.check,
    "cache": cache.cache,
    "verify": verify.verify,
    "show": show.show,
    "serve": serve.serve,
}
for name, command in COMMANDS.items():  # the whole first sentence of each: Click would cut it
    app.command(name, short_help=" ".join((command.__doc__ or "").partition("\n\n")[0].split()))(command)


BAD_INPUT = 2
FAILED = 1
INTERRUPTED = 130
COMPLETE = "_ROOKERY_COMPLETE"
"""The variable by which a shell asks how a line may be completed."""
LONGEST = 1000
"""The most characters of a message."""

# Typer carries its own copy of Click or imports it, by version: this name is the same in both.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; every mistake is one line on standard error.

    >>> main(["--version"])
    rookery 0.1.0
    0
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    completes = COMPLETE in os.environ or arguments[:1] in (["--install-completion"], ["--show-completion"])
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a drawing must not fail because a character is missing
    try:
        with _plain_warnings():
            running.COMMAND.set(tuple(arguments))
            code = typer.main.get_command(app).main(arguments, prog_name="rookery", standalone_mode=False)
        _flush()
        return int(code or 0)
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except BaseException as caught:  # also what is not an Exception: a user's code may call sys.exit
        if completes and isinstance(caught, SystemExit):  # no user code is run then
            return int(caught.code or 0)
        broken = isinstance(caught, SystemExit) and isinstance(caught.__context__, BrokenPipeError)
        error = caught.__context__ if broken and caught.__context__ else caught  # Click exits when a pipe breaks
        if _output_failed(error):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # let the last flush succeed
            error = rk.InputError(f"cannot write standard output: {getattr(error, 'strerror', None) or error}")
        if _reader_left(error):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # let the last flush succeed
            return FAILED
        if sys.stderr is not None:  # where it is closed, print would write to standard output
            if "--debug" in arguments:
                traceback.print_exception(error)
            print(f"rookery: {_message(error)}", file=sys.stderr)
        failed = isinstance(error, (rk.ExecutorError, rk.errors.RemoteError))
        known = isinstance(error, (rk.RookeryError, UsageError, MemoryError))
        return BAD_INPUT if known and not failed else FAILED


def _flush() -> None:
    """Flush what was printed, if anybody still reads it."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise rk.InputError(f"cannot write standard output: {error.strerror or error}") from None


def _output_failed(error: BaseException) -> bool:
    """Whether standard output could not be written, as on a full disk: an error of a print, which names no file."""
    return (
        isinstance(error, OSError)
        and not isinstance(error, BrokenPipeError)
        and error.filename is None
        and error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG)
    )


def _reader_left(error: BaseException) -> bool:
    """Whether nobody reads standard output any more; a broken pipe in the user's own code is another matter."""
    return isinstance(error, BrokenPipeError) and rk.tools.describe_exception(error).startswith("BrokenPipeError")


@contextmanager
def _plain_warnings() -> Iterator[None]:
    """While in this context, a warning of the library is one line as well; others are shown as usual."""
    with warnings.catch_warnings():
        shown = warnings.showwarning

        def show(message: Any, category: type[Warning], *place: Any) -> None:
            if not issubclass(category, RookeryWarning):
                shown(message, category, *place)
            elif sys.stderr is not None:
                print(f"rookery: warning: {_one_line(str(message))}", file=sys.stderr)

        warnings.showwarning = show  # type: ignore[assignment]
        yield


def _message(error: BaseException) -> str:
    """An error on one line."""
    if isinstance(error, rk.RookeryError):
        text = str(error)
    elif isinstance(error, UsageError):
        text = error.format_message()  # type: ignore[attr-defined]
        text = text.removesuffix(".")
    else:
        text = _located(error) or rk.tools.describe_exception(error)
    return _one_line(text)


def _one_line(text: str) -> str:
    """A text on one line of limited length, as a terminal can show it."""
    line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in " ".join(text.split()))
    return line if len(line) <= LONGEST else line[: LONGEST - 3] + "..."


def _located(error: BaseException) -> str:
    """An exception of a compiled function, with the place that the library found for it; empty if there is none."""
    for note in getattr(error, "__notes__", ()):
        before, raised, place = note.partition("raised by ")
        if raised and not before:
            return f"{place}: {type(error).__name__}: {error}"
    return ""
