"""Crosswords as people write them: rows of letters, the words in them, and an order to place them in."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from rookery.drawing import Drawing
from rookery.errors import IllegalSolution, InputError

BLANK = ". #"
"""The symbol of a cell without a letter."""
MOST_TRIES = 20_000
"""The most states looked at to find an order of the words; nearly always one for each word is enough."""

Cell = tuple[int, int]
"""Row and column, from 0."""


class Placement(NamedTuple):
    """A word in the grid, across or down from its first cell.

    >>> str(Placement("BOISE", False, 13, 2))
    'BOISE across from row 14, column 3'
    """

    word: str
    down: bool
    row: int
    column: int

    def cells(self) -> list[Cell]:
        """Its cells, in the order of its letters."""
        if self.down:
            return [(self.row + k, self.column) for k in range(len(self.word))]
        return [(self.row, self.column + k) for k in range(len(self.word))]

    def beside(self, cell: Cell) -> tuple[Cell, Cell]:
        """The cells on both sides of one of its cells."""
        row, column = cell
        if self.down:
            return (row, column - 1), (row, column + 1)
        return (row - 1, column), (row + 1, column)

    def __str__(self) -> str:
        return f"{self.word} {'down' if self.down else 'across'} from row {self.row + 1}, column {self.column + 1}"


def letters_of(placements: Iterable[Placement]) -> dict[Cell, str]:
    """The letter in each cell.

    >>> letters_of([Placement("ZION", True, 0, 0)])[2, 0]
    'O'
    """
    return {cell: letter for p in placements for cell, letter in zip(p.cells(), p.word, strict=True)}


def rows_of(letters: dict[Cell, str], width: int, height: int) -> list[str]:
    """The grid in rows, with ``.`` for a cell without a letter.

    >>> rows_of({(0, 1): "A"}, 3, 2)
    ['.A.', '...']
    """
    return ["".join(letters.get((row, column), ".") for column in range(width)) for row in range(height)]


def read_rows(text: str, width: int, height: int) -> list[str]:
    """The rows of a grid in capitals, from the first that has a letter; whatever is wrong is an InputError.

    >>> read_rows("....\\n.zi", 4, 4)
    ['.ZI.']
    """
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        row = line.upper()
        for column, mark in enumerate(row, 1):
            if mark not in BLANK and not (mark.isascii() and mark.isalpha()):
                raise InputError(f"line {number}, column {column}: a cell must be A to Z or '.', got {mark!r}")
        row = "".join("." if mark in BLANK else mark for mark in row).rstrip(".")
        if len(row) > width:
            raise InputError(f"line {number}: a row must have at most {width} cells, got {len(row)}")
        rows.append(row.ljust(width, "."))
    while rows and not rows[0].strip("."):
        rows.pop(0)
    while rows and not rows[-1].strip("."):
        rows.pop()
    if len(rows) > height:
        raise InputError(f"there must be at most {height} rows, got {len(rows)}")
    return rows


def placements_of(rows: Sequence[str], words: Container[str]) -> list[Placement]:
    """The words of a grid; each run of two or more letters must be one of the words, and no two the same.

    >>> placements_of(["ZION"], {"ZION"})
    [Placement(word='ZION', down=False, row=0, column=0)]
    >>> placements_of(["ZIOM"], {"ZION"})
    Traceback (most recent call last):
    rookery.errors.IllegalSolution: ZIOM across from row 1, column 1 is not in the list of words
    """
    found = [Placement(word, False, r, c) for r, row in enumerate(rows) for c, word in _runs(row)]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    found += [Placement(word, True, r, c) for c, column in enumerate(columns) for r, word in _runs(column)]
    seen: dict[str, Placement] = {}
    for placement in found:
        if placement.word not in words:
            raise IllegalSolution(f"{placement} is not in the list of words")
        if placement.word in seen:
            raise IllegalSolution(f"{placement} is there already, {str(seen[placement.word]).partition(' ')[2]}")
        seen[placement.word] = placement
    covered = letters_of(found)
    for r, row in enumerate(rows):
        for c, letter in enumerate(row):
            if letter != "." and (r, c) not in covered:
                raise IllegalSolution(f"row {r + 1}, column {c + 1}: the letter {letter} belongs to no word")
    return found


def order_of(rows: Sequence[str], words: Container[str]) -> list[Placement]:
    """The words of a grid in an order in which each can be placed: the first down from the top row, each of the
    others across what is there, touching nothing beside it.

    >>> [p.word for p in order_of(["ZION", "I...", "P..."], {"ZION", "ZIP"})]
    ['ZIP', 'ZION']
    """
    found = placements_of(rows, words)
    if not found:
        return []
    reached = _connected(found)
    for placement in found:
        if placement not in reached:
            raise IllegalSolution(f"{placement} is not connected to {found[0]}")
    first = [p for p in found if p.down and p.row == 0]
    if not first:
        raise IllegalSolution(f"one of the words must go down from the top row, got {found[0]}")
    order = _search(found, first)
    if order is None:
        rule = "each crosses one that is there and none touch"
        raise IllegalSolution(f"the words cannot be placed one by one so that {rule}")
    return order


def _runs(line: str) -> list[tuple[int, str]]:
    """Runs of two or more letters, each with the place where it begins."""
    runs, place = [], 0
    for blank, group in groupby(line, ".".__eq__):
        run = "".join(group)
        if not blank and len(run) > 1:
            runs.append((place, run))
        place += len(run)
    return runs


def _connected(found: Sequence[Placement]) -> set[Placement]:
    """The words that are connected to the first one, by cells that they share."""
    cells = {p: set(p.cells()) for p in found}
    reached, frontier = {found[0]}, [found[0]]
    while frontier:
        at = cells[frontier.pop()]
        for p in found:
            if p not in reached and cells[p] & at:
                reached.add(p)
                frontier.append(p)
    return reached


def _search(found: Sequence[Placement], first: Sequence[Placement]) -> list[Placement] | None:
    """An order of the words, depth first: a word beside one already there waits for the one across both."""
    seen: set[frozenset[Placement]] = set()
    stack: list[list[Placement]] = [[p] for p in reversed(first)]
    while stack and len(seen) < MOST_TRIES:
        order = stack.pop()
        if len(order) == len(found):
            return order
        placed = frozenset(order)
        if placed in seen:
            continue
        seen.add(placed)
        there = letters_of(order)
        following = [p for p in found if p not in placed and _can_follow(p, there)]
        stack += [[*order, p] for p in reversed(following)]
    return None


def _can_follow(placement: Placement, there: dict[Cell, str]) -> bool:
    """Whether a word of the finished grid can be placed on a part of it."""
    cells = placement.cells()
    if not any(cell in there for cell in cells):
        return False
    return not any(side in there for cell in cells if cell not in there for side in placement.beside(cell))


SIDE = 24
"""Units of a cell."""
MARGIN = 12
# On light paper and on dark.
INK, FILLED = ("#1b2733", "#e8ecf0"), ("#ffffff", "#13151a")
GROUND, RULE = ("#dfe5ea", "#2f363f"), ("#8a97a3", "#7f8b97")


def grid_picture(placements: Sequence[Placement], width: int, height: int) -> Drawing:
    """The letters in squares; the cells where words begin are numbered as in a newspaper.

    >>> grid_picture([Placement("ZION", True, 0, 0)], 4, 4).svg().count("<text")
    5
    """
    drawing = Drawing(width * SIDE + 2 * MARGIN, height * SIDE + 2 * MARGIN)
    drawing.rect(MARGIN, MARGIN, width * SIDE, height * SIDE, fill=GROUND)
    begins = {cell: number for number, cell in enumerate(sorted({(p.row, p.column) for p in placements}), 1)}
    for (row, column), letter in sorted(letters_of(placements).items()):
        x, y = MARGIN + column * SIDE, MARGIN + row * SIDE
        drawing.rect(x, y, SIDE, SIDE, fill=FILLED, stroke=RULE, line=0.8)
        drawing.text(x + SIDE / 2, y + SIDE * 0.56, letter, size=SIDE * 0.6, colour=INK)
        if (row, column) in begins:
            place = x + SIDE * 0.08, y + SIDE * 0.18
            drawing.text(*place, str(begins[row, column]), size=SIDE * 0.26, colour=RULE, anchor="start")
    drawing.rect(MARGIN, MARGIN, width * SIDE, height * SIDE, stroke=INK, line=1.6)
    return drawing
