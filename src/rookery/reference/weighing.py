"""How moves are weighed: weights of codes, a temperature, and biases with a scale or with weights that are learned."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from rookery.rng import exp_float
from rookery.tasks import BiasNumber

Policy = dict[Hashable, float]
"""Weights of codes; and those of biases, by their numbers, if they are learned."""

Biases = tuple[float, ...]

MOST = 300.0
"""Where a weighted sum of biases is cut off."""


@dataclass(frozen=True)
class Weighing:
    """A temperature, and what biases are multiplied by; if weights of biases are learned, where these begin."""

    tau: float = 1.0
    scale: float = 1.0
    learns: bool = False

    def factor(self, policy: Policy, biases: Biases) -> float:
        """What the biases of a move multiply its weight by; without learning there is one bias, or none."""
        if not self.learns:
            return exp_float(self.scale * biases[0]) if biases else 1.0
        total = 0.0
        for f, bias in enumerate(biases):
            total += policy.get(BiasNumber(f), self.scale) * bias
        return exp_float(min(max(total, -MOST), MOST))

    def learn(self, policy: Policy, change: float, biases: Biases) -> None:
        """Change the weights of biases in proportion to those of a move."""
        for f, bias in enumerate(biases):
            policy[BiasNumber(f)] = policy.get(BiasNumber(f), self.scale) + change * bias


PLAIN = Weighing()
"""As Rosin 2011 does, and GNRPA with a bias."""
