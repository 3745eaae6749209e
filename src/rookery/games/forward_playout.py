"""A playout of a game whose pieces only go forward, on a board of one word: in variables, one player after the other.

It draws what :meth:`ForwardGame.sample` draws, and takes half as long as moves on a state.
"""

from __future__ import annotations

from rookery.bits import ZERO, nth_bit, ones
from rookery.rng import below


def drawn(m0, m1, m2, m3, a0, a1, a2, a3, rng):
    """One of the pieces that may go in the four directions, at random, and how far it goes; no piece if none may.

    Without a branch that depends on what was drawn: the processor could not predict it.
    """
    before_1 = ones(m0)
    before_2 = before_1 + ones(m1)
    before_3 = before_2 + ones(m2)
    n = before_3 + ones(m3)
    if n == 0:
        return ZERO, a0
    i = below(rng, n)
    m = m0
    shift = a0
    before = 0
    if i >= before_1:
        m = m1
        shift = a1
        before = before_1
    if i >= before_2:
        m = m2
        shift = a2
        before = before_2
    if i >= before_3:
        m = m3
        shift = a3
        before = before_3
    return nth_bit(m, i - before), shift


def step_up(own, other, peaceful, w0, w1, w2, w3, a0, a1, a2, a3, rng):
    """A move of the player who goes up: their pieces, the other's, and where the move leads; ZERO if there is none."""
    free = ~own
    straight = ~(own | other) if peaceful else free
    piece, shift = drawn(
        own & w0 & (free >> a0),
        own & w1 & (straight >> a1),
        own & w2 & (free >> a2),
        own & w3 & (free >> a3),
        a0,
        a1,
        a2,
        a3,
        rng,
    )
    to = piece << shift
    return own ^ (piece | to), other & ~to, to


def step_down(own, other, peaceful, w0, w1, w2, w3, a0, a1, a2, a3, rng):
    """The same for the player who goes down."""
    free = ~own
    straight = ~(own | other) if peaceful else free
    piece, shift = drawn(
        own & w0 & (free << a0),
        own & w1 & (straight << a1),
        own & w2 & (free << a2),
        own & w3 & (free << a3),
        a0,
        a1,
        a2,
        a3,
        rng,
    )
    to = piece >> shift
    return own ^ (piece | to), other & ~to, to
