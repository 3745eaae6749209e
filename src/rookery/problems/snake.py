"""Snake in the box: the longest path along the edges of a cube of many dimensions that never comes near itself."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.drawing import Drawing
from rookery.drawing.palette import FRAME, PALE, tile
from rookery.errors import InputError
from rookery.problem import Layout, Limits, Problem
from rookery.problems.instances import lines_of

MOST_DIMENSIONS = 12
BEST_KNOWN = {1: 1, 2: 2, 3: 4, 4: 7, 5: 13, 6: 26, 7: 50, 8: 98}
"""The length of the longest snake, proven for each of these dimensions."""


class Snake(Problem):
    """A path along a cube in which only neighbours in the path are neighbours in the cube; the score is its length.

    A corner is a number, a bit for each dimension; the path begins at 0. A move is the dimension in which it
    continues. A dimension is used only if all before it are: which one is called the first does not matter. The code
    of a move is the corner that the path leaves and the dimension.

    Parameters
    ----------
    dimension
        of the cube

    >>> Snake(dimension=5).limits().codes
    160
    """

    dimension: int = 7

    def __post_init__(self) -> None:
        if not 1 <= self.dimension <= MOST_DIMENSIONS:
            raise InputError(f"dimension must be 1 to {MOST_DIMENSIONS}, got {self.dimension}")

    def limits(self) -> Limits:
        corners = 1 << self.dimension
        return Limits(moves=self.dimension, length=corners, codes=corners * self.dimension)

    def layout(self) -> Layout:
        return {"head": "i8", "length": "i8", "used": "i8", "barred": ("u1", 1 << self.dimension)}

    def start(self, s):
        s.barred[0] = 1

    def moves(self, s, out):
        n = 0
        for d in range(min(s.used + 1, self.dimension)):
            if s.barred[s.head ^ (1 << d)] == 0:
                out[n] = d
                n += 1
        return n

    def code(self, s, move):
        return s.head * self.dimension + move

    def play(self, s, move):
        for d in range(self.dimension):  # what is beside the corner that it leaves may not be entered later
            s.barred[s.head ^ (1 << d)] = 1
        s.head ^= 1 << move
        s.length += 1
        s.used = max(s.used, move + 1)

    def score(self, s):
        return s.length

    def estimate(self, s):
        """The length if every corner that is not barred could still be entered."""
        length = s.length
        for corner in range(1 << self.dimension):
            length += 1 - s.barred[corner]
        return length

    # --- for people ---

    def corners(self, moves: Sequence[int]) -> list[int]:
        """The corners of a path.

        >>> Snake(dimension=3).corners([0, 1, 2])
        [0, 1, 3, 7]
        """
        path = [0]
        for move in moves:
            path.append(path[-1] ^ (1 << move))
        return path

    def describe_move(self, move: int) -> str:
        return f"dimension {move}"

    def write(self, moves: Sequence[int]) -> str:
        """The dimensions in order.

        >>> Snake(dimension=3).write([0, 1, 2])
        '0 1 2\\n'
        """
        return " ".join(map(str, moves)) + "\n"

    def draw(self, moves: Sequence[int]) -> str:
        """The dimensions in order."""
        return self.write(moves).rstrip()

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a path; dimensions are renumbered in the order in which they appear.

        >>> Snake(dimension=3).read("2 0 1")
        (0, 1, 2)
        """
        steps = [d for line in lines_of(text) for d in line.wholes(0, self.dimension - 1, "a dimension")]
        if not steps:
            raise InputError("a path must have at least one dimension, got none")
        names = {d: k for k, d in enumerate(dict.fromkeys(steps))}
        return tuple(names[d] for d in steps)

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The corners as a table in which neighbours differ in one bit; those of the path are numbered."""
        across = (self.dimension + 1) // 2
        side = 26.0
        columns, rows = 1 << across, 1 << (self.dimension - across)
        place = {k ^ (k >> 1): k for k in range(columns)}
        drawing = Drawing(columns * side + 20, rows * side + 20)
        drawing.rect(10, 10, columns * side, rows * side, fill=PALE, stroke=FRAME)
        for number, corner in enumerate(self.corners(moves)):
            x, y = 10 + place[corner % columns] * side, 10 + place[corner // columns] * side
            tile(drawing, (x + 1, y + 1, side - 2, side - 2), 0 if number else 1, str(number))
        return drawing
