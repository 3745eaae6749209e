"""A game under watch: what is seen of a position, verified; and the rules that hold for games of both kinds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any

from rookery.checking.game_catalogue import GameLog
from rookery.checking.origin import at_def, in_words
from rookery.checking.report import Broken
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.rng import Stream

OVER = None
"""What ``sample`` comes to when the game is over."""


@dataclass(frozen=True)
class View:
    """What a position offers; ``winner`` is None while the game goes on, ``key`` if there is none.

    >>> View((3, 5), (30, 50), 0, None, 7, (5,)).coded
    {3: 30, 5: 50}
    """

    moves: tuple[Any, ...]
    codes: tuple[Hashable, ...]
    player: int
    winner: int | None
    key: Hashable
    playout: tuple[Any, ...]

    @property
    def coded(self) -> dict[Any, Hashable]:
        """The legal moves, each with its code."""
        return dict(zip(self.moves, self.codes, strict=True))


@dataclass(frozen=True)
class Played:
    """A finished game: its moves, who made each, how many were legal, who won, and how moves were chosen."""

    moves: tuple[Any, ...]
    movers: tuple[int, ...]
    branching: tuple[int, ...]
    winner: int
    by: str


@dataclass
class Seen:
    """What all games saw."""

    games: list[Played] = field(default_factory=list)
    codes: set[Hashable] = field(default_factory=set)


class GameWatch(ABC):
    """Calls the functions of a game, each call verified; ``path`` are the moves that lead to the position at hand."""

    longest: int | None = None
    """The most moves of a game; None if nothing is declared."""
    codes: int | None = None
    """Codes are below this; None: any hashable."""

    def __init__(self, game: Game | PythonGame, log: GameLog) -> None:
        self.of = game
        self.log = log
        self.path: list[Any] = []
        self.seen = Seen()
        self._named: set[Any] = set()

    # --- what a subclass says ---

    @abstractmethod
    def begin(self) -> Any:
        """The first position."""

    @abstractmethod
    def copy(self, state: Any) -> Any:
        """A copy that can be played on."""

    @abstractmethod
    def view(self, state: Any) -> View:
        """What a position offers, verified: by :meth:`examine`, if it is new."""

    @abstractmethod
    def identity(self, state: Any) -> Hashable:
        """Equal for states that are equal in all that they hold; None if there is no telling."""

    @abstractmethod
    def position(self, state: Any) -> Hashable:
        """Equal for states that are known to be the same position; None if there is no telling."""

    @abstractmethod
    def has(self, name: str) -> bool:
        """Whether the game defines an optional function."""

    @abstractmethod
    def drawn(self, state: Any, stream: Stream) -> Any:
        """One draw of ``sample``, OVER at the end."""

    @abstractmethod
    def _play(self, state: Any, move: Any) -> Any:
        """The state after a move."""

    @abstractmethod
    def _list(self, name: str, state: Any) -> tuple[Any, ...]:
        """What ``moves`` or ``playout_moves`` lists."""

    @abstractmethod
    def _codes(self, state: Any, moves: tuple[Any, ...]) -> tuple[Hashable, ...]:
        """The codes of moves."""

    @abstractmethod
    def _whole(self, name: str, state: Any) -> int:
        """What ``player`` or ``winner`` returns."""

    @abstractmethod
    def _key(self, state: Any) -> Hashable:
        """What ``key`` returns."""

    @abstractmethod
    def _sample(self, state: Any, stream: Stream) -> Any:
        """What ``sample`` draws, verified to depend on the state and the stream alone."""

    # --- what drivers call ---

    def find(self, name: str, function: str, text: str) -> None:
        """Note a finding at the position at hand."""
        self.log.add(name, function, text + self.place(function), self.path)

    def place(self, function: str) -> str:
        """Where a function is defined, in brackets."""
        return at_def(self.of, function) if function else ""

    def after(self, state: Any, move: Any) -> Any:
        """The state after a move."""
        self.path.append(move)  # before it is played: what goes wrong in play is shown by the moves up to it
        return self._play(state, move)

    def check_length(self, view: View) -> None:
        """Refuse a game that is longer than declared."""
        if view.moves and self.longest is not None and len(self.path) >= self.longest:
            n = len(view.moves)
            text = f"after {len(self.path)} moves there are {n} more, but limits() declares length={self.longest}"
            self.find("too-long", "", text)
            raise Broken

    # --- rules ---

    def examine(self, state: Any) -> View:
        """Look at a position for the first time: every function that a search may call, every rule."""
        moves = self._list("moves", state)
        self._check_moves(moves)
        codes = self._codes(state, moves)
        self._check_codes(moves, codes)
        # At the end nobody moves; but compiled code may ask all the same.
        player = self._whole("player", state) if moves or isinstance(self.of, Game) else -1
        if moves and player not in (0, 1):
            self.find("bad-player", "player", f"it must return 0 or 1, got {player}")
            raise Broken
        winner = None if moves else self._whole("winner", state)
        if winner not in (None, -1, 0, 1):
            self.find("bad-winner", "winner", f"it must return 0, 1 or, for a draw, -1, got {winner}")
            raise Broken
        key = self._key(state)
        playout = moves
        if self.has("playout_moves"):
            playout = self._list("playout_moves", state)
            self._check_playout(moves, playout)
        if self.has("sample"):
            self._check_sample(state, playout)
        self._check_names(moves)
        self.seen.codes.update(codes)
        return View(moves, codes, player, winner, key, playout)

    def _check_moves(self, moves: tuple[Any, ...]) -> None:
        for move in moves:
            try:
                hash(move)
            except TypeError:
                self.find("move-not-hashable", "moves", f"it lists {move!r}, which cannot be hashed")
                raise Broken from None
            if isinstance(self.of, Game) and move < 0:
                self.find("negative-move", "moves", f"moves must be at least 0, got {move}")
                raise Broken
        if len(set(moves)) < len(moves):
            twice = next(move for i, move in enumerate(moves) if move in moves[:i])
            self.find("moves-not-distinct", "moves", f"the move {twice} is listed twice")

    def _check_codes(self, moves: tuple[Any, ...], codes: tuple[Any, ...]) -> None:
        by_code: dict[Any, Any] = {}
        for move, code in zip(moves, codes, strict=True):
            if self.codes is not None and not 0 <= code < self.codes:
                text = f"the code of the move {move} is {code}, but limits() declares codes={self.codes}"
                self.find("code-out-of-range", "code", text)
            other = by_code.setdefault(code, move)
            if other != move:
                text = f"the legal moves {other} and {move} both have the code {code!r}"
                self.find("codes-not-distinct", "code", text)

    def _check_playout(self, moves: tuple[Any, ...], playout: tuple[Any, ...]) -> None:
        name = "playout_moves"
        legal = set(moves)
        wrong = [move for move in playout if move not in legal]
        if wrong:
            self.find("playout-moves-illegal", name, f"it lists the move {wrong[0]}, which moves does not")
            raise Broken
        if len(set(playout)) < len(playout):
            twice = next(move for i, move in enumerate(playout) if move in playout[:i])
            self.find("moves-not-distinct", name, f"the move {twice} is listed twice")
        if moves and not playout:
            self.find("playout-moves-empty", name, f"it lists nothing, but there are {len(moves)} legal moves")
            raise Broken

    def _check_sample(self, state: Any, playout: tuple[Any, ...]) -> None:
        move = self._sample(state, Stream(len(self.path)))
        if (move is OVER) != (not playout):
            says = "the game is over" if move is OVER else f"the move {move}"
            there = f"there are {len(playout)} moves to choose from" if playout else "the game is over"
            self.find("sample-ends", "sample", f"it says {says}, but {there}")
            raise Broken
        if move is not OVER and move not in playout:
            source = "playout_moves" if self.has("playout_moves") else "moves"
            self.find("sample-illegal", "sample", f"it drew the move {move}, which {source} does not list")
            raise Broken

    def _check_names(self, moves: tuple[Any, ...]) -> None:
        """Whether people can name each move, and be understood."""
        for move in moves:
            if move in self._named:
                continue
            self._named.add(move)
            text = self._named_as("describe_move", move)
            if not isinstance(text, str):
                self.find("bad-description", "describe_move", f"of the move {move} it must be a text, got {text!r}")
            elif _reads(self.of):
                self._check_reading(move, text)

    def _named_as(self, name: str, value: Any) -> Any:
        try:
            return getattr(self.of, name)(value)
        except InputError:
            raise
        except Exception as error:
            self.log.add("exception", name, in_words(self.of, name, error), self.path)
            raise Broken from error

    def _check_reading(self, move: Any, text: str) -> None:
        try:
            read = self._named_as("read_move", text)
        except InputError as error:
            self.find("move-not-read-back", "read_move", f"the move {move} is written {text!r}: {error}")
            return
        if read != move:
            self.find("move-not-read-back", "read_move", f"the move {move} is written {text!r}, read as {read!r}")


def _reads(game: Game | PythonGame) -> bool:
    """Whether a game has a written form of its moves."""
    return type(game).read_move is not Game.read_move and type(game).read_move is not PythonGame.read_move
