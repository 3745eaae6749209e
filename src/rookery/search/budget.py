"""What searches for a move of a game share: a budget, and how a tree is followed."""

from __future__ import annotations

from typing import Any, Literal

from rookery.errors import InputError
from rookery.search.parameters import finite, shown, whole

MOST_PLAYOUTS = 1 << 28

Unvisited = Literal["first", "random"] | float
"""How good a move is that was never tried."""


def check_budget(search: Any) -> None:
    """Refuse a search without a budget, or with one that is none; what is given both ways ends with the first."""
    if search.playouts is None and search.seconds is None:
        raise InputError("give playouts or seconds for a move, or both")
    if search.playouts is not None:
        object.__setattr__(search, "playouts", whole("playouts", search.playouts, 1, MOST_PLAYOUTS))
    if search.seconds is not None:
        seconds = finite("seconds", search.seconds)
        if seconds <= 0:
            raise InputError(f"seconds must be more than 0, got {shown(search.seconds)}")
        object.__setattr__(search, "seconds", seconds)


def check_tree(search: Any) -> None:
    """Refuse values of ``c``, ``unvisited``, ``reuse`` and ``solver`` that mean nothing."""
    object.__setattr__(search, "c", finite("c", search.c))
    if search.c < 0:
        raise InputError(f"c must be at least 0, got {shown(search.c)}")
    if isinstance(search.unvisited, str):
        if search.unvisited not in ("first", "random"):
            raise InputError(f'unvisited must be "first", "random" or a number, got {shown(search.unvisited)}')
    else:
        object.__setattr__(search, "unvisited", finite("unvisited", search.unvisited))
    for name in ("reuse", "solver"):
        if not isinstance(getattr(search, name), bool):
            raise InputError(f"{name} must be True or False, got {shown(getattr(search, name))}")
