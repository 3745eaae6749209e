"""RAVE and GRAVE: a move without many playouts is judged by what it was worth when it was played later on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rookery.arguments import finite, shown, whole
from rookery.compiler.specialise import Specialisation
from rookery.errors import InputError
from rookery.kernels.amaf import make_coded_playout, note_code
from rookery.kernels.buffers import Positions
from rookery.kernels.coding import make_coding
from rookery.kernels.game_tree import Parts, make_game_tree
from rookery.problem import Limits
from rookery.search.game_search import MOST_PLAYOUTS
from rookery.search.game_uct import GameTreeSearch, Unvisited


@dataclass(frozen=True)
class GRAVE(GameTreeSearch):
    """Generalized Rapid Action Value Estimation (Cazenave 2015): a tree that is followed by AMAF values.

    A position counts how often a code was played from there on, at any depth, and how often whoever played it won:
    its AMAF value. A move is worth (1 - beta) * mean + beta * amaf with beta = pa / (pa + p + bias * pa * p): p
    playouts began with the move, and pa played its code. The AMAF values are those of the deepest position on the
    path with more than ``ref`` playouts, so that there are enough of them. Playouts are at random.

    Parameters
    ----------
    c
        weight of exploration, as in :class:`rookery.GameUCT`; without, AMAF values alone see to it
    ref
        playouts that a position must have had, more than these, before its AMAF values are used
    bias
        the larger it is, the sooner playouts of the move itself count more than AMAF values
    unvisited
        what a move is worth of which nothing is known: ``"first"``, before all others, or a number
    playouts, seconds, reuse, solver, nodes
        as in :class:`rookery.GameUCT`

    >>> GRAVE(playouts=500).ref
    50
    """

    playouts: int | None = 1000
    seconds: float | None = None
    c: float = 0.0
    ref: int = 50
    bias: float = 1e-5
    unvisited: Unvisited = "first"
    reuse: bool = False
    solver: bool = False
    nodes: int | None = None

    name = "grave"
    twin = "rookery.reference.grave:search"

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "ref", whole("ref", self.ref, 0, MOST_PLAYOUTS))
        object.__setattr__(self, "bias", finite("bias", self.bias))
        if self.bias < 0:
            raise InputError(f"bias must be at least 0, got {shown(self.bias)}")
        if self.unvisited == "random":
            raise InputError(f"unvisited must be \"first\" or a number in {type(self).__name__}, got 'random'")

    @staticmethod
    def kernel(spec: Specialisation) -> Any:
        """Random playouts whose codes are counted in all positions on the way."""
        coding = make_coding(spec, features=False)
        return make_game_tree(spec, Parts(make_coded_playout(spec, coding), coding, note_code, amaf=True))

    def compiled(self) -> tuple[str, Any]:
        """RAVE and GRAVE share what is compiled."""
        return "grave" if self.kernel is GRAVE.kernel else self.name, self.kernel

    def arguments(self, table: Positions) -> tuple[Any, ...]:
        """The table, how it is followed, and when AMAF values count."""
        return *super().arguments(table), (self.ref, self.bias)

    def space(self, game: Any) -> dict[str, tuple[Any, ...]]:
        """When AMAF values count, beside what every search in a tree has."""
        most = {"ref": (0, 20, 50, 150, 500), "bias": (1e-7, 1e-5, 1e-3, 0.1)}
        return {**super().space(game), "c": (0.0, 0.1, 0.3), **most}

    def width(self, limits: Limits) -> int:
        """A value for each player and code."""
        return 2 * int(limits.codes)


@dataclass(frozen=True)
class RAVE(GRAVE):
    """Rapid Action Value Estimation (Gelly and Silver 2007): GRAVE by the AMAF values of the position itself.

    Parameters
    ----------
    playouts, seconds, c, ref, bias, unvisited, reuse, solver, nodes
        as in :class:`rookery.GRAVE`

    >>> RAVE(playouts=500).ref
    0
    """

    ref: int = 0

    name = "rave"

    def space(self, game: Any) -> dict[str, tuple[Any, ...]]:
        """That of GRAVE, without the number of playouts that tells them apart."""
        return {name: values for name, values in super().space(game).items() if name != "ref"}
