"""A result in words: a row for each thing that a person wants to know, and the drawing or the moves.

If a hook of the problem fails, only its own words are missing: the rest is shown, with a note.
"""

from __future__ import annotations

import csv
import io
import math
import shutil
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rookery.errors import InputError
from rookery.loading.kinds import BUILTIN_PROBLEMS
from rookery.loading.loading import AnyProblem, load_problem
from rookery.running.result import Result
from rookery.user_code import describe_exception

T = TypeVar("T")

UNIT = "\N{NO-BREAK SPACE}"  # what textwrap does not break at


def result_text(result: Result) -> str:
    """The table for a result.

    >>> import rookery as rk
    >>> result = rk.solve(rk.problems.LeftMove(depth=3), rk.NMCS(level=1), seed=1)
    >>> print(result_text(result).splitlines()[0])
    score     3
    """
    hooks = Hooks(problem_of(result))
    rate = f" ({result.playouts / result.seconds:,.0f} per second)" if result.seconds > 0 else ""
    rows = [
        ("score", "none" if math.isnan(result.score) else hooks.score(result.score)),
        ("status", result.status_in_words),
        ("playouts", f"{result.playouts:,}{rate}"),
        ("time", f"{result.seconds:.2f} s, and {result.compile_seconds:.2f} s to compile"),
        ("seed", str(result.seed)),
        ("moves", str(len(result.moves))),
    ]
    if result.executor == "processes":
        rows.insert(4, ("workers", f"{result.workers} processes"))
    if result.restarts > 0:
        rows.insert(3, ("restarts", f"{result.restarts:,}"))
    if result.best_seen is not None:
        rows.insert(1, ("seen", f"{hooks.score(result.best_seen['score'])}, beyond the search's own answer"))
    if result.reproducible is not None:
        part = hooks.score(result.reproducible["score"])
        rows.insert(1, ("again", f"--playouts {result.playouts} --seed {result.seed} gives {part} again"))
    if result.pool:
        scores = ", ".join(hooks.score(found["score"]) for found in result.pool)
        rows.append(("kept", f"{len(result.pool)} that differ: {scores}"))
    lines = [f"{name:<10}{text}" for name, text in rows]
    drawn = hooks.drawing(result.moves) or _wrapped(hooks.moves(result.moves))
    return "\n".join([*lines, "", drawn, *hooks.notes])


def moves_csv(result: Result) -> str:
    """The moves as comma-separated values: number, move, and the move in words.

    >>> import rookery as rk
    >>> print(moves_csv(rk.solve(rk.problems.LeftMove(depth=2), rk.NMCS(level=1), seed=1)))
    number,move,words
    1,1,left
    2,1,left
    <BLANKLINE>
    """
    written = io.StringIO()
    table = csv.writer(written, lineterminator="\n")
    table.writerow(["number", "move", "words"])
    words = Hooks(problem_of(result)).moves(result.moves)
    moves = result.to_json()["moves"]
    table.writerows([number, *row] for number, row in enumerate(zip(moves, words, strict=True), 1))
    return written.getvalue()


def _wrapped(moves: list[str]) -> str:
    """Moves separated by commas, wrapped to the terminal and broken only between moves."""
    width = max(20, shutil.get_terminal_size().columns - 1)
    joined = ", ".join(move.replace(" ", UNIT) for move in moves)
    return textwrap.fill(joined, width, break_long_words=False, break_on_hyphens=False).replace(UNIT, " ")


def problem_of(result: Result) -> AnyProblem | None:
    """The problem of a result; for one that was loaded, only if it is built in: no user code is run.

    >>> problem_of(Result("leftmove", {"depth": 4}, {}, 1, 1, 4.0, (), 1, 1, 0, 0.1, 0.0, "finished", "1"))
    LeftMove(depth=4)
    """
    if result.of is not None or result.problem not in BUILTIN_PROBLEMS:
        return result.of
    try:
        return load_problem(result.problem, result.parameters)
    except InputError:
        return None


class Hooks:
    """What a problem's methods say about it in words; where one fails, a plain form and a note."""

    def __init__(self, problem: AnyProblem | None) -> None:
        self._problem = problem
        self.notes: list[str] = []

    @property
    def sense(self) -> str:
        """Whether more or less is better."""
        known = None if self._problem is None else self._problem.sense
        return {"min": "less is better", "max": "more is better"}.get(known or "", "")

    def score(self, score: float) -> str:
        """A score."""
        return self._ask("format_score", lambda p: text_of(p.format_score(score)), f"{score:g}")

    def moves(self, moves: Sequence[Any]) -> list[str]:
        """Moves in words."""

        def in_words(problem: AnyProblem) -> list[str]:
            return [text_of(words) for words in problem.describe_moves(moves)]

        return self._ask("describe_move", in_words, [text_of(move) for move in moves])

    def drawing(self, moves: Sequence[Any]) -> str:
        """The drawing in text; empty if there is none."""

        def drawn(problem: AnyProblem) -> str:
            drawing = problem.draw(moves)
            return "" if drawing is None else text_of(drawing)

        return self._ask("draw", drawn, "")

    def picture(self, result: Result) -> str:
        """The picture as SVG; empty if there is none."""

        def drawn(problem: AnyProblem) -> str:
            drawing, data = problem.picture(result.moves), result.to_json()
            held = {name: data[name] for name in ("problem", "parameters", "score", "moves")}
            return "" if drawing is None else replace(drawing, holds=held).svg()

        return self._ask("picture", drawn, "")

    def _ask(self, hook: str, ask: Callable[[AnyProblem], T], plain: T) -> T:
        if self._problem is None:
            return plain
        try:
            return ask(self._problem)
        except Exception as error:
            note = f"{hook} failed: {describe_exception(error)}"
            self.notes += [] if note in self.notes else [note]
            return plain


def text_of(value: Any, show: Callable[[Any], str] = str) -> str:
    """A value as text, even if it has no usable ``repr``."""
    try:
        return show(value)
    except Exception:  # a move may be any object
        return f"<{type(value).__name__}>"
