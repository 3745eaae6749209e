"""Games in which players place stones on empty points, one after the other, until one of them has won."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rookery.bits import ONE, ZERO, u
from rookery.errors import InputError
from rookery.games.cells import BOARD, LAST_BIT, ZOBRIST, Cells
from rookery.problem import Layout, Limits


class Placement(Cells):
    """A game says with ``_wins(self, s, p)`` whether the stone that was just placed at p has won."""

    def limits(self) -> Limits:
        # One more than a game can have: at the very limit nothing is taken as proven.
        return Limits(moves=self.points, length=self.points + 1, codes=self.points)

    def layout(self) -> Layout:
        return {
            "turn": "i8",
            "won": "i8",
            "hash": "u8",
            "stones": ("u8", (2, self.words)),
            "found": ("u8", self.words),  # the empty points; none once somebody has won
        }

    # --- compiled ---

    def start(self, s):
        self._begin(s)

    def _begin(self, s):
        s.won = -1
        for w in range(self.words):
            s.found[w] = BOARD[u(self.size), w]

    def moves(self, s, out):
        return self._list_found(s, out)

    def sample(self, s, rng):
        return self._draw_found(s, rng)

    def code(self, s, move):
        return move

    def play(self, s, move):
        bit = ONE << (u(move) & LAST_BIT)
        s.stones[u(s.turn), u(move) >> u(6)] |= bit
        s.found[u(move) >> u(6)] ^= bit
        s.hash ^= ZOBRIST[u(s.turn), u(move)]
        if self._wins(s, move):
            s.won = s.turn
            for w in range(self.words):
                s.found[w] = ZERO
        s.turn = 1 - s.turn

    def winner(self, s):
        return s.won

    def key(self, s):
        return s.hash ^ u(s.turn)


def placed(game: Placement, moves: Sequence[int], wins: Callable[[dict[int, int], int], bool]) -> dict[int, int]:
    """Whose stone is on each point after moves that must be legal; ``wins`` says whether the last one has won."""
    stones: dict[int, int] = {}
    over = False
    for number, move in enumerate(moves):
        name = game.describe_move(move)
        if over or move in stones:
            raise InputError(f"move {number + 1} must be legal, got {name}")
        stones[move] = number % 2
        over = wins(stones, move)
    return stones
