"""MAST: playouts prefer moves that have won, wherever they were played (Finnsson and Björnsson 2008)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.arguments import finite, shown
from rookery.compiler.specialise import Specialisation
from rookery.errors import InputError
from rookery.kernels.buffers import Positions
from rookery.kernels.coding import make_coding
from rookery.kernels.game_policy import clear_policy, make_policy_playout
from rookery.kernels.game_tree import Parts, make_game_tree
from rookery.kernels.policy import u
from rookery.rng import exp
from rookery.search.game_uct import GameTreeSearch, Unvisited
from rookery.settings import inlined_kernel


@dataclass(frozen=True)
class MAST(GameTreeSearch):
    """Move-Average Sampling Technique (Finnsson and Björnsson 2008): UCT whose playouts prefer moves that have won.

    For each player and code, all playouts of a search count how often it was played and how often its player won. A
    playout chooses moves in proportion to exp(mean / temperature); a code that was never played has a mean of 0.5.

    Parameters
    ----------
    temperature
        the lower it is, the more playouts keep to the moves that have won most often
    playouts, seconds, c, unvisited, reuse, solver, nodes
        as in :class:`rookery.GameUCT`

    >>> MAST(playouts=500).temperature
    0.1
    """

    playouts: int | None = 1000
    seconds: float | None = None
    c: float = 0.4
    temperature: float = 0.1
    unvisited: Unvisited = "first"
    reuse: bool = False
    solver: bool = False
    nodes: int | None = None

    name = "mast"
    twin = "rookery.reference.game_uct:mast"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "temperature", finite("temperature", self.temperature))
        if self.temperature <= 0:
            raise InputError(f"temperature must be more than 0, got {shown(self.temperature)}")

    @staticmethod
    def kernel(spec: Specialisation) -> Any:
        """Playouts from the leaves of the tree, by the means of codes."""
        coding = make_coding(spec, features=False)
        return make_game_tree(
            spec, Parts(make_policy_playout(spec, coding), coding, note_chosen, clear_means, count_codes)
        )

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, how it is followed, and how much means count."""
        return *super().arguments(table), self.temperature

    def space(self, game: Any) -> dict[str, tuple[Any, ...]]:
        """How much means count, beside what every search in a tree has."""
        return {**super().space(game), "temperature": (0.02, 0.05, 0.1, 0.2, 0.5)}


@inlined_kernel
def note_chosen(ply, table, trace, position, chosen, mover):
    """A step within the tree: the code that was chosen."""
    trace.movers[u(ply)] = mover
    trace.chosen[u(ply)] = table.codes[u(chosen)]
    trace.ends[u(ply)] = 0


@inlined_kernel
def clear_means(trace):
    """Nothing was played."""
    clear_policy(trace)
    trace.seen[:] = 0.0


@inlined_kernel
def count_codes(won, length, trace, temperature):
    """Count a playout for all codes that were played; ``weight`` has the wins."""
    for ply in range(length):
        mover, c = u(trace.movers[u(ply)]), u(trace.chosen[u(ply)])
        trace.seen[mover, c] += 1.0
        trace.weight[mover, c] += 0.5 if won < 0 else 1.0 if won == mover else 0.0
    for ply in range(length):
        mover, c = u(trace.movers[u(ply)]), u(trace.chosen[u(ply)])
        trace.factor[mover, c] = exp((trace.weight[mover, c] / trace.seen[mover, c] - 0.5) / temperature)
