"""Atarigo: Go in which the first to capture a chain wins.

Rules as in Cazenave, Playout Policy Adaptation for Games, 2015: those of Go, except that the first player to capture a
string has won. The paper does not say whether suicide is legal, whether playouts fill the player's own eyes, or who
wins when a player cannot move. Here the first two are parameters, and whoever cannot move loses.
"""

from __future__ import annotations

from typing import Any, Literal, get_args

from rookery.bits import ZERO
from rookery.compiler.constants import fixed
from rookery.errors import InputError
from rookery.games.pointsets import EYES, Eyes, Filling
from rookery.games.stones import NEIGHBOURHOODS, Stones
from rookery.problem import Layout, Limits

Suicide = Literal["illegal", "loses"]


class AtariGo(Stones):
    """Be the first to capture a chain; whoever cannot move loses. There is no pass.

    Parameters
    ----------
    size
        of the board, 2 to 19
    suicide
        a move that leaves one of your own chains without a liberty and captures nothing is ``"illegal"``, or is legal
        and ``"loses"``
    eyes
        what counts as an eye: ``"diagonals"``, an empty point with only your own stones beside it and at most one
        enemy stone diagonally, none at the edge; ``"neighbours"``, whatever stands diagonally; ``"none"``, nothing
        does
    filling
        players may fill their own eyes in the ``"tree"`` but not in playouts, or ``"never"``; if there is no other
        move, always

    >>> AtariGo(size=5).describe_move(12)
    'C3'
    """

    suicide: Suicide = "illegal"
    eyes: Eyes = "diagonals"
    filling: Filling = "tree"

    def __post_init__(self) -> None:
        Stones.__post_init__(self)
        if self.suicide not in get_args(Suicide):
            raise InputError(f"suicide must be illegal or loses, got {self.suicide!r}")
        self._check_eyes(self.eyes, self.filling)

    def limits(self) -> Limits:
        # one more than there are points: a capture with the last stone ends the game by the rules, not by its length
        return Limits(moves=self.points, length=self.points + 1, codes=self.points, features=NEIGHBOURHOODS)

    def layout(self) -> Layout:
        return {**Stones.layout(self), "won": "i8"}

    def constants(self) -> dict[str, Any]:
        return {
            **Stones.constants(self),
            "suicide": fixed(self.suicide == "loses"),
            "eyes": fixed(EYES[self.eyes]),
            "fills": fixed(self.filling == "tree"),
        }

    def start(self, s):
        s.won = -1

    def moves(self, s, out):
        self._find_legal(s)
        if not self.fills:
            self._leave_eyes_if_possible(s)
        return self._list_found(s, out)

    def playout_moves(self, s, out):
        self._find_legal(s)
        self._leave_eyes_if_possible(s)
        return self._list_found(s, out)

    def sample(self, s, rng):
        self._find_legal(s)
        self._leave_eyes_if_possible(s)
        return self._draw_found(s, rng)

    def play(self, s, move):
        h = self._put(s, move)
        some = ZERO
        for w in range(self.words):
            some |= s.taken[w]
        if some != ZERO:
            s.won = s.turn
        elif self.suicide and self._count_liberties(s, h) == 0:
            s.won = 1 - s.turn
        s.turn = 1 - s.turn

    def winner(self, s):
        if s.won >= 0:
            return s.won
        return 1 - s.turn

    def _find_legal(self, s):
        """``s.found``: the points that may be played; none once a chain has been captured."""
        if s.won >= 0:
            for w in range(self.words):
                s.found[w] = ZERO
        elif self.suicide:
            for w in range(self.words):
                s.found[w] = self._empty(s, w)
        else:
            self._find_no_suicide(s)

    def _leave_eyes_if_possible(self, s):
        """Take the player's own eyes out of ``s.found``, unless there is nothing else."""
        self._leave_eyes(s)
        if self._count_found(s) == 0 and s.won < 0:
            self._find_legal(s)
