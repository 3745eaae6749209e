"""Games on a board of squares; and the board as people see it: names of squares, text, a picture.

Columns are letters from a at the left, rows are numbers from 1 at the bottom, or for some games at the top;
square = row * width + column.
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Self

from rookery.bits import WORD, u
from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError
from rookery.game import Game
from rookery.problem import Spots, capacity

MOST_SIDE = 16
"""The most columns or rows of a board."""
EMPTY = "·"

LIGHT, DARK, LIGHT_MARKED, DARK_MARKED = "#eeeed2", "#a9b98a", "#f6ec8f", "#d9c94f"
FRAME = "#5d6b45"
WHITE_DISC, BLACK_DISC = ("#fdfdfb", "#555555"), ("#2b2b2b", "#000000")
"""Fill and outline of a piece."""
LETTERS = ("#333333", "#c9ced6")  # on light paper and on dark
SIDE, EDGE, MARGIN = 40.0, 22.0, 8.0

_SQUARE = re.compile(r"([a-z])([1-9][0-9]?)")
_MOVE = re.compile(r"([a-z][0-9]+)\s*[-x:]?\s*([a-z][0-9]+)\*?")


MIX_1, MIX_2 = u(0xBF58476D1CE4E5B9), u(0x94D049BB133111EB)


class SquareGame(Game):
    """A board of squares, kept in words of 64 bits; whoever moved last has won, unless a game says otherwise."""

    width: int = 8
    height: int = 8

    LEAST: ClassVar[tuple[int, int]] = (1, 1)
    """The smallest width and height."""
    MOST: ClassVar[int] = MOST_SIDE
    """The most columns or rows."""

    def __post_init__(self) -> None:
        self._check_side("width", self.width, self.LEAST[0])
        self._check_side("height", self.height, self.LEAST[1])

    @classmethod
    def build(cls, size: int = 8, width: int = 0, height: int = 0) -> Self:
        """``size``: width and height, for those of them that are 0."""
        by_size = [least for side, least in zip((width, height), cls.LEAST, strict=True) if not side]
        if by_size:
            cls._check_side("size", size, max(by_size))
        return cls(width or size, height or size)

    @classmethod
    def _check_side(cls, name: str, value: int, least: int) -> None:
        """Refuse a width or a height that a game does not have."""
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= cls.MOST:
            raise InputError(f"{name} must be a whole number from {least} to {cls.MOST}, got {brief(value)}")

    @property
    def board(self) -> Squares:
        """The squares, as people see them."""
        return Squares(self.width, self.height)

    def _words(self) -> int:
        return capacity(-(-self.width * self.height // WORD))

    def _squares_of(self, move: int) -> tuple[int, int, int]:
        """Who moves, and the two squares of the move."""
        raise NotImplementedError

    def describe_move(self, move: int) -> str:
        _, first, second = self._squares_of(move)
        return f"{self.board.name(first)}-{self.board.name(second)}"

    def spots(self, moves: Sequence[int], legal: Sequence[int]) -> list[Spots]:
        """Both squares of a move, one after the other."""
        pairs = (self._squares_of(move)[1:] for move in legal)
        return [tuple(((*self.board.centre(square), SIDE / 2),) for square in pair) for pair in pairs]

    # --- compiled ---

    def player(self, s):
        return s.turn

    def winner(self, s):
        return 1 - s.turn


def stirred(key, word):
    """A hash with one more word in it."""
    key = (key ^ word) * MIX_1
    key = (key ^ (key >> u(29))) * MIX_2
    return key ^ (key >> u(32))


class Look(NamedTuple):
    """The colours of a board: of its squares, which need not differ, also when they are marked; of lines between them.

    >>> CHEQUERED.line is None
    True
    """

    light: str
    dark: str
    light_marked: str
    dark_marked: str
    line: str | None = None


CHEQUERED = Look(LIGHT, DARK, LIGHT_MARKED, DARK_MARKED)


@dataclass(frozen=True)
class Squares:
    """The squares of a board; ``down``: row 1 is the top one.

    >>> board = Squares(8, 8)
    >>> board.name(9), board.square("b2")
    ('b2', 9)
    """

    width: int
    height: int
    down: bool = False

    # --- names ---

    def name(self, square: int) -> str:
        """The name of a square.

        >>> Squares(5, 5).name(7)
        'c2'
        """
        row, column = divmod(square, self.width)
        return f"{string.ascii_lowercase[column]}{row + 1}"

    def square(self, text: str) -> int:
        """The square of this name.

        >>> Squares(5, 5).square("C2")
        7
        """
        found = _SQUARE.fullmatch(text.strip().lower())
        column = -1 if found is None else string.ascii_lowercase.index(found[1])
        row = -1 if found is None else int(found[2]) - 1
        if not (0 <= column < self.width and 0 <= row < self.height):
            last = self.name(self.width * self.height - 1)
            raise InputError(f"a square must be one of a1 to {last}, got {brief(text)}")
        return row * self.width + column

    def pair(self, text: str) -> tuple[int, int]:
        """The two squares of a move such as a2-a3; a capture may be written a2xb3.

        >>> Squares(8, 8).pair("a2xb3")
        (8, 17)
        """
        found = _MOVE.fullmatch(text.strip().lower())
        if found is None:
            raise InputError(f"a move must be two squares, as in a2-a3, got {brief(text)}")
        return self.square(found[1]), self.square(found[2])

    # --- text ---

    def text(self, symbols: Mapping[int, str], marked: Collection[int] = ()) -> str:
        """The board with a symbol on each square that has one, and brackets around those that are marked.

        >>> print(Squares(3, 2).text({0: "x", 5: "o"}, marked=[5]))
         2  · ·[o]
         1  x · ·
            a b c
        """
        lines = []
        for row in range(self.height) if self.down else reversed(range(self.height)):
            line, inside = f"{row + 1:2} ", False  # inside: between the brackets
            for square in range(row * self.width, (row + 1) * self.width):
                line += " " if (square in marked) == inside else "]" if inside else "["
                inside = square in marked
                line += symbols.get(square, EMPTY)
            lines.append(line + "]" if inside else line)
        return "\n".join([*lines, "    " + " ".join(string.ascii_lowercase[: self.width])])

    # --- pictures ---

    def picture(self, marked: Collection[int] = (), look: Look = CHEQUERED) -> Drawing:
        """The empty board, with names of rows and columns at its edge, and marked squares in another colour.

        >>> Squares(3, 2).picture().svg().count("<text")
        5
        """
        left, top = MARGIN + EDGE, MARGIN
        wide, high = self.width * SIDE, self.height * SIDE
        drawing = Drawing(left + wide + MARGIN, top + high + EDGE + MARGIN)
        for square in range(self.width * self.height):
            row, column = divmod(square, self.width)
            x, y = self.centre(square)
            light = (row + column) % 2 == 1
            plain, mark = (look.light, look.light_marked) if light else (look.dark, look.dark_marked)
            fill = mark if square in marked else plain
            drawing.rect(x - SIDE / 2, y - SIDE / 2, SIDE, SIDE, fill=fill, stroke=look.line)
        drawing.rect(left, top, wide, high, stroke=FRAME, line=1.5)
        for column in range(self.width):
            x, _ = self.centre(column)
            drawing.text(x, top + high + EDGE / 2 + 1, string.ascii_lowercase[column], size=14, colour=LETTERS)
        for row in range(self.height):
            _, y = self.centre(row * self.width)
            drawing.text(left - EDGE / 2, y, str(row + 1), size=14, colour=LETTERS)
        return drawing

    def centre(self, square: int) -> tuple[float, float]:
        """Where the centre of a square is in the picture.

        >>> Squares(3, 2).centre(3)
        (50.0, 28.0)
        """
        row, column = divmod(square, self.width)
        above = row if self.down else self.height - 1 - row
        return MARGIN + EDGE + (column + 0.5) * SIDE, MARGIN + (above + 0.5) * SIDE

    def disc(self, drawing: Drawing, square: int, colours: tuple[str, str]) -> None:
        """A disc on a square, in these colours of its inside and its edge.

        >>> drawing = Squares(3, 2).picture()
        >>> Squares(3, 2).disc(drawing, 3, WHITE_DISC)
        >>> drawing.svg().count("<circle")
        1
        """
        inside, edge = colours
        drawing.circle(*self.centre(square), 0.365 * SIDE, fill=inside, stroke=edge, line=0.03 * SIDE)
