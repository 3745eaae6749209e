"""Points of a Go board as people see them: their names, the board as text and as a picture.

Point ``row * size + column`` counts from the lower left corner, A1. The letter I is left out, as is usual; the number
after the last point is a pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rookery.disk import brief
from rookery.drawing import Drawing
from rookery.errors import InputError

LETTERS = "ABCDEFGHJKLMNOPQRST"
PASS = "pass"
SYMBOLS = "XO"
"""Black and white stones in text."""

STEP, MARGIN, RADIUS = 24.0, 34.0, 10.8
WOOD, INK, EDGE = "#e3b566", "#3b2c17", "#2b2b2b"
FILLS = ("#1b1b1b", "#fbfbf7")
MARKS = ("#ffffff", "#1b1b1b")


def point_name(size: int, move: int, passes: bool = True) -> str:
    """The name of a move; ``passes``: a pass may be one.

    >>> point_name(9, 0), point_name(9, 80), point_name(9, 81)
    ('A1', 'J9', 'pass')
    """
    if passes and move == size * size:
        return PASS
    if not 0 <= move < size * size:
        raise InputError(f"a move must be 0 to {size * size - 1 + passes} on a board of size {size}, got {move}")
    return f"{LETTERS[move % size]}{move // size + 1}"


def read_point(size: int, text: str, passes: bool = True) -> int:
    """The move of this name, in capitals or not; ``passes``: a pass may be one.

    >>> read_point(9, "d4"), read_point(9, "Pass")
    (30, 81)
    """
    name = text.strip()
    if passes and name.lower() == PASS:
        return size * size
    column = LETTERS.find(name[:1].upper()) if name else -1
    row = int(name[1:]) if name[1:].isascii() and name[1:].isdigit() and len(name) < 4 else 0
    if not 0 <= column < size or not 1 <= row <= size:
        last = f"{LETTERS[size - 1]}{size}"
        known = f"{'pass or ' if passes else ''}a point from A1 to {last}"
        raise InputError(f"a move must be {known} (there is no I), got {brief(text)}")
    return (row - 1) * size + column


def neighbours(size: int, point: int) -> list[int]:
    """The points beside a point.

    >>> neighbours(5, 0)
    [5, 1]
    """
    row, column = divmod(point, size)
    around = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
    return [r * size + c for r, c in around if 0 <= r < size and 0 <= c < size]


def play_out(size: int, moves: Sequence[int]) -> dict[int, int]:
    """The stones after these moves, point -> 0 for black, 1 for white: captured chains are gone, and so is a suicide.

    >>> play_out(2, [0, 1, 3])
    {0: 0, 3: 0}
    """
    stones: dict[int, int] = {}
    for ply, move in enumerate(moves):
        name = point_name(size, move)
        if name == PASS:
            continue
        if move in stones:
            raise InputError(f"move {ply + 1} must be on an empty point, got {name}")
        stones[move] = ply % 2
        for point in [*neighbours(size, move), move]:
            if stones.get(point) == (ply + (point != move)) % 2:
                _remove_captured(size, stones, point)
    return stones


def _remove_captured(size: int, stones: dict[int, int], start: int) -> None:
    """Take a chain off the board if it has no liberty."""
    chain, to_see = {start}, [start]
    while to_see:
        for point in neighbours(size, to_see.pop()):
            if point not in stones:
                return
            if stones[point] == stones[start] and point not in chain:
                chain.add(point)
                to_see.append(point)
    for point in chain:
        del stones[point]


def board_text(size: int, stones: Mapping[int, int], moves: Sequence[int] = ()) -> str:
    """The board in characters: X black, O white; the last stone in brackets.

    >>> print(board_text(3, {4: 0, 5: 1}, [4, 5]))
     3  . . .
     2  . X(O)
     1  . . .
        A B C
    """
    lines = []
    for row in range(size - 1, -1, -1):
        points = range(row * size, (row + 1) * size)
        line = " " + "".join(
            f" {SYMBOLS[stones[p]] if p in stones else '+' if p in stars(size) else '.'}" for p in points
        )
        if moves and moves[-1] in points and moves[-1] in stones:
            at = 1 + 2 * (moves[-1] % size)
            line = f"{line[:at]}({line[at + 1]}){line[at + 3 :]}"
        lines.append(f"{row + 1:2}{line}")
    return "\n".join([*lines, "   " + "".join(f" {letter}" for letter in LETTERS[:size])])


def stars(size: int) -> frozenset[int]:
    """The points that are marked on a board, to guide the eye.

    >>> [point_name(9, p) for p in sorted(stars(9))]
    ['C3', 'G3', 'E5', 'C7', 'G7']
    """
    if size < 7:
        return frozenset()
    near = 2 if size < 13 else 3
    ends, middle = (near, size - 1 - near), size // 2
    corners = {(row, column) for row in ends for column in ends}
    if size % 2:
        corners.add((middle, middle))
    if size % 2 and size >= 15:
        corners |= {(middle, end) for end in ends} | {(end, middle) for end in ends}
    return frozenset(row * size + column for row, column in corners)


def board_picture(size: int, stones: Mapping[int, int], moves: Sequence[int] = ()) -> Drawing:
    """The board as a picture; the last stone has a mark.

    >>> board_picture(9, {40: 0}, [40]).svg().count("<circle")
    7
    """
    side = (size - 1) * STEP
    drawing = Drawing(side + 2 * MARGIN, side + 2 * MARGIN, paper=WOOD)
    for i in range(size):
        at, width = MARGIN + i * STEP, 1.6 if i in (0, size - 1) else 0.9
        drawing.line(MARGIN, at, MARGIN + side, at, colour=INK, width=width)
        drawing.line(at, MARGIN, at, MARGIN + side, colour=INK, width=width)
        for end in (13.0, side + 2 * MARGIN - 13.0):
            drawing.text(at, end, LETTERS[i], size=11, colour=INK)
            drawing.text(end, MARGIN + side - i * STEP, str(i + 1), size=11, colour=INK)

    for point in sorted(stars(size)):
        drawing.circle(*place(size, point), 2.6, fill=INK)
    for point, colour in sorted(stones.items()):
        drawing.circle(*place(size, point), RADIUS, fill=FILLS[colour], stroke=EDGE, line=0.8)
    if moves and moves[-1] in stones:
        drawing.circle(*place(size, moves[-1]), 3.6, fill=MARKS[stones[moves[-1]]])
    return drawing


def place(size: int, point: int) -> tuple[float, float]:
    """Where a point is in the picture.

    >>> place(9, 0) == (MARGIN, MARGIN + 8 * STEP)
    True
    """
    return MARGIN + point % size * STEP, MARGIN + (size - 1 - point // size) * STEP
