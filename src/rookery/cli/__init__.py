"""The command ``rookery``."""

from __future__ import annotations

import io
import os
import sys
import traceback
from collections.abc import Sequence

import typer

import rookery as rk
from rookery.cli.app import app

BAD_INPUT = 2
FAILED = 1
INTERRUPTED = 130

# Typer carries its own copy of Click or imports it, by version: this name is the same in both.
UsageError: type[Exception] = typer.BadParameter.__mro__[1]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; every mistake is one line on standard error.

    >>> main(["--version"])
    rookery 0.1.0
    0
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a drawing must not fail for want of a letter
    try:
        code = typer.main.get_command(app).main(arguments, prog_name="rookery", standalone_mode=False)
        sys.stdout.flush()
        return int(code or 0)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nobody reads on: let the last flush succeed
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        return INTERRUPTED
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exception(error)
        print(f"rookery: {_message(error)}", file=sys.stderr)
        return BAD_INPUT if isinstance(error, (rk.RookeryError, UsageError)) else FAILED


def _message(error: Exception) -> str:
    """An error in one line."""
    if isinstance(error, rk.RookeryError):
        text = str(error)
    elif isinstance(error, UsageError):
        text = error.format_message()  # type: ignore[attr-defined]
        text = text.removesuffix(".")
    else:
        text = rk.describe_exception(error)
    return " ".join(text.split())
