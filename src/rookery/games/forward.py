"""Games whose pieces only go forward: the compiled functions that Breakthrough and Knightthrough are made of.

The board is in words of 64 bits, one set of words for the pieces of each player; square = row * width + column. A
direction is a shift of these words, so that all pieces that may go that way are found at once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from rookery.bits import ONE, WORD, ZERO, lowest, nth, ones, u
from rookery.compiler.constants import fixed
from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.games.forward_playout import step_down, step_up
from rookery.games.squares import BLACK_DISC, SIDE, WHITE_DISC, SquareGame, stirred
from rookery.problem import Layout, Limits
from rookery.rng import below

DISCS = (WHITE_DISC, BLACK_DISC)
"""Fill and outline of a piece, by player."""


class ForwardGame(SquareGame):
    """Two rows of pieces each; whoever brings one to the last row, or leaves the other without a move, has won.

    A move is (player * squares + square) * directions + direction. Its code leaves out the player, since each has a
    separate policy. Whoever moved last has won, whichever way the game ended.
    """

    players = ("white", "black")
    LEAST = (2, 4)
    STEPS: ClassVar[tuple[tuple[int, int], ...]] = ()
    """Columns to the right and rows forward, in each direction: three or four of them."""
    SYMBOLS: ClassVar[tuple[str, str]] = ("", "")
    """The pieces of both players in text."""
    LETTER: ClassVar[str] = ""
    """The letter on a piece in pictures."""
    peaceful: ClassVar[int] = -1
    """The direction in which a piece cannot capture, if there is one."""

    # --- what is compiled in, and the state ---

    def limits(self) -> Limits:
        return Limits(
            moves=2 * self.width * len(self.STEPS),
            length=2 * self.width * (2 * self.height - 5) + 1,  # only one piece goes beyond the row before last
            codes=self.width * self.height * len(self.STEPS),
            features=2,
        )

    def layout(self) -> Layout:
        return {"pieces": ("u8", (2, self._words())), "turn": "i8"}

    def constants(self) -> Mapping[str, Any]:
        words, directions = self._words(), len(self.STEPS)
        may = np.zeros((2, directions, words), np.uint64)
        goal = np.zeros((2, words), np.uint64)
        shift = np.zeros((2, directions), np.uint64)
        target = np.zeros((2, self.width * self.height, directions), np.uint8)
        for player in (0, 1):
            for square in range(self.width * self.height):
                bit = ONE << u(square % WORD)
                if self._is_goal(player, square):
                    goal[player, square // WORD] |= bit
                for d in range(directions):
                    to = self._target(player, square, d)
                    if to is not None:
                        may[player, d, square // WORD] |= bit
                        shift[player, d] = abs(to - square)
                        target[player, square, d] = to
        return {
            "words": fixed(words),
            "directions": fixed(directions),
            "squares": self.width * self.height,
            "home": 2 * self.width,
            "may": may,  # squares from which a direction does not leave the board
            "goal": goal,
            "shift": shift,
            "target": target.ravel(),  # where a move leads
        }

    def _is_goal(self, player: int, square: int) -> bool:
        return square // self.width == (self.height - 1 if player == 0 else 0)

    def _target(self, player: int, square: int, direction: int) -> int | None:
        """Where a piece lands; None: off the board."""
        columns, rows = self.STEPS[direction]
        column = square % self.width + columns
        row = square // self.width + (rows if player == 0 else -rows)
        return row * self.width + column if 0 <= column < self.width and 0 <= row < self.height else None

    # --- compiled ---

    def start(self, s):
        for i in range(self.home):
            j = self.squares - 1 - i
            s.pieces[0, i // WORD] |= ONE << u(i % WORD)
            s.pieces[1, j // WORD] |= ONE << u(j % WORD)

    def _in_the_way(self, s, d, w):
        """The squares that the player to move cannot go to in a direction."""
        pieces = s.pieces[u(s.turn), w]
        if d == self.peaceful:
            pieces |= s.pieces[u(1 - s.turn), w]
        return pieces

    def _movable(self, s, d, w):
        """The pieces of a word that may go in a direction."""
        player = u(s.turn)
        shift = self.shift[player, d]
        if s.turn == 0:
            stopped = self._in_the_way(s, d, w) >> shift
            if w + 1 < self.words:
                stopped |= self._in_the_way(s, d, w + 1) << (u(WORD) - shift)
        else:
            stopped = self._in_the_way(s, d, w) << shift
            if w > 0:
                stopped |= self._in_the_way(s, d, w - 1) >> (u(WORD) - shift)
        return s.pieces[player, w] & self.may[player, d, w] & ~stopped

    def _is_over(self, s):
        """Whether the last move has reached the last row."""
        player = u(1 - s.turn)
        there = ZERO
        for w in range(self.words):
            there |= s.pieces[player, w] & self.goal[player, w]
        return there != ZERO

    def moves(self, s, out):
        if self._is_over(s):
            return 0
        n = 0
        for d in range(self.directions):
            for w in range(self.words):
                m = self._movable(s, d, w)
                first = (s.turn * self.squares + WORD * w) * self.directions + d
                while m != ZERO:
                    out[u(n)] = first + lowest(m) * self.directions
                    n += 1
                    m &= m - ONE
        return n

    def sample(self, s, rng):
        if self._is_over(s):
            return -1
        if self.words == 1:
            return self._sample_of_one_word(s, rng)
        n = 0
        for d in range(self.directions):
            for w in range(self.words):
                n += ones(self._movable(s, d, w))
        if n == 0:
            return -1
        i = below(rng, n)
        for d in range(self.directions):
            for w in range(self.words):
                m = self._movable(s, d, w)
                n = ones(m)
                if i < n:
                    return (s.turn * self.squares + WORD * w + nth(m, i)) * self.directions + d
                i -= n
        return -1

    def _sample_of_one_word(self, s, rng):
        """The same without a branch that depends on what was drawn: the processor could not predict it."""
        m0 = self._movable(s, 0, 0)
        m1 = self._movable(s, 1, 0)
        m2 = self._movable(s, 2, 0)
        m3 = ZERO
        if self.directions == 4:
            m3 = self._movable(s, 3, 0)
        before_1 = ones(m0)
        before_2 = before_1 + ones(m1)
        before_3 = before_2 + ones(m2)
        n = before_3 + ones(m3)
        if n == 0:
            return -1
        i = below(rng, n)
        m = m0
        d = 0
        before = 0
        if i >= before_1:
            m = m1
            d = 1
            before = before_1
        if i >= before_2:
            m = m2
            d = 2
            before = before_2
        if i >= before_3:
            m = m3
            d = 3
            before = before_3
        return (s.turn * self.squares + nth(m, i - before)) * self.directions + d

    def playout(self, s, rng):
        if self.words > 1:
            move = self.sample(s, rng)
            while move >= 0:
                self.play(s, move)
                move = self.sample(s, rng)
        elif not self._is_over(s):
            self._playout_of_one_word(s, rng)
        return self.winner(s)

    def _playout_of_one_word(self, s, rng):
        """Play to the end in variables; the state gets only what decides the winner: who would be to move."""
        up, down = self.may[0], self.may[1]
        a, b = self.shift[0], self.shift[1]
        last = self.directions - 1
        w3, v3 = (up[3, 0], down[3, 0]) if last == 3 else (ZERO, ZERO)
        w0, w1, w2, a0, a1, a2, a3 = up[0, 0], up[1, 0], up[2, 0], a[0], a[1], a[2], a[last]
        v0, v1, v2, b0, b1, b2, b3 = down[0, 0], down[1, 0], down[2, 0], b[0], b[1], b[2], b[last]
        peaceful = self.peaceful == 1
        top, bottom = self.goal[0, 0], self.goal[1, 0]
        white, black = s.pieces[0, 0], s.pieces[1, 0]
        to = ONE
        if s.turn == 1:
            black, white, to = step_down(black, white, peaceful, v0, v1, v2, v3, b0, b1, b2, b3, rng)
            if to == ZERO or to & bottom != ZERO:
                s.turn = 1 if to == ZERO else 0
                return
        while True:
            white, black, to = step_up(white, black, peaceful, w0, w1, w2, w3, a0, a1, a2, a3, rng)
            if to == ZERO or to & top != ZERO:
                s.turn = 0 if to == ZERO else 1
                return
            black, white, to = step_down(black, white, peaceful, v0, v1, v2, v3, b0, b1, b2, b3, rng)
            if to == ZERO or to & bottom != ZERO:
                s.turn = 1 if to == ZERO else 0
                return

    def code(self, s, move):
        return move - s.turn * self.squares * self.directions

    def feature(self, s, move):
        """Whether the move captures."""
        to = u(self.target[u(move)])
        word = to // u(WORD) if self.words > 1 else ZERO
        return np.int64((s.pieces[u(1 - s.turn), word] >> (to % u(WORD))) & ONE)

    def play(self, s, move):
        code = u(move - s.turn * self.squares * self.directions)
        square = code // u(self.directions)
        shift = self.shift[u(s.turn), code - square * u(self.directions)]
        to = square + shift if s.turn == 0 else square - shift
        own = u(s.turn)
        other = u(1 - s.turn)
        word = to // u(WORD) if self.words > 1 else ZERO
        s.pieces[own, square // u(WORD) if self.words > 1 else ZERO] ^= ONE << (square % u(WORD))
        s.pieces[own, word] ^= ONE << (to % u(WORD))
        s.pieces[other, word] &= ~(ONE << (to % u(WORD)))
        s.turn = 1 - s.turn

    def key(self, s):
        key = ZERO
        for player in range(2):
            for w in range(self.words):
                key = stirred(key, s.pieces[player, w])
        return key ^ u(s.turn)

    # --- for people ---

    def _squares_of(self, move: int) -> tuple[int, int, int]:
        """Who moves, from where and where to."""
        place, direction = divmod(move, len(self.STEPS))
        player, square = divmod(place, self.width * self.height)
        to = self._target(player, square, direction) if player in (0, 1) else None
        if to is None:
            raise InputError(f"a move of {type(self).__name__} must lead from square to square, got {brief(move)}")
        return player, square, to

    def read_move(self, text: str) -> int:
        """The move that is written like this; a capture may be written with an x."""
        square, to = self.board.pair(text)
        for player in (0, 1):
            for direction in range(len(self.STEPS)):
                if self._target(player, square, direction) == to:
                    return (player * self.width * self.height + square) * len(self.STEPS) + direction
        raise InputError(f"a move must go forward as the pieces of {type(self).__name__} do, got {brief(text)}")

    def pieces_after(self, moves: Sequence[int]) -> dict[int, int]:
        """Whose piece stands on each square that is not empty, after moves that must be legal."""
        size, home = self.width * self.height, 2 * self.width
        pieces = {square: 0 for square in range(home)} | {size - 1 - square: 1 for square in range(home)}
        over = False
        for number, move in enumerate(moves):
            player, square, to = self._squares_of(move)
            kept = (player, 1 - player) if move % len(self.STEPS) == self.peaceful else (player,)
            if over or player != number % 2 or pieces.get(square) != player or pieces.get(to) in kept:
                raise InputError(f"move {number + 1} must be legal, got {self.describe_move(move)}")
            pieces[to] = pieces.pop(square)
            over = self._is_goal(player, to)
        return pieces

    def draw(self, moves: Sequence[int]) -> str:
        """The board after these moves as text, the last move in brackets."""
        symbols = {square: self.SYMBOLS[player] for square, player in self.pieces_after(moves).items()}
        return self.board.text(symbols, self._squares_of(moves[-1])[1:] if moves else ())

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The board after these moves, the last move in another colour."""
        pieces = self.pieces_after(moves)
        board = self.board
        drawing = board.picture(self._squares_of(moves[-1])[1:] if moves else ())
        for square, player in sorted(pieces.items()):
            board.disc(drawing, square, DISCS[player])
            if self.LETTER:
                x, y = board.centre(square)
                drawing.text(x, y, self.LETTER, size=0.45 * SIDE, colour=DISCS[1 - player][0], bold=True)
        return drawing
