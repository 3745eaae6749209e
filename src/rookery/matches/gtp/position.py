"""The board of the Go Text Protocol: either colour may play at any time, also after the end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from rookery.errors import InputError
from rookery.games.go import Go
from rookery.games.points import play_out
from rookery.games.pointsets import PointSets
from rookery.games.status import area_score, dead_stones
from rookery.matches.gtp.lines import ILLEGAL, Refused
from rookery.matches.sitting import Sitting
from rookery.search.game_search import GameSearch

Moves = tuple[int, ...]


class Position:
    """A game of the Go family, and what was played before.

    In the games of the library colours take turns. Where Go asks a colour to move twice, the other has passed in
    between; where it goes on after two passes, they are taken back.
    """

    def __init__(self, game: PointSets, search: GameSearch, seed: int) -> None:
        self._search, self._seed = search, seed
        self.past: list[Moves] = []
        """The moves before each that was played, for undo."""
        self._sit(game)

    def _sit(self, game: PointSets, moves: Moves = ()) -> None:
        sitting = Sitting(game, self._search, self._seed)
        sitting.go_to(moves)
        self.game, self.sitting = game, sitting

    @property
    def moves(self) -> Moves:
        """The moves so far."""
        return self.sitting.moves

    @property
    def size(self) -> int:
        """Of the board."""
        return self.game.size

    # --- another game ---

    def begin(self, **changed: Any) -> None:
        """Begin again, on another board if its size is given."""
        if changed:
            self._sit(replace(self.game, **changed))
        self.sitting.go_to(())
        self.past = []

    def set_komi(self, komi: float) -> None:
        """Set the komi of Go; the moves stay."""
        if isinstance(self.game, Go):
            self._sit(replace(self.game, komi=komi), self.moves)

    def load(self, size: int, moves: Moves, komi: float | None) -> None:
        """Go to the end of a game that somebody else has played; if something is wrong with it, stay."""
        changed: dict[str, Any] = {} if komi is None or not isinstance(self.game, Go) else {"komi": komi}
        self._sit(replace(self.game, size=size, **changed), moves)
        self.past = [moves[:n] for n in range(len(moves))]

    # --- moves ---

    def turn_to(self, colour: int) -> Moves:
        """The moves so far, with a pass at their end if it is not this colour's turn."""
        moves, end = self.moves, self.game.points
        while True:
            if moves[-2:] == (end, end):
                moves = moves[:-2]
            if len(moves) % 2 == colour:
                return moves
            if not isinstance(self.game, Go):
                raise Refused(ILLEGAL)
            moves = (*moves, end)

    def play(self, colour: int, move: int) -> None:
        """Play a move, which must be legal."""
        before = self.moves
        try:
            self.sitting.go_to((*self.turn_to(colour), move))
        except InputError:
            raise Refused(ILLEGAL) from None
        self.past.append(before)

    def undo(self) -> None:
        """Take the last move back."""
        if not self.past:
            raise Refused("cannot undo")
        self.sitting.go_to(self.past.pop())

    # --- the end ---

    def stones(self) -> dict[int, int]:
        """Point -> colour."""
        return play_out(self.size, self.moves)

    def dead(self) -> set[int]:
        """The dead stones of Go; in the other games all stones live."""
        if not isinstance(self.game, Go):
            return set()
        return dead_stones(self.size, self.stones(), len(self.moves) % 2)

    def score(self) -> str:
        """Who has won, in Go by how much, without the dead stones."""
        if isinstance(self.game, Go):
            score = area_score(self.size, self.stones(), self.game.komi, self.dead())
            return "0" if score == 0 else f"{'B' if score > 0 else 'W'}+{abs(score):g}"
        if self.sitting.winner is None:
            raise Refused("cannot score: the game is not over")
        return f"{'BW'[self.sitting.winner]}+"
