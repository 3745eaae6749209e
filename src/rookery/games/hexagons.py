"""A board of hexagons as people see it: text, a picture, and which chains connect its edges.

Cell ``row * size + column``; row 0 is the top one, and every row lies half a cell to the right of the one above.
"""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rookery.drawing import Drawing
from rookery.games.squares import EMPTY, LETTERS

AROUND = ((0, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (0, 1))
"""Columns to the right and rows down, to the six cells around one."""
CORNERS = (-150, -90, 150, -30, 90, 30)
"""The angle of the first corner of the side towards each of them, in degrees from the right, downwards."""
SYMBOLS = "●○"
SIDE = 17.0
RADIUS, MARGIN = 0.8 * SIDE, 34.0
STEP, ROW = math.sqrt(3) * SIDE, 1.5 * SIDE
"""From a cell to the next of its row, and from row to row."""
INK = "#b7a98b"
COLOURS = ("#c0392b", "#2f6db3")
"""Of stones and edges, by player."""


@dataclass(frozen=True)
class Hexagons:
    """The cells of a board.

    >>> Hexagons(3).beside(4)
    [1, 2, 3, 5, 6, 7]
    """

    size: int

    def beside(self, cell: int) -> list[int]:
        """The cells beside a cell.

        >>> Hexagons(3).beside(0)
        [1, 3]
        """
        row, column = divmod(cell, self.size)
        around = ((row + down, column + right) for right, down in AROUND)
        return [r * self.size + c for r, c in around if 0 <= r < self.size and 0 <= c < self.size]

    def connects(self, stones: Mapping[int, int], cell: int) -> bool:
        """Whether the chain of a stone connects both edges of its player; ``stones``: whose stone is on which cell.

        >>> Hexagons(2).connects({1: 0, 2: 0, 0: 1}, 2)
        True
        """
        chain, to_see = {cell}, [cell]
        while to_see:
            for other in self.beside(to_see.pop()):
                if stones.get(other) == stones[cell] and other not in chain:
                    chain.add(other)
                    to_see.append(other)
        along = {other // self.size if stones[cell] == 0 else other % self.size for other in chain}
        return {0, self.size - 1} <= along

    # --- text ---

    def text(self, stones: Mapping[int, int], marked: Sequence[int] = ()) -> str:
        """The board with stones, and brackets around those that are marked.

        >>> print(Hexagons(2).text({3: 1}, marked=[3]))
           a b
         1  · ·
          2  ·[○]
        """
        lines = ["   " + " ".join(string.ascii_lowercase[: self.size])]
        for row in range(self.size):
            line, inside = f"{' ' * row}{row + 1:2} ", False  # inside: between the brackets
            for cell in range(row * self.size, (row + 1) * self.size):
                line += " " if (cell in marked) == inside else "]" if inside else "["
                inside = cell in marked
                line += SYMBOLS[stones[cell]] if cell in stones else EMPTY
            lines.append(line + "]" if inside else line)
        return "\n".join(lines)

    # --- pictures ---

    def centre(self, cell: int) -> tuple[float, float]:
        """Where the centre of a cell is in the picture.

        >>> Hexagons(3).centre(0)
        (34.0, 34.0)
        """
        row, column = divmod(cell, self.size)
        return MARGIN + (column + row / 2) * STEP, MARGIN + row * ROW

    def picture(self, stones: Mapping[int, int], marked: Sequence[int] = ()) -> Drawing:
        """The board with stones, edges in the colours of their players, and a mark on some stones.

        >>> Hexagons(3).picture({4: 0}, marked=[4]).svg().count("<circle")
        2
        """
        far, low = self.centre(self.size * self.size - 1)
        drawing = Drawing(far + MARGIN, low + MARGIN)
        for cell in range(self.size * self.size):
            self._outline(drawing, cell)
        for i in range(self.size):
            x, y = self.centre(i)
            drawing.text(x - STEP / 4, y - 1.45 * SIDE, string.ascii_lowercase[i], size=12, colour=LETTERS)
            x, y = self.centre(i * self.size)
            drawing.text(x - 1.45 * SIDE, y, str(i + 1), size=12, colour=LETTERS)
        for cell, player in sorted(stones.items()):
            drawing.circle(*self.centre(cell), 0.62 * SIDE, fill=COLOURS[player])
        for cell in marked:
            drawing.circle(*self.centre(cell), 0.2 * SIDE, fill="#ffffff")
        return drawing

    def _outline(self, drawing: Drawing, cell: int) -> None:
        """The sides of a cell: those that no cell before it has, and in colour those at the edge of the board."""
        (x, y), (row, column) = self.centre(cell), divmod(cell, self.size)
        for (right, down), corner in zip(AROUND, CORNERS, strict=True):
            r, c = row + down, column + right
            ends = [math.radians(angle) for angle in (corner, corner + 60)]
            line = [(x + SIDE * math.cos(angle), y + SIDE * math.sin(angle)) for angle in ends]
            if 0 <= r < self.size and 0 <= c < self.size:
                if r * self.size + c > cell:
                    drawing.line(*line[0], *line[1], colour=INK)
            else:
                player = 0 if r in (-1, self.size) else 1
                drawing.line(*line[0], *line[1], colour=COLOURS[player], width=3.0)
