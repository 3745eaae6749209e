"""A position of a game: what may be played, by whom, and who has won."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from rookery.engine.engines import make_engine
from rookery.game import Game, PythonGame
from rookery.running.interrupts import Interrupts
from rookery.running.watched import Watched, as_interrupt


@dataclass(frozen=True)
class Position:
    """A position: the legal moves, who is to move (0 or 1), and who has won: -1 is a draw, None: it is not over.

    >>> Position(legal=(), player=1, winner=0).is_over
    True
    """

    legal: tuple[Any, ...]
    player: int
    winner: int | None

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.winner is not None


def position(game: Game | PythonGame, moves: Iterable[Any] = ()) -> Position:
    """The position of a game after these moves, which must be legal.

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> position(Race(), "ab")
    Position(legal=('a', 'b'), player=0, winner=None)
    """
    with (
        Interrupts() as interrupts,
        closing(Watched(make_engine(game, wanted="game").worker(), game, interrupts)) as worker,
        as_interrupt(),
        interrupts.listening(),
    ):
        legal, player, winner = worker.replay(tuple(moves))
    return Position(tuple(legal), player, winner)
