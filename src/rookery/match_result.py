"""What a match came to: its games, and the score as a frozen value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from rookery.proportions import wilson

Side = Literal["a", "b"]


def side_that_begins(number: int) -> Side:
    """Who plays first in this game of a match: A in every other one, from the first on.

    >>> side_that_begins(0), side_that_begins(1)
    ('a', 'b')
    """
    return "b" if number % 2 else "a"


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match.

    Parameters
    ----------
    number
        from 0; A begins those of even number
    winner
        ``"a"``, ``"b"`` or ``"draw"``
    playouts
        of both players

    >>> PlayedGame(number=1, winner="a", moves=(3, 1), playouts=200).first
    'b'
    """

    number: int
    winner: Literal["a", "b", "draw"]
    moves: tuple[Any, ...]
    playouts: int

    @property
    def first(self) -> Side:
        """Who began."""
        return side_that_begins(self.number)


@dataclass(frozen=True)
class MatchScore:
    """How many games each side has won.

    >>> score = MatchScore.of([PlayedGame(0, "a", (), 5), PlayedGame(1, "b", (), 5), PlayedGame(2, "draw", (), 5)])
    >>> score.wins_a, score.wins_b, score.draws, score.rate_a
    (1, 1, 1, 0.5)
    """

    games: int = 0
    wins_a: int = 0
    wins_b: int = 0
    draws: int = 0
    wins_a_first: int = 0
    wins_a_second: int = 0
    playouts: int = 0

    @classmethod
    def of(cls, played: Iterable[PlayedGame]) -> MatchScore:
        """The score of these games."""
        score = cls()
        for game in played:
            score = score.plus(game)
        return score

    def plus(self, game: PlayedGame) -> MatchScore:
        """The score with one game more."""
        won = game.winner == "a"
        return MatchScore(
            games=self.games + 1,
            wins_a=self.wins_a + won,
            wins_b=self.wins_b + (game.winner == "b"),
            draws=self.draws + (game.winner == "draw"),
            wins_a_first=self.wins_a_first + (won and game.first == "a"),
            wins_a_second=self.wins_a_second + (won and game.first == "b"),
            playouts=self.playouts + game.playouts,
        )

    @property
    def rate_a(self) -> float | None:
        """The share of the games that A has won, draws as halves; None before the first game."""
        return (self.wins_a + self.draws / 2) / self.games if self.games else None


@dataclass(frozen=True)
class MatchResult:
    """The result of a match.

    ``wins_a_first`` are those of A's wins in which it played first. ``rate_a`` is the share of A, draws as halves, and
    ``interval_95`` its interval (Wilson). ``status`` is ``"finished"`` or ``"interrupted"``: then fewer than ``asked``
    games were played. ``seconds`` are those of this call: games that a record held already took none. ``played`` are
    the games, by number; they are not part of ``to_json``.

    >>> import rookery as rk
    >>> class Race(rk.PythonGame):
    ...     def start(self): return ""
    ...     def moves(self, state): return "ab" if len(state) < 3 else ""
    ...     def play(self, state, move): return state + move
    ...     def player(self, state): return len(state) % 2
    ...     def winner(self, state): return state.count("b") % 2
    >>> result = rk.match(Race(), rk.GameUCT(playouts=50), rk.FlatMC(playouts=10), games=4)
    >>> result.games, result.wins_a + result.wins_b, result.played[3].first
    (4, 4, 'b')
    """

    game: str
    parameters: Mapping[str, Any]
    a: Mapping[str, Any]
    b: Mapping[str, Any]
    asked: int
    games: int
    wins_a: int
    wins_b: int
    draws: int
    wins_a_first: int
    wins_a_second: int
    playouts: int
    seconds: float
    seed: int
    workers: int
    status: str
    version: str
    played: tuple[PlayedGame, ...] = field(default=(), repr=False)

    @property
    def rate_a(self) -> float:
        """The share of the games that A has won, draws as halves."""
        return (self.wins_a + self.draws / 2) / self.games

    @property
    def interval_95(self) -> tuple[float, float]:
        """The 95% interval of the share."""
        return wilson(self.wins_a + self.draws / 2, self.games)

    @property
    def size(self) -> int | str | None:
        """The size of the board, as 8, or 6x5 if it is not square; None for a game without one."""
        return board_size(self.parameters)

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object, without the games."""
        data = asdict(replace(self, played=()))
        del data["played"]
        return {**data, "size": self.size, "rate_a": self.rate_a, "interval_95": list(self.interval_95)}


def board_size(parameters: Mapping[str, Any]) -> int | str | None:
    """The size of a board by the parameters of its game.

    >>> board_size({"size": 8}), board_size({"size": 8, "width": 5, "height": 0}), board_size({})
    (8, '5x8', None)
    """
    size = parameters.get("size")
    width, height = (parameters.get(name) or size for name in ("width", "height"))
    if width is None or height is None:
        return size
    return width if width == height else f"{width}x{height}"
