"""The grid that a game draws, whichever way it is turned and in whatever order its lines were drawn.

A grid is the set of its lines, each by its origin and direction, over the dots that the game begins from. Two
games draw the same grid when one of the eight symmetries of the square, and a shift, maps the dots and the lines of
one onto those of the other. The cross is mapped onto itself by all eight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rookery.errors import InputError
from rookery.problems.morpion.game import DIRECTIONS, Board, Dot, Line, MorpionGame, Move, line_length

QUARTER_TURNS = ((1, 0, 0, 1), (0, -1, 1, 0), (-1, 0, 0, -1), (0, 1, -1, 0))
"""Matrices by rows: a quarter turn takes right to down, as a clock goes, because y runs downwards."""
SYMMETRIES = (*QUARTER_TURNS, *((-a, b, -c, d) for a, b, c, d in QUARTER_TURNS))
"""The quarter turns, and the same after left and right are exchanged."""
NAMES = {vector: name for name, vector in DIRECTIONS.items()}


def image(game: MorpionGame, k: int) -> MorpionGame:
    """The game turned by ``k % 4`` quarter turns clockwise; for ``k`` of 4 to 7, mirrored left to right before.

    Its moves are the images of the game's, in the same order. The dots of its start keep their upper left corner: the
    cross stays where it is.

    >>> image(MorpionGame("5T", (Move(4, 3, "H", 4),)), 1).moves
    (Move(x=6, y=4, direction='V', pos=4),)
    >>> image(MorpionGame("5T", (Move(4, 3, "H", 4),)), 2).moves
    (Move(x=5, y=6, direction='H', pos=0),)
    """
    if type(k) is not int or not 0 <= k < len(SYMMETRIES):
        raise InputError(f"a symmetry must be 0 to {len(SYMMETRIES) - 1}, got {k!r}")
    length = line_length(game.variant)
    x0, y0 = _corner(game.start)
    x1, y1 = _corner(_turned(dot, k) for dot in game.start)
    moves = tuple(_shifted(_turned_move(move, k, length), x0 - x1, y0 - y1) for move in game.moves)
    if game.dots is None:
        return replace(game, moves=moves)
    dots = ((x + x0 - x1, y + y0 - y1) for x, y in (_turned(dot, k) for dot in game.dots))
    return replace(game, moves=moves, dots=frozenset(dots))


def normal_form(game: MorpionGame) -> tuple[Line, ...]:
    """The lines of the game's smallest image, in order: the same for all games that draw the same grid.

    Images are compared by the dots that they begin from, then by their lines, with the upper left corner of the dots
    at (0, 0).

    >>> first, last = MorpionGame("5T", (Move(4, 3, "H", 4),)), MorpionGame("5T", (Move(5, 6, "H", 0),))
    >>> normal_form(first) == normal_form(last)
    True
    """
    return _smallest(game)[1]


def same_grid(a: MorpionGame, b: MorpionGame) -> bool:
    """Whether two games draw the same grid.

    >>> game = MorpionGame("5T", (Move(4, 3, "H", 4), Move(3, 4, "V", 4)))
    >>> same_grid(game, MorpionGame("5T", tuple(reversed(game.moves))))
    True
    """
    return line_length(a.variant) == line_length(b.variant) and _smallest(a) == _smallest(b)


def shared_lines(a: MorpionGame, b: MorpionGame) -> int:
    """How many lines two games have in common, when one is turned to fit best; 0 if they begin from other dots.

    >>> shared_lines(MorpionGame("5T", (Move(4, 3, "H", 4),)), MorpionGame("5T", (Move(3, 4, "V", 4),)))
    1
    """
    if line_length(a.variant) != line_length(b.variant):
        return 0
    dots, lines = _placed(b)
    there = set(lines)
    return max(len(there.intersection(lines)) if at == dots else 0 for at, lines in _images(a))


def reordered(game: MorpionGame) -> MorpionGame:
    """The game with its lines drawn in an order that depends on nothing but the grid.

    At each step the first line, by origin and direction, that needs exactly one more dot is drawn. This never gets
    stuck, and every line keeps its new dot. For in the old order the first line has no dot but its own that is not
    there at the start, the second none but its own and that of the first, and so on: there is only one way to give
    each line a new dot of its own, so no line can find all its dots there, and the first in the old order that is not
    drawn yet needs one.

    >>> game = MorpionGame("5T", (Move(3, 4, "V", 4), Move(4, 3, "H", 4)))
    >>> reordered(game).moves
    (Move(x=4, y=3, direction='H', pos=4), Move(x=3, y=4, direction='V', pos=4))
    """
    illegal = game.first_illegal()
    if illegal is not None:
        raise InputError(f"a game must be legal to be reordered, got one whose move {illegal[0]} is not: {illegal[1]}")
    board = Board(game.variant, game.dots)
    waiting = sorted(game.lines)
    moves = []
    while waiting:
        move = next(move for line in waiting if (move := board.completed(*line)) is not None)
        waiting.remove((move.origin, move.direction))
        board.play(move)
        moves.append(move)
    return replace(game, moves=tuple(moves))


Placed = tuple[tuple[Dot, ...], tuple[Line, ...]]
"""Dots to begin with and lines, each in order, with the upper left corner of the dots at (0, 0)."""


def _smallest(game: MorpionGame) -> Placed:
    return min(_images(game))


def _images(game: MorpionGame) -> Iterator[Placed]:
    return (_placed(image(game, k)) for k in range(len(SYMMETRIES)))


def _placed(game: MorpionGame) -> Placed:
    x0, y0 = _corner(game.start)
    dots = tuple(sorted((x - x0, y - y0) for x, y in game.start))
    return dots, tuple(sorted(((x - x0, y - y0), direction) for (x, y), direction in game.lines))


def _corner(dots: Iterable[Dot]) -> Dot:
    there = [*dots] or [(0, 0)]
    return min(x for x, _ in there), min(y for _, y in there)


def _turned(dot: Dot, k: int) -> Dot:
    (x, y), (a, b, c, d) = dot, SYMMETRIES[k]
    return a * x + b * y, c * x + d * y


def _turned_move(move: Move, k: int, length: int) -> Move:
    """A line that comes out backwards is named from its other end."""
    (x, y), (dx, dy) = _turned(move.dot, k), _turned(DIRECTIONS[move.direction], k)
    if (dx, dy) in NAMES:
        return Move(x, y, NAMES[dx, dy], move.pos)
    return Move(x, y, NAMES[-dx, -dy], length - 1 - move.pos)


def _shifted(move: Move, dx: int, dy: int) -> Move:
    return move._replace(x=move.x + dx, y=move.y + dy)
