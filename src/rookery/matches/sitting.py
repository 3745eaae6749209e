"""A game that is being played: the moves so far and what is legal now; and a search that says what it thinks of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rookery.arguments import shown, whole
from rookery.engine.engines import make_engine
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.loading.kinds import GAME_SEARCH
from rookery.matches.decide import MOST_SEED, ask
from rookery.rng import mix_int, root_key
from rookery.search.game_search import Decision, GameSearch


class Position:
    """A position of a game that people or other programs play: what may be played, by whom, and who has won.

    Parameters
    ----------
    moves
        what was played before

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> position = Position(Race(), "ab")
    >>> position.legal, position.player, position.winner
    (('a', 'b'), 0, None)
    >>> position.play("b")
    >>> position.moves, position.is_over
    (('a', 'b', 'b'), True)
    """

    moves: tuple[Any, ...]
    legal: tuple[Any, ...]
    """The legal moves; none when the game is over."""
    player: int
    """Who is to move: 0 or 1."""
    winner: int | None
    """Who has won: 0 or 1, -1 for a draw; None while the game goes on."""

    def __init__(self, game: Game | PythonGame, moves: Iterable[Any] = ()) -> None:
        self.game = game
        self._worker = make_engine(game, wanted="game").worker()
        self.go_to(moves)

    @property
    def is_over(self) -> bool:
        """Whether the game is over."""
        return self.winner is not None

    def go_to(self, moves: Iterable[Any]) -> None:
        """Go to the position after these moves; if one of them is not legal, stay."""
        moves = tuple(moves)
        self.legal, self.player, self.winner = self._worker.replay(moves)
        self.moves = moves

    def play(self, move: Any) -> None:
        """Play a move, which must be legal."""
        if self.is_over:
            raise InputError(f"the game is over after {len(self.moves)} moves")
        if move not in self.legal:
            raise InputError(f"a move must be legal, got {shown(move)}")
        self.go_to((*self.moves, move))


class Sitting(Position):
    """A game in progress with a search that can be asked about it; it begins at the first move.

    Parameters
    ----------
    search
        what is asked for its opinion
    seed
        the same seed gives the same opinions, unless the search is limited by time

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> sitting = Sitting(Race(), rk.GameUCT(playouts=50))
    >>> sitting.go_to("ab")
    >>> sitting.think().move, sitting.line(), sitting.player
    ('b', ('b',), 0)
    """

    def __init__(self, game: Game | PythonGame, search: GameSearch, seed: int = 1) -> None:
        GAME_SEARCH.check("search", search)
        self.search = search
        self._key = root_key(whole("seed", seed, 0, MOST_SEED))
        super().__init__(game)

    def warm(self) -> None:
        """Compile the search, or read it from disk."""
        self._worker.warm(self.search)
        self.line()

    def think(self, search: GameSearch | None = None, again: int = 0) -> Decision:
        """What the search, or another one, plays here; ``again`` counts the times that it is asked in one position."""
        key = mix_int(self._key, len(self.moves))
        key = mix_int(key, again) if again else key
        return ask(self._worker, self.game, search or self.search, self.moves, key)

    def line(self, *first: Any, most: int = 12) -> tuple[Any, ...]:
        """What the last opinion expects to be played after ``first``: its principal variation, these moves included."""
        return (*first, *self._worker.line((*self.moves, *first), most - len(first)))[:most]
