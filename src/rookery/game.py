"""What a user writes for two players: a game."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from copy import deepcopy
from typing import Any, ClassVar

from rookery.errors import InputError, ProblemError
from rookery.problem import Model, Remembering, remember_arguments
from rookery.rng import Stream

GAME_PARAMETERS: Mapping[str, tuple[str, ...]] = {
    "start": ("self", "s"),
    "moves": ("self", "s", "out"),
    "code": ("self", "s", "move"),
    "play": ("self", "s", "move"),
    "player": ("self", "s"),
    "winner": ("self", "s"),
    "key": ("self", "s"),
    "playout_moves": ("self", "s", "out"),
    "sample": ("self", "s", "rng"),
    "playout": ("self", "s", "rng"),
    "feature": ("self", "s", "move"),
    "bias": ("self", "s", "move"),
    "prior": ("self", "s", "move"),
    "estimate": ("self", "s"),
}
"""The compiled functions of a game and what they take."""

DRAW = -1
"""What ``winner`` returns for a draw."""


class _Played:
    """What both kinds of game have in common: names for people to read."""

    players: ClassVar[tuple[str, str]] = ("first", "second")
    """What people call the player who begins, and the other."""

    def read_move(self, text: str) -> Any:
        """The move written as ``text``; raises InputError if it is not a move."""
        raise InputError(f"{type(self).__name__} has no written form of its moves")


class Game(_Played, Model):
    """A game for two players with full information whose functions are compiled.

    A subclass is written as a :class:`rookery.Problem` is: a frozen dataclass with ``limits`` and ``layout`` in plain
    Python. Its compiled functions are ``start``, ``moves``, ``code`` and ``play``; ``player(self, s)``, 0 or 1, who is
    to move (0 begins); ``winner(self, s)`` of a finished game, 0 or 1, or -1 for a draw; and ``key(self, s)``, 64 bits
    that are equal for equal positions, with the same player to move, and differ otherwise.

    A game is over when ``moves`` returns 0. Moves are whole numbers of at least 0. Codes are 0..codes-1; each player
    has a separate policy, so they need not tell players apart.

    Optional: ``playout_moves(self, s, out)``, the legal moves that playouts choose from (at least one, unless the
    game is over); ``sample(self, s, rng)``, one of these at random, each equally likely, or -1 when the game is over,
    where that is faster than a list of them all; ``playout(self, s, rng)``, which plays moves by ``sample`` to the end
    of the game and returns the winner, where local variables are faster than a state; ``feature(self, s, move)``, what
    stands around a move, 0..features-1, for searches that tell apart moves of one code by it.

    >>> from rookery.problem import Limits
    >>> class Nim(Game):
    ...     stones: int
    ...     def limits(self): return Limits(moves=3, length=self.stones, codes=3)
    ...     def layout(self): return {"left": "i8", "turn": "i8"}
    ...     def start(self, s): s.left = self.stones
    ...     def moves(self, s, out):
    ...         n = min(3, s.left)
    ...         for k in range(n): out[k] = k + 1
    ...         return n
    ...     def code(self, s, move): return move - 1
    ...     def play(self, s, move): s.left -= move; s.turn = 1 - s.turn
    ...     def player(self, s): return s.turn
    ...     def winner(self, s): return 1 - s.turn
    ...     def key(self, s): return 2 * s.left + s.turn
    >>> Nim(stones=21)
    Nim(stones=21)
    """

    PARAMETERS: ClassVar[Mapping[str, tuple[str, ...]]] = GAME_PARAMETERS
    FUNCTIONS: ClassVar[tuple[str, ...]] = ("start", "moves", "code", "play", "player", "winner", "key")
    scratch: ClassVar[tuple[str, ...]] = ()
    """Fields of the state into which any function may write, and on which no result depends."""


class PythonGame(_Played, Remembering):
    """A game whose state is any Python object.

    It has the verbs of :class:`Game` on objects: ``start(self)`` returns a state, ``moves(self, state)`` a sequence of
    moves, ``play(self, state, move)`` changes the state or returns a new one, ``player(self, state)`` is 0 or 1 and
    ``winner(self, state)`` 0, 1 or -1. ``code(self, state, move)`` is any hashable, by default the move; so is
    ``key``, by default None: then no two positions count as the same. ``copy`` defaults to a deep copy.
    ``playout_moves(self, state)``, ``sample(self, state, stream)`` and ``feature(self, state, move)``, any hashable,
    are optional.

    >>> class Race(PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> Race().winner("abb")
    0
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        remember_arguments(cls)

    def start(self) -> Any:
        """The first position."""
        raise ProblemError(f"{type(self).__name__} must define start(self)")

    def moves(self, state: Any) -> Sequence[Any]:
        """The legal moves of a position, in a fixed order; empty when the game is over."""
        raise ProblemError(f"{type(self).__name__} must define moves(self, state)")

    def playout_moves(self, state: Any) -> Sequence[Any]:
        """The legal moves that playouts choose from."""
        return self.moves(state)

    def sample(self, state: Any, stream: Stream) -> Any:
        """One of ``playout_moves`` at random, each equally likely; None when the game is over."""
        moves = self.playout_moves(state)
        return moves[stream.below(len(moves))] if len(moves) else None

    def code(self, state: Any, move: Any) -> Hashable:
        """What names this move for the policy of the player to move; by default the move itself."""
        return move  # type: ignore[no-any-return]

    def play(self, state: Any, move: Any) -> Any:
        """Play a move: change the state in place, or return the new one."""
        raise ProblemError(f"{type(self).__name__} must define play(self, state, move)")

    def player(self, state: Any) -> int:
        """Who is to move: 0 or 1."""
        raise ProblemError(f"{type(self).__name__} must define player(self, state)")

    def winner(self, state: Any) -> int:
        """Who has won a finished game: 0 or 1, or -1 for a draw."""
        raise ProblemError(f"{type(self).__name__} must define winner(self, state)")

    def key(self, state: Any) -> Hashable:
        """Equal for equal positions with the same player to move, and different otherwise; None if there is no key."""
        return None

    def copy(self, state: Any) -> Any:
        """A copy that can be played on without changing the original."""
        return deepcopy(state)
