"""What searches for a move in plain Python keep of positions, and how long they go on."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass
class Entry:
    """What is known of a position: for each move, how often it was tried, won, and whether it is decided."""

    moves: list[Any]
    tries: list[int] = field(default_factory=list)
    wins: list[float] = field(default_factory=list)
    settled: list[int] = field(default_factory=list)
    visits: int = 0
    proven: int = 0

    def __post_init__(self) -> None:
        n = len(self.moves)
        self.tries, self.wins, self.settled = [0] * n, [0.0] * n, [0] * n


class Budget(Protocol):
    """How long a search goes on."""

    def lasts(self) -> bool:
        """Whether one more playout may be played."""

    def count(self) -> None:
        """One more was played."""


Table = dict[Hashable, Entry]
