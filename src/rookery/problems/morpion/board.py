"""Morpion Solitaire on a compiled board: 5T, 5D, 4T and 4D from one source.

Rules as in Rosin 2011, section 3.2: a move adds one dot so that a line of five (four) dots can be drawn, and
draws it. No unit segment is drawn twice (T), or lines of the same direction share no dot (D).

A line is named by its first cell and its direction. The board counts the dots of every line; a line can be played
when one dot is missing, and is then in the list of legal moves. One byte per line says it all: its number of dots; or
LEGAL plus its place in the list; or, when it may no longer be drawn, its dots and BLOCKED for each line that forbids
it. A playout begins with a copy of the state, so the state is kept small.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rookery.compiler.constants import fixed
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.problem import Layout, Limits, Problem, Spots
from rookery.problems.morpion.game import DIRECTIONS as VECTORS
from rookery.problems.morpion.game import (
    Board,
    Dot,
    Line,
    MorpionGame,
    Variant,
    checked_variant,
    cross,
    line_length,
    read_dots,
)
from rookery.problems.morpion.picture import MOVE_RADIUS, game_picture, placing
from rookery.problems.morpion.text import game_text

WIDTH = 64
CELLS = WIDTH * WIDTH
OFFSET = 27  # where the cross's frame begins
MARGIN = 4  # no dot is ever nearer to the edge: every line through a dot is within the arrays
SAFE = 8  # a dot nearer to the edge could belong to lines that the board does not have
BLOCKED = 16
LEGAL = 128
MOST_LEGAL = 256 - LEGAL
DIRECTIONS = tuple(VECTORS.values())
DIRECTION_NAMES = tuple(VECTORS)
NAMES = "-|/\\"
STEP = np.array([dx + WIDTH * dy for dx, dy in DIRECTIONS])

COLUMNS = np.uint64(((1 << SAFE) - 1) | ((1 << SAFE) - 1) << (WIDTH - SAFE))
"""The cells of a row that no game may reach."""


class Morpion(Problem):
    """Morpion Solitaire on a grid of 64 x 64 cells, starting from the Greek cross.

    Parameters
    ----------
    variant
        5T, 5D, 4T or 4D: the dots in a line, and whether lines of one direction may touch at their ends
    dominated
        replace dominated moves (Rosin 2011, section 3.2): they stay in the list and keep their codes, but have the
        effect of the move that dominates them
    dots
        the dots to begin with, as (x, y) in the frame of the cross; None: the cross

    >>> Morpion(variant="5D").limits().length
    512
    """

    variant: Variant = "5T"
    dominated: bool = False
    dots: tuple[Dot, ...] | None = None

    def __post_init__(self) -> None:
        checked_variant(self.variant)
        if self.dots is not None:
            low, high = SAFE - OFFSET, WIDTH - 1 - SAFE - OFFSET
            dots = tuple(sorted({(int(x), int(y)) for x, y in self.dots}))
            for x, y in dots:
                if not (low <= x <= high and low <= y <= high):
                    raise InputError(f"dots must lie between {low} and {high}, got ({x},{y})")
            object.__setattr__(self, "dots", dots)

    @classmethod
    def build(cls, variant: Variant = "5T", dominated: bool = False, dots: str | None = None) -> Morpion:
        """``dots`` is a file with a picture of them (``#`` a dot, ``.`` none), or a list [[x, y], ...] as text.

        >>> Morpion.build("4D", dots="[[0, 0], [1, 0]]").dots
        ((0, 0), (1, 0))
        """
        return cls(variant, dominated, None if dots is None else read_dots(dots))

    def parameters(self) -> dict[str, Any]:
        given: dict[str, Any] = {"variant": self.variant, "dominated": self.dominated}
        return given if self.dots is None else {**given, "dots": str([list(dot) for dot in self.dots])}

    def constants(self) -> Mapping[str, Any]:
        length = line_length(self.variant)
        start = sorted(cross(length)) if self.dots is None else self.dots
        cells = [(y + OFFSET) * WIDTH + x + OFFSET for x, y in start]
        return {
            "length": fixed(length),
            "reach": fixed(length - 2 if self.variant.endswith("T") else length - 1),
            "replaces": fixed(self.dominated),
            "first": np.array(cells, np.int64),
        }

    def lacks(self) -> tuple[str, ...]:
        """Where dominated moves are replaced, what is drawn depends on all moves before: none can be taken back."""
        return ("makes", "needs", "undo", "makers", "clash") if self.dominated else ()

    def limits(self) -> Limits:
        return Limits(moves=MOST_LEGAL, length=512, codes=4 * CELLS)

    def layout(self) -> Layout:
        return {
            "line": ("u1", 4 * CELLS),
            "dots": ("u8", WIDTH),
            "legal": ("u2", MOST_LEGAL),
            "n": "i4",
            "played": "i4",
        }

    def start(self, s):
        for origin in range(CELLS):
            for d in range(4):
                if not _fits(origin, d, self.length):
                    s.line[4 * origin + d] = BLOCKED
        for cell in self.first:
            _set_dot(s, cell)
            for d in range(4):
                for k in range(self.length):
                    s.line[4 * (cell - k * STEP[d]) + d] += 1
        n = 0
        for line in range(4 * CELLS):
            if s.line[line] == self.length - 1:
                n = _add(s, line, n)
        s.n = n

    def moves(self, s, out):
        for i in range(s.n):
            out[i] = s.legal[i]
        return s.n

    def count(self, s):
        return s.n

    def nth(self, s, i):
        return s.legal[np.uint64(i)]

    def is_legal(self, s, move):
        return s.line[np.uint64(move)] >= LEGAL

    def code(self, s, move):
        return move

    def play(self, s, move):
        step = STEP[move & 3]
        cell = move >> 2
        place = 0
        while _has_dot(s, cell):
            cell += step
            place += 1
        drawn = self._dominating(s, move, place) if self.replaces else move
        _set_dot(s, cell)
        n = np.int64(s.n)
        for d in range(4):
            for k in range(self.length):
                line = np.uint64(4 * (cell - k * STEP[d]) + d)
                dots = s.line[line]
                if dots >= LEGAL:
                    n = _remove(s, line, n)
                    s.line[line] = self.length
                elif dots == self.length - 2:
                    n = _add(s, line, n)
                else:
                    s.line[line] = dots + 1
        for j in range(-self.reach, self.reach + 1):
            line = np.uint64(drawn + 4 * j * step)
            if s.line[line] >= LEGAL:
                n = _remove(s, line, n)
                s.line[line] = self.length - 1
            s.line[line] += BLOCKED
        s.n = n
        s.played += 1

    def undo(self, s, move, made):
        _clear_dot(s, made)
        n = np.int64(s.n)
        for d in range(4):
            for k in range(self.length):
                line = np.uint64(4 * (made - k * STEP[d]) + d)
                dots = s.line[line]
                if dots >= LEGAL:
                    n = _remove(s, line, n)
                    s.line[line] = self.length - 2
                elif dots == self.length:
                    n = _add(s, line, n)
                else:
                    s.line[line] = dots - 1
        step = STEP[move & 3]
        for j in range(-self.reach, self.reach + 1):
            line = np.uint64(move + 4 * j * step)
            dots = s.line[line] - BLOCKED
            if dots == self.length - 1:
                n = _add(s, line, n)
            else:
                s.line[line] = dots
        s.n = n
        s.played -= 1

    def _dominating(self, s, move, place):
        """The line that is drawn for a move: its own, or one beside it that takes nothing more from later moves.

        A line blocks those of its direction up to ``reach`` steps away. Another line through the same new dot, k
        steps on, blocks k lines that this one does not, at its far end. If these are blocked already, and not all
        that only this one blocks are, the other is as good in all that follows and better in something.
        """
        step = 4 * STEP[move & 3]
        for sign in (1, -1):
            drawn = move
            gain = False
            for k in range(1, self.length):
                other = move + sign * k * step
                on_it = 0 <= place - sign * k < self.length  # the new dot must lie on the other line too
                if not on_it or s.line[np.uint64(other)] < LEGAL:
                    break
                if not _is_blocked(s, other + sign * self.reach * step):
                    break
                gain = gain or not _is_blocked(s, move - sign * (self.reach - k + 1) * step)
                drawn = other
            if gain:
                return drawn
        return move

    def score(self, s):
        reached = np.uint64(0)
        for y in range(SAFE, WIDTH - SAFE):
            reached |= s.dots[np.uint64(y)]
        reached &= COLUMNS
        for y in range(SAFE):
            reached |= s.dots[np.uint64(y)] | s.dots[np.uint64(WIDTH - 1 - y)]
        if reached != np.uint64(0):
            raise ValueError("the game reached the edge of the board of 64 x 64 cells")
        return s.played

    def makes(self, s, move):
        cell = move >> 2
        while _has_dot(s, cell):
            cell += STEP[move & 3]
        return cell

    def needs(self, move, i):
        return (move >> 2) + i * STEP[move & 3] if i < self.length else -1

    def makers(self, s, thing, out):
        n = 0
        for d in range(4):
            for k in range(self.length):
                line = 4 * (thing - k * STEP[d]) + d
                out[n] = line
                n += s.line[np.uint64(line)] & 7 == self.length
        return n

    def clash(self, a, b):
        step = 4 * STEP[a & 3]
        found = False
        for j in range(-self.reach, self.reach + 1):
            found |= b - a == j * step
        return found

    def commute(self, a, b):
        return not self.replaces

    # --- games ---

    def game(self, moves: Sequence[int]) -> MorpionGame:
        """The game that moves make: the lines that are drawn, even for dominated moves.

        >>> from rookery.problems.morpion import Move
        >>> problem, moves = Morpion.of_game(MorpionGame("5T", (Move(4, 3, "H", 4),)))
        >>> problem.game(moves).moves
        (Move(x=4, y=3, direction='H', pos=4),)
        """
        board = Board(self.variant, self.dots)
        drawn = []
        for number, code in enumerate(moves, 1):
            move = board.completed(*line_of(code))
            rule = "its line needs one more dot, and only one" if move is None else board.broken_rule(move)
            if move is None or rule is not None:
                raise InputError(f"move {number} must be legal: {rule}")
            move = board.dominating(move) if self.dominated else move
            board.play(move)
            drawn.append(move)
        return MorpionGame(self.variant, tuple(drawn), None if self.dots is None else frozenset(self.dots))

    @classmethod
    def of_game(cls, game: MorpionGame) -> tuple[Morpion, tuple[int, ...]]:
        """The problem of a game, and the game's moves as the problem names them."""
        problem = cls(game.variant, False, None if game.dots is None else tuple(game.dots))
        moves = []
        for number, move in enumerate(game.moves, 1):
            x, y = (coordinate + OFFSET for coordinate in move.origin)
            if not (MARGIN <= x < WIDTH - MARGIN and MARGIN <= y < WIDTH - MARGIN):
                raise InputError(f"move {number} lies outside of the board of {WIDTH} x {WIDTH} cells")
            moves.append(4 * (y * WIDTH + x) + DIRECTION_NAMES.index(move.direction))
        return problem, tuple(moves)

    def describe_moves(self, moves: Sequence[int]) -> list[str]:
        """For each move its new dot and the direction of its line; the moves must be legal.

        >>> from rookery.problems.morpion import Move
        >>> problem = Morpion()
        >>> problem.describe_moves(problem.of_game(MorpionGame("5T", (Move(4, 3, "H", 4),)))[1])
        ['(4,3) -']
        """
        return [f"({x},{y}) {NAMES[DIRECTION_NAMES.index(direction)]}" for x, y, direction, _ in self.game(moves).moves]

    def describe_move(self, move: int) -> str:
        """The line alone, from its first dot: which of its dots is new depends on the moves before."""
        (x, y), direction = line_of(move)
        return f"({x},{y}) {NAMES[DIRECTION_NAMES.index(direction)]}"

    def draw(self, moves: Sequence[int]) -> str:
        """The grid in letters: the dots of the start, every other dot as the number of its move, lines between them."""
        return game_text(self.game(moves))

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """The new dot; then, where several lines make it, the dots at the ends of the line."""
        game = self.game(moves)
        place, board = placing(game), game.board()
        found: list[Spots] = []
        for code in legal:
            move = board.completed(*line_of(code))
            if move is None:
                found.append(())
                continue
            cells = move.cells(board.length)
            ends = tuple((*place(cell), MOVE_RADIUS) for cell in (cells[0], cells[-1]) if cell in board.dots)
            found.append((((*place(move.dot), MOVE_RADIUS),), ends))
        return found

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The grid with its lines and the numbers of its moves."""
        return game_picture(self.game(moves))


def line_of(move: int) -> Line:
    """Origin and direction of the line that a move names."""
    if not 0 <= move < 4 * CELLS:
        raise InputError(f"a move must be 0 to {4 * CELLS - 1}, got {move}")
    y, x = divmod(move >> 2, WIDTH)
    return (x - OFFSET, y - OFFSET), DIRECTION_NAMES[move & 3]


def _fits(origin, d, length):
    x0, y0 = origin % WIDTH, origin // WIDTH
    x1 = x0 + (length - 1) * (d != 1)
    y1 = y0 + (length - 1) * (0 if d == 0 else (-1 if d == 2 else 1))
    low, high = MARGIN, WIDTH - 1 - MARGIN
    return low <= x0 and x1 <= high and low <= min(y0, y1) and max(y0, y1) <= high


def _is_blocked(s, line):
    dots = s.line[np.uint64(line)]
    return dots >= BLOCKED and dots < LEGAL


def _has_dot(s, cell):
    return (s.dots[np.uint64(cell >> 6)] >> np.uint64(cell & 63)) & np.uint64(1) != 0


def _set_dot(s, cell):
    s.dots[np.uint64(cell >> 6)] |= np.uint64(1) << np.uint64(cell & 63)


def _clear_dot(s, cell):
    s.dots[np.uint64(cell >> 6)] &= ~(np.uint64(1) << np.uint64(cell & 63))


# The list of legal lines; its length n is kept in a register while a move is played.


def _add(s, line, n):
    if n < MOST_LEGAL:  # one too many is reported by moves, before it does harm
        s.legal[np.uint64(n)] = line
        s.line[line] = LEGAL + n
    return n + 1


def _remove(s, line, n):
    last = s.legal[np.uint64(n - 1)]
    hole = s.line[line]
    s.legal[np.uint64(hole - LEGAL)] = last
    s.line[last] = hole
    return n - 1
