"""Amazons: queens that move and shoot, until one player cannot.

White begins. A player moves one of four queens like a queen of chess, and then shoots an arrow from where it has gone,
which flies like a queen and blocks the square that it hits for good. Neither crosses a queen or a blocked square, and
nothing is captured. Whoever cannot move loses. The game is Walter Zamkauskas'.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np

from rookery.bits import u
from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.games.cells import ZOBRIST
from rookery.games.lines import ASIDE, BLOCKED, UP, Lines
from rookery.games.squares import BLACK_DISC, SIDE, WHITE_DISC
from rookery.problem import Layout, Limits, Spots
from rookery.rng import below

QUEENS = 4
ARROW = 2
"""What stands on a square, beside the queens of both players."""
SYMBOLS = "♕♛■"
DISCS = (WHITE_DISC, BLACK_DISC)
BURNT = "#7d5a3c"
_MOVE = re.compile(r"([a-z][0-9]+)\s*-?\s*([a-z][0-9]+)\s*[/(\s]\s*([a-z][0-9]+)\)?")


class Amazons(Lines):
    """Queens move and shoot arrows that block squares; whoever cannot move loses.

    A move is (from * squares + to) * squares + the square of the arrow. Its code names the queen by its place among the
    player's four, in the order of their squares, instead of ``from``.

    Parameters
    ----------
    width
        columns, 4 to 16
    height
        rows, 4 to 16

    >>> game = Amazons(6, 6)
    >>> game.describe_move(game.read_move("b1-b4/e4"))
    'b1-b4/e4'
    >>> print(game.draw([game.read_move("b1-b4/e4")]))
     6  · ♛ · · ♛ ·
     5  ♛ · · · · ♛
     4  ·[♕]· ·[■]·
     3  · · · · · ·
     2  ♕ · · · · ♕
     1  ·[·]· · ♕ ·
        a b c d e f
    """

    width: int = 10
    height: int = 10

    players = ("white", "black")
    LEAST = (4, 4)
    scratch = ("ways",)

    @classmethod
    def build(cls, size: int = 10, width: int = 0, height: int = 0) -> Self:
        """``size``: width and height, for those of them that are 0."""
        return super().build(size, width, height)

    # --- what is compiled in, and the state ---

    def limits(self) -> Limits:
        squares = self.width * self.height
        reach = max(len(self._rays(square, {})) for square in range(squares))
        # One more than a game can have: at the very limit nothing is taken as proven.
        length = squares - 2 * QUEENS + 1
        return Limits(moves=QUEENS * reach * reach, length=length, codes=QUEENS * squares * squares)

    def layout(self) -> Layout:
        return {
            "turn": "i8",
            "hash": "u8",
            "queens": ("u1", (2, QUEENS)),  # squares, in ascending order
            "blocked": BLOCKED,
            "ways": ("i8", QUEENS),  # scratch: how many moves each queen has
        }

    def constants(self) -> Mapping[str, Any]:
        home = np.array([self._home(player) for player in (0, 1)], np.uint8)
        return {**Lines.constants(self), "home": home}

    def _home(self, player: int) -> list[int]:
        """Where the queens of a player begin: two in the first row, two at the edge, a third of the way in."""
        aside, up = (self.width - 1) // 3, (self.height - 1) // 3
        places = ((aside, 0), (self.width - 1 - aside, 0), (0, up), (self.width - 1, up))
        rows = (row if player == 0 else self.height - 1 - row for _, row in places)
        return sorted(row * self.width + column for (column, _), row in zip(places, rows, strict=True))

    # --- compiled ---

    def start(self, s):
        self._clear(s)
        for player in range(2):
            for k in range(QUEENS):
                square = np.int64(self.home[player, k])
                s.queens[player, k] = square
                s.hash ^= ZOBRIST[player, square]
                self._toggle(s, square)

    def _ways(self, s, at):
        """How many moves the queen on a square has, while the square counts as empty."""
        n = 0
        for d in range(8):
            column = at % self.width
            row = at // self.width
            for _ in range(self._reach(s, d, column, row)):
                column += ASIDE[d]
                row += UP[d]
                n += self._arrows(s, column, row)
        return n

    def moves(self, s, out):
        """Queen by queen, by the direction and length of its way, then by those of the arrow's."""
        n = 0
        for k in range(QUEENS):
            at = np.int64(s.queens[u(s.turn), k])
            self._toggle(s, at)
            for d in range(8):
                column = at % self.width
                row = at // self.width
                for _ in range(self._reach(s, d, column, row)):
                    column += ASIDE[d]
                    row += UP[d]
                    to = row * self.width + column
                    for e in range(8):
                        arrow = (at * self.squares + to) * self.squares + to
                        for _ in range(self._reach(s, e, column, row)):
                            arrow += UP[e] * self.width + ASIDE[e]
                            out[u(n)] = arrow
                            n += 1
            self._toggle(s, at)
        return n

    def sample(self, s, rng):
        n = 0
        for k in range(QUEENS):
            at = np.int64(s.queens[u(s.turn), k])
            self._toggle(s, at)
            s.ways[k] = self._ways(s, at)
            self._toggle(s, at)
            n += s.ways[k]
        if n == 0:
            return -1
        i = below(rng, n)
        k = 0
        while i >= s.ways[k]:
            i -= s.ways[k]
            k += 1
        at = np.int64(s.queens[u(s.turn), k])
        self._toggle(s, at)
        move = self._way(s, at, i)
        self._toggle(s, at)
        return move

    def _way(self, s, at, i):
        """The i-th move of the queen on a square, while the square counts as empty."""
        for d in range(8):
            column = at % self.width
            row = at // self.width
            for _ in range(self._reach(s, d, column, row)):
                column += ASIDE[d]
                row += UP[d]
                n = self._arrows(s, column, row)
                if i < n:
                    return (at * self.squares + row * self.width + column) * self.squares + self._hit(s, column, row, i)
                i -= n
        return -1

    def _hit(self, s, column, row, i):
        """The i-th square that an arrow from here can hit."""
        for e in range(8):
            n = self._reach(s, e, column, row)
            if i < n:
                return (row + UP[e] * (i + 1)) * self.width + column + ASIDE[e] * (i + 1)
            i -= n
        return -1

    def code(self, s, move):
        at = move // (self.squares * self.squares)
        k = 0
        while k < QUEENS - 1 and np.int64(s.queens[u(s.turn), k]) != at:
            k += 1
        return move + (k - at) * self.squares * self.squares

    def play(self, s, move):
        own = u(s.turn)
        arrow = move % self.squares
        to = move // self.squares % self.squares
        at = move // (self.squares * self.squares)
        self._toggle(s, at)
        self._toggle(s, to)
        self._toggle(s, arrow)
        s.hash ^= ZOBRIST[own, u(at)] ^ ZOBRIST[own, u(to)] ^ ZOBRIST[ARROW, u(arrow)]
        k = 0
        while k < QUEENS - 1 and np.int64(s.queens[own, k]) != at:
            k += 1
        while k > 0 and np.int64(s.queens[own, k - 1]) > to:
            s.queens[own, k] = s.queens[own, k - 1]
            k -= 1
        while k < QUEENS - 1 and np.int64(s.queens[own, k + 1]) < to:
            s.queens[own, k] = s.queens[own, k + 1]
            k += 1
        s.queens[own, k] = to
        s.turn = 1 - s.turn

    def key(self, s):
        return s.hash ^ u(s.turn)

    # --- for people ---

    def _parts(self, move: int) -> tuple[int, int, int]:
        """From where, where to, and where the arrow goes."""
        squares = self.width * self.height
        if not 0 <= move < squares**3:
            raise InputError(f"a move of Amazons must be 0 to {squares**3 - 1}, got {brief(move)}")
        return move // squares**2, move // squares % squares, move % squares

    def describe_move(self, move: int) -> str:
        at, to, arrow = map(self.board.name, self._parts(move))
        return f"{at}-{to}/{arrow}"

    def read_move(self, text: str) -> int:
        """The move that is written as its squares and that of the arrow.

        >>> Amazons().read_move("d1-d7/g7") == Amazons().read_move("d1-d7(g7)")
        True
        """
        found = _MOVE.fullmatch(text.strip().lower())
        if found is None:
            raise InputError(f"a move must be three squares, as in d1-d7/g7, got {brief(text)}")
        at, to, arrow = map(self.board.square, found.groups())
        squares = self.width * self.height
        return (at * squares + to) * squares + arrow

    def pieces_after(self, moves: Sequence[int]) -> dict[int, int]:
        """What is on each square that is not empty, after moves that must be legal: 0, 1 whose queen; 2 an arrow.

        >>> sorted(Amazons().pieces_after([]))
        [3, 6, 30, 39, 60, 69, 93, 96]
        """
        pieces = {square: player for player in (0, 1) for square in self._home(player)}
        for number, move in enumerate(moves):
            at, to, arrow = self._parts(move)
            player = pieces.pop(at, None)
            if player != number % 2 or to not in self._rays(at, pieces) or arrow not in self._rays(to, pieces):
                raise InputError(f"move {number + 1} must be legal, got {self.describe_move(move)}")
            pieces |= {to: number % 2, arrow: ARROW}
        return pieces

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """The three squares, one after the other."""
        board = self.board
        return [tuple(((*board.centre(square), SIDE / 2),) for square in self._parts(move)) for move in legal]

    def draw(self, moves: Sequence[int]) -> str:
        """The board after these moves as text, the last move in brackets."""
        symbols = {square: SYMBOLS[kind] for square, kind in self.pieces_after(moves).items()}
        return self.board.text(symbols, self._parts(moves[-1]) if moves else ())

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The board after these moves, the last move in another colour."""
        board, gap = self.board, 0.14 * SIDE
        drawing = board.picture(self._parts(moves[-1]) if moves else ())
        for square, kind in sorted(self.pieces_after(moves).items()):
            x, y = board.centre(square)
            if kind == ARROW:
                left, top, side = x - SIDE / 2 + gap, y - SIDE / 2 + gap, SIDE - 2 * gap
                drawing.rect(left, top, side, side, fill=BURNT, round=5)
            else:
                board.disc(drawing, square, DISCS[kind])
                drawing.text(x, y, "Q", size=0.45 * SIDE, colour=DISCS[1 - kind][0], bold=True)
        return drawing
