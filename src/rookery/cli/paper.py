"""``rookery paper``: the tables and figures of the papers, reproduced."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import rookery as rk
from rookery.cli import options as o
from rookery.cli import running as r


def paper(
    name: o.Text = o.argument("[NAME]", "The paper; without it, all papers are listed with what they cost.", None),
    table: o.Text = o.option("N", "This table only."),
    figure: o.Text = o.option("N", "This figure only."),
    item: o.Text = o.option("TEXT", 'An item by its name in the list, such as "claim rules".'),
    scale: str = o.option("SCALE", "quick: minutes; half: an hour an item; full: the paper's own counts.", "quick"),
    out: o.Text = o.option("DIR", "A folder for what is computed; what is in it is not repeated [default: NAME]"),
    only: o.Text = o.option("TEXT", "Compute only cells whose name contains this."),
    show: bool = o.flag("--show", "Compute nothing: show what the folder holds."),
    boards: o.Text = o.option("FILE", "The 20 boards of SameGame, or an INTEGER: boards made from that seed."),
    seed: str = o.option("N", "The same seed gives the same figures.", "1"),
    workers: r.Workers = None,
    executor: r.Executor = None,
    address: r.Address = None,
    csv: o.Text = o.option("FILE", "Write a line for each figure, with commas."),
    plot: o.Text = o.option("FILE", "Draw the item, as .png, .svg or .pdf; goes with a table, figure or item."),
    data: o.Text = o.option("DIR", "Keep the outcome there as NAME.json, with what it already holds."),
    page: o.Text = o.option("FILE", "Make the page of all outcomes in --data DIR, and their pictures."),
    log: r.Log = None,
    as_json: o.Json = False,
    quiet: r.Quiet = False,
) -> int:
    """Reproduce the tables and figures of a paper, our figures beside the paper's, each with a verdict.

    Without a name: what there is, and what each scale costs on this machine. After an interrupt the same command
    continues.
    """
    if page is not None:
        if name is not None or data is None:
            raise rk.InputError("--page FILE goes with --data DIR, and without the name of a paper")
        rk.papers.write_page(page, data)
        return 0
    if name is None:
        print(json.dumps(prices()) if as_json else listed())
        return 0
    chosen = _item(table, figure, item)
    if plot is not None and chosen is None:
        raise rk.InputError("--plot FILE draws one item: give --table N, --figure N or --item TEXT too")
    o.check_outputs(plot, csv)
    run: dict[str, Any] = {
        "out": out,
        "seed": o.whole("--seed", seed, least=0),
        "workers": o.cores() if workers is None else o.whole("--workers", workers),
        "executor": executor or "threads",
        "address": address,
        "boards": boards,
        "only": only,
        "compute": not show,
    }
    journal = None if log is None else r.journal(log, append=True)
    if journal is not None:
        run["observers"] = lambda what: [journal.run(what)]
    try:
        found, code = _reproduced(name, chosen, scale, run, quiet)
    finally:
        if journal is not None:
            journal.close()
    if csv is not None:
        rk.files.write_bytes(csv, found.csv().encode())
    if plot is not None:
        rk.papers.plot(found.items[0], plot)
    if data is not None:
        keep(found, Path(data))
    print(json.dumps(found.to_json()) if as_json else found)
    return code


def _reproduced(
    name: str, item: str | None, scale: Any, run: dict[str, Any], quiet: bool
) -> tuple[rk.papers.Reproduction, int]:
    """The outcome, and the exit code; what is missing is said on standard error."""
    lines: list[PaperLine] = []
    with contextlib.redirect_stdout(sys.stderr), r.ExitSignals() as interrupts:

        def watching(match: str) -> Sequence[rk.Callback]:
            for line in lines:
                line.close()
            lines[:] = [] if quiet or sys.stderr is None else [PaperLine(match)]
            return [interrupts, *lines]

        try:
            found = rk.papers.reproduce(name, item, scale, progress=not quiet, watching=watching, **run)
        finally:
            for line in lines:
                line.close()
    lacks = rk.papers.missing(found.items)
    if lacks is not None:
        print(f"rookery: {lacks}: the same command continues with them", file=sys.stderr)
    return found, interrupts.exit_code or 0


def keep(found: rk.papers.Reproduction, folder: Path) -> None:
    """Add an outcome to what a folder holds of the paper."""
    file = folder / f"{found.paper}.json"
    (rk.papers.Reproduction.load(file).merged(found) if file.exists() else found).save(file)


def _item(table: str | None, figure: str | None, item: str | None) -> str | None:
    given = [f"table {table}" if table else "", f"figure {figure}" if figure else "", item or ""]
    chosen = [name for name in given if name]
    if len(chosen) > 1:
        raise rk.InputError("only one of --table, --figure and --item can be given")
    return chosen[0] if chosen else None


# --- the list ---


def prices() -> list[dict[str, Any]]:
    """Every item of every paper, and the core-seconds of each scale on this machine."""
    return [
        {"paper": name, "item": item.name, "title": item.title, "not_available": item.not_available}
        | {str(scale): value for scale, value in seconds.items()}
        for name in rk.papers.paper_names()
        for item, seconds in rk.papers.costs(rk.papers.paper_named(name))
    ]


def listed() -> str:
    """The same as text."""
    rows = [("", "", "", "quick", "half", "full")]
    for price in prices():
        times = [duration(price[scale]) for scale in ("quick", "half", "full")]
        told = ["", "", "not available"] if price["not_available"] else times
        rows.append((price["paper"], price["item"], price["title"], *told))
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    lines = [
        "  ".join([*map(str.ljust, row[:3], widths), *map(str.rjust, row[3:], widths[3:])]).rstrip() for row in rows
    ]
    return "\n".join(
        [*lines, "", "times of one core of this machine; rookery paper NAME --table N --scale half --out DIR"]
    )


def duration(seconds: float) -> str:
    """Seconds in words.

    >>> duration(0), duration(0.1), duration(90), duration(5400), duration(1e6)
    ('-', '1 s', '90 s', '1.5 h', '278 h')
    """
    if seconds == 0:
        return "-"
    if seconds < 600:
        return f"{max(1, round(seconds))} s"
    return f"{seconds / 3600:,.1f} h" if seconds < 360_000 else f"{seconds / 3600:,.0f} h"


class PaperLine(rk.ProgressLine):
    """The score of a match of a paper, which stays on the screen when it is over."""

    def __init__(self, name: str) -> None:
        super().__init__(title=name)
        self._name = name

    def on_end(self, result: rk.MatchResult) -> None:
        """Leave a line with the score."""
        self.close()
        print(f"{self._name}: {result.wins_a} of {result.games}, {100 * result.rate_a:.1f}%", file=sys.stderr)
