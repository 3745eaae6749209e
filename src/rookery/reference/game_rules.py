"""A PythonGame with its promises checked at every call."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rookery.errors import ProblemError
from rookery.game import PythonGame
from rookery.reference.playout import not_a_list
from rookery.user_code import place_of

MOST_MOVES = 1_000_000
"""A game of a PythonGame that is longer has no end."""


class GameRules:
    """The functions of a game; what they must not return is an error.

    Parameters
    ----------
    longest
        the most moves that a game can still have
    before
        the moves that led to the root of a search
    """

    def __init__(self, game: PythonGame, longest: int | None = None, before: tuple[Any, ...] = ()) -> None:
        self._game = game
        self._before = before
        self._longest = MOST_MOVES if longest is None else longest
        self.start, self.copy, self.sample = game.start, game.copy, game.sample

    def moves(self, state: Any) -> list[Any]:
        """The legal moves."""
        return self._listed("moves", self._game.moves(state))

    def playout_moves(self, state: Any) -> list[Any]:
        """Those that playouts choose from."""
        return self._listed("playout_moves", self._game.playout_moves(state))

    def _listed(self, name: str, moves: Any) -> list[Any]:
        if isinstance(moves, (set, frozenset)):
            raise ProblemError(place_of(self._game, name).says(*not_a_list(moves)))
        return list(moves)

    def play(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        after = self._game.play(state, move)
        return state if after is None else after

    def player(self, state: Any) -> int:
        """Who is to move."""
        player = self._game.player(state)
        if player not in (0, 1):
            raise ProblemError(
                place_of(self._game, "player").says(f"returned {player!r}", "return 0 or 1, who is to move")
            )
        return int(player)

    def winner(self, state: Any) -> int:
        """Who has won."""
        winner = self._game.winner(state)
        if winner not in (-1, 0, 1):
            advice = "return 0 or 1, who has won, or -1 for a draw"
            raise ProblemError(place_of(self._game, "winner").says(f"returned {winner!r}", advice))
        return int(winner)

    def code(self, state: Any, move: Any) -> Hashable:
        """The code of a move, which must be hashable."""
        code = self._game.code(state, move)
        try:
            hash(code)
        except TypeError:
            raise ProblemError(
                place_of(self._game, "code").says(f"returned {code!r}", "a code must be hashable, as a tuple is")
            ) from None
        return code

    def key(self, state: Any, line: tuple[Any, ...]) -> Hashable:
        """What a position is known by: its key, or else the moves that led to it."""
        key = self._game.key(state)
        if key is None:
            return ("line", (*self._before, *line))
        try:
            hash(key)
        except TypeError:
            raise ProblemError(
                place_of(self._game, "key").says(f"returned {key!r}", "a key must be hashable, as a tuple is")
            ) from None
        return ("key", key)

    def is_longest(self, ply: int) -> bool:
        """Whether a game has as many moves as one can have."""
        return ply >= self._longest

    def check_length(self, ply: int) -> None:
        """Refuse a game that goes on."""
        if self.is_longest(ply):
            advice = "moves must be empty when the game is over"
            raise ProblemError(place_of(self._game, "moves").says(f"has moves after {self._longest} moves", advice))
