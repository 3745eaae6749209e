"""Sudoku grids as text: on one line, in rows of symbols, or in rows of numbers separated by blanks.

A value is written as a number or as a symbol: 1 to 9, then A for 10, B for 11 and so on. An empty cell is ``.``, ``0``,
``_`` or ``-``. Lines between boxes (``|``, ``+`` and ``-``) may be there. A grid of 16 rows may have the symbols 0 to F
instead, if its empty cells are not written as 0: then 0 stands for 1, and F for 16.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt

from rookery.disk import as_text, file_bytes
from rookery.errors import InputError
from rookery.problems.sudoku.rules import place_of

SIZES = (4, 9, 16, 25)
CELLS = tuple(n * n for n in SIZES)
SYMBOLS = "123456789ABCDEFGHIJKLMNOP"
HEXADECIMAL = "0123456789ABCDEF"
EMPTY = ".0_"
RULES = "|+-="


def given_grid(text: str) -> tuple[int, ...]:
    """A grid that is given as text, or in a file of this name.

    >>> given_grid("1...............")[:2]
    (1, 0)
    """
    plain = text.strip().upper()
    if "\n" in plain or (len(plain) in CELLS and all(mark in SYMBOLS + EMPTY + "-" for mark in plain)):
        return read_grid(text)
    try:
        content = as_text(file_bytes(text))
    except InputError as error:
        lengths = ", ".join(map(str, CELLS))
        raise InputError(f"grid must be {lengths} symbols in one line, or a file: {error}") from None
    try:
        return read_grid(content)
    except InputError as error:
        raise InputError(f"{text}, {error}") from None


MOST_CHARACTERS = 1 << 16
"""The most characters of a grid, with all its rules and blanks."""


def read_grid(text: str) -> tuple[int, ...]:
    """The value of each cell, row by row, and 0 for an empty one.

    >>> read_grid("1 2 | 3 4\\n. . | . .\\n----+----\\n2 1 | 4 3\\n4 3 | 2 1")[:6]
    (1, 2, 3, 4, 0, 0)
    """
    if len(text) > MOST_CHARACTERS:
        raise InputError(f"a grid must have at most {MOST_CHARACTERS:,} characters, got {len(text):,}")
    lines = _with_dots(text.splitlines())
    rows = [(number, plain) for number, line in enumerate(lines, 1) if (plain := _without_rules(line))]
    if not rows:
        raise InputError("a grid must have at least one line, got none")
    if len(rows) == 1:
        number, plain = rows[0]
        cells = _cells(plain, CELLS)
        if len(cells) not in CELLS:
            lengths = ", ".join(map(str, CELLS))
            raise InputError(f"line {number}: a grid in one line must have {lengths} cells, got {len(cells)}")
        return _values(cells, isqrt(len(cells)))
    size = len(rows)
    if size not in SIZES:
        raise InputError(f"a grid must have {', '.join(map(str, SIZES[:-1]))} or {SIZES[-1]} rows, got {size}")
    every: list[str] = []
    for number, plain in rows:
        cells = _cells(plain, (size,))
        if len(cells) != size:
            raise InputError(f"line {number}: a row must have {size} cells, got {len(cells)}")
        every += cells
    return _values(every, size)


def one_line(values: Sequence[int]) -> str:
    """All cells in one line of symbols.

    >>> one_line([1, 0, 16])
    '1.G'
    """
    return "".join(SYMBOLS[value - 1] if value else "." for value in values)


def ruled(values: Sequence[int]) -> str:
    """The grid in rows, with lines between the boxes.

    >>> print(ruled(read_grid("12343...........")))
    1 2 | 3 4
    3 . | . .
    ----+----
    . . | . .
    . . | . .
    """
    size = isqrt(len(values))
    box = isqrt(size)
    cells = one_line(values)
    rows = []
    for row in range(size):
        parts = [" ".join(cells[row * size + k : row * size + k + box]) for k in range(0, size, box)]
        rows.append(" | ".join(parts))
        if row % box == box - 1 and row < size - 1:
            rows.append("+".join("-" * (len(parts[0]) + 1 + (0 < k < box - 1)) for k in range(box)))
    return "\n".join(rows)


def _without_rules(line: str) -> str:
    """A line without the lines between boxes."""
    return line.translate(str.maketrans(RULES, " " * len(RULES))).strip()


def _cells(plain: str, lengths: Sequence[int]) -> list[str]:
    """The cells of a line: what is separated by blanks if that gives a valid number of cells, else its characters."""
    words, marks = plain.split(), list("".join(plain.split()))
    return marks if len(words) == 1 or (len(words) not in lengths and len(marks) in lengths) else words


def _with_dots(lines: list[str]) -> list[str]:
    """Lines in which an empty cell written as a dash becomes a dot: it is not a line between boxes."""
    rows = [line for line in lines if any(mark.isalnum() or mark in EMPTY for mark in line)]
    dashes = [line for line in lines if "-" in line and not line.strip("- |\t")]
    if len(rows) not in SIZES and len(rows) + len(dashes) in SIZES:
        rows += dashes  # rows without a value
    return [line.replace("-", ".") if line in rows else line for line in lines]


def _values(cells: Sequence[str], size: int) -> tuple[int, ...]:
    """The values of all cells; with the symbols 0 to F, where 0 cannot be an empty cell."""
    marks = [cell.upper() for cell in cells]
    hexadecimal = size == len(HEXADECIMAL) and "0" in marks and set(marks) <= {*HEXADECIMAL, ".", "_"}
    if hexadecimal and ("." in marks or "_" in marks or all(marks.count(mark) == size for mark in HEXADECIMAL)):
        return tuple(HEXADECIMAL.find(mark) + 1 for mark in marks)
    return tuple(_value(cell, size, place_of(k, size)) for k, cell in enumerate(cells))


def _value(cell: str, size: int, place: str) -> int:
    if len(cell) == 1 and cell in EMPTY:
        return 0
    if cell.isascii() and cell.isdigit():
        number = int(cell[:9])
    else:
        number = SYMBOLS.find(cell.upper()) + 1 if len(cell) == 1 else 0
    if not 1 <= number <= size:
        symbols = f"1 to {size}" if size < 10 else f"1 to {size} or 1 to 9, A to {SYMBOLS[size - 1]}"
        raise InputError(f"{place}: a value must be {symbols}, or '.' for none, got {cell[:20]!r}")
    return number
