"""``rookery check``: whether a problem or a game keeps its contract, and what its functions cost."""

from __future__ import annotations

import contextlib
import json
import sys
from typing import Any

import rookery as rk
from rookery.cli import completion
from rookery.cli import options as o
from rookery.cli import running as r

BROKEN = 1
"""The exit code when there are errors."""


def check(
    problem: str = o.argument(
        "PROBLEM",
        "A built-in problem or game (see rookery list) or path/to/file.py:Class.",
        offered=completion.problems_and_games,
    ),
    parameters: o.Parameters = None,
    playouts: str = o.option("N", "Playouts in plain Python.", "200"),
    seed: str = o.option("N", "The seed of the playouts.", "0"),
    time: str = o.option("TIME", "Time for playouts and comparison; compiling and measuring come on top.", "10s"),
    allow: list[str] | None = o.option("NAME", "Treat this error as a warning; may be repeated."),
    measure: bool = o.flag(
        "--measure/--no-measure", "Measure playouts per second and the cost of each function.", True
    ),
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Verify that a problem or a game keeps its contract, and measure it."""
    from rich.console import Console

    from rookery.testing import examine  # both are needed by this command alone

    made = o.whole("--playouts", playouts)
    first, seconds = o.whole("--seed", seed, 0), o.duration("--time", time)
    options: dict[str, Any] = {"playouts": made, "seconds": seconds, "seed": first, "allow": allow or ()}
    with contextlib.redirect_stdout(sys.stderr):  # what user code prints is not part of the report
        loaded = rk.tools.load_any(problem, o.key_values(parameters))
        with Console(stderr=True, quiet=quiet).status("") as line:  # shown on terminals only
            report = examine(loaded, **options, measure=measure, tell=lambda phase: line.update(f"{phase} ..."))
    if as_json:
        found = {**report.to_json(), "parameters": loaded.parameters(), "version": rk.__version__}
        print(json.dumps(found, default=str))
    else:
        print(report)
    return 0 if report.ok else BROKEN
