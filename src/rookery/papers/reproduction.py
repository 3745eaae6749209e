"""Reproduce the table of a paper: every cell is a match with a record, which continues whatever ended it."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from rookery.arguments import shown, whole
from rookery.errors import InputError, reason
from rookery.loading.loading import load_game
from rookery.matches.decide import MOST_SEED
from rookery.matches.match import match
from rookery.matches.record import read_record, record_header
from rookery.papers import ppa2015
from rookery.papers.agreement import PaperRow, PaperTable, compared
from rookery.papers.ppa2015 import Cell, Scale
from rookery.running.callbacks import Callback

SUMMARY = "summary.json"

Observers = Callable[[Cell], Sequence[Callback]]


def reproduce(
    paper: str = ppa2015.NAME,
    scale: Scale = "quick",
    *,
    out: str | os.PathLike[str] | None = None,
    seed: int = 1,
    workers: int = 1,
    only: str | None = None,
    variants: bool = False,
    observers: Observers = lambda cell: (),
) -> PaperTable:
    """Reproduce Table 1 of Cazenave 2015, our figures beside the paper's.

    Every cell is a match whose games are kept in a file of the folder: the same call continues from what is there,
    and plays nothing twice. Ctrl-C ends it with the table so far. The folder also gets the table, as
    ``summary.json``.

    Parameters
    ----------
    scale
        ``"quick"``: a few games on small boards, without a verdict; ``"half"``: both sizes at 1,000 playouts,
        500 games; ``"full"``: at 10,000 playouts too
    out
        the folder, by default ``ppa-2015-SCALE``; ``full`` may use that of ``half``
    only
        play only cells whose name contains this; the rest of the table is what the folder holds
    variants
        also play with other rules where the paper leaves them open
    observers
        for the match of a cell

    >>> reproduce("ppa-2015", only="chess")
    Traceback (most recent call last):
    rookery.errors.InputError: only must be a part of a name such as atarigo-5x5-100, got 'chess'
    """
    if paper != ppa2015.NAME:
        raise InputError(f"unknown paper {shown(paper)}: there is {ppa2015.NAME}")
    main, tried = ppa2015.cells(scale), ppa2015.variants(scale)
    named = {cell.name: cell for cell in (*main, *(tried if variants else ()))}
    chosen = [cell for name, cell in named.items() if only is None or only in name]
    if not chosen:
        raise InputError(f"only must be a part of a name such as {main[0].name}, got {shown(only)}")
    whole("workers", workers, 1)
    whole("seed", seed, 0, MOST_SEED)
    folder = Path(f"{paper}-{scale}" if out is None else out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot make {folder}: {reason(error)}") from None
    try:
        for cell in chosen:
            game, (a, b) = load_game(cell.game, cell.parameters), cell.sides
            run = {"games": cell.games, "seed": seed, "workers": workers, "record": folder / f"{cell.name}.jsonl"}
            done = match(game, a, b, callbacks=observers(cell), **run)  # type: ignore[arg-type]
            if done.status == "interrupted":
                break
    except KeyboardInterrupt:  # before any game of this cell was over
        pass
    table = summarise(paper, scale, seed, folder)
    table.save(folder / SUMMARY)
    return table


def summarise(paper: str, scale: Scale, seed: int, folder: Path) -> PaperTable:
    """The table of what the records in a folder hold."""
    main, tried = ppa2015.cells(scale), ppa2015.variants(scale)
    rows = [row for cell in main if (row := _row(cell, seed, folder)) is not None]
    others = [row for cell in tried if (row := _row(cell, seed, folder)) is not None]
    if scale != "quick":
        rows, others = list(compared(rows)), [row.tested() if row.complete else row for row in others]
    complete = len(rows) == len(main) and all(row.complete for row in rows)
    any_tried = any(row.rules for row in others)
    return PaperTable(paper, scale, seed, complete, tuple(rows), tuple(others) if any_tried else ())


def _row(cell: Cell, seed: int, folder: Path) -> PaperRow | None:
    """The row of a cell by its record, if that holds a game."""
    path = folder / f"{cell.name}.jsonl"
    if not path.exists():
        return None
    games, _ = read_record(path, record_header(load_game(cell.game, cell.parameters), *cell.sides, seed), None)
    winners = [played.winner for number, played in games.items() if number < cell.games]
    return PaperRow.of(cell, winners) if winners else None
