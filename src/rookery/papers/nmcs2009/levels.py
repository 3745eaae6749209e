"""The searches of Cazenave 2009: NMCS with and without memorisation, ties broken at random; level 0 is a playout."""

from __future__ import annotations

from rookery.search.nmcs import NMCS
from rookery.search.protocol import Search
from rookery.search.sampling import Sampling


def search_of(level: int, memorise: bool) -> Search:
    """The search of a level.

    >>> search_of(2, memorise=False).memorise
    False
    """
    return NMCS.cazenave(level, memorise) if level else Sampling(rule="uniform")


def short_name(level: int, memorise: bool) -> str:
    """A level as the paper's Table 1 writes it: 2, or 2m if the best sequence is memorised.

    >>> short_name(2, True), short_name(0, True)
    ('2m', '0')
    """
    return f"{level}{'m' * (memorise and level > 0)}"
