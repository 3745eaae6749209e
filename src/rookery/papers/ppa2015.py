"""Cazenave 2015, "Playout Policy Adaptation for Games": PPA against UCT in ten games.

Each cell is a match of 500 games, PPA begins in half of them, c = 0.4 and alpha = 1. What the paper leaves open is
settled by the defaults of :class:`rookery.PPA`, :class:`rookery.GameUCT` and of the games; rules of Atarigo and Go
that could be read differently are an item of their own.
"""

from __future__ import annotations

from collections.abc import Mapping

from rookery.papers.items import Cell, Item, Paper, at_scales, share_of
from rookery.papers.theirs import Share
from rookery.papers.works import Games
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA

GAMES = 500
"""Games of each match in the paper."""
C, ALPHA = 0.4, 1.0
PLAYOUTS = (1_000, 10_000)

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

COSTS: Mapping[tuple[str, int], float] = {
    ("atarigo", 5): 0.018,
    ("atarigo", 8): 0.049,
    ("breakthrough", 5): 0.015,
    ("breakthrough", 8): 0.098,
    ("misere-breakthrough", 5): 0.038,
    ("misere-breakthrough", 8): 0.388,
    ("domineering", 5): 0.006,
    ("domineering", 8): 0.027,
    ("misere-domineering", 5): 0.007,
    ("misere-domineering", 8): 0.029,
    ("go", 5): 0.106,
    ("go", 8): 0.520,
    ("knightthrough", 5): 0.007,
    ("knightthrough", 8): 0.045,
    ("misere-knightthrough", 5): 0.029,
    ("misere-knightthrough", 8): 0.305,
    ("nogo", 5): 0.026,
    ("nogo", 8): 0.188,
    ("misere-nogo", 5): 0.037,
    ("misere-nogo", 8): 0.183,
}
"""(game, size) -> core-seconds of a game with 1,000 playouts for a move."""


def match_of(game: str, size: int, playouts: int, rules: Mapping[str, str]) -> Games:
    """The games of PPA against UCT by certain rules."""
    parts = [game, f"{size}x{size}", str(playouts), *(f"{key}-{value}" for key, value in rules.items())]
    a, b = PPA(playouts=playouts, c=C, alpha=ALPHA), GameUCT(playouts=playouts, c=C)
    cost = COSTS[game, size] * playouts / 1000
    return Games("-".join(parts), cost, game, {"size": str(size), **rules}, a, b)


def cell_of(game: str, size: int, column: int) -> Cell:
    """A cell of the table: quick plays small boards with 1,000 playouts, half both sizes, full with 10,000 too."""
    playouts, paper = PLAYOUTS[column], TABLE_1[game, size][column]
    samples = at_scales(
        quick=QUICK_GAMES if size == 5 and column == 0 else 0,
        half=GAMES if column == 0 else 0,
        full=GAMES,
    )
    labels = (game, f"{size}x{size}", f"{playouts:,}")
    work, theirs = match_of(game, size, playouts, {}), Share(f"{paper:.1f}", paper, of=GAMES)
    return Cell(labels, work, samples, theirs, values=tuple, summary=share_of)


QUICK_GAMES = 100

VARIANTS: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "atarigo": (
        {},
        {"suicide": "loses"},
        {"eyes": "neighbours"},
        {"eyes": "none"},
        {"filling": "never"},
        {"suicide": "loses", "eyes": "neighbours"},
        {"suicide": "loses", "eyes": "none"},
        {"suicide": "loses", "filling": "never"},
    ),
    "go": (
        {},
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
"""Game -> rules that the paper may have had, as parameters of the game; the defaults first."""


def variant_of(game: str, rules: Mapping[str, str]) -> Cell:
    """A match on 5x5 with 1,000 playouts by rules that the paper may have had."""
    paper = TABLE_1[game, 5][0]
    labels = (game, ", ".join(f"{name}={value}" for name, value in rules.items()) or "the defaults")
    work, theirs = match_of(game, 5, PLAYOUTS[0], rules), Share(f"{paper:.1f}", paper, of=GAMES)
    return Cell(labels, work, at_scales(half=GAMES, full=GAMES), theirs, values=tuple, summary=share_of)


PAPER = Paper(
    name="ppa-2015",
    citation='T. Cazenave, "Playout Policy Adaptation for Games", Advances in Computer Games 2015',
    items=(
        Item(
            "table",
            "1",
            "PPA against UCT, per cent of 500 games",
            ("game", "size", "playouts"),
            tuple(
                cell_of(game, size, column)
                for column in (0, 1)
                for side in (5, 8)
                for game, size in TABLE_1
                if size == side
            ),
        ),
        Item(
            "claim",
            "rules",
            "rules of Atarigo and Go that the paper leaves open, 5x5, 1,000 playouts",
            ("game", "rules"),
            tuple(variant_of(game, rules) for game, tried in VARIANTS.items() for rules in tried),
            note="Those that agree best were chosen because of that.",
        ),
    ),
)
