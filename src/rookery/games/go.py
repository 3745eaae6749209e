"""Go, with area scoring.

Rules as in Cazenave, Playout Policy Adaptation for Games, 2015: surrounded chains are removed; at the end a player's
score is the number of their stones and of the points that only these surround, plus komi for white; the higher score
wins. What the paper leaves open is a parameter here: ko, suicide, eyes, when a pass is a move.
"""

from __future__ import annotations

import math
from typing import Any, Literal, get_args

from rookery.bits import ONE, WORD, ZERO, lowest, ones, u
from rookery.compiler.constants import fixed
from rookery.errors import InputError
from rookery.games.cells import LAST_BIT, ZOBRIST
from rookery.games.pointsets import BANNED, EYES, Eyes, Filling
from rookery.games.stones import NEIGHBOURHOODS, Stones
from rookery.games.superko import Superko
from rookery.problem import Layout, Limits, capacity
from rookery.rng import below, mix_int

Ko = Literal["simple", "superko"]
Passing = Literal["tree", "always", "last"]
PASSES = {"tree": 0, "always": 1, "last": 2}
ONE_PASS = u(mix_int(0x60, 1 << 20))
MOST_LENGTH = 1 << 20


class Go(Superko):
    """Surround more than the opponent: the rules of Go with area scoring. Two passes end the game.

    Parameters
    ----------
    size
        of the board, 2 to 19
    komi
        added to white's score; with a whole number a game may be drawn
    ko
        ``"simple"``: a single stone that has just captured a single one may not be recaptured at once;
        ``"superko"``: no position of the whole board may recur, whoever is to move
    suicide
        whether players may remove two or more of their own stones by taking the last liberty. A single stone may
        never be removed in this way: that would be a pass
    eyes
        what counts as an eye: ``"diagonals"``, an empty point with only your own stones beside it and at most one
        enemy stone diagonally, none at the edge; ``"neighbours"``, whatever stands diagonally; ``"none"``, nothing
        does
    filling
        players may fill their own eyes in the ``"tree"`` but not in playouts, or ``"never"``
    passing
        when a pass is a move: ``"tree"``, in the tree, and in playouts when there is no other move; ``"always"``, in
        playouts too; ``"last"``, only when there is no other move, in the tree too
    longest
        moves after which a game is over and counted as it stands; None: three times the number of points

    >>> Go(size=9).limits().length
    243
    """

    komi: float = 7.5
    ko: Ko = "simple"
    suicide: bool = False
    eyes: Eyes = "diagonals"
    filling: Filling = "tree"
    passing: Passing = "tree"
    longest: int | None = None

    def __post_init__(self) -> None:
        Stones.__post_init__(self)
        if isinstance(self.komi, bool) or not isinstance(self.komi, (int, float)) or not math.isfinite(self.komi):
            raise InputError(f"komi must be a finite number, got {self.komi!r}")
        object.__setattr__(self, "komi", float(self.komi))
        for name, known in (("ko", get_args(Ko)), ("passing", get_args(Passing))):
            if getattr(self, name) not in known:
                raise InputError(f"{name} must be {' or '.join(known)}, got {getattr(self, name)!r}")
        if not isinstance(self.suicide, bool):
            raise InputError(f"suicide must be true or false, got {self.suicide!r}")
        self._check_eyes(self.eyes, self.filling)
        longest = self.longest
        if longest is not None and (type(longest) is not int or not 1 <= longest <= MOST_LENGTH):
            raise InputError(f"longest must be a whole number from 1 to {MOST_LENGTH}, got {longest!r}")

    def limits(self) -> Limits:
        return Limits(moves=self.points + 1, length=self._length(), codes=self.points + 1, features=NEIGHBOURHOODS)

    def _length(self) -> int:
        return 3 * self.points if self.longest is None else self.longest

    def layout(self) -> Layout:
        past = capacity(2 * self._length()) if self.ko == "superko" else 1
        return {**Stones.layout(self), "ko": "i8", "passes": "i8", "played": "i8", "past": ("u8", past)}

    def constants(self) -> dict[str, Any]:
        return {
            **Stones.constants(self),
            "komi": self.komi,
            "length": self._length(),
            "past_mask": capacity(2 * self._length()) - 1,
            "superko": fixed(self.ko == "superko"),
            "suicide": fixed(self.suicide),
            "eyes": fixed(EYES[self.eyes]),
            "fills": fixed(self.filling == "tree"),
            "pass_rule": fixed(PASSES[self.passing]),
        }

    # --- moves ---

    def start(self, s):
        s.ko = -1
        if self.superko:
            self._remember(s)

    def _is_over(self, s):
        return s.passes >= 2 or s.played >= self.length

    def moves(self, s, out):
        """Points in ascending order, then the pass."""
        if self._is_over(s):
            return 0
        self._find_legal(s)
        if not self.fills:
            self._leave_eyes(s)
        if self.superko:
            self._leave_repeats(s)
        n = self._list_found(s, out)
        if self.pass_rule < 2 or n == 0:
            out[u(n)] = self.size * self.size
            n += 1
        return n

    def playout_moves(self, s, out):
        """Points in ascending order, the player's own eyes left out; then the pass if there are none (or always)."""
        if self._is_over(s):
            return 0
        self._find_legal(s)
        self._leave_eyes(s)
        if self.superko:
            self._leave_repeats(s)
        n = self._list_found(s, out)
        if self.pass_rule == 1 or n == 0:
            out[u(n)] = self.size * self.size
            n += 1
        return n

    def sample(self, s, rng):
        """One of ``playout_moves``: one draw; with superko another for each point that it forbids."""
        if self._is_over(s):
            return -1
        self._find_legal(s)
        self._leave_eyes(s)
        n = self._count_found(s)
        move = self.size * self.size
        while n > 0:
            choices = n
            if self.pass_rule == 1:
                choices += 1
            r = below(rng, choices)
            if r == n:
                break
            p = self._nth_found(s, r)
            if not self.superko or not self._repeats(s, p):
                move = p
                break
            s.found[u(p) >> u(6)] &= ~(ONE << (u(p) & LAST_BIT))
            n -= 1
        return move

    def _find_legal(self, s):
        """``s.found``: the points that may be played, superko aside."""
        self._find_no_suicide(s)
        if self.suicide:
            own = u(s.turn)
            for w in range(self.words):
                s.area[w] = s.stones[own, w]
            for w in range(self.words):
                s.found[w] |= self._beside(s, w) & self._empty(s, w)
        if s.ko >= 0:
            s.found[u(s.ko) >> u(6)] &= ~(ONE << (u(s.ko) & LAST_BIT))

    # --- playing a move ---

    def play(self, s, move):
        s.played += 1
        s.ko = -1
        if move == self.size * self.size:
            s.passes += 1
        else:
            s.passes = 0
            self._put_stone(s, move)
        s.turn = 1 - s.turn
        if self.superko:
            self._remember(s)

    def _put_stone(self, s, p):
        h = self._put(s, p)
        some = ZERO
        for w in range(self.words):
            some |= s.taken[w]
        if some != ZERO:
            n = self._take_off(s, 1 - s.turn)
            if not self.superko and n == 1:
                self._note_ko(s, p, h)
        elif self.suicide and self._count_liberties(s, h) == 0:
            for w in range(self.words):
                s.taken[w] = s.chain[u(h), w]
            self._take_off(s, s.turn)

    def _note_ko(self, s, p, h):
        """A single stone has captured a single one: it may not be taken back if it has no other liberty."""
        stones = 0
        place = 0
        for w in range(self.words):
            stones += ones(s.chain[u(h), w])
            if s.taken[w] != ZERO:
                place = WORD * w + lowest(s.taken[w])
        if stones == 1 and self._count_liberties(s, h) == 1:
            s.ko = place

    # --- the end ---

    def winner(self, s):
        self._reach(s, 0)
        for w in range(self.words):
            s.found[w] = s.area[w]
        self._reach(s, 1)
        score = -self.komi
        for w in range(self.words):
            score += ones(s.found[w] & ~s.area[w])
            score -= ones(s.area[w] & ~s.found[w])
        if score == 0.0:
            return -1
        if score > 0.0:
            return 0
        return 1

    def _reach(self, s, colour):
        """``s.area``: the stones of a colour and the empty points that they lead to."""
        for w in range(self.words):
            s.area[w] = s.stones[u(colour), w]
        grows = True
        while grows:
            grows = False
            for w in range(self.words):
                more = s.area[w] | (self._beside(s, w) & self._empty(s, w))
                grows = grows or more != s.area[w]
                s.area[w] = more

    def key(self, s):
        """Stones, player, passes and the points that ko forbids; not how many moves were played."""
        key = s.hash ^ u(s.turn) ^ (u(s.passes) * ONE_PASS)
        if self.superko:
            self._find_legal(s)
            key ^= self._leave_repeats(s)
        elif s.ko >= 0:
            key ^= ZOBRIST[BANNED, u(s.ko)]
        return key
