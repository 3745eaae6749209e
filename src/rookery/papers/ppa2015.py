"""Cazenave 2015, "Playout Policy Adaptation for Games": PPA against UCT in ten games.

Each cell is a match of 500 games, PPA begins in half of them, c = 0.4 and alpha = 1. What the paper leaves open is
settled by the defaults of :class:`rookery.PPA`, :class:`rookery.GameUCT` and of the games; rules of Atarigo and Go
that could be read differently are an item of their own.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from rookery.engine.engines import make_engine
from rookery.loading.loading import load_game
from rookery.matches.scores import side_that_begins, winner_by_side
from rookery.papers.items import Cell, Item, Paper, at_scales, share_of
from rookery.papers.kept import Kept, field
from rookery.papers.theirs import Share
from rookery.papers.works import Games, Hands, Work
from rookery.rng import mix_int, part_key
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


def match_of(game: str, size: int, playouts: int, rules: Mapping[str, str], shared: bool = False) -> Games:
    """The games of PPA against UCT by certain rules; ``shared``, PPA has one policy for both players."""
    parts = [game, f"{size}x{size}", str(playouts), *(f"{key}-{value}" for key, value in rules.items())]
    parts += ["shared"] * shared
    a, b = PPA(playouts=playouts, c=C, alpha=ALPHA, shared=shared), GameUCT(playouts=playouts, c=C)
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


SHARED: Mapping[str, tuple[Mapping[str, str], ...]] = {
    "atarigo": ({}, {"suicide": "loses", "filling": "never"}),
    "go": ({}, {"ko": "superko"}),
}
"""Game -> rules with which PPA has one policy for both players: a code of theirs is a point, whoever plays there."""

EYES = {"in the playouts of PPA only": ("diagonals", "none"), "in the playouts of UCT only": ("none", "diagonals")}
"""What counts as an eye for PPA and for UCT, which differ in their playouts only."""


def in_words(rules: Mapping[str, str]) -> str:
    """Rules as a label."""
    return ", ".join(f"{name}={value}" for name, value in rules.items()) or "the defaults"


def variant_of(game: str, label: str, work: Work, kept: bool = False) -> Cell:
    """A match on 5x5 with 1,000 playouts by rules that the paper may have had."""
    paper = TABLE_1[game, 5][0]
    values = partial(field, "won") if kept else tuple
    theirs = Share(f"{paper:.1f}", paper, of=GAMES)
    return Cell((game, label), work, at_scales(half=GAMES, full=GAMES), theirs, values=values, summary=share_of)


def variants_of(game: str) -> list[Cell]:
    """Everything that was tried for a game."""
    cells = [variant_of(game, in_words(rules), match_of(game, 5, PLAYOUTS[0], rules)) for rules in VARIANTS[game]]
    for rules in SHARED[game]:
        work = match_of(game, 5, PLAYOUTS[0], rules, shared=True)
        cells.append(variant_of(game, f"one policy, {in_words(rules)}", work))
    for label, (of_a, of_b) in EYES.items():
        name = f"{game}-5x5-{PLAYOUTS[0]}-eyes-{of_a}-{of_b}"
        one_game = partial(game_by_own_eyes, game, of_a, of_b)
        cells.append(variant_of(game, f"eyes {label}", Kept(name, COSTS[game, 5], one_game), kept=True))
    return cells


def game_by_own_eyes(game: str, of_a: str, of_b: str, seed: int, hands: Hands) -> dict[str, Any]:
    """A game in which each side has eyes of its own in its playouts: what PPA won, 1 or 0."""
    began = time.process_time()
    searches = {"a": PPA(PLAYOUTS[0], c=C, alpha=ALPHA), "b": GameUCT(PLAYOUTS[0], c=C)}
    workers = {
        side: make_engine(load_game(game, {"size": "5", "eyes": eyes}), wanted="game").worker()
        for side, eyes in (("a", of_a), ("b", of_b))
    }
    number = seed - hands.seed
    moves: tuple[int, ...] = ()
    playouts = 0
    while True:
        _, player, winner = workers["a"].replay(moves)
        if winner is not None:
            won = winner_by_side(number, winner)
            return {"won": float(won == "a"), "playouts": playouts, "seconds": time.process_time() - began}
        side = side_that_begins(number + player)
        decision = workers[side].decide(searches[side], moves, mix_int(part_key(hands.seed, number), len(moves)))
        assert decision is not None  # nobody halts it
        moves, playouts = (*moves, decision.move), playouts + decision.playouts


NOTE = (
    "Nothing that was tried comes to the paper's 81.2 and 21.2. With one policy both players learn the same weight of "
    "a point, whoever played there: codes without the colour. Eyes in one search only: the playouts of the other may "
    "fill them. The defaults were chosen among the first rules because they agree best in all of Table 1."
)

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
            tuple(cell for game in VARIANTS for cell in variants_of(game)),
            note=NOTE,
        ),
    ),
)
