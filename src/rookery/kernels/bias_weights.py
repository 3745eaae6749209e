"""Learned weights of biases: a move is drawn in proportion to ``exp(weight + sum of W_f b_f)``.

A step of adapt towards a sequence changes W_f by alpha times (the bias f of the move that was played, minus the mean of
the bias f over the legal moves) for each of its steps, under the old policy. The weights are nested as the policy is.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.kernels.buffers import BiasWeights
from rookery.rng import exp
from rookery.settings import inlined_kernel

u = np.uint64
MOST = 300.0
"""Where a weighted sum of biases is cut off, above and below: its exponential times that of a weight stays finite."""


class Learning(NamedTuple):
    """The functions of this module, specialised for a problem."""

    weigh: Any
    """``weigh(factor, self, s, move, terms, bias_factors, k)``: as in :func:`rookery.kernels.playout.make_weigh`."""
    weigh_again: Any
    """``weigh_again(learned, row, size, bias_factors)``: the factors of a row under the current weights."""
    learn: Any
    """``learn(learned, row, ids, ends, chosen, totals, factor, bias_factors, alpha)``: a step of adapt."""
    begin: Any
    """``begin(learned, level)``: a level begins."""
    end: Any
    """``end(learned, level)``: a level returns; what it has learned is undone."""


def new_bias_weights(biases: int, levels: int, shape: tuple[int, ...], places: int) -> BiasWeights:
    """Room for the weights of this many biases, beside a trace whose rows of codes have this shape."""
    return BiasWeights(
        weight=np.ones(biases),
        before=np.ones((levels, biases)),
        values=np.empty((*shape, biases)),
        kept=np.empty((places, biases)),
    )


@inlined_kernel
def bias_factor(total):
    """The exponential of a weighted sum of biases."""
    return exp(min(max(total, -MOST), MOST))


def make_learning(spec: Specialisation) -> Learning:
    """What learns the weights of a problem's biases."""
    bias: Any = spec.functions.bias
    biases: Any = spec.functions.biases

    if biases is None:

        @spec.inlined
        def biases(self, s, move):
            return (np.float64(bias(self, s, move)),)

    @spec.inlined
    def weigh(factor, self, s, move, terms, bias_factors, k):
        weights, values = terms
        total = 0.0
        f = u(0)
        for value in biases(self, s, move):
            values[k, f] = value
            total += weights[f] * values[k, f]
            f += u(1)
        bias_factors[k] = bias_factor(total)
        return factor * bias_factors[k]

    @spec.kernel
    def weigh_again(learned, row, size, bias_factors):
        for k in range(size):
            total = 0.0
            for f in range(learned.weight.size):
                total += learned.weight[u(f)] * learned.values[row, u(k), u(f)]
            bias_factors[u(k)] = bias_factor(total)

    @spec.kernel
    def learn(learned, row, ids, ends, chosen, totals, factor, bias_factors, alpha):
        """Steps that end at the same code are one layer; without layers, each ends elsewhere."""
        values, weights = learned.values[row], learned.weight
        start = 0
        ply = 0
        while ply < ends.size:
            first = ply
            while ply < ends.size and ends[u(ply)] == ends[u(first)]:
                for f in range(weights.size):
                    weights[u(f)] += alpha * values[u(chosen[u(ply)]), u(f)]
                ply += 1
            step = alpha * (ply - first) / totals[u(first)]
            for k in range(start, ends[u(first)]):
                share = step * (factor[ids[u(k)]] * bias_factors[u(k)])
                for f in range(weights.size):
                    weights[u(f)] -= share * values[u(k), u(f)]
            start = ends[u(first)]

    @spec.inlined
    def begin(learned, level):
        for f in range(learned.weight.size):
            learned.before[level, u(f)] = learned.weight[u(f)]

    @spec.inlined
    def end(learned, level):
        for f in range(learned.weight.size):
            learned.weight[u(f)] = learned.before[level, u(f)]

    return Learning(weigh, weigh_again, learn, begin, end)
