"""Candidates for the pool: the best sequence of each signature among all playouts of a task.

A signature is a function of the codes of a sequence alone, so the best of each in a run does not depend on how the run
is cut into tasks. To keep all sequences that differ it is a hash of all codes. To keep those that differ much it is the
smallest hash of a code (min-hash; Broder 1997): two sequences share it with the probability that a code of either is in
both, so that near-copies of a good sequence take few places.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rookery.compiler.specialise import Specialisation
from rookery.control import INFEASIBLE_SCORE
from rookery.kernels.buffers import GIVEN, KEPT, Candidates
from rookery.kernels.policy import u
from rookery.problem import Limits
from rookery.rng import SIGNATURE_SALT, mix
from rookery.tasks import Keep, Sequence


def new_candidates(keep: Keep, limits: Limits, dtype: Any, out: Any) -> Candidates:
    """Room for the candidates of a task."""
    rows, steps = keep.most + 1, max(1, limits.length)
    return Candidates(
        order=np.arange(rows),
        size=np.zeros(2, np.int64),
        scores=np.zeros(rows),
        signatures=np.zeros(rows, np.uint64),
        lengths=np.zeros(rows, np.int64),
        moves=np.zeros((rows, steps), np.int64),
        codes=np.zeros((rows, steps), np.uint64),
        states=np.zeros(2, dtype),
        prefix=np.zeros(steps, np.int64),
        out=out,
        exact=keep.exact,
    )


def read_candidates(pool: Candidates, fixed: tuple[Any, ...]) -> tuple[Sequence, ...]:
    """What a task has kept, the best first; ``fixed`` are the first moves of the run."""
    found = []
    for row in pool.order[: pool.size[KEPT]]:
        length = pool.lengths[row]
        moves, codes = pool.moves[row, :length].tolist(), pool.codes[row, :length].tolist()
        found.append(Sequence(float(pool.scores[row]), (*fixed, *moves), tuple(codes)))
    return tuple(found)


def make_offer(spec: Specialisation) -> Any:
    """Keep a playout if it is among the best of its task; only called if the specialisation keeps any."""
    functions, ours = spec.functions, spec.ours
    code, play, value, begin_playout = functions.code, functions.play, functions.value, functions.begin_playout
    list_moves, move_at = functions.list_moves, functions.move_at

    @spec.kernel
    def is_legal(self, s, move, out):
        for k in range(list_moves(self, s, out)):  # noqa: SIM110 - any() of a generator does not compile
            if move_at(self, s, out, k) == move:
                return True
        return False

    @spec.kernel
    def sign(self, pool, row, moves, first, length, score):
        """Copy a sequence into a row, with its codes; returns its signature, and whether it is what it should be.

        Only the rows of a user's own search need a look: they may not hold a whole sequence.
        """
        pool.states[1] = pool.states[0]
        s, before = pool.states[1], pool.size[GIVEN]
        begin_playout(self, s)
        signature = u(0) if pool.exact else ~u(0)
        steps = before + length - first
        for i in range(steps):
            move = pool.prefix[u(i)] if i < before else moves[u(first + i - before)]
            if not ours and not is_legal(self, s, move, pool.out):
                return signature, False
            c = u(code(self, s, move))
            pool.moves[row, u(i)], pool.codes[row, u(i)] = move, c
            hashed = mix(c, SIGNATURE_SALT)
            signature = signature + hashed if pool.exact else min(signature, hashed)
            play(self, s, move)
        pool.lengths[row] = steps
        return signature, value(self, s) == score

    @spec.kernel
    def offer(self, moves, first, length, score, run):
        pool = run.pool
        order, scores, size, most = pool.order, pool.scores, pool.size[KEPT], pool.order.size - 1
        if score == INFEASIBLE_SCORE or (size == most and score <= scores[order[most - 1]]):
            return
        row = order[size]
        signature, right = sign(self, pool, row, moves, first, length, score)
        if not right:
            return
        place = size
        for k in range(size):
            if pool.signatures[order[k]] == signature:
                place = k
        if place < size and scores[order[place]] >= score:
            return
        if place == size and size < most:
            pool.size[KEPT] = size + 1
        else:  # it takes the place of the one with its signature, or of the last
            place = min(place, most - 1)
            order[size] = order[place]
        while place > 0 and scores[order[place - 1]] < score:
            order[place] = order[place - 1]
            place -= 1
        order[place], scores[row], pool.signatures[row] = row, score, signature

    return offer
