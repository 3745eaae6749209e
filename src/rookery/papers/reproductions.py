"""Reproductions: what a paper's items came to, as values that are kept as JSON and shown as text, Markdown and CSV."""

from __future__ import annotations

import csv
import io
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rookery._version import __version__
from rookery.disk import check_fields, read_json, write_text
from rookery.errors import InputError
from rookery.papers.rows import AGREES, HIGHER, LOWER, Row, judged

NUMBERS = ("ours", "spread", "paper", "p", "p (Holm)")


@dataclass(frozen=True)
class Reproduced:
    """An item of a paper, reproduced: its rows, and the lines of its picture.

    >>> row = Row("go 5x5", ("go", "5x5"), 500, 500, number=22.0, their_number=21.2, ours="22.0", theirs="21.2", p=0.82)
    >>> done = Reproduced("table 1", "PPA against UCT", "half", ("game", "size"), judged([row]))
    >>> print(done)
    table 1: PPA against UCT
    game  size  runs  ours  spread  paper     p  p (Holm)
    go     5x5   500  22.0           21.2  0.82      0.82  agrees
    >>> done.verdict
    '1 of 1 agrees'
    """

    item: str
    title: str
    scale: str
    columns: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    series: Mapping[str, Sequence[tuple[float, float]]] = field(default_factory=dict)
    axes: tuple[str, str, str, bool] = ("", "", "", False)
    note: str = ""
    not_available: str = ""

    @property
    def complete(self) -> bool:
        """Whether all samples of the scale are there."""
        return all(row.complete for row in self.rows)

    @property
    def verdict(self) -> str:
        """How many rows agree with the paper, and what became of the others."""
        if self.not_available:
            return f"not available: {self.not_available}"
        told = [row for row in self.rows if row.verdict in (AGREES, LOWER, HIGHER)]
        agree = sum(row.verdict == AGREES for row in told)
        parts = [f"{agree} of {len(told)} agree{'s' * (agree == 1)}"] if told else []
        others = [row for row in self.rows if row.verdict and row not in told]
        for start, word in (("no verdict", "without a verdict"), ("incomplete", "incomplete"), ("not run", "not run")):
            count = sum(row.verdict.startswith(start) for row in others)
            if count:
                parts.append(f"{count} {word}")
        return ", ".join(parts) or ("shown" if any(row.done for row in self.rows) or self.series else "not run")

    @property
    def playouts(self) -> int:
        """The playouts of all rows; those of runs that several rows share count once."""
        return sum(playouts for playouts, _ in self._spent)

    @property
    def core_seconds(self) -> float:
        """The core-seconds of all rows, likewise."""
        return sum(seconds for _, seconds in self._spent)

    @property
    def _spent(self) -> set[tuple[int, float]]:
        """Playouts and core-seconds of each work: rows that share their runs have the same, to the last digit."""
        return {(row.playouts, row.core_seconds) for row in self.rows}

    @property
    def date(self) -> str:
        """The day of the last sample."""
        return max((row.date for row in self.rows), default="")

    def table(self) -> list[list[str]]:
        """The rows as texts, their heading first."""
        lines = [[*self.columns, "runs", *NUMBERS, ""]]
        for row in self.rows:
            p, corrected = ("" if value is None else f"{value:.2g}" for value in (row.p, row.p_holm))
            runs = f"{row.done:,}" if row.done else ""
            figures = [row.ours, row.spread, row.theirs, p, corrected]
            lines.append([*row.labels, runs, *figures, row.verdict])
        return lines

    def markdown(self) -> str:
        """The rows as a table in Markdown."""
        head, *rest = self.table()
        rule = ["---" if i < len(self.columns) or i == len(head) - 1 else "---:" for i in range(len(head))]
        return "\n".join(markdown_row(line) for line in [head, rule, *rest])

    def __str__(self) -> str:
        heading = f"{self.item}: {self.title}"
        if self.not_available:
            return f"{heading}\nnot available: {self.not_available}"
        return "\n".join([heading, *_in_columns(self.table()), *([self.note] if self.note else [])])

    def merged(self, other: Reproduced) -> Reproduced:
        """The rows of a later reproduction of the same item, or ours where they have more samples, judged together."""
        ours = {row.name: row for row in self.rows}
        rows = [max((row, ours.get(row.name, row)), key=lambda one: one.done) for row in other.rows]
        return replace(other, rows=judged(rows), series={**self.series, **other.series})


@dataclass(frozen=True)
class Reproduction:
    """What a paper's items came to.

    >>> Reproduction("ppa-2015", 1, (Reproduced("table 1", "PPA", "quick"),)).complete
    True
    """

    paper: str
    seed: int
    items: tuple[Reproduced, ...]
    version: str = field(default=__version__)

    @property
    def complete(self) -> bool:
        """Whether all samples of the scale are there."""
        return all(item.complete for item in self.items)

    def __str__(self) -> str:
        return "\n\n".join(map(str, self.items))

    def csv(self) -> str:
        """One line for each row of each item, as text with commas."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        names = [name for name in Row.__dataclass_fields__ if name not in ("labels", "least_p", "needs")]
        writer.writerow(["paper", "item", *names])
        for item in self.items:
            for row in item.rows:
                writer.writerow([self.paper, item.item, *(getattr(row, name) for name in names)])
        return out.getvalue()

    def merged(self, other: Reproduction) -> Reproduction:
        """This and another reproduction of the same paper, item by item."""
        items = {item.item: item for item in self.items}
        for item in other.items:
            items[item.item] = items[item.item].merged(item) if item.item in items else item
        return replace(other, items=tuple(items.values()))

    # --- files ---

    def to_json(self) -> dict[str, Any]:
        """The reproduction as a JSON object."""
        return {**asdict(self), "items": [asdict(item) for item in self.items]}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the reproduction as JSON, whole or not at all."""
        write_text(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Reproduction:
        """Read a reproduction that :meth:`save` has written."""
        return read_json(path, "a reproduction of a paper", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> Reproduction:
        """A reproduction from its JSON object, every field checked."""
        if not isinstance(data, dict):
            raise InputError("not an object")
        check_fields(data, {"paper": "a text", "seed": "a whole number", "items": "a list", "version": "a text"})
        return cls(data["paper"], data["seed"], tuple(map(_item, data["items"])), data["version"])


def _item(data: Any) -> Reproduced:
    if not isinstance(data, dict):
        raise InputError("an item must be an object")
    texts = dict.fromkeys(("item", "title", "scale"), "a text")
    check_fields(data, {**texts, "rows": "a list", "series": "an object", "axes": "a list"})
    try:
        series = {str(name): tuple((float(x), float(y)) for x, y in points) for name, points in data["series"].items()}
        x, y, log, steps = data["axes"]
    except (TypeError, ValueError):
        raise InputError("the lines of a picture must be pairs of numbers") from None
    return Reproduced(
        data["item"],
        data["title"],
        data["scale"],
        tuple(map(str, data.get("columns", ()))),
        tuple(map(Row.from_json, data["rows"])),
        series,
        (str(x), str(y), str(log), bool(steps)),
        str(data.get("note", "")),
        str(data.get("not_available", "")),
    )


def markdown_row(words: Sequence[str]) -> str:
    """A row of a table in Markdown.

    >>> markdown_row(["go", "", "agrees"])
    '| go | | agrees |'
    """
    return f"|{'|'.join(f' {word} ' if word else ' ' for word in words)}|"


def _in_columns(lines: Sequence[Sequence[str]]) -> list[str]:
    """Lines of words in columns: the first and the last aligned left, all others right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    align = [str.ljust, *[str.rjust] * (len(widths) - 2), str.ljust]
    return ["  ".join(f(word, n) for f, word, n in zip(align, line, widths, strict=True)).rstrip() for line in lines]


def _its(count: int) -> str:
    return "its" if count == 1 else "their"


def missing(items: Sequence[Reproduced]) -> str | None:
    """What is missing of a scale, in words; None if nothing is.

    >>> missing([Reproduced("table 1", "", "half", (), judged([Row("a", (), 20, done=5, needs=7200.0)]))])
    'table 1 has 1 figure without all of its samples'
    """
    lacks = []
    for item in items:
        count = sum(not row.complete for row in item.rows)
        if count:
            lacks.append(f"{item.item} has {count} figure{'s' * (count != 1)} without all of {_its(count)} samples")
    return "; ".join(lacks) or None
