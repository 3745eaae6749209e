"""``rookery paper``: the tables of a paper, reproduced."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Sequence
from typing import Any

import rookery as rk
from rookery.cli import options as o
from rookery.cli import running as r
from rookery.cli.running import ExitSignals


def paper(
    name: str = o.argument("NAME", "ppa-2015: Table 1 of Cazenave 2015, PPA against UCT."),
    scale: str = o.option(
        "SCALE",
        "quick: a few games, no verdict; half: both sizes at 1,000 playouts, 500 games; full: at 10,000 too.",
        "quick",
    ),
    out: o.Text = o.option("DIR", "A folder for the games; those in it are not played again [default: by scale]"),
    only: o.Text = o.option("TEXT", "Play only cells whose name contains this: nogo-8x8-1000 contains nogo."),
    variants: bool = o.flag("--variants", "Also play with other rules where the paper leaves them open."),
    seed: str = o.option("N", "The same seed gives the same games.", "1"),
    workers: r.Workers = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Reproduce the table of a paper, our figures beside the paper's; after an interrupt the same command continues."""
    run: dict[str, Any] = {
        "out": out,
        "only": only,
        "variants": variants,
        "seed": o.whole("--seed", seed, least=0),
        "workers": o.cores() if workers is None else o.whole("--workers", workers),
    }
    lines: list[rk.ProgressLine] = []

    def observers(cell: Any) -> Sequence[rk.Callback]:
        for line in lines:
            line.close()
        if quiet or sys.stderr is None:
            return [interrupts]
        lines[:] = [PaperLine(cell.name)]
        return [interrupts, *lines]

    try:
        with contextlib.redirect_stdout(sys.stderr), ExitSignals() as interrupts:
            table = rk.papers.reproduce(name, scale, observers=observers, **run)  # type: ignore[arg-type]
    finally:
        for line in lines:
            line.close()
    print(json.dumps(table.to_json()) if as_json else said(table))
    return interrupts.exit_code or 0


class PaperLine(rk.ProgressLine):
    """The score of the match of a cell, which stays on the screen when it is over."""

    def __init__(self, name: str) -> None:
        super().__init__(title=name)
        self._name = name

    def on_end(self, result: rk.MatchResult) -> None:
        """Leave a line with the score."""
        self.close()
        print(f"{self._name}: {result.wins_a} of {result.games}, {100 * result.rate_a:.1f}%", file=sys.stderr)


def said(table: rk.papers.PaperTable) -> str:
    """A table in words, with what may be concluded from it.

    >>> print(said(rk.papers.PaperTable("ppa-2015", "quick", 1, complete=True, rows=())).splitlines()[-1])
    the scale quick is too short for a verdict; the paper's figures are those with 1,000 playouts
    """
    lines = [str(table), ""]
    for game, rules in table.best.items():
        given = ", ".join(f"{name}={value}" for name, value in rules.items()) or "its default rules"
        lines.append(f"{game} agrees best with the paper by {given}: chosen because of that")
    if table.scale == "quick":
        lines.append("the scale quick is too short for a verdict; the paper's figures are those with 1,000 playouts")
        return "\n".join(lines)
    judged = [row for row in table.rows if row.verdict is not None]
    agree = sum(row.verdict == "agrees" for row in judged)
    if judged:
        by = "Fisher's exact test, Holm's correction"
        lines.append(f"{agree} of {len(judged)} complete cells agree with the paper ({by})")
    if not table.complete:
        lines.append("games are missing: the same command continues with them")
    return "\n".join(lines)
