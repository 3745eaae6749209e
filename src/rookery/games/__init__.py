"""The games for two players that come with the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rookery import _lazy

if TYPE_CHECKING:
    from rookery.games.amazons import Amazons as Amazons
    from rookery.games.atarigo import AtariGo as AtariGo
    from rookery.games.breakthrough import Breakthrough as Breakthrough
    from rookery.games.breakthrough import MisereBreakthrough as MisereBreakthrough
    from rookery.games.connectfour import ConnectFour as ConnectFour
    from rookery.games.domineering import Domineering as Domineering
    from rookery.games.domineering import MisereDomineering as MisereDomineering
    from rookery.games.go import Go as Go
    from rookery.games.gomoku import Gomoku as Gomoku
    from rookery.games.hex import Hex as Hex
    from rookery.games.knightthrough import Knightthrough as Knightthrough
    from rookery.games.knightthrough import MisereKnightthrough as MisereKnightthrough
    from rookery.games.nogo import MisereNoGo as MisereNoGo
    from rookery.games.nogo import NoGo as NoGo
    from rookery.games.othello import Othello as Othello

__getattr__, __dir__, __all__ = _lazy(
    globals(),
    {
        "games.amazons": "Amazons",
        "games.atarigo": "AtariGo",
        "games.breakthrough": "Breakthrough MisereBreakthrough",
        "games.connectfour": "ConnectFour",
        "games.domineering": "Domineering MisereDomineering",
        "games.go": "Go",
        "games.gomoku": "Gomoku",
        "games.hex": "Hex",
        "games.knightthrough": "Knightthrough MisereKnightthrough",
        "games.nogo": "MisereNoGo NoGo",
        "games.othello": "Othello",
    },
)
