"""What a search for a move of a game has found."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Decision:
    """The move that a search plays, and why.

    Parameters
    ----------
    move
        the move that is played
    visits
        playouts by move, in the order in which the game lists the moves
    values
        share of the playouts that the player won, by move, draws as halves; None for a move without playouts
    playouts
        of the search
    seconds
        that it took
    proven
        "win" or "loss" if the search has proved that, for the player to move

    >>> Decision(move=4, visits={3: 10, 4: 90}, values={3: 0.2, 4: 0.7}, playouts=100, seconds=0.01).value
    0.7
    """

    move: Any
    visits: Mapping[Any, int] = field(repr=False)
    values: Mapping[Any, float | None] = field(repr=False)
    playouts: int
    seconds: float
    proven: Literal["win", "loss"] | None = None

    @property
    def value(self) -> float | None:
        """Share of the playouts that the player won with the move."""
        return self.values[self.move]
