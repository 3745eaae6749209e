"""Cazenave 2016, "Playout Policy Adaptation with Move Features": PPA, PPAF and PPAFM against UCT in seven games.

Each cell is a match of 500 games on 8x8, with c, alpha and all that the paper of 2015 left open as there. The paper has
10,000 playouts for a move; with 1,000 there is nothing to compare with.
"""

from __future__ import annotations

from collections.abc import Mapping

from rookery.papers.items import NOTHING, Cell, Item, Paper, at_scales, share_of
from rookery.papers.ppa2015 import ALPHA, COSTS, GAMES, C
from rookery.papers.theirs import Share
from rookery.papers.works import Games
from rookery.search.game_uct import GameUCT
from rookery.search.ppa import PPA, PPAF, PPAFM

SIZE = 8
PLAYOUTS = (1_000, 10_000)
QUICK_GAMES = 40
SEARCHES: Mapping[str, type[PPA]] = {"PPA": PPA, "PPAF": PPAF, "PPAFM": PPAFM}

SHARES: Mapping[str, tuple[float, float, float]] = {
    "atarigo": (94.4, 94.4, 95.4),
    "breakthrough": (54.4, 81.4, 94.2),
    "misere-breakthrough": (97.8, 100.0, 100.0),
    "domineering": (58.0, 80.4, 81.8),
    "misere-domineering": (83.4, 93.0, 95.8),
    "knightthrough": (64.6, 84.0, 96.6),
    "nogo": (46.4, 95.4, 91.6),
}
"""Game -> the shares of PPA, PPAF and PPAFM in per cent, with 10,000 playouts for a move."""

SLOWER = 1.6
"""How much longer a game with features takes than one of PPA."""


def cell_of(game: str, column: int, playouts: int) -> Cell:
    """A cell of the table: quick and half play with 1,000 playouts, full with 10,000 too."""
    name, paper, small = list(SEARCHES)[column], SHARES[game][column], playouts == PLAYOUTS[0]
    search, uct = SEARCHES[name](playouts=playouts, c=C, alpha=ALPHA), GameUCT(playouts=playouts, c=C)
    cost = COSTS[game, SIZE] * playouts / 1000 * (SLOWER if search.features else 1.0)
    work = Games(f"{search.name}-{game}-{playouts}", cost, game, {"size": str(SIZE)}, search, uct)
    samples = at_scales(quick=QUICK_GAMES if small else 0, half=GAMES if small else 0, full=GAMES)
    theirs = NOTHING if small else Share(f"{paper:.1f}", paper, of=GAMES)
    return Cell((game, name, f"{playouts:,}"), work, samples, theirs, values=tuple, summary=share_of)


PAPER = Paper(
    name="ppaf-2016",
    citation='T. Cazenave, "Playout Policy Adaptation with Move Features", Theoretical Computer Science 2016',
    items=(
        Item(
            "claim",
            "features",
            "PPA, PPAF and PPAFM against UCT on 8x8, per cent of 500 games",
            ("game", "search", "playouts"),
            tuple(
                cell_of(game, column, playouts)
                for playouts in PLAYOUTS
                for game in SHARES
                for column in range(len(SEARCHES))
            ),
            note="The paper has 10,000 playouts for a move. Features are those of the built-in games.",
        ),
    ),
)
