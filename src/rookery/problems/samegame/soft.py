"""SameGame with a soft tabu: the tabu colour is not left out of playouts, only less likely to be taken."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from rookery.bits import u
from rookery.errors import InputError
from rookery.problems.samegame.game import Rule, SameGame


class SoftSameGame(SameGame):
    """SameGame in which groups of the tabu colour have a bias against them instead of being left out.

    It is what ``SameGame.build(rule="soft")`` makes. The tabu colour is the one that has the most cells at the start,
    or the one that is given; its bias is -3, or the one that is given.

    >>> SoftSameGame.build("001/221").constants()["disliked"]
    0
    """

    rule: Rule = "soft"

    def __post_init__(self) -> None:
        if self.rule == "none":
            object.__setattr__(self, "rule", "soft")
        if self.rule != "soft":
            raise InputError(f"rule must be soft here, got {self.rule!r}")
        super().__post_init__()

    def constants(self) -> Mapping[str, Any]:
        most = int(np.bincount(self.cells.ravel()).argmax()) if self.tabu is None else self.tabu
        return {**super().constants(), "disliked": most, "dislike": float(self.dislike)}

    def bias(self, s, move):
        return self.dislike if s.colour[u(s.place[u(move)])] == self.disliked else 0.0
