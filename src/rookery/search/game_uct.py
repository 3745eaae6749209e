"""UCT for two players, and what all searches in a tree of positions have in common."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from rookery.arguments import finite, flag, shown, whole
from rookery.compiler.specialise import Specialisation
from rookery.errors import InputError
from rookery.kernels.buffers import Positions
from rookery.kernels.game_playout import make_cut_playout, make_game_playout
from rookery.kernels.game_tree import Hints, Parts, make_game_tree
from rookery.kernels.positions import DRAWN, LOST, WON
from rookery.search.game_search import MOST_PLAYOUTS, Counts, GameSearch

Unvisited = Literal["first", "random"] | float
"""What a move that has never been tried is worth."""
RANK = {WON: 2, 0: 1, DRAWN: 0, LOST: -1}
"""Moves by what is proven of them."""


MOST_NODES = 1 << 26
PYTHON_NODES = 1 << 20
"""The most positions of a tree in plain Python, if it is not given."""


class GameTreeSearch(GameSearch):
    """Base of searches in a tree of positions; a subclass has these parameters, in an order of its own."""

    c: float
    unvisited: Unvisited
    reuse: bool
    solver: bool
    nodes: int | None

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
        if self.nodes is not None:
            object.__setattr__(self, "nodes", whole("nodes", self.nodes, 2, MOST_NODES))

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, and how it is followed."""
        unvisited = np.inf if isinstance(self.unvisited, str) else float(self.unvisited)
        return table, (self.c, self.solver, self.unvisited == "random", unvisited, self.remembers())

    def twin_parameters(self) -> dict[str, Any]:
        """All but the budget and ``reuse``: whoever holds the table decides whether it is kept."""
        values = super().twin_parameters()
        del values["reuse"]
        return values | {"nodes": PYTHON_NODES if self.nodes is None else self.nodes}

    def reuses(self) -> bool:
        """Whether it keeps its tree for the next move of the game."""
        return self.reuse

    def space(self, game: Any) -> dict[str, tuple[Any, ...]]:
        """Exploration, the value of a move without playouts, and whether the tree is kept from move to move."""
        return {"c": (0.1, 0.2, 0.4, 0.7, 1.0, 1.4), "unvisited": ("first", 0.6, 1.0), "reuse": (False, True)}

    def most_nodes(self) -> int | None:
        """The most positions that its tree may have."""
        return self.nodes

    def chosen(self, counts: Counts) -> int:
        """A move that is proven to win; else the first of those with the most playouts, proven losses last.

        A move that is proven to draw takes the place of one that won less than half of its playouts.
        """
        best = max(range(len(counts.moves)), key=lambda i: (RANK[counts.settled[i]], counts.tries[i]))
        drawn = [i for i, settled in enumerate(counts.settled) if settled == DRAWN]
        if drawn and counts.settled[best] == 0 and (counts.shares[best] or 0.0) < 0.5:
            return max(drawn, key=counts.tries.__getitem__)
        return best


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
        ``"random"``: the same in random order; a number: this value (first-play urgency)
    reuse
        keep what was found for one move of a game when searching for the next
    solver
        follow proven wins, losses and draws up the tree (MCTS-Solver), and stop when the result is proven
    bias
        weight of the progressive bias: a move of p playouts is worth bias * b / (p + 1) more, b being what ``bias`` of
        the game says of it
    prior
        follow the tree by w / p + c * P * sqrt(t) / (p + 1) instead: P is what ``prior`` of the game says of the move,
        as a share of all moves (PUCT); ``unvisited`` must be a number
    cut
        moves after which a playout is cut, and counts what ``estimate`` of the game says
    nodes
        the most positions of the tree. When there are as many, the half with the fewest visits is dropped, of equals
        the younger, and the search goes on. None: as many as 2 GB hold

    >>> GameUCT(playouts=500).c
    0.4
    """

    playouts: int | None = 1000
    seconds: float | None = None
    c: float = 0.4
    unvisited: Unvisited = "first"
    reuse: bool = False
    solver: bool = False
    bias: float = 0.0
    prior: bool = False
    cut: int | None = None
    nodes: int | None = None

    name = "uct"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "bias", finite("bias", self.bias))
        flag("prior", self.prior)
        if self.cut is not None:
            object.__setattr__(self, "cut", whole("cut", self.cut, 0, MOST_PLAYOUTS))
        if self.prior and self.bias:
            raise InputError(f"prior and bias cannot be combined, got bias={shown(self.bias)}")
        if self.prior and isinstance(self.unvisited, str):
            raise InputError(f"with prior, unvisited must be a number, got {shown(self.unvisited)}")

    @staticmethod
    def kernel(spec: Specialisation, hints: Hints | None = None, cuts: bool = False) -> Any:
        """Random playouts from the leaves of the tree."""
        playout = make_cut_playout(spec) if cuts else make_game_playout(spec)
        return make_game_tree(spec, Parts(playout, hints=hints, cuts=cuts))

    def compiled(self) -> tuple[str, Any]:
        """A kernel for each way in which the game helps; the plain one knows nothing of them."""
        hints, cuts = "prior" if self.prior else "bias" if self.bias else None, self.cut is not None
        if hints is None and not cuts:
            return self.name, self.kernel
        words = [self.name, *([hints] if hints else []), *(["cut"] if cuts else [])]
        return "_".join(words), partial(self.kernel, hints=hints, cuts=cuts)

    def needs(self) -> tuple[str, ...]:
        """What is asked of the game."""
        asked = {"bias": self.bias != 0, "prior": self.prior, "estimate": self.cut is not None}
        return tuple(name for name, needed in asked.items() if needed)

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, and how it is followed; nothing is learnt."""
        own: Any = 0.0 if self.compiled()[1] is self.kernel else (self.bias, -1 if self.cut is None else self.cut)
        return *super().arguments(table), own
