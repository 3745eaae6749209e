"""Games as pictures: dots, lines and numbers, in colours that run from the first move to the last."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rookery.drawing import Drawing
from rookery.drawing.sheet import Colour
from rookery.errors import InputError
from rookery.problems.morpion.game import Dot, MorpionGame, line_length

RGB = tuple[int, int, int]

MOST_CELLS = 250
"""The widest and the highest board that is drawn."""

PAPER: Colour = ("#ffffff", "#13151a")
GRID: Colour = ("#e2e5e9", "#2a2e36")
INK: Colour = ("#181a1e", "#f0f2f5")
AGES: tuple[tuple[RGB, ...], tuple[RGB, ...]] = (
    ((38, 70, 160), (15, 128, 150), (65, 140, 60), (205, 128, 0), (196, 30, 45)),
    ((105, 150, 255), (60, 195, 205), (125, 205, 110), (245, 190, 70), (255, 105, 100)),
)
"""The colours of moves from the first to the last, on light paper and on dark."""

CELL = 30
"""Units of the drawing per cell. All other lengths are in units."""
START_RADIUS, MOVE_RADIUS = 6.0, 10.05
GAP = 2.1  # between the end of a line and the dot there, so that touching lines can be told apart
LINE, RIM, GRID_LINE = 2.7, 1.5, 0.66
MARGIN = 30.0
CAPTION, CAPTION_SIZE, CAPTION_AT = (
    52.5,
    17.4,
    21.0,
)  # the room below the board; the letters, and their middle above the edge
LETTER = 10.5  # the width of a letter of the caption, with room to spare
DIGITS = (13.2, 12.0, 9.9, 7.5)  # the size of numbers with one digit, two, and so on: each fits into its dot


def game_picture(game: MorpionGame) -> Drawing:
    """A game, which must be legal; while it is played, the newest line is bold and its dot filled.

    >>> from rookery.problems.morpion import Move
    >>> game_picture(MorpionGame("5T", (Move(4, 3, "H", 4),))).svg().count("<circle")
    37
    """
    check_legal(game)
    name = title(game)
    left, top, right, bottom = bounds(game)
    wide, high = (right - left) * CELL, (bottom - top) * CELL
    width = width_of(game)
    aside = (width - wide) / 2
    drawing = Drawing(width, round(high + MARGIN + CAPTION), paper=PAPER, title=name)
    place = placing(game)

    def pulled(end: Dot, inner: Dot) -> tuple[float, float]:
        """The end of a line, drawn back to just outside the dot there."""
        dx, dy = inner[0] - end[0], inner[1] - end[1]
        radius = START_RADIUS if end in game.start else MOVE_RADIUS
        back = (radius + GAP + LINE / 2) / (dx * dx + dy * dy) ** 0.5
        x, y = place(end)
        return x + dx * back, y + dy * back

    for x in range(left, right + 1):
        at, _ = place((x, top))
        drawing.line(at, MARGIN - CELL / 2, at, MARGIN + high + CELL / 2, colour=GRID, width=GRID_LINE)
    for y in range(top, bottom + 1):
        _, at = place((left, y))
        drawing.line(aside - CELL / 2, at, aside + wide + CELL / 2, at, colour=GRID, width=GRID_LINE)
    drawing.text(width / 2, drawing.height - CAPTION_AT, name, size=CAPTION_SIZE, colour=INK)
    for number, move in enumerate(game.moves, 1):
        cells = move.cells(line_length(game.variant))
        ends = *pulled(cells[0], cells[1]), *pulled(cells[-1], cells[-2])
        with drawing.during(number):
            drawing.line(*ends, colour=age(number, game.score), width=LINE)
        if number < game.score:
            with drawing.during(number, number + 1):
                drawing.line(*ends, colour=INK, width=2 * LINE)
    for dot in sorted(game.start):
        drawing.circle(*place(dot), START_RADIUS, fill=INK)
    for number, move in enumerate(game.moves, 1):
        colour, size = age(number, game.score), DIGITS[min(len(str(number)), len(DIGITS)) - 1]
        if number < game.score:
            with drawing.during(number):
                drawing.circle(*place(move.dot), MOVE_RADIUS, fill=PAPER, stroke=colour, line=RIM)
                drawing.text(*place(move.dot), str(number), size=size, colour=INK)
        with drawing.during(number, number + 1 if number < game.score else None):
            drawing.circle(*place(move.dot), MOVE_RADIUS, fill=colour, stroke=colour, line=RIM)
            drawing.text(*place(move.dot), str(number), size=size, colour=PAPER)
    return drawing


def width_of(game: MorpionGame) -> int:
    """The width of the picture of a game: that of its board or of its title.

    >>> width_of(MorpionGame("5T", ()))
    330
    """
    left, _, right, _ = bounds(game)
    return round(max((right - left) * CELL + 2 * MARGIN, LETTER * len(title(game))))


def placing(game: MorpionGame) -> Callable[[Dot], tuple[float, float]]:
    """Where dots are in the picture of a game.

    >>> placing(MorpionGame("5T", ()))((0, 0))
    (30.0, 30.0)
    """
    left, top, right, _ = bounds(game)
    aside = (width_of(game) - (right - left) * CELL) / 2
    return lambda dot: (aside + (dot[0] - left) * CELL, MARGIN + (dot[1] - top) * CELL)


def age(number: int, moves: int) -> Colour:
    """The colour of a move by its number among all moves, on light paper and on dark.

    >>> age(1, 80), age(80, 80)
    (('#2646a0', '#6996ff'), ('#c41e2d', '#ff6964'))
    """
    light, dark = ("#{:02x}{:02x}{:02x}".format(*aged(ages, number, moves)) for ages in AGES)
    return light, dark


def aged(ages: Sequence[RGB], number: int, moves: int) -> RGB:
    """The colour of a move among those from the first move to the last.

    >>> aged([(0, 0, 0), (200, 100, 50)], 2, 3)
    (100, 50, 25)
    """
    at = (number - 1) / max(1, moves - 1) * (len(ages) - 1)
    k = min(int(at), len(ages) - 2)
    red, green, blue = (round(a + (b - a) * (at - k)) for a, b in zip(ages[k], ages[k + 1], strict=True))
    return red, green, blue


def check_legal(game: MorpionGame) -> None:
    """Refuse a game that breaks the rules: it has no meaningful picture.

    >>> from rookery.problems.morpion import Move
    >>> check_legal(MorpionGame("5T", (Move(0, 0, "H", 0),)))
    Traceback (most recent call last):
    rookery.errors.InputError: move 1, (0,0) horizontal, must be legal: its line needs 4 dots that are there, and has 2
    """
    illegal = game.first_illegal()
    if illegal is not None:
        number, rule = illegal
        raise InputError(f"move {number}, {game.moves[number - 1]}, must be legal: {rule}")


def title(game: MorpionGame) -> str:
    """What a game is called.

    >>> title(MorpionGame("5D", ()))
    'Morpion Solitaire 5D, 0 moves'
    """
    return f"Morpion Solitaire {game.variant}, {game.score} move{'' if game.score == 1 else 's'}"


def bounds(game: MorpionGame) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of a game's dots; a board that is too large to be drawn is refused.

    >>> bounds(MorpionGame("5T", ()))
    (0, 0, 9, 9)
    """
    dots: Sequence[Dot] = [*game.start, *(move.dot for move in game.moves)] or [(0, 0)]
    xs, ys = [x for x, _ in dots], [y for _, y in dots]
    if max(max(xs) - min(xs), max(ys) - min(ys)) >= MOST_CELLS:
        cells = f"{max(xs) - min(xs) + 1} x {max(ys) - min(ys) + 1}"
        raise InputError(f"a board that is drawn must have at most {MOST_CELLS} x {MOST_CELLS} cells, got {cells}")
    return min(xs), min(ys), max(xs), max(ys)
