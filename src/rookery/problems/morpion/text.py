"""Pictures of games as text, for terminals and plain files."""

from __future__ import annotations

import textwrap
from itertools import pairwise, zip_longest
from typing import Literal, NamedTuple

from rookery.problems.morpion.game import Dot, MorpionGame, line_length
from rookery.problems.morpion.picture import AGES, aged, bounds, check_legal

ColourSystem = Literal["standard", "256", "truecolor"]


class Marks(NamedTuple):
    """The letters of a drawing; strokes by direction, and what two crossing ones make."""

    start: str
    move: str
    last: str
    strokes: dict[str, str]
    crossing: str


UNICODE = Marks("●", "○", "◉", {"H": "─", "V": "│", "DP": "╱", "DN": "╲"}, "╳")  # noqa: RUF001
ASCII = Marks("o", "x", "@", {"H": "-", "V": "|", "DP": "/", "DN": "\\"}, "X")

Place = tuple[int, int]
"""Row and column."""


class Letter(NamedTuple):
    """A letter of a drawing, the number of its move (0: the start), and whether it is part of a line."""

    letter: str
    number: int
    line: bool = False


Sheet = dict[Place, Letter]


def game_text(
    game: MorpionGame, *, ascii: bool = False, width: int | None = None, colours: ColourSystem | None = None
) -> str:
    """A game as text, with lines: a mark for each dot of the start, for every other the number of its move.

    The game must be legal.

    Parameters
    ----------
    ascii
        plain letters only
    width
        the available columns; where the drawing needs more, dots without numbers are drawn, or the moves are listed
    colours
        the colours that the terminal has; None: none

    >>> from rookery.problems.morpion import Move
    >>> square = frozenset({(1, 0), (2, 0), (3, 0), (4, 0), (3, 1)})
    >>> print(game_text(MorpionGame("5T", (Move(0, 0, "H", 0),), square), ascii=True))
     1---o---o---o---o
    <BLANKLINE>
                 o
    """
    check_legal(game)
    marks = ASCII if ascii else UNICODE
    sheet = full(game, marks)
    if width is not None and columns(sheet) > width:
        needed, sheet = columns(sheet), small(game, marks)
        hint = f"({needed} columns show the numbers and lines)"
        if columns(sheet) > width:
            return _in_words(game, width)
        return "\n".join([_written(sheet, game.score, colours), "", textwrap.fill(hint, max(1, width))])
    return _written(sheet, game.score, colours)


def full(game: MorpionGame, marks: Marks) -> Sheet:
    """Numbers and lines: a cell has two rows, and four columns or as many as the numbers need.

    >>> columns(full(MorpionGame("5T", ()), UNICODE))
    38
    """
    left, top, _, _ = bounds(game)
    cell = max(4, len(str(game.score)) + 1)
    cell += cell % 2  # a diagonal line has its stroke in the middle between two columns of dots

    def place(dot: Dot) -> Place:
        return 2 * (dot[1] - top), cell * (dot[0] - left) + 1

    sheet: Sheet = {}
    for number, move in enumerate(game.moves, 1):
        stroke = marks.strokes[move.direction]
        for (row, column), (to_row, to_column) in pairwise(map(place, move.cells(line_length(game.variant)))):
            middle = (row + to_row) // 2, (column + to_column) // 2
            if move.direction == "H":
                sheet.update({(row, k): Letter(stroke, number, True) for k in range(column, to_column)})
            elif middle in sheet:
                sheet[middle] = Letter(marks.crossing, number, True)
            else:
                sheet[middle] = Letter(stroke, number, True)
    for dot in game.start:
        sheet[place(dot)] = Letter(marks.start, 0)
    for number, move in enumerate(game.moves, 1):
        row, column = place(move.dot)
        begin = column - (len(str(number)) - 1) // 2
        sheet.update({(row, begin + k): Letter(digit, number) for k, digit in enumerate(str(number))})
    return sheet


def small(game: MorpionGame, marks: Marks) -> Sheet:
    """Dots alone: a cell has one row and two columns.

    >>> columns(small(MorpionGame("5T", ()), UNICODE))
    19
    """
    left, top, _, _ = bounds(game)
    dots = {dot: Letter(marks.start, 0) for dot in game.start}
    for number, move in enumerate(game.moves, 1):
        dots[move.dot] = Letter(marks.last if number == game.score else marks.move, number)
    return {(y - top, 2 * (x - left)): letter for (x, y), letter in dots.items()}


def columns(sheet: Sheet) -> int:
    """How many columns a drawing has.

    >>> columns({(0, 3): Letter("o", 0)})
    4
    """
    return max((column for _, column in sheet), default=-1) + 1


def _written(sheet: Sheet, moves: int, colours: ColourSystem | None) -> str:
    ends: dict[int, int] = {}
    for row, column in sheet:
        ends[row] = max(ends.get(row, 0), column + 1)
    blank = Letter(" ", -1)
    rows = (
        [sheet.get((row, column), blank) for column in range(ends.get(row, 0))]
        for row in range(max(ends, default=-1) + 1)
    )
    return "\n".join(_row(letters, moves, colours) for letters in rows)


def _row(letters: list[Letter], moves: int, colours: ColourSystem | None) -> str:
    """A row; neighbouring letters in one style are coloured together."""
    if colours is None:
        return "".join(letter.letter for letter in letters)
    text, run = [], ""
    for letter, following in zip_longest(letters, letters[1:]):
        run += letter.letter
        if following is None or following[1:] != letter[1:]:
            text.append(_coloured(run, letter, moves, colours))
            run = ""
    return "".join(text)


def _coloured(text: str, letter: Letter, moves: int, colours: ColourSystem) -> str:
    """Text in the colour of its move, between those for light and for dark paper: a terminal may be either."""
    from rich.color import Color
    from rich.console import COLOR_SYSTEMS
    from rich.style import Style

    if letter.number < 0:
        return text
    if letter.number == 0:
        return Style(bold=True).render(text, color_system=COLOR_SYSTEMS[colours])
    light, dark = (aged(ages, letter.number, moves) for ages in AGES)
    newest = letter.number == moves and not letter.line
    between = (round((a + b) / 2) for a, b in zip(light, dark, strict=True))
    style = Style(color=Color.from_rgb(*between), bold=not letter.line, reverse=newest)
    return style.render(text, color_system=COLOR_SYSTEMS[colours])


def _in_words(game: MorpionGame, width: int) -> str:
    """The moves in words, for terminals that are too narrow for a drawing."""
    moves = ", ".join(f"{number} {move}" for number, move in enumerate(game.moves, 1)) or "no moves"
    return textwrap.fill(moves, max(1, width))
