"""A result in words."""

from __future__ import annotations

import shutil
import textwrap

import rookery as rk

UNIT = "\N{NO-BREAK SPACE}"  # what textwrap does not break at


def summary(problem: rk.Problem | rk.PythonProblem, result: rk.Result) -> str:
    """What a person wants to know of a result, and the drawing or the moves.

    >>> problem = rk.LeftMove(depth=3)
    >>> print(summary(problem, rk.solve(problem, rk.NMCS(level=1), seed=1)).splitlines()[0])
    score     3
    """
    rate = f" ({result.playouts / result.seconds:,.0f} per second)" if result.seconds > 0 else ""
    rows = [
        ("score", problem.format_score(result.score)),
        ("status", result.status_in_words),
        ("playouts", f"{result.playouts:,}{rate}"),
        ("time", f"{result.seconds:.2f} s, and {result.compile_seconds:.2f} s to compile"),
        ("seed", str(result.seed)),
        ("moves", str(len(result.moves))),
    ]
    if result.restarts > 0:
        rows.insert(3, ("restarts", f"{result.restarts:,}"))
    if result.best_seen is not None:
        rows.insert(1, ("seen", f"{problem.format_score(result.best_seen['score'])}, beyond the search's own answer"))
    lines = [f"{name:<10}{text}" for name, text in rows]
    return "\n".join([*lines, "", str(problem.draw(result.moves) or "") or in_words(problem, result)])


def in_words(problem: rk.Problem | rk.PythonProblem, result: rk.Result) -> str:
    """The moves of a result, wrapped to the terminal and broken only between moves.

    >>> problem = rk.LeftMove(depth=2)
    >>> in_words(problem, rk.solve(problem, rk.NMCS(level=1), seed=1))
    'left, left'
    """
    texts = [str(problem.describe_move(move)).replace(" ", UNIT) for move in result.moves]
    width = max(20, shutil.get_terminal_size().columns - 1)
    filled = textwrap.fill(", ".join(texts), width, break_long_words=False, break_on_hyphens=False)
    return filled.replace(UNIT, " ")
