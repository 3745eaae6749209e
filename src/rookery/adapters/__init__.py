"""Other libraries: the games of OpenSpiel as games of this one, and its searches as bots of OpenSpiel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.adapters.spiel_bot import openspiel_bot as openspiel_bot
    from rookery.adapters.spiel_game import openspiel as openspiel

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "adapters.spiel_bot": "openspiel_bot",
        "adapters.spiel_game": "openspiel",
    },
)
