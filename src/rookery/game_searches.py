"""Searches for a move by name, with parameters given as text."""

from __future__ import annotations

import typing
from dataclasses import asdict, fields
from typing import Any

from rookery.errors import InputError
from rookery.reading import Parameter
from rookery.search.flat import FlatMC
from rookery.search.game_uct import GameUCT
from rookery.search.parameters import shown
from rookery.search.ppa import PPA

GameSearch = GameUCT | PPA | FlatMC

GAME_SEARCHES: dict[str, type[GameSearch]] = {"ppa": PPA, "uct": GameUCT, "flat": FlatMC}
"""The searches for a move of a game, by name."""


def load_game_search(
    text: str, playouts: int | None = None, seconds: float | None = None, option: str = "a search"
) -> GameSearch:
    """Make a search for a move from its name and parameters, as the command line does.

    ``playouts`` and ``seconds`` are for a move, if the text does not say otherwise; with seconds alone there are as
    many playouts as there is time for. Errors begin with ``option``.

    >>> load_game_search("ppa:alpha=0.5,solver=true", playouts=200)
    PPA(playouts=200, seconds=None, c=0.4, alpha=0.5, unvisited='first', reuse=False, solver=True)
    >>> load_game_search("flat", seconds=0.1)
    FlatMC(playouts=None, seconds=0.1)
    """
    name, colon, rest = text.partition(":")
    if name not in GAME_SEARCHES:
        *first, last = GAME_SEARCHES
        names = f"{', '.join(first)} or {last}"
        raise InputError(f"{option} must be {names}, as in uct or ppa:alpha=0.5,playouts=2000, got {shown(text)}")
    values = _values(name, rest.split(",") if colon else [], option)
    if "playouts" not in values and "seconds" not in values:
        values |= {"playouts": playouts, "seconds": seconds} if playouts or seconds else {}
    elif "playouts" not in values:
        values["playouts"] = None
    try:
        return GAME_SEARCHES[name](**values)
    except InputError as error:
        raise InputError(f"{option}: {error}") from None


def search_values(search: GameSearch) -> dict[str, Any]:
    """A search as plain values, with its name.

    >>> search_values(FlatMC(playouts=10))
    {'algorithm': 'flat', 'playouts': 10, 'seconds': None}
    """
    return {"algorithm": search.name, **asdict(search)}


def _values(name: str, texts: list[str], option: str) -> dict[str, Any]:
    """The parameters of a search, each read by its annotation."""
    cls = GAME_SEARCHES[name]
    hints = typing.get_type_hints(cls)
    known = {field.name: Parameter(field.name, hints[field.name], field.default) for field in fields(cls)}
    values: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key:
            raise InputError(f"{option}: parameters must be given as key=value, got {shown(text)}")
        if key not in known:
            raise InputError(f"{option}: {name} has no parameter {shown(key)}; it has {', '.join(known)}")
        if key in values:
            raise InputError(f"{option}: {key} is given twice")
        try:
            values[key] = known[key].read(value)
        except InputError:
            raise InputError(f"{option}: {key} must be {known[key].kind}, got {shown(value)}") from None
    return values
