"""UCT for two players, and what all searches in a tree of positions have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from rookery.arguments import finite, flag, shown
from rookery.compiler.specialise import Specialisation
from rookery.errors import InputError
from rookery.kernels.buffers import Positions
from rookery.kernels.game_playout import make_game_playout
from rookery.kernels.game_tree import make_game_tree
from rookery.search.game_search import Counts, GameSearch

Unvisited = Literal["first", "random"] | float
"""What a move that has never been tried is worth."""


class GameTreeSearch(GameSearch):
    """Base of searches in a tree of positions; a subclass has these parameters, in an order of its own."""

    c: float
    unvisited: Unvisited
    reuse: bool
    solver: bool

    twin = "rookery.reference.game_uct:search"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "c", finite("c", self.c))
        if self.c < 0:
            raise InputError(f"c must be at least 0, got {shown(self.c)}")
        if isinstance(self.unvisited, str):
            if self.unvisited not in ("first", "random"):
                raise InputError(f'unvisited must be "first", "random" or a number, got {shown(self.unvisited)}')
        else:
            object.__setattr__(self, "unvisited", finite("unvisited", self.unvisited))
        for name in ("reuse", "solver"):
            flag(name, getattr(self, name))

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, and how it is followed."""
        unvisited = np.inf if isinstance(self.unvisited, str) else float(self.unvisited)
        return table, self.c, self.solver, self.unvisited == "random", unvisited

    def twin_parameters(self) -> dict[str, Any]:
        """All but the budget and ``reuse``: whoever holds the table decides whether it is kept."""
        values = super().twin_parameters()
        del values["reuse"]
        return values

    def reuses(self) -> bool:
        """Whether it keeps its tree for the next move of the game."""
        return self.reuse

    def chosen(self, counts: Counts) -> int:
        """A move that is proven to win; else the first of those with the most playouts, proven losses last."""
        return max(range(len(counts.moves)), key=lambda i: (counts.settled[i], counts.tries[i]))


@dataclass(frozen=True)
class GameUCT(GameTreeSearch):
    """UCT for two players, with a transposition table; the move with the most playouts is played.

    A playout follows the tree by w / p + c * sqrt(log(t) / p): t playouts came through the position, p of them with
    this move, and the player won w of these. The first position that is not in the table is added to it, and the
    playout continues at random.

    Parameters
    ----------
    playouts
        playouts for a move; None: as many as there is time for
    seconds
        time for a move; None: as long as the playouts take. With a time limit the answer depends on the speed of the
        machine
    c
        weight of exploration: the larger it is, the more is explored
    unvisited
        what a move without playouts is worth. ``"first"``: it comes before all others, in the order of the list;
        ``"random"``: the same in random order; a number: this value
    reuse
        keep what was found for one move of a game when searching for the next
    solver
        follow proven wins and losses up the tree (MCTS-Solver), and stop when the result is proven

    >>> GameUCT(playouts=500).c
    0.4
    """

    playouts: int | None = 1000
    seconds: float | None = None
    c: float = 0.4
    unvisited: Unvisited = "first"
    reuse: bool = False
    solver: bool = False

    name = "uct"

    @staticmethod
    def kernel(spec: Specialisation) -> Any:
        """Random playouts from the leaves of the tree."""
        return make_game_tree(spec, make_game_playout(spec))

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, and how it is followed; nothing is learnt."""
        return *super().arguments(table), False, 0.0
