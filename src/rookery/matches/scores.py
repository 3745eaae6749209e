"""The result of a match: its games, and the score as a frozen value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from math import comb, sqrt
from typing import Any, Literal

from rookery.drawing.printed import Printed
from rookery.running.progress import elapsed

Side = Literal["a", "b"]
Winner = Literal["a", "b", "draw"]


def side_that_begins(number: int) -> Side:
    """Who plays first in this game of a match: A in the first and every other one after it.

    >>> side_that_begins(0), side_that_begins(1)
    ('a', 'b')
    """
    return "b" if number % 2 else "a"


def winner_by_side(number: int, winner: int) -> Winner:
    """Which side has won a game of a match, from the number of the player who has (-1: nobody).

    >>> winner_by_side(0, 0), winner_by_side(1, 0), winner_by_side(1, -1)
    ('a', 'b', 'draw')
    """
    if winner < 0:
        return "draw"
    first = side_that_begins(number)
    return first if winner == 0 else "b" if first == "a" else "a"


@dataclass(frozen=True)
class PlayedGame:
    """A game of a match, with the playouts of both players; numbers count from 0, and A begins the even ones.

    ``resigned`` tells that the loser gave up before the end, as people do.

    >>> PlayedGame(number=1, winner="a", moves=(3, 1), playouts=200).first
    'b'
    """

    number: int
    winner: Winner
    moves: tuple[Any, ...]
    playouts: int
    resigned: bool = False

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
        """The share of the games that A has won; draws count half; None before the first game."""
        return (self.wins_a + self.draws / 2) / self.games if self.games else None


@dataclass(frozen=True)
class MatchProgress:
    """Where a match stands: the score so far, of ``asked`` games, after this many seconds.

    ``before`` of them were already in a record.

    >>> MatchProgress(MatchScore(games=4, wins_a=3, wins_b=1), asked=10, seconds=2.0).score.rate_a
    0.75
    """

    score: MatchScore
    asked: int
    seconds: float
    before: int = 0

    @property
    def share(self) -> float:
        """How many of the games are over."""
        return self.score.games / self.asked

    def to_json(self) -> dict[str, Any]:
        """Where the match stands, as plain values."""
        return {"seconds": self.seconds, "asked": self.asked, **asdict(self.score)}

    def parts(self, game: Any, search: Any) -> list[str]:
        """Where the match stands, in words."""
        score, (a, b) = self.score, (side.name for side in search)
        a, b = (a, b) if a != b else (f"{a} (a)", f"{b} (b)")
        parts = [f"game {score.games:,}/{self.asked:,}", f"{a} {score.wins_a}, {b} {score.wins_b}"]
        if score.draws:
            parts.append(f"draws {score.draws}")
        if score.rate_a is not None:
            parts.append(f"{100 * score.rate_a:.1f}%")
        played = score.games - self.before
        if played and self.asked > score.games:
            parts.append(f"{elapsed(self.seconds / played * (self.asked - score.games))} to go")
        return parts


@dataclass(frozen=True)
class MatchResult(Printed):
    """The result of a match.

    ``wins_a_first`` are those of A's wins in which it played first. ``rate_a`` is A's share, with draws counted half,
    and ``interval_95`` its interval (Wilson). ``status`` is ``"finished"`` or ``"interrupted"``: then fewer than
    ``asked`` games were played. ``seconds`` are those of this call: games that a record already held took none.
    ``played`` are the games, by number; they are not part of ``to_json``.

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
    executor: str = "threads"
    played: tuple[PlayedGame, ...] = field(default=(), repr=False)

    @property
    def rate_a(self) -> float:
        """The share of the games that A has won; draws count half."""
        return (self.wins_a + self.draws / 2) / self.games

    @property
    def interval_95(self) -> tuple[float, float]:
        """The 95% interval of the share."""
        return wilson(self.wins_a + self.draws / 2, self.games)

    @property
    def size(self) -> int | str | None:
        """The size of the board, such as 8, or 6x5 if it is not square; None for a game without one."""
        return board_size(self.parameters)

    def __str__(self) -> str:
        """The table that the command prints."""
        low, high = self.interval_95
        draws = f", {self.draws} drawn" if self.draws else ""
        board = f" {self.size}x{self.size}" if isinstance(self.size, int) else f" {self.size or ''}"
        unfinished = f" of {self.asked:,}, interrupted" if self.games < self.asked else ""
        by_colour = f"{self.wins_a_first} playing first, {self.wins_a_second} playing second"
        rows = [
            ("game", f"{self.game}{board}".rstrip()),
            ("a", _side(self.a)),
            ("b", _side(self.b)),
            ("games", f"{self.games:,}{unfinished}"),
            ("score", f"{self.wins_a} : {self.wins_b}{draws}"),
            ("a won", f"{100 * self.rate_a:.1f}% (95%: {100 * low:.1f}% to {100 * high:.1f}%); {by_colour}"),
            ("playouts", f"{self.playouts:,}"),
            ("time", f"{self.seconds:.2f} s"),
            ("seed", str(self.seed)),
        ]
        return "\n".join(f"{name:<10}{text}" for name, text in rows)

    def to_json(self) -> dict[str, Any]:
        """The result as a JSON object, without the games."""
        data = asdict(replace(self, played=()))
        del data["played"]
        return {**data, "size": self.size, "rate_a": self.rate_a, "interval_95": list(self.interval_95)}


def _side(search: Mapping[str, Any]) -> str:
    """A search with its parameters."""
    given = [f"{name}={value}" for name, value in search.items() if name != "algorithm" and value not in (None, False)]
    return ", ".join([str(search["algorithm"]), *given])


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


Z_95 = 1.959963984540054
"""A standard normal variable lies within plus and minus this much 95% of the time."""


def wilson(won: float, games: int) -> tuple[float, float]:
    """The 95% interval of a share (Wilson 1927); ``won`` may have halves.

    Unlike the textbook interval, it holds near 0 and 1, where some matches of PPA end.

    >>> [round(bound, 4) for bound in wilson(81, 263)]
    [0.2553, 0.3662]
    """
    share, square = won / games, Z_95**2
    middle = share + square / (2 * games)
    spread = Z_95 * sqrt(share * (1 - share) / games + square / (4 * games * games))
    scale = 1 + square / games
    low = 0.0 if won == 0 else (middle - spread) / scale  # exactly, whatever is rounded
    return low, 1.0 if won == games else (middle + spread) / scale


def fisher(won: int, games: int, other_won: int, other_games: int) -> float:
    """How likely it is that two shares differ at least this much by chance: Fisher's exact test, two-sided.

    Given the sum of both, the tables no more likely than the one seen are counted, in whole numbers, so that no
    rounding decides which.

    >>> round(fisher(3, 4, 1, 4), 4)  # the lady who tastes tea
    0.4857
    """
    total = won + other_won
    least, most = max(0, total - other_games), min(games, total)
    ways = [comb(games, k) * comb(other_games, total - k) for k in range(least, most + 1)]
    seen = ways[won - least]
    return sum(way for way in ways if way <= seen) / sum(ways)
