"""A result as a notebook shows it: a fragment of HTML that needs nothing else, on light and on dark pages.

Colours are those of the text around it, or fit both backgrounds. Whatever comes from a problem is escaped, and
if a hook fails, only its own words are missing: the rest is shown, with a note.
"""

from __future__ import annotations

import base64
import math
import unicodedata
from collections.abc import Sequence
from html import escape
from typing import Any

from rookery.running.result import Improvement, Result
from rookery.running.result_text import Hooks, problem_of, text_of

FEW_MOVES = 12
"""How many moves are shown at once; more are folded away."""
MOST_MOVES = 1000
"""The most moves that are shown at all."""
NARROW = 24
"""A move of up to this many letters is not broken across lines."""

BOX = (
    "display:inline-block;max-width:min(100%,640px);box-sizing:border-box;padding:10px 14px;border-radius:6px;"
    "border:1px solid rgba(128,128,128,.4);font:13px/1.5 system-ui,-apple-system,sans-serif"
)
FACTS = "display:grid;grid-template-columns:max-content 1fr;gap:0 14px;margin:6px 0"
PRE = (
    "margin:6px 0 0;padding:0;max-height:36em;overflow:auto;font:11px/1.15 ui-monospace,monospace;white-space:pre;"
    "background:none;color:inherit;border:0"
)
DIM = "opacity:.65"


def result_html(result: Result) -> str:
    """The fragment for a result.

    >>> import rookery as rk
    >>> result = rk.solve(rk.problems.LeftMove(depth=5), rk.NRPA(level=2, iterations=20), seed=1)
    >>> "left, left, left, left, left" in result_html(result).replace("&nbsp;", " ")
    True
    """
    hooks = Hooks(problem_of(result))
    score = hooks.score(result.score)
    moves = hooks.moves(result.moves[:MOST_MOVES])
    picture = hooks.picture(result)
    drawing = "" if picture else hooks.drawing(result.moves)
    parts = [
        f'<div style="{DIM}">{_safe(called(result.problem, result.parameters))}</div>',
        f'<div><b style="font-size:20px">{_safe(score)}</b>&ensp;{_safe(hooks.sense)}</div>',
        _facts(_rows(result, hooks)),
        timeline_svg(result.history, result.seconds),
        _moves(moves, len(result.moves)),
        _image(picture) if picture else "",
        f'<pre style="{PRE}">{_safe(drawing)}</pre>' if drawing else "",
        *(f'<div style="margin-top:6px;color:#d9534f">{_safe(note)}</div>' for note in hooks.notes),
    ]
    return f'<div style="{BOX}">{"".join(parts)}</div>'


# --- words ---


def _rows(result: Result, hooks: Hooks) -> list[tuple[str, str]]:
    rate = f", {result.playouts / result.seconds:,.0f} per second" if result.seconds > 0 else ""
    compiling = f", and {_seconds(result.compile_seconds)} to compile" if result.compile_seconds >= 0.005 else ""
    algorithm = str(result.search.get("algorithm", "?"))
    rows = [
        ("status", result.status_in_words),
        ("search", called(algorithm, {k: v for k, v in result.search.items() if k != "algorithm" and v is not None})),
        ("seed", f"{result.seed}"),
        ("playouts", f"{result.playouts:,}{rate}"),
        ("time", _seconds(result.seconds) + compiling),
    ]
    if result.restarts > 0:
        rows.append(("restarts", f"{result.restarts:,}"))
    if result.workers > 1:
        rows.append(("workers", f"{result.workers}"))
    if result.history:
        last = result.history[-1]
        rows.append(("found", f"after {_seconds(last.seconds)}, at playout {last.playouts:,}"))
    if result.best_seen is not None:
        rows.append(("seen", f"{hooks.score(result.best_seen['score'])}, beyond the search's own answer"))
    return rows


def _facts(rows: list[tuple[str, str]]) -> str:
    cells = (f'<div style="{DIM}">{_safe(name)}</div><div>{_safe(text)}</div>' for name, text in rows)
    return f'<div style="{FACTS}">{"".join(cells)}</div>'


def _moves(moves: list[str], number: int) -> str:
    if not moves:
        return ""
    kept = (move.replace(" ", "\N{NO-BREAK SPACE}") if len(move) <= NARROW else move for move in moves)
    more = f" and {number - len(moves):,} more" if number > len(moves) else ""
    words = f'<div style="overflow-wrap:anywhere">{_safe(", ".join(kept) + more)}</div>'
    if number <= FEW_MOVES:
        return f'<div style="{DIM}">moves</div>{words}'
    summary = f'<summary style="cursor:pointer;{DIM}">{number:,} moves</summary>'
    return f"<details>{summary}{words}</details>"


def _image(svg: str) -> str:
    """A picture as an image: nothing in it is run, whatever it holds."""
    data = base64.b64encode(svg.encode("utf-8", "replace")).decode("ascii")
    style = "display:block;max-width:100%;max-height:640px;margin-top:8px"
    return f'<img alt="the result as a picture" style="{style}" src="data:image/svg+xml;base64,{data}">'


def called(name: str, parameters: Any) -> str:
    """A name and its parameters, as they are written in Python.

    >>> called("leftmove", {"depth": 9})
    'leftmove(depth=9)'
    """
    values = ", ".join(f"{key}={text_of(value, repr)}" for key, value in parameters.items())
    return f"{name}({values})" if values else name


def _seconds(seconds: float) -> str:
    return f"{seconds:,.1f} s" if seconds >= 10 else f"{seconds:.2g} s"


def _safe(text: str) -> str:
    """Text as HTML; what no page may hold (control characters, halves of characters) is marked."""
    held = [
        c if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs") else "\N{REPLACEMENT CHARACTER}" for c in text
    ]
    return escape("".join(held)).replace("\N{NO-BREAK SPACE}", "&nbsp;")


# --- the timeline ---

WIDTH, HEIGHT = 520, 150
RIGHT, TOP, BOTTOM = 508, 10, 114
LINE = "#2f8fd0"
DECADES = 4
"""The most powers of ten that a logarithmic axis shows."""


def timeline_svg(history: Sequence[Improvement], seconds: float) -> str:
    """The best score over the time of a run, as a line of steps; nothing if it never changed.

    Time is logarithmic when half of the improvements lie in the first tenth of it, which they mostly do.

    >>> timeline_svg([Improvement(0.5, 10, 3.0), Improvement(1.5, 30, 4.0)], 2.0).startswith("<svg")
    True
    """
    known = [i for i in history if math.isfinite(i.seconds) and math.isfinite(i.score)]
    low, high = min((i.score for i in known), default=0.0), max((i.score for i in known), default=0.0)
    if not low < high:
        return ""
    end = max(seconds, known[-1].seconds, 1e-6)
    logarithmic = len(known) > 2 and known[len(known) // 2].seconds < end / 10
    start = max(known[0].seconds, end / 10**DECADES) if logarithmic else 0.0
    scores = ticks(low, high)
    low, high = min(low, scores[0]), max(high, scores[-1])
    left = 26 + 7 * max(len(f"{s:.10g}") for s in scores)

    def x(at: float) -> float:
        at = min(max(at, start), end)
        share = math.log(at / start) / math.log(end / start) if logarithmic else at / end
        return round(left + share * (RIGHT - left), 1)

    def y(score: float) -> float:
        return round(BOTTOM - (score - low) / (high - low) * (BOTTOM - TOP), 1)

    times = _powers(start, end) if logarithmic else ticks(0.0, end)
    times = [at for at in times if start <= at <= end]
    columns = {x(i.seconds): i for i in known}  # the last one of each: no more than can be seen
    (first, at_first), *rest = columns.items()
    steps = "".join(f"H{at}V{y(i.score)}" for at, i in rest)
    parts = [
        *(f'<path d="M{left} {y(s)}H{RIGHT}" stroke="currentColor" stroke-opacity=".15"/>' for s in scores),
        f'<path d="M{left} {BOTTOM}H{RIGHT}" stroke="currentColor" stroke-opacity=".5"/>',
        *(f'<path d="M{x(t)} {BOTTOM}v4" stroke="currentColor" stroke-opacity=".5"/>' for t in times),
        *(_label(left - 6, y(s) + 4, f"{s:.10g}", "end") for s in scores),
        *(_label(x(t), BOTTOM + 16, f"{t:.10g}") for t in times),
        _label((left + RIGHT) / 2, HEIGHT - 5, "seconds" + " (logarithmic)" * logarithmic),
        _label(12, (TOP + BOTTOM) / 2, "score", turn=f' transform="rotate(-90 12 {(TOP + BOTTOM) / 2})"'),
        f'<path d="M{first} {y(at_first.score)}{steps}H{RIGHT}" fill="none" stroke="{LINE}" stroke-width="2"/>',
        f'<circle cx="{x(known[-1].seconds)}" cy="{y(known[-1].score)}" r="3.5" fill="{LINE}"/>',
    ]
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" style="max-width:100%;display:block"'
    title = "<title>best score over the time of the run</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size}>{title}{"".join(parts)}</svg>'


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from about ``low`` to about ``high``, both within the span that they make.

    >>> ticks(0, 9.3), ticks(4.31, 4.78)
    ([0.0, 2.0, 4.0, 6.0, 8.0, 10.0], [4.3, 4.4, 4.5, 4.6, 4.7, 4.8])
    """
    raw = (high - low) / most
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [float(f"{k * step:.10g}") for k in range(first, last + 1)]


def _powers(start: float, end: float) -> list[float]:
    """Powers of ten from ``start`` to ``end``, with the 2s and 5s between them if there are few."""
    exponents = range(math.floor(math.log10(start)), math.ceil(math.log10(end)) + 1)
    tens, finer = ([m * 10.0**e for e in exponents for m in marks] for marks in ((1,), (1, 2, 5)))
    inside = [at for at in tens if start <= at <= end]
    return inside if len(inside) >= 3 else finer


def _label(x: float, y: float, text: str, anchor: str = "middle", turn: str = "") -> str:
    place = f'x="{x:g}" y="{y:g}" text-anchor="{anchor}"{turn}'
    return f'<text {place} font-size="11" fill="currentColor" fill-opacity=".7">{text}</text>'
