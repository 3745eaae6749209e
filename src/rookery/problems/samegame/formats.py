"""Boards and games of SameGame as people write them down.

Boards: blocks of lines of whole numbers, one for each colour from 0 on, the first line at the top, blank lines
between blocks. Or one board on one line, a letter for each cell (0-9, a-e), a slash after each row.

Games: a line for each move, with any cell of the group, such as ``c7 r3``; what follows a ``#`` is a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from rookery.disk import as_text, brief, file_bytes
from rookery.errors import IllegalSolution, InputError
from rookery.problems.samegame.grid import LETTERS, Cell, Grid, Removal, cell_name

MOST_WIDTH, MOST_HEIGHT, MOST_COLOURS = 32, 31, len(LETTERS)

Cells = npt.NDArray[np.int64]
_ONE_LINE = re.compile(r"[0-9a-e]+(/[0-9a-e]+)*/?")
_MOVE = re.compile(r"c?(\d{1,6})(?:\s*,\s*|\s+|(?=r))r?(\d{1,6})")


def read_board(board: str, index: int = 1) -> Cells:
    """A board from a file of blocks, the ``index``-th in it, from 1; or from one line with slashes.

    >>> read_board("01/22").tolist()
    [[0, 1], [2, 2]]
    """
    if "/" in board and _ONE_LINE.fullmatch(board):
        boards = [_one_line(board)]
        name = "the board"
    else:
        boards = file_boards(board)
        name = board
    if not 1 <= index <= len(boards):
        raise InputError(f"index must be 1 to {len(boards)}, the boards in {name}, got {index}")
    return boards[index - 1]


def file_boards(path: str) -> list[Cells]:
    """All boards of a file."""
    content = file_bytes(path)
    try:
        return parse_boards(as_text(content))
    except InputError as error:
        raise InputError(f"{path} is not a file of SameGame boards: {error}") from None


def parse_boards(text: str) -> list[Cells]:
    """The boards of a text in blocks; all have the size of the first.

    >>> [board.shape for board in parse_boards("0 1 2\\n0 0 1\\n\\n1 1 1\\n2 0 1")]
    [(2, 3), (2, 3)]
    """
    boards: list[Cells] = []
    rows: list[list[int]] = []
    number = 0
    for number, line in enumerate(text.splitlines(), 1):
        cells = line.split()
        if cells:
            rows.append([_colour(cell, number) for cell in cells])
            _check_row(rows, boards, number)
        elif rows:
            boards.append(_block(rows, boards, number - 1))
            rows = []
    if rows:
        boards.append(_block(rows, boards, number))
    if not boards:
        raise InputError("it has no board")
    return boards


def _check_row(rows: list[list[int]], boards: list[Cells], number: int) -> None:
    width = boards[0].shape[1] if boards else len(rows[0])
    if len(rows[-1]) != width:
        raise InputError(f"line {number}: a row must have {width} cells as the first one has, got {len(rows[-1])}")
    if width > MOST_WIDTH:
        raise InputError(f"line {number}: a row must have at most {MOST_WIDTH} cells, got {width}")
    most = len(boards[0]) if boards else MOST_HEIGHT
    if len(rows) > most:
        rule = f"{most} rows as the first one has" if boards else f"at most {most} rows"
        raise InputError(f"line {number}: a board must have {rule}, and here is one more")


def _block(rows: list[list[int]], boards: list[Cells], number: int) -> Cells:
    if boards and len(rows) < len(boards[0]):
        raise InputError(
            f"line {number}: board {len(boards) + 1} ends after {len(rows)} rows, "
            f"and must have {len(boards[0])} as the first one has"
        )
    return np.array(rows, np.int64)


def _colour(text: str, number: int) -> int:
    colour = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1
    if not 0 <= colour < MOST_COLOURS:
        raise InputError(f"line {number}: a colour must be 0 to {MOST_COLOURS - 1}, got {brief(text)}")
    return colour


def _one_line(board: str) -> Cells:
    rows = board.rstrip("/").split("/")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            wanted = f"must have {len(rows[0])} cells as the first one has"
            raise InputError(f"row {number} of the board {wanted}, got {len(row)}")
    return np.array([[LETTERS.index(letter) for letter in row] for row in rows], np.int64)


def one_line(cells: Cells) -> str:
    """A board on one line.

    >>> one_line(np.array([[0, 1], [2, 10]]))
    '01/2a/'
    """
    return "".join("".join(LETTERS[colour] for colour in row) + "/" for row in cells)


def boards_text(boards: Iterable[Cells]) -> str:
    """Boards as a text in blocks, which :func:`parse_boards` reads.

    >>> boards_text([np.array([[0, 1], [2, 10]])])
    '0 1\\n2 10\\n'
    """
    return "\n".join("".join(" ".join(map(str, row)) + "\n" for row in cells) for cells in boards)


# --- games ---


def read_game(text: str, cells: Cells) -> list[Removal]:
    """The moves of a written game on a board; every one must be legal.

    >>> [removal.points for removal in read_game("c1 r2  # the left column", np.array([[0, 1], [0, 1], [0, 2]]))]
    [1]
    """
    grid, removals = Grid(cells), []
    for number, line in enumerate(text.splitlines(), 1):
        move = line.partition("#")[0].strip()
        if not move:
            continue
        found = _MOVE.fullmatch(move)
        if found is None or not move.isascii():
            raise InputError(f"line {number}: a move is written as c7 r3, got {brief(move)}")
        cell = int(found[1]) - 1, int(found[2]) - 1
        try:
            removals.append(grid.remove(_on_board(cell, grid)))
        except InputError as error:
            raise IllegalSolution(f"line {number}: {error}") from None
    return removals


def _on_board(cell: Cell, grid: Grid) -> Cell:
    if not (0 <= cell[0] < grid.width and 0 <= cell[1] < grid.height):
        size = f"columns c1 to c{grid.width} and rows r1 to r{grid.height}"
        raise InputError(f"{cell_name(cell)} is not on the board, which has {size}")
    return cell


def game_text(removals: Sequence[Removal]) -> str:
    """A game in lines, each with what it takes away.

    >>> game_text([Removal(2, ((0, 0), (0, 1), (1, 1)), ())])
    'c1 r1  # 3 of colour 2: 1\\n'
    """
    lines = [f"{cell_name(r.cells[0])}  # {len(r.cells)} of colour {r.colour}: {r.points}\n" for r in removals]
    return "".join(lines)
