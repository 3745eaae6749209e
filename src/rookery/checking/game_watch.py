"""A game under watch: what a position offers, verified."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rookery.checking.calls import Patience
from rookery.checking.origin import in_words
from rookery.checking.records import RecordCalls
from rookery.checking.report import Broken, Log
from rookery.checking.watch import Look, Watch
from rookery.errors import InputError
from rookery.game import Game, PythonGame
from rookery.rng import Stream

OF_MOVES = ("feature", "bias", "prior")
"""Optional functions that are asked about each move."""
OVER = None
"""What stands for a ``sample`` when the game is over."""


@dataclass(frozen=True)
class View(Look):
    """What a position offers; ``winner`` is None until the game is over; ``key`` is None if there is none.

    ``asked`` has what optional functions said of each legal move, ``estimate`` what the game expects; None: not asked.

    >>> View((3, 5), (30, 50), 0, None, 7, (5,)).coded
    {3: 30, 5: 50}
    """

    player: int
    winner: int | None
    key: Hashable
    playout: tuple[Any, ...]
    asked: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    estimate: float | None = None

    @property
    def coded(self) -> dict[Any, Hashable]:
        """The legal moves, each with its code."""
        return dict(zip(self.moves, self.codes, strict=True))


class GameWatch(Watch[View]):
    """A game of which every call is verified."""

    unit, ending = "game", "winner"

    def __init__(self, of: Game | PythonGame, log: Log, patience: Patience) -> None:
        super().__init__(of, log, patience)
        self.idle: tuple[str, ...] = ()
        """Fields on which nothing but the key depends."""
        self._named: set[Any] = set()
        self._reads = type(of).read_move not in (Game.read_move, PythonGame.read_move)

    def begin(self) -> Any:
        self.path.clear()
        return self.calls.begin()

    def result(self, state: Any) -> int | None:
        return self.look(state).winner

    def position(self, state: Any) -> Hashable:
        """A value that is equal for states known to be the same position; None if that is not known."""
        if not isinstance(self.calls, RecordCalls):
            return self.calls.identity(state)  # whatever an object holds may matter
        return tuple(np.asarray(state[name]).tobytes() for name in self.calls.states.names if name not in self.idle)

    def drawn(self, state: Any, stream: Stream, once: bool = True) -> Any:
        """One draw of ``sample``, OVER at the end."""
        move = self.calls.draw("sample", state, stream, once=once)
        return OVER if isinstance(self.of, Game) and move < 0 else move

    def played_out(self, state: Any, stream: Stream) -> int:
        """What ``playout`` returns; what it leaves in the state does not matter."""
        winner: int = self.calls.draw("playout", self.calls.copy(state), stream, once=True)
        return winner

    # --- rules ---

    def examine(self, state: Any) -> View:
        calls = self.calls
        moves = calls.listed("moves", state)
        self._check_moves(moves)
        codes = calls.values("code", state, moves)
        self.check_codes(moves, codes)
        # At the end nobody moves, but compiled code may ask all the same.
        player = calls.value("player", state) if moves or isinstance(self.of, Game) else -1
        if moves and player not in (0, 1):
            self.fail("bad-player", "player", f"it must return 0 or 1, got {player}")
        winner = None if moves else calls.value("winner", state)
        if winner not in (None, -1, 0, 1):
            self.fail("bad-winner", "winner", f"it must return 0, 1 or, for a draw, -1, got {winner}")
        key = calls.value("key", state)
        playout = moves
        if calls.has("playout_moves"):
            playout = calls.listed("playout_moves", state)
            self._check_playout(moves, playout)
        if calls.has("sample"):
            self._check_sample(state, playout)
        self._check_names(moves)
        return View(moves, codes, player, winner, key, playout, self._asked(state, moves), self._estimate(state, moves))

    def _asked(self, state: Any, moves: tuple[Any, ...]) -> dict[str, tuple[Any, ...]]:
        """What the optional functions of moves return, checked."""
        asked = {name: self.calls.values(name, state, moves) for name in OF_MOVES if self.calls.has(name)}
        limits = self.calls.limits
        for move, feature in zip(moves, asked.get("feature", ()), strict=False):
            if limits is not None and not 0 <= feature < limits.features:
                text = f"of the move {move} it is {feature}, but limits() declares features={limits.features}"
                self.fail("feature-out-of-range", "feature", text)
        for move, bias in zip(moves, asked.get("bias", ()), strict=False):
            if not math.isfinite(bias):
                self.fail("bias-not-finite", "bias", f"of the move {move} it is {bias}")
        for move, prior in zip(moves, asked.get("prior", ()), strict=False):
            if not (math.isfinite(prior) and prior >= 0):
                self.fail("bad-prior", "prior", f"of the move {move} it is {prior:g}")
        return asked

    def _estimate(self, state: Any, moves: tuple[Any, ...]) -> float | None:
        """What the game expects of a position that is not over, checked."""
        if not moves or not self.calls.has("estimate"):
            return None
        estimate: float = self.calls.value("estimate", state)
        if not 0 <= estimate <= 1:
            self.fail("bad-estimate", "estimate", f"it must be within 0 to 1, got {estimate:g}")
        return estimate

    def _check_moves(self, moves: tuple[Any, ...]) -> None:
        for move in moves:
            try:
                hash(move)
            except TypeError:
                self.fail("move-not-hashable", "moves", f"it lists {move!r}, which cannot be hashed")
            if isinstance(self.of, Game) and move < 0:
                self.fail("negative-move", "moves", f"moves must be at least 0, got {move}")
        self.check_distinct("moves", moves)

    def _check_playout(self, moves: tuple[Any, ...], playout: tuple[Any, ...]) -> None:
        name, legal = "playout_moves", set(moves)
        for move in playout:
            if move not in legal:
                self.fail("playout-moves-illegal", name, f"it lists the move {move}, which moves does not")
        self.check_distinct(name, playout)
        if moves and not playout:
            self.fail("playout-moves-empty", name, f"it lists nothing, but there are {len(moves)} legal moves")

    def _check_sample(self, state: Any, playout: tuple[Any, ...]) -> None:
        move = self.drawn(state, Stream(len(self.path)), once=False)
        if (move is OVER) != (not playout):
            says = "the game is over" if move is OVER else f"the move {move}"
            there = f"there are {len(playout)} moves to choose from" if playout else "the game is over"
            self.fail("sample-ends", "sample", f"it says {says}, but {there}")
        if move is not OVER and move not in playout:
            source = "playout_moves" if self.calls.has("playout_moves") else "moves"
            self.fail("sample-illegal", "sample", f"it drew the move {move}, which {source} does not list")

    def _check_names(self, moves: tuple[Any, ...]) -> None:
        """Check that each move has a written form, which is read back as the same move."""
        for move in moves:
            if move in self._named:
                continue
            self._named.add(move)
            text = self._named_as("describe_move", move)
            if not isinstance(text, str):
                self.find("bad-description", "describe_move", f"of the move {move} it must be a text, got {text!r}")
            elif self._reads:
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
