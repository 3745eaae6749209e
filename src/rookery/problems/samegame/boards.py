"""The 20 standard boards of SameGame, which are no part of the library: where they are found, and others instead."""

from __future__ import annotations

import os
from pathlib import Path

from rookery.arguments import whole
from rookery.errors import InputError
from rookery.problems.samegame.formats import Cells, file_boards
from rookery.problems.samegame.game import SameGame

DATA = "ROOKERY_DATA"
"""The environment variable that names a folder of data, or the file itself."""
STANDARD = Path("samegame") / "standard20.txt"
"""Where such a folder has the boards."""
BOARDS, SIDE, COLOURS = 20, 15, 5
CONTENT = (
    f"{BOARDS} blocks of {SIDE} lines of {SIDE} integers 0 to {COLOURS - 1}, the first line the top row, "
    "a blank line between blocks"
)


def standard_boards(file: str | os.PathLike[str] | None = None) -> list[Cells]:
    """The standard boards, from a file; without one, from where ``ROOKERY_DATA`` says they are.

    That variable names a folder with ``samegame/standard20.txt``, or the file itself.

    >>> standard_boards("boards.txt")
    Traceback (most recent call last):
    rookery.errors.InputError: cannot read boards.txt: No such file or directory
    """
    path = _found() if file is None else os.fspath(file)
    boards = file_boards(path)
    height, width = boards[0].shape
    colours = 1 + max(int(cells.max()) for cells in boards)
    if (len(boards), height, width) != (BOARDS, SIDE, SIDE) or colours > COLOURS:
        told = f"{len(boards)} of {width} x {height} cells in {colours} colours"
        raise InputError(f"{path} must hold the standard boards of SameGame, {CONTENT}, got {told}")
    return boards


def generated_boards(seed: int, count: int = BOARDS) -> list[Cells]:
    """Boards that may take their place: those of ``SameGame.build`` for the seeds from this one on.

    >>> [board.shape for board in generated_boards(1, count=2)]
    [(15, 15), (15, 15)]
    """
    whole("count", count, 1)
    first = whole("seed", seed, 0, (1 << 64) - count)
    return [SameGame.build(width=SIDE, height=SIDE, colours=COLOURS, seed=first + i).cells for i in range(count)]


def _found() -> str:
    """The file that the environment names."""
    given = os.environ.get(DATA, "")
    place = Path(given).expanduser()
    file = place / STANDARD if place.is_dir() else place
    if given and file.is_file():
        return str(file)
    where = f"{DATA} must name a folder with {STANDARD.as_posix()}, or that file" if given else f"{DATA} is not set"
    raise InputError(
        f"the standard boards of SameGame are not part of Rookery, and {where}{f', got {given!r}' if given else ''}: "
        f"give a file that holds {CONTENT}, or a seed for generated boards in their place"
    )
