"""What a picture of a game shows: dots, lines and numbers in board coordinates, for every renderer alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rookery.errors import InputError
from rookery.problems.morpion.game import Dot, Game, Move, line_length

Point = tuple[float, float]
Colour = tuple[int, int, int]
Theme = Literal["light", "dark"]

MOST_CELLS = 250
"""The widest and the highest board that is drawn."""

FIRST_SECONDS, LAST_SECONDS = 1.0, 3.0
"""How long the beginning and the end are shown when a game is played."""

# Lengths, in cells.
START_RADIUS = 0.2
MOVE_RADIUS = 0.335
GAP = 0.07  # between the end of a line and the dot there: lines that touch are seen to be two
LINE_WIDTH = 0.09
RIM_WIDTH = 0.05
GRID_WIDTH = 0.022
MARGIN = 1.0
CAPTION = 1.75  # the room below the board
CAPTION_SIZE = 0.58
LETTER_WIDTH = 0.35  # of a letter of the caption, with something to spare
CAPTION_FOOT = 0.5  # from the foot of the caption to the lower edge
DIGIT_SIZES = (0.44, 0.4, 0.33, 0.25)  # of numbers with one digit, two, and so on: each fits into its dot
BASELINE = 0.355  # from the middle of a digit down to its foot, by its size


@dataclass(frozen=True)
class Colours:
    """The colours of a picture; ``ages`` run from the first move to the last."""

    paper: Colour
    grid: Colour
    ink: Colour
    ages: tuple[Colour, ...]

    def age(self, number: int, moves: int) -> Colour:
        """The colour of a move, by its number among so many.

        >>> THEMES["light"].age(1, 80) == THEMES["light"].ages[0]
        True
        """
        place = (number - 1) / max(1, moves - 1) * (len(self.ages) - 1)
        k = min(int(place), len(self.ages) - 2)
        return mixed(self.ages[k], self.ages[k + 1], place - k)


THEMES: dict[Theme, Colours] = {
    "light": Colours(
        paper=(255, 255, 255),
        grid=(226, 229, 233),
        ink=(24, 26, 30),
        ages=((38, 70, 160), (15, 128, 150), (65, 140, 60), (205, 128, 0), (196, 30, 45)),
    ),
    "dark": Colours(
        paper=(19, 21, 26),
        grid=(42, 46, 54),
        ink=(240, 242, 245),
        ages=((105, 150, 255), (60, 195, 205), (125, 205, 110), (245, 190, 70), (255, 105, 100)),
    ),
}


def mixed(a: Colour, b: Colour, share: float) -> Colour:
    """A colour between two.

    >>> mixed((0, 0, 0), (200, 100, 50), 0.5)
    (100, 50, 25)
    """
    red, green, blue = (round(p + (q - p) * share) for p, q in zip(a, b, strict=True))
    return red, green, blue


def themed(theme: str) -> Colours:
    """The colours of a theme.

    >>> themed("dim")
    Traceback (most recent call last):
    rookery.errors.InputError: theme must be light or dark, got 'dim'
    """
    if theme not in THEMES:
        raise InputError(f"theme must be {' or '.join(THEMES)}, got {theme!r}")
    return THEMES[theme]


class Start(NamedTuple):
    """A dot that was there before the first move."""

    at: Dot


class Stroke(NamedTuple):
    """The line of a move, from a point to a point, and the dots that it runs through."""

    number: int
    begin: Point
    end: Point
    cells: tuple[Dot, ...]


class Numbered(NamedTuple):
    """The new dot of a move, with its number."""

    number: int
    at: Dot

    @property
    def size(self) -> float:
        """The height of the digits.

        >>> Numbered(7, (0, 0)).size > Numbered(178, (0, 0)).size
        True
        """
        return DIGIT_SIZES[min(len(str(self.number)), len(DIGIT_SIZES)) - 1]


@dataclass(frozen=True)
class Picture:
    """The shapes of a game, and the board they lie on; later shapes lie on top of earlier ones.

    >>> picture = pictured(Game("5T", (Move(4, 3, "H", 4),)))
    >>> len(picture.starts), picture.strokes[0].cells[-1], picture.numbers
    (36, (4, 3), (Numbered(number=1, at=(4, 3)),))
    """

    title: str
    left: int
    top: int
    right: int
    bottom: int
    strokes: tuple[Stroke, ...]
    starts: tuple[Start, ...]
    numbers: tuple[Numbered, ...]

    @property
    def width(self) -> float:
        """From edge to edge, in cells; there is room for the title.

        >>> pictured(Game("5T", ())).width
        11.0
        """
        return max(self.right - self.left + 2 * MARGIN, LETTER_WIDTH * len(self.title))

    @property
    def height(self) -> float:
        """From edge to edge, in cells."""
        return self.bottom - self.top + MARGIN + CAPTION

    def place(self, point: Point | Dot) -> Point:
        """A point of the board, from the upper left corner of the picture.

        >>> pictured(Game("5T", ())).place((0, 0))
        (1.0, 1.0)
        """
        middle = (self.left + self.right) / 2
        return point[0] - middle + self.width / 2, point[1] - self.top + MARGIN


def pictured(game: Game) -> Picture:
    """The picture of a game, which must be legal.

    >>> pictured(Game("4D", ())).title
    'Morpion Solitaire 4D, 0 moves'
    """
    check_legal(game)
    left, top, right, bottom = bounds(game)
    starts = tuple(map(Start, sorted(game.start)))
    numbers = tuple(Numbered(number, move.dot) for number, move in enumerate(game.moves, 1))
    strokes = tuple(_stroke(number, move, game) for number, move in enumerate(game.moves, 1))
    return Picture(title(game), left, top, right, bottom, strokes, starts, numbers)


def check_legal(game: Game) -> None:
    """Refuse a game that breaks the rules: what would its picture show?

    >>> check_legal(Game("5T", (Move(0, 0, "H", 0),)))
    Traceback (most recent call last):
    rookery.errors.InputError: move 1, (0,0) horizontal, must be legal: its line needs 4 dots that are there, and has 2
    """
    illegal = game.first_illegal()
    if illegal is not None:
        number, rule = illegal
        raise InputError(f"move {number}, {game.moves[number - 1]}, must be legal: {rule}")


def title(game: Game) -> str:
    """What a game is called.

    >>> title(Game("5D", (Move(4, 3, "H", 4),)))
    'Morpion Solitaire 5D, 1 move'
    """
    return f"Morpion Solitaire {game.variant}, {game.score} move{'' if game.score == 1 else 's'}"


def bounds(game: Game) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a game's dots; a board that is too large to be drawn is refused.

    >>> bounds(Game("5T", ()))
    (0, 0, 9, 9)
    """
    dots: Sequence[Dot] = [*game.start, *(move.dot for move in game.moves)] or [(0, 0)]
    xs, ys = [x for x, _ in dots], [y for _, y in dots]
    if max(max(xs) - min(xs), max(ys) - min(ys)) >= MOST_CELLS:
        cells = f"{max(xs) - min(xs) + 1} x {max(ys) - min(ys) + 1}"
        raise InputError(f"a board that is drawn must have at most {MOST_CELLS} x {MOST_CELLS} cells, got {cells}")
    return min(xs), min(ys), max(xs), max(ys)


def held(game: Game) -> str:
    """The game as JSON, as every picture holds it.

    >>> '"variant": "5D"' in held(Game("5D", ()))
    True
    """
    from rookery.problems.morpion.formats import game_json

    return json.dumps(game_json(game))


def schedule(moves: int) -> tuple[float, float]:
    """Seconds for each move when a game is played, and for the whole, with its beginning and its end.

    >>> schedule(178)
    (0.0702, 16.43)
    """
    each = round(min(0.5, 12.5 / max(1, moves)), 4)
    return each, round(FIRST_SECONDS + each * max(0, moves - 1) + LAST_SECONDS, 2)


def _stroke(number: int, move: Move, game: Game) -> Stroke:
    cells = move.cells(line_length(game.variant))
    return Stroke(number, _pulled(cells[0], cells[1], game), _pulled(cells[-1], cells[-2], game), cells)


def _pulled(end: Dot, inner: Dot, game: Game) -> Point:
    """The end of a line, drawn back to just outside of the dot there."""
    dx, dy = inner[0] - end[0], inner[1] - end[1]
    back = ((START_RADIUS if end in game.start else MOVE_RADIUS) + GAP + LINE_WIDTH / 2) / (dx * dx + dy * dy) ** 0.5
    return end[0] + dx * back, end[1] + dy * back
