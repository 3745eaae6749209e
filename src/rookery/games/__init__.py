"""The games for two players that come with the library."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rookery.games.atarigo import AtariGo as AtariGo
    from rookery.games.breakthrough import Breakthrough as Breakthrough
    from rookery.games.breakthrough import MisereBreakthrough as MisereBreakthrough
    from rookery.games.domineering import Domineering as Domineering
    from rookery.games.domineering import MisereDomineering as MisereDomineering
    from rookery.games.go import Go as Go
    from rookery.games.knightthrough import Knightthrough as Knightthrough
    from rookery.games.knightthrough import MisereKnightthrough as MisereKnightthrough
    from rookery.games.nogo import MisereNoGo as MisereNoGo
    from rookery.games.nogo import NoGo as NoGo

_HOMES = {
    "games.atarigo": ("AtariGo",),
    "games.breakthrough": (
        "Breakthrough",
        "MisereBreakthrough",
    ),
    "games.domineering": (
        "Domineering",
        "MisereDomineering",
    ),
    "games.go": ("Go",),
    "games.knightthrough": (
        "Knightthrough",
        "MisereKnightthrough",
    ),
    "games.nogo": (
        "MisereNoGo",
        "NoGo",
    ),
}
"""Module -> names that are found there when they are first asked for: importing costs nothing."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(importlib.import_module(f"rookery.{_HOME[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
