"""``rookery check``: whether a problem or a game keeps its contract, and what its functions cost."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Annotated, Any

import typer

import rookery as rk
from rookery.cli import completion
from rookery.cli import options as o

BROKEN = 1
"""The exit code when there are errors."""


def check(
    problem: Annotated[
        str,
        typer.Argument(
            metavar="PROBLEM",
            help="A built-in problem or game (see rookery list) or path/to/file.py:Class.",
            autocompletion=completion.problems_and_games,
        ),
    ],
    parameters: o.Parameters = None,
    playouts: Annotated[str, typer.Option(metavar="N", help="Playouts in plain Python.")] = "200",
    seed: Annotated[str, typer.Option(metavar="N", help="The seed of the playouts.")] = "0",
    time: Annotated[
        str, typer.Option(metavar="TIME", help="Time for playouts and comparison; compiling and measuring come on top.")
    ] = "10s",
    allow: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Treat this error as a warning; may be repeated.")
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure/--no-measure", help="Measure playouts per second and the cost of each function.")
    ] = True,
    as_json: o.Json = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress on standard error.")] = False,
) -> int:
    """Verify that a problem or a game keeps its contract, and measure it."""
    from rookery.testing import examine, examine_game  # needed by this command alone

    made = o.whole("--playouts", playouts)
    first, seconds = o.whole("--seed", seed, 0), o.duration("--time", time)
    line = _Line(quiet)
    options: dict[str, Any] = {"playouts": made, "seconds": seconds, "seed": first, "allow": allow or ()}
    options |= {"measure": measure, "tell": line.tell}
    with contextlib.redirect_stdout(sys.stderr):  # what a user's code prints is not the report
        loaded = rk.tools.load_any(problem, o.key_values(parameters))
        try:
            if isinstance(loaded, (rk.Game, rk.PythonGame)):
                report = examine_game(loaded, **options)
            else:
                report = examine(loaded, **options)
        finally:
            line.close()
    if as_json:
        found = {**report.to_json(), "parameters": loaded.parameters(), "version": rk.__version__}
        print(json.dumps(found, default=str))
    else:
        print(report)
    return 0 if report.ok else BROKEN


class _Line:
    """One line on standard error that says what is going on; nothing where nobody looks."""

    def __init__(self, quiet: bool) -> None:
        self._shown = not quiet and sys.stderr.isatty()

    def tell(self, phase: str) -> None:
        """A phase begins."""
        if self._shown:
            sys.stderr.write(f"\r\x1b[K{phase} ...")
            sys.stderr.flush()

    def close(self) -> None:
        """Leave the line empty."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
