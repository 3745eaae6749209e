"""Our figures beside a paper's: the rows of a table, whether they agree, and how they are shown."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from rookery._version import __version__
from rookery.disk import read_json, write_text
from rookery.errors import InputError
from rookery.experiments.statistics import holm
from rookery.matches.scores import fisher, wilson
from rookery.papers.ppa2015 import GAMES, Cell

LEVEL = 0.05
"""A row differs from the paper if chance alone gives such a difference less often, corrected for all rows."""


@dataclass(frozen=True)
class PaperRow:
    """A match of ours beside the paper's.

    ``wins`` are those of PPA; draws count half, rounded down. ``p`` is that of Fisher's exact test on both
    matches, as the paper's games vary too; ``p_holm`` is corrected for all rows (Holm); ``verdict`` is "agrees",
    "higher" or "lower". The three are None where nothing is compared.

    >>> PaperRow("go", 5, 1000, {}, games=500, wins=110, asked=500, paper=21.2).rate
    22.0
    """

    game: str
    size: int
    playouts: int
    rules: Mapping[str, str]
    games: int
    wins: int
    asked: int
    paper: float
    p: float | None = None
    p_holm: float | None = None
    verdict: str | None = None

    @classmethod
    def of(cls, cell: Cell, winners: Sequence[str]) -> PaperRow:
        """The row of a cell by the winners of its games."""
        wins = winners.count("a") + winners.count("draw") // 2
        return cls(cell.game, cell.size, cell.playouts, dict(cell.rules), len(winners), wins, cell.games, cell.paper)

    @property
    def rate(self) -> float:
        """The share of PPA in per cent."""
        return 100 * self.wins / self.games

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% interval of the share, in per cent."""
        low, high = wilson(self.wins, self.games)
        return 100 * low, 100 * high

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return self.games >= self.asked

    def tested(self) -> PaperRow:
        """The row with the p value of the difference from the paper."""
        return replace(self, p=fisher(self.wins, self.games, round(self.paper * GAMES / 100), GAMES))


def compared(rows: Sequence[PaperRow]) -> tuple[PaperRow, ...]:
    """The rows with verdicts, corrected for their number; incomplete ones are left without.

    >>> same, low = (PaperRow("go", size, 1000, {}, 500, 106, 500, paper) for size, paper in ((5, 21.2), (8, 90.0)))
    >>> [row.verdict for row in compared([same, low])]
    ['agrees', 'lower']
    """
    tested = [row.tested() if row.complete else row for row in rows]
    corrected = iter(holm([row.p for row in tested if row.p is not None]))
    judged = []
    for row in tested:
        if row.p is not None:
            p = next(corrected)
            row = replace(row, p_holm=p, verdict=verdict(row, p))
        judged.append(row)
    return tuple(judged)


def verdict(row: PaperRow, p: float) -> str:
    """Whether a row agrees with the paper."""
    if p >= LEVEL:
        return "agrees"
    return "higher" if row.rate > row.paper else "lower"


@dataclass(frozen=True)
class PaperTable:
    """A table of a paper, reproduced: its rows, and those of the open rules that were tried.

    ``complete`` is False if games are missing. ``best`` names, for each game whose rules were tried, those that agree
    best with the paper: they were chosen for that.
    """

    paper: str
    scale: str
    seed: int
    complete: bool
    rows: tuple[PaperRow, ...]
    variants: tuple[PaperRow, ...] = ()
    version: str = field(default=__version__)

    @property
    def best(self) -> dict[str, Mapping[str, str]]:
        """Game -> the rules with which it agrees best with the paper, of those that were tried with all games."""
        chosen: dict[str, PaperRow] = {}
        for row in self.variants:
            if row.complete and (row.game not in chosen or _distance(row) < _distance(chosen[row.game])):
                chosen[row.game] = row
        return {game: row.rules for game, row in chosen.items()}

    def to_json(self) -> dict[str, Any]:
        """The table as a JSON object."""
        data = asdict(self)
        for name in ("rows", "variants"):
            rows = getattr(self, name)
            data[name] = [{**asdict(row), "rate": row.rate, "interval_95": list(row.interval)} for row in rows]
        return {**data, "best": self.best}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the table as JSON, whole or not at all."""
        write_text(path, json.dumps(self.to_json(), indent=1) + "\n")

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PaperTable:
        """Read a table that :meth:`save` has written."""
        return read_json(path, "a table of a paper", cls.from_json)

    @classmethod
    def from_json(cls, data: Any) -> PaperTable:
        """A table from its JSON object."""
        try:
            values = {name: data[name] for name in ("paper", "scale", "seed", "complete", "version")}
            rows, variants = (tuple(_row(row) for row in data[name]) for name in ("rows", "variants"))
        except (KeyError, TypeError) as error:
            raise InputError(f"a field is missing or of the wrong kind, {error}") from None
        return cls(**values, rows=rows, variants=variants)

    def markdown(self) -> str:
        """The rows as a table in Markdown.

        >>> row = PaperRow("go", 5, 1000, {}, games=500, wins=110, asked=500, paper=21.2)
        >>> print(PaperTable("ppa-2015", "half", 1, True, compared([row])).markdown())
        | game | size | playouts | ours | 95% | paper | p | p (Holm) | |
        | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |
        | go | 5x5 | 1,000 | 22.0 | 18.6 to 25.8 | 21.2 | 0.82 | 0.82 | agrees |
        """
        return _markdown(("game", "size", "playouts", *NUMBERS, "p (Holm)", ""), self.rows, _row_cells)

    def variants_markdown(self) -> str:
        """The rules that were tried as a table in Markdown; the best of each game is marked."""
        return _markdown(("game", "rules", *NUMBERS, ""), self.variants, self._variant_cells)

    def _variant_cells(self, row: PaperRow) -> list[str]:
        best = "agrees best" if row.complete and self.best.get(row.game) == row.rules else ""
        return [row.game, rules_text(row), *_numbers(row), best]

    def __str__(self) -> str:
        lines = _columns([("game", "size", "playouts", *NUMBERS, "p (Holm)", ""), *map(_row_cells, self.rows)])
        if self.variants:
            lines += ["", *_columns([("game", "rules", *NUMBERS, ""), *map(self._variant_cells, self.variants)])]
        return "\n".join(lines)


NUMBERS = ("ours", "95%", "paper", "p")


def rules_text(row: PaperRow) -> str:
    """The rules of a row in words.

    >>> rules_text(PaperRow("go", 5, 1000, {"ko": "superko"}, 500, 106, 500, 21.2))
    'ko=superko'
    """
    return ", ".join(f"{name}={value}" for name, value in row.rules.items()) or "default"


def _numbers(row: PaperRow) -> list[str]:
    low, high = row.interval
    p = "" if row.p is None else f"{row.p:.2g}"
    return [f"{row.rate:.1f}", f"{low:.1f} to {high:.1f}", f"{row.paper:.1f}", p]


def _row_cells(row: PaperRow) -> list[str]:
    corrected = "" if row.p_holm is None else f"{row.p_holm:.2g}"
    said = row.verdict or ("" if row.complete else f"{row.games} of {row.asked} games")
    return [row.game, f"{row.size}x{row.size}", f"{row.playouts:,}", *_numbers(row), corrected, said]


def _distance(row: PaperRow) -> float:
    return abs(row.rate - row.paper)


def _row(data: Mapping[str, Any]) -> PaperRow:
    return PaperRow(**{name: data[name] for name in PaperRow.__dataclass_fields__})


def _markdown(names: Sequence[str], rows: Sequence[PaperRow], cells: Any) -> str:
    texts = ("game", "size", "rules", "")
    lines = [names, ["---" if name in texts else "---:" for name in names], *map(cells, rows)]
    return "\n".join(f"| {' | '.join(line)} |".replace("|  |", "| |") for line in lines)


def _columns(lines: Sequence[Sequence[str]]) -> list[str]:
    """Lines of words in columns: the first and the last aligned left, numbers aligned right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    last = len(widths) - 1
    return [
        "  ".join(
            word.ljust(width) if i in (0, 1, last) else word.rjust(width)
            for i, (word, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    ]
