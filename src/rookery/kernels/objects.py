"""The compiled parts of searches on Python objects: draws by the hundred, and adapt on a whole playout."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from rookery.compiler.cache import KernelCache
from rookery.compiler.key import library_key
from rookery.kernels.bias_weights import bias_factor
from rookery.rng import exp, next_word, seed_stream
from rookery.settings import INTERPRETED, kernel, quiet_overflow


@cache
def kept(function: Callable[..., Any]) -> Any:
    """A function of this module, compiled, and kept on disk."""
    dispatcher: Any = kernel(function)
    if not INTERPRETED:
        dispatcher._cache = KernelCache(library_key(), function.__name__)
    return dispatcher


def draw_words(key, begins, rng, out):
    """Fill ``out`` from the stream in ``rng``, which begins here with a key or continues."""
    if begins:
        seed_stream(rng, key)
    for i in range(out.size):
        out[i] = next_word(rng)


def adapt_line(steps, ids, bias_factors, chosen, touched, weight, factor, scratch, alpha, tau):
    """Rosin 2011, Figure 2, lines 21-29; ``factor`` is ``exp(weight / tau)``.

    ``steps[:, 0]`` says how many moves were legal and ``steps[:, 1]`` how many were chosen from them (more than one
    in layers); ``ids`` and ``bias_factors`` are of the legal moves, step after step, ``chosen`` of the chosen ones;
    ``touched`` has each id once; without a bias there are no ``bias_factors``. ``scratch`` is left with the new
    factors, in the order of ``touched``.
    """
    begin, moves = 0, 0
    for i in range(touched.size):
        scratch[touched[i]] = weight[touched[i]]
    for ply in range(steps.shape[0]):
        end = begin + steps[ply, 0]
        for _ in range(steps[ply, 1]):
            scratch[chosen[moves]] += alpha
            moves += 1
        total = 0.0
        for k in range(begin, end):
            total += factor[ids[k]] * bias_factors[k] if bias_factors.size else factor[ids[k]]
        step = alpha * steps[ply, 1] / total
        for k in range(begin, end):
            scratch[ids[k]] -= step * (factor[ids[k]] * bias_factors[k] if bias_factors.size else factor[ids[k]])
        begin = end
    for i in range(touched.size):
        weight[touched[i]] = scratch[touched[i]]
    for i in range(touched.size):
        scratch[i] = exp(weight[touched[i]] / tau)
    for i in range(touched.size):
        factor[touched[i]] = scratch[i]


def learn_line(steps, ids, biases, taken, bias_weights, bias_factors, factor, alpha):
    """Learn the weights of biases: those of the legal moves and of the chosen ones are given, step after step.

    ``bias_factors`` is left with the factors of the legal moves under the old weights.
    """
    begin, moves = 0, 0
    for k in range(ids.size):
        total = 0.0
        for f in range(bias_weights.size):
            total += bias_weights[f] * biases[k, f]
        bias_factors[k] = bias_factor(total)
    for ply in range(steps.shape[0]):
        end = begin + steps[ply, 0]
        for _ in range(steps[ply, 1]):
            for f in range(bias_weights.size):
                bias_weights[f] += alpha * taken[moves, f]
            moves += 1
        total = 0.0
        for k in range(begin, end):
            total += factor[ids[k]] * bias_factors[k]
        step = alpha * steps[ply, 1] / total
        for k in range(begin, end):
            share = step * (factor[ids[k]] * bias_factors[k])
            for f in range(bias_weights.size):
                bias_weights[f] -= share * biases[k, f]
        begin = end


def distinct(chosen, ids, seen, touched):
    """Write each id once, in the order of its first appearance; returns how many. ``seen`` is left as it was: False."""
    n = 0
    for i in range(chosen.size + ids.size):
        number = chosen[i] if i < chosen.size else ids[i - chosen.size]
        if not seen[number]:
            seen[number] = True
            touched[n] = number
            n += 1
    for i in range(n):
        seen[touched[i]] = False
    return n


def words(key: Any, begins: bool, rng: Any, size: int) -> Any:
    """The next words of a stream, in an array."""
    out = np.empty(size, np.uint64)
    with quiet_overflow():
        kept(draw_words)(key, begins, rng, out)
    return out
