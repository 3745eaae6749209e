"""The parameters that are shared by searches in a tree of positions."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rookery.arguments import finite, flag, shown
from rookery.errors import InputError
from rookery.kernels.buffers import Positions
from rookery.search.game_search import Counts, GameSearch

Unvisited = Literal["first", "random"] | float
"""What a move that was never tried is worth."""


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
        """All but the budget; whoever holds the table decides whether it is kept."""
        values = super().twin_parameters()
        del values["reuse"]
        return values

    def reuses(self) -> bool:
        """Whether it keeps its tree for the next move of the game."""
        return self.reuse

    def chosen(self, counts: Counts) -> int:
        """A move that is proven to win; else the first of those with the most playouts, proven losses last."""
        return max(range(len(counts.moves)), key=lambda i: (counts.settled[i], counts.tries[i]))
