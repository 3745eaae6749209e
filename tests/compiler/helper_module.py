"""Helpers that a problem in another module calls."""

from __future__ import annotations

inner_constant = 10


def twice_plus(x):
    return 2 * x + three()


def three():
    return 3
