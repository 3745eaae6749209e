"""Table 1 of Cazenave 2015, "Playout Policy Adaptation for Games": PPA against UCT in ten games.

Each cell is a match of 500 games, PPA begins in half of them, c = 0.4 and alpha = 1. What the paper leaves open is
settled by the defaults of :class:`rookery.PPA`, :class:`rookery.GameUCT` and of the games; rules of Atarigo and Go
that could be read differently are the variants.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rookery.arguments import shown
from rookery.errors import InputError
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA

NAME = "ppa-2015"
GAMES = 500
"""Games of each match in the paper."""
C, ALPHA = 0.4, 1.0

TABLE_1: Mapping[tuple[str, int], tuple[float, float]] = {
    ("atarigo", 5): (81.2, 90.6),
    ("atarigo", 8): (72.2, 94.4),
    ("breakthrough", 5): (60.0, 56.2),
    ("breakthrough", 8): (55.2, 54.4),
    ("misere-breakthrough", 5): (95.0, 99.6),
    ("misere-breakthrough", 8): (99.2, 97.8),
    ("domineering", 5): (62.6, 50.0),
    ("domineering", 8): (48.4, 58.0),
    ("misere-domineering", 5): (63.4, 62.2),
    ("misere-domineering", 8): (76.4, 83.4),
    ("go", 5): (21.2, 23.6),
    ("go", 8): (23.0, 1.2),
    ("knightthrough", 5): (42.4, 30.2),
    ("knightthrough", 8): (64.2, 64.6),
    ("misere-knightthrough", 5): (95.8, 99.8),
    ("misere-knightthrough", 8): (99.8, 100.0),
    ("nogo", 5): (61.8, 71.0),
    ("nogo", 8): (64.8, 46.4),
    ("misere-nogo", 5): (66.4, 67.8),
    ("misere-nogo", 8): (80.6, 89.4),
}
"""(game, size) -> the share of PPA in per cent, with 1,000 and with 10,000 playouts for a move."""

PLAYOUTS = (1_000, 10_000)

Scale = Literal["quick", "half", "full"]


@dataclass(frozen=True)
class Cell:
    """A match of the table: ``games`` of them against UCT, both sides with this many playouts for a move.

    ``rules`` are parameters of the game, where they are not the defaults. ``paper`` is the share that the paper gives,
    in per cent, with 1,000 playouts where it has no such match.

    >>> Cell("go", 5, 1000, 500, paper=21.2).name
    'go-5x5-1000'
    """

    game: str
    size: int
    playouts: int
    games: int
    paper: float
    rules: Mapping[str, str] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The name of the match, and of its file."""
        rules = [f"{key}-{value}" for key, value in self.rules.items()]
        return "-".join([self.game, f"{self.size}x{self.size}", str(self.playouts), *rules])

    @property
    def paper_wins(self) -> int:
        """The games that PPA won in the paper; its shares are whole numbers of 500 games."""
        return round(self.paper * GAMES / 100)

    @property
    def parameters(self) -> dict[str, str]:
        """The parameters of the game, as texts."""
        return {"size": str(self.size), **self.rules}

    @property
    def sides(self) -> tuple[PPA, GameUCT]:
        """PPA and UCT."""
        return PPA(playouts=self.playouts, c=C, alpha=ALPHA), GameUCT(playouts=self.playouts, c=C)


QUICK_PLAYOUTS, QUICK_GAMES = 100, 20


def cells(scale: Scale) -> tuple[Cell, ...]:
    """The matches of a scale, those that take the least time first.

    ``quick``: all games on 5x5, too short to be compared; ``half``: both sizes with 1,000 playouts; ``full``: with
    10,000 too.

    >>> len(cells("quick")), len(cells("half")), len(cells("full"))
    (10, 20, 40)
    """
    check_scale(scale)
    if scale == "quick":
        small = [(game, size, shares) for (game, size), shares in TABLE_1.items() if size == 5]
        return tuple(Cell(game, size, QUICK_PLAYOUTS, QUICK_GAMES, shares[0]) for game, size, shares in small)
    return tuple(
        Cell(game, size, playouts, GAMES, TABLE_1[game, size][column])
        for column, playouts in enumerate(PLAYOUTS[: 1 if scale == "half" else 2])
        for side in (5, 8)
        for game, size in TABLE_1
        if size == side
    )


VARIANTS: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "atarigo": (
        {"suicide": "loses"},
        {"eyes": "neighbours"},
        {"eyes": "none"},
        {"filling": "never"},
        {"suicide": "loses", "eyes": "neighbours"},
        {"suicide": "loses", "eyes": "none"},
        {"suicide": "loses", "filling": "never"},
    ),
    "go": (
        {"ko": "superko"},
        {"suicide": "true"},
        {"eyes": "neighbours"},
        {"eyes": "none"},
        {"filling": "never"},
        {"passing": "always"},
        {"passing": "last"},
        {"filling": "never", "passing": "last"},
        {"ko": "superko", "passing": "last"},
        {"ko": "superko", "suicide": "true"},
    ),
}
"""Game -> rules that the paper may have had instead of the defaults, as parameters of the game."""


def variants(scale: Scale) -> tuple[Cell, ...]:
    """The matches on 5x5 by which open rules of Atarigo and Go are compared with the paper, the defaults first.

    >>> variants("half")[0].name
    'atarigo-5x5-1000'
    """
    found = []
    for cell in cells(scale):
        if cell.game in VARIANTS and cell.size == 5 and cell.playouts in (QUICK_PLAYOUTS, PLAYOUTS[0]):
            for rules in ({}, *VARIANTS[cell.game]):
                found.append(Cell(cell.game, cell.size, cell.playouts, cell.games, cell.paper, rules))
    return tuple(found)


def check_scale(scale: str) -> None:
    """Refuse an unknown scale."""
    if scale not in ("quick", "half", "full"):
        raise InputError(f"the scale must be quick, half or full, got {shown(scale)}")
