"""The rules of Sudoku in words: what is wrong with givens, and with a solution."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from rookery.drawing import Drawing
from rookery.errors import InputError


def place_of(cell: int, size: int) -> str:
    """A cell as people name it.

    >>> place_of(5, 4)
    'row 2, column 2'
    """
    return f"row {cell // size + 1}, column {cell % size + 1}"


def units(size: int) -> list[tuple[str, list[int]]]:
    """Rows, columns and boxes, each with its name and its cells.

    >>> units(4)[-1]
    ('box 4', [10, 11, 14, 15])
    """
    box = isqrt(size)
    found = [(f"row {i + 1}", [i * size + k for k in range(size)]) for i in range(size)]
    found += [(f"column {i + 1}", [k * size + i for k in range(size)]) for i in range(size)]
    for i in range(size):
        corner = (i // box) * box * size + (i % box) * box
        found.append((f"box {i + 1}", [corner + j * size + k for j in range(box) for k in range(box)]))
    return found


def check_conflicts(values: Sequence[int]) -> None:
    """Refuse a grid that has a value twice in a row, column or box.

    >>> check_conflicts([1, 0, 0, 1] + [0] * 12)
    Traceback (most recent call last):
    rookery.errors.InputError: row 1, column 4: 1 is in row 1 already, at row 1, column 1
    """
    size = isqrt(len(values))
    for cell, value in enumerate(values):
        if not 0 <= value <= size:
            raise InputError(f"{place_of(cell, size)}: a value must be 0 to {size}, got {value}")
    for name, cells in units(size):
        seen: dict[int, int] = {}
        for cell in cells:
            value = values[cell]
            if value and value in seen:
                raise InputError(
                    f"{place_of(cell, size)}: {value} is in {name} already, at {place_of(seen[value], size)}"
                )
            seen[value] = cell


def domains_of(values: Sequence[int]) -> list[set[int]]:
    """The values left for each empty cell; none for one that has its value."""
    size = isqrt(len(values))
    left = [set() if value else set(range(1, size + 1)) for value in values]
    for _, cells in units(size):
        there = {values[cell] for cell in cells}
        for cell in cells:
            left[cell] -= there
    return left


def check_givens(values: Sequence[int]) -> None:
    """Refuse givens that contradict one another, or leave no value for a cell.

    >>> check_givens([0, 1, 2, 3] + [4] + [0] * 11)
    Traceback (most recent call last):
    rookery.errors.InputError: row 1, column 1: the givens leave no value for this cell
    """
    check_conflicts(values)
    size = isqrt(len(values))
    for cell, left in enumerate(domains_of(values)):
        if not values[cell] and not left:
            raise InputError(f"{place_of(cell, size)}: the givens leave no value for this cell")


def steps_to(givens: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """The moves from the givens to a grid: the cell with the fewest values left first, as in a search."""
    size = isqrt(len(givens))
    for cell, (given, value) in enumerate(zip(givens, values, strict=True)):
        if given and value != given:
            raise InputError(f"{place_of(cell, size)}: {given} is given, got {value or 'an empty cell'}")
    check_conflicts(values)
    reached = list(givens)
    moves: list[int] = []
    left = domains_of(reached)
    near = peers(size)
    while True:
        empty = [k for k, value in enumerate(reached) if not value]
        if not empty:
            return tuple(moves)
        following = min(empty, key=lambda k: len(left[k]))
        value = values[following]
        if not value or not left[following]:
            break
        reached[following] = value
        for other in near[following]:
            left[other].discard(value)
        moves.append(following * size + value - 1)
    for other in empty:
        if values[other]:
            before = f"comes before {place_of(other, size)} and must not be empty"
            raise InputError(f"{place_of(following, size)}: this cell {before}")
    return tuple(moves)


def peers(size: int) -> list[set[int]]:
    """For each cell, those of its row, column and box.

    >>> len(peers(16)[0])
    40
    """
    found: list[set[int]] = [set() for _ in range(size * size)]
    for _, cells in units(size):
        for cell in cells:
            found[cell].update(cells)
    return found


SIDE = 24
"""Units of a cell."""
MARGIN = 12
# On light paper and on dark.
INK, FOUND = ("#1b2733", "#e8ecf0"), ("#1f6fb2", "#7db7e8")
GIVEN, NOTHING_LEFT, RULE = ("#e6ebef", "#2b323b"), ("#f2b8b5", "#8c3a37"), ("#9aa7b2", "#5a6672")


def grid_picture(givens: Sequence[int], values: Sequence[int]) -> Drawing:
    """Givens in bold on grey, found values in blue; cells for which nothing is left in red.

    >>> grid_picture([1] + [0] * 15, [1, 2] + [0] * 14).svg().count("<text")
    2
    """
    size = isqrt(len(values))
    box, span = isqrt(size), size * SIDE
    drawing = Drawing(span + 2 * MARGIN, span + 2 * MARGIN)
    left = domains_of(values)
    for cell, value in enumerate(values):
        x, y = MARGIN + cell % size * SIDE, MARGIN + cell // size * SIDE
        if givens[cell] or not (value or left[cell]):
            drawing.rect(x, y, SIDE, SIDE, fill=GIVEN if givens[cell] else NOTHING_LEFT)
        if value:
            colour, bold = (INK, True) if givens[cell] else (FOUND, False)
            drawing.text(x + SIDE / 2, y + SIDE / 2, str(value), size=SIDE * 0.55, colour=colour, bold=bold)
    for k in range(size + 1):
        at, thick = MARGIN + k * SIDE, k % box == 0
        look = {"colour": INK if thick else RULE, "width": 1.6 if thick else 0.6}
        drawing.line(MARGIN, at, MARGIN + span, at, **look)
        drawing.line(at, MARGIN, at, MARGIN + span, **look)
    return drawing
