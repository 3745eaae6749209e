"""Weights of codes that are any hashables: playouts read them from a dict, adapt works on arrays."""

from __future__ import annotations

from collections.abc import Hashable
from copy import copy
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from rookery.control import INFEASIBLE_SCORE
from rookery.engine.objects.draws import uniforms
from rookery.kernels.bias_weights import MOST
from rookery.kernels.objects import adapt_line, distinct, kept, learn_line
from rookery.rng import exp_float
from rookery.tasks import BiasNumber

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


class Line:
    """A finished playout: its moves and their codes, and the codes (and factors of the bias) that were legal.

    There is a list of legal codes for each step; in layers, one for each layer, which has ``sizes`` moves. ``factors``
    is None where there is no bias. ``biases`` are those of the legal moves, and ``taken`` of the chosen ones, if their
    weights are learned. ``numbered`` is the line as the policy that adapts to it needs it.
    """

    __slots__ = ("biases", "codes", "factors", "legal", "moves", "numbered", "score", "sizes", "taken")

    def __init__(
        self,
        score: float,
        moves: list[Any],
        codes: list[Hashable],
        legal: list[list[Hashable]],
        factors: list[list[float]] | None,
        sizes: list[int] | None = None,
    ) -> None:
        self.score, self.moves, self.codes = score, moves, codes
        self.legal, self.factors, self.sizes = legal, factors, sizes
        self.biases: list[list[tuple[float, ...]]] = []
        self.taken: list[tuple[float, ...]] = []
        self.numbered: Numbered | None = None


class Numbered(NamedTuple):
    """A line in numbers, as :func:`rookery.kernels.objects.adapt_line` takes it; and the codes that it touches."""

    steps: Integers
    ids: Integers
    bias_factors: Floats
    chosen: Integers
    touched: Integers
    codes: list[Hashable]
    biases: Floats
    taken: Floats


def warm() -> None:
    """Compile what draws and adapts, or read it from disk."""
    uniforms(0)()
    Policy({}).adapt(Line(0.0, [0], [0], [[0]], None), 1.0)


class _Ids(dict[Hashable, int]):
    """Code -> its number; ``codes`` has them by their numbers."""

    def __init__(self) -> None:
        self.codes: list[Hashable] = []

    def __missing__(self, code: Hashable) -> int:
        number = self[code] = len(self)
        self.codes.append(code)
        return number

    def forget(self, kept: int) -> None:
        """Keep the first codes only."""
        del self.codes[kept:]
        while len(self) > kept:
            self.popitem()


class Policy:
    """The weights of one nested call after the other.

    ``factors`` has ``exp(weight / tau)`` of every code that was touched; of others it is 1. A call adapts the policy as
    it likes between :meth:`begin` and :meth:`end`, which restores it: codes that the call was the first to touch are
    forgotten, so the policy does not grow with the codes that a search has ever seen. Learned weights of biases
    begin at ``bias_scale``.
    """

    def __init__(self, weights: dict[Hashable, float], tau: float = 1.0, bias_scale: float = 1.0) -> None:
        self._tau, self._bias_scale = tau, bias_scale
        self._bias_weights = np.array([weights[code] for code in weights if isinstance(code, BiasNumber)])
        weights = {code: weight for code, weight in weights.items() if not isinstance(code, BiasNumber)}
        self._ids = _Ids()
        for code in weights:
            self._ids[code]
        self._weight = np.array(list(weights.values()), np.float64)
        self._factor = np.ones(len(weights))
        self._scratch = np.ones(len(weights))
        self._seen = np.zeros(len(weights), np.bool_)
        self.factors: dict[Hashable, float] = {}
        everything = np.arange(len(weights))
        nothing = np.zeros(0, np.int64)
        steps = np.zeros((0, 2), np.int64)
        no_biases = np.zeros((0, 0))
        of_all = Numbered(steps, nothing, np.zeros(0), nothing, everything, list(self._ids), no_biases, no_biases)
        self._adapt(of_all, 0.0)

    def weights(self) -> dict[Hashable, float]:
        """Each code that was touched, and its weight; and those of biases."""
        biases: dict[Hashable, float] = {BiasNumber(f): weight for f, weight in enumerate(self._bias_weights.tolist())}
        return {**dict(zip(self._ids, self._weight.tolist(), strict=False)), **biases}

    def bias_factors(self, biases: list[tuple[float, ...]]) -> list[float]:
        """What learned weights of biases make of those of some moves."""
        weights = self._bias_weights.tolist() or [self._bias_scale] * len(biases[0])
        factors = []
        for each in biases:
            total = 0.0
            for weight, bias in zip(weights, each, strict=True):
                total += weight * bias
            factors.append(exp_float(min(max(total, -MOST), MOST)))
        return factors

    def adapt(self, line: Line, alpha: float) -> None:
        """A gradient step towards a playout; none towards one that ends infeasible."""
        if line.score == INFEASIBLE_SCORE:
            return
        if line.numbered is None:
            line.numbered = self._number(line)
        self._adapt(line.numbered, alpha)

    def copy(self) -> Policy:
        """A policy with these weights; lines must be numbered again for it."""
        made = copy(self)
        made._ids = _Ids()
        for code in self._ids.codes:
            made._ids[code]
        made._weight, made._factor = self._weight.copy(), self._factor.copy()
        made._scratch, made._seen = self._scratch.copy(), self._seen.copy()
        made.factors = self.factors.copy()
        made._bias_weights = self._bias_weights.copy()
        return made

    def begin(self) -> tuple[Floats, Floats, dict[Hashable, float], Floats]:
        """A nested call begins; returns what :meth:`end` needs."""
        n, factors = len(self._ids), self.factors
        self.factors = factors.copy()
        return self._weight[:n].copy(), self._factor[:n].copy(), factors, self._bias_weights.copy()

    def end(self, begun: tuple[Floats, Floats, dict[Hashable, float], Floats]) -> None:
        """It returns: lines that were numbered since must be numbered again."""
        weight, factor, self.factors, self._bias_weights = begun
        n = len(weight)
        self._weight[:n], self._weight[n:] = weight, 0.0
        self._factor[:n], self._factor[n:] = factor, 1.0
        self._ids.forget(n)

    def _adapt(self, line: Numbered, alpha: float) -> None:
        steps, ids, bias_factors, chosen, touched, codes, biases, taken = line
        scratch = self._scratch
        weight, factor, tau = self._weight, self._factor, self._tau
        if biases.size:
            if not self._bias_weights.size:
                self._bias_weights = np.full(biases.shape[1], self._bias_scale)
            kept(learn_line)(steps, ids, biases, taken, self._bias_weights, bias_factors, factor, alpha)
        kept(adapt_line)(steps, ids, bias_factors, chosen, touched, weight, factor, scratch, alpha, tau)
        self.factors.update(zip(codes, scratch[: len(codes)].tolist(), strict=True))

    def _number(self, line: Line) -> Numbered:
        known, sizes = self._ids, line.sizes or [1] * len(line.legal)
        number = known.__getitem__
        steps = np.empty((len(sizes), 2), np.int64)
        steps[:, 0], steps[:, 1] = list(map(len, line.legal)), sizes
        ids = np.fromiter(map(number, chain.from_iterable(line.legal)), np.int64)
        chosen = np.fromiter(map(number, line.codes), np.int64)
        if len(known) > len(self._weight):
            self._make_room(2 * len(known))
        touched = np.empty(len(chosen) + len(ids), np.int64)
        touched = touched[: kept(distinct)(chosen, ids, self._seen, touched)]
        codes = list(map(known.codes.__getitem__, touched.tolist()))
        biases, taken = np.array(list(chain.from_iterable(line.biases)), ndmin=2), np.array(line.taken, ndmin=2)
        factors = np.fromiter(chain.from_iterable(line.factors or ()), np.float64)
        bias_factors = np.empty(len(ids)) if biases.size else factors
        return Numbered(steps, ids, bias_factors, chosen, touched, codes, biases, taken)

    def _make_room(self, room: int) -> None:
        """More cells; new ones hold the weight 0."""
        more = room - len(self._weight)
        self._weight = np.append(self._weight, np.zeros(more))
        self._factor = np.append(self._factor, np.ones(more))
        self._scratch = np.append(self._scratch, np.zeros(more))
        self._seen = np.append(self._seen, np.zeros(more, np.bool_))
