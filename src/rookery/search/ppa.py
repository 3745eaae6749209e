"""Playout Policy Adaptation (Cazenave 2015): UCT whose playouts learn from the winners; PPAF and PPAFM."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

from rookery.arguments import finite, flag
from rookery.compiler.specialise import Specialisation
from rookery.kernels.buffers import Positions
from rookery.kernels.coding import make_coding
from rookery.kernels.game_policy import clear_policy, make_policy_playout, note_step
from rookery.kernels.game_tree import Parts, make_game_tree
from rookery.kernels.policy import u
from rookery.problem import Limits
from rookery.rng import exp
from rookery.search.game_uct import GameTreeSearch, Unvisited
from rookery.settings import inlined_kernel

LANES = 8
"""This many exponentials in a row take about as long as one alone."""


@dataclass(frozen=True)
class PPA(GameTreeSearch):
    """Playout Policy Adaptation (Cazenave 2015): UCT whose playouts learn from the winner of each playout.

    Each player has a weight for every code, 0 at the beginning of a search. A playout chooses moves in proportion to
    exp(weight); after it, the weights of the winner's moves, from the root on, rise by alpha, and those of all
    moves that were possible instead fall by alpha times their probability.

    Parameters
    ----------
    alpha
        the step of adapt
    features
        tell apart moves of one code by their features, which takes a game with ``feature`` (PPAF)
    keep
        begin with the weights that the search for the last move of the game ended with (PPAFM, with ``features``)
    shared
        both players have one policy, so that each learns from the other's moves of the same code
    playouts, seconds, c, unvisited, reuse, solver, nodes
        as in :class:`rookery.GameUCT`

    >>> PPA(playouts=500).alpha
    1.0
    """

    playouts: int | None = 1000
    seconds: float | None = None
    c: float = 0.4
    alpha: float = 1.0
    unvisited: Unvisited = "first"
    reuse: bool = False
    solver: bool = False
    features: bool = False
    keep: bool = False
    shared: bool = False
    nodes: int | None = None

    name = "ppa"
    twin = "rookery.reference.game_uct:ppa"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "alpha", finite("alpha", self.alpha))
        for name in ("features", "keep", "shared"):
            flag(name, getattr(self, name))

    @staticmethod
    def kernel(spec: Specialisation, features: bool = False, shared: bool = False) -> Any:
        """Playouts from the leaves of the tree, by a policy that learns from each."""
        coding = make_coding(spec, features)
        playout = make_policy_playout(spec, coding)
        return make_game_tree(spec, Parts(playout, coding, note_step, clear_policy, adapt_both if shared else adapt))

    def compiled(self) -> tuple[str, Any]:
        """A kernel for each way in which it learns; PPAF and PPAFM have theirs in common."""
        name = "ppa" if self.kernel is PPA.kernel else self.name
        ways = {way: True for way in ("features", "shared") if getattr(self, way)}
        return ("_".join([name, *ways]), partial(self.kernel, **ways)) if ways else (name, self.kernel)

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, how it is followed, and how fast the policy learns."""
        return *super().arguments(table), self.alpha

    def needs(self) -> tuple[str, ...]:
        """``feature``, if features count."""
        return ("feature",) if self.features else ()

    def codes(self, limits: Limits) -> int:
        """Weights of a player: one for each code, or for each code with each feature."""
        return int(limits.codes) * (limits.features if self.features else 1)

    def space(self, game: Any) -> dict[str, tuple[Any, ...]]:
        """Exploration and how fast it learns, beside what every search in a tree has."""
        return {**super().space(game), "alpha": (0.1, 0.3, 0.6, 1.0, 2.0)}

    def remembers(self) -> bool:
        """Whether it keeps its policy for the next move of the game."""
        return self.keep


@dataclass(frozen=True)
class PPAF(PPA):
    """PPA with features (Cazenave 2016): a weight for each code of a move together with what stands around it.

    What that is, ``feature`` of the game says; a game without it is refused.

    Parameters
    ----------
    playouts, seconds, c, alpha, unvisited, reuse, solver, features, keep, shared, nodes
        as in :class:`rookery.PPA`

    >>> PPAF(playouts=500).features
    True
    """

    features: bool = True

    name = "ppaf"


@dataclass(frozen=True)
class PPAFM(PPAF):
    """PPA with features and memory (Cazenave 2016): the policy is kept from one move of a game to the next.

    Parameters
    ----------
    playouts, seconds, c, alpha, unvisited, reuse, solver, features, keep, shared, nodes
        as in :class:`rookery.PPA`

    >>> PPAFM(playouts=500).keep
    True
    """

    keep: bool = True

    name = "ppafm"


@inlined_kernel
def adapt(won, length, trace, alpha):
    """Algorithm 2: towards the moves of the winner, all by the policy as it was."""
    if won < 0:
        return
    weight, factor, codes = trace.weight[u(won)], trace.factor[u(won)], trace.codes
    begin, seen = 0, 0
    for ply in range(length):
        end = trace.ends[u(ply)]
        if trace.movers[u(ply)] == won:
            weight[u(trace.chosen[u(ply)])] += alpha
            share = alpha / trace.totals[u(ply)]
            for k in range(begin, end):
                c = u(codes[u(k)])
                weight[c] -= share * factor[c]
            seen += end - begin
        begin = end
    if LANES * seen >= weight.size:  # all of them, many at a time
        for c in range(weight.size):
            factor[c] = exp(weight[c])
        return
    begin = 0
    for ply in range(length):
        end = trace.ends[u(ply)]
        if trace.movers[u(ply)] == won:
            for k in range(begin, end):
                c = u(codes[u(k)])
                factor[c] = exp(weight[c])
        begin = end


@inlined_kernel
def adapt_both(won, length, trace, alpha):
    """The same for both players: the other one takes over what the winner has learnt."""
    adapt(won, length, trace, alpha)
    if won < 0:
        return
    for c in range(trace.weight.shape[1]):
        trace.weight[u(1 - won), u(c)] = trace.weight[u(won), u(c)]
        trace.factor[u(1 - won), u(c)] = trace.factor[u(won), u(c)]
