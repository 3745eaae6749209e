"""Weak Schur numbers: put 1, 2, 3, ... into a few classes, as long as none holds x, y and x + y with x < y."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.bits import ONE, WORD, ZERO, u
from rookery.drawing import Drawing
from rookery.drawing.palette import tile
from rookery.errors import IllegalSolution, InputError
from rookery.problem import Layout, Limits, Problem, capacity
from rookery.problems.instances import lines_of

MOST_CLASSES, MOST = 10, 1 << 14
BEST_KNOWN = {1: 2, 2: 8, 3: 23, 4: 66, 5: 196, 6: 646}
"""How far this many classes are known to go; for up to four it is known that they go no further."""


class WeakSchur(Problem):
    """Put 1, 2, 3, ... into classes, none with x + y = z for x and y different; the score is the last number.

    A move is the class of the next number, from 0. A class is opened only if all before it are: which one is called
    the first does not matter. The code of a move is the number and its class.

    Parameters
    ----------
    classes
        how many there are
    most
        the search ends with this number; None: about twice the largest that is known to be reached

    >>> WeakSchur(classes=3).limits().codes
    192
    """

    classes: int = 4
    most: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.classes <= MOST_CLASSES:
            raise InputError(f"classes must be 1 to {MOST_CLASSES}, got {self.classes}")
        if self.most is None:
            object.__setattr__(self, "most", min(MOST, capacity(2 * BEST_KNOWN.get(self.classes, MOST))))
        if not 1 <= self._last() <= MOST:
            raise InputError(f"most must be 1 to {MOST}, got {self.most}")

    def _last(self) -> int:
        assert self.most is not None
        return self.most

    def limits(self) -> Limits:
        return Limits(moves=self.classes, length=self._last(), codes=self.classes * self._last())

    def layout(self) -> Layout:
        words = ("u8", (capacity(self.classes), capacity(-(-(self._last() + 1) // WORD))))
        return {"last": "i8", "open": "i8", "held": words, "sums": words}  # a bit for each number

    def start(self, s):
        s.last = 0
        s.open = 0

    def moves(self, s, out):
        n = 0
        if s.last < self.most:
            word, bit = (s.last + 1) // WORD, u((s.last + 1) % WORD)
            for c in range(min(s.open + 1, self.classes)):
                if (s.sums[c, word] >> bit) & ONE == ZERO:
                    out[n] = c
                    n += 1
        return n

    def code(self, s, move):
        return s.last * self.classes + move

    def play(self, s, move):
        s.last += 1
        s.open = max(s.open, move + 1)
        word, bit = s.last // WORD, u(s.last % WORD)
        for w in range(self.most // WORD, word - 1, -1):  # all sums with what the class holds: a shift by this number
            s.sums[move, w] |= s.held[move, w - word] << bit
            if bit != ZERO and w > word:
                s.sums[move, w] |= s.held[move, w - word - 1] >> (u(WORD) - bit)
        s.held[move, word] |= ONE << bit

    def score(self, s):
        return s.last

    # --- for people ---

    def sets(self, moves: Sequence[int]) -> list[list[int]]:
        """The numbers of each class.

        >>> WeakSchur(classes=2).sets([0, 0, 1])
        [[1, 2], [3]]
        """
        return [[n for n, c in enumerate(moves, 1) if c == k] for k in range(self.classes)]

    def describe_move(self, move: int) -> str:
        return f"class {move + 1}"

    def write(self, moves: Sequence[int]) -> str:
        """A line for each class that is open: its numbers.

        >>> WeakSchur(classes=2).write([0, 0, 1])
        '1 2\\n3\\n'
        """
        return "".join(" ".join(map(str, numbers)) + "\n" for numbers in self.sets(moves) if numbers)

    def draw(self, moves: Sequence[int]) -> str:
        """The classes, a line for each."""
        return self.write(moves).rstrip()

    def read(self, text: str) -> tuple[int, ...]:
        """The moves of a partition: a line for each class.

        >>> WeakSchur(classes=2).read("3\\n1 2")
        (0, 0, 1)
        """
        found: dict[int, int] = {}
        lines = lines_of(text)
        if not 1 <= len(lines) <= self.classes:
            raise InputError(f"there must be 1 to {self.classes} lines, one for each class, got {len(lines)}")
        for line in lines:
            for number in line.wholes(1, self.most, "a number"):
                if number in found:
                    raise line.refuse("a number must appear only once", number)
                found[number] = line.number
        missing = next((n for n in range(1, len(found) + 1) if n not in found), None)
        if missing is not None:
            raise IllegalSolution(f"all numbers up to the last must be there, {missing} is missing")
        names = {line: k for k, line in enumerate(dict.fromkeys(found[n] for n in sorted(found)))}
        return tuple(names[found[n]] for n in sorted(found))

    def picture(self, moves: Sequence[int]) -> Drawing:
        """The numbers row by row, each class in its colour."""
        columns, side = 20, 26.0
        rows = max(1, -(-len(moves) // columns))
        drawing = Drawing(columns * side + 20, rows * side + 20)
        for n, c in enumerate(moves):
            tile(drawing, (10 + n % columns * side, 10 + n // columns * side, side - 2, side - 2), c, str(n + 1))
        return drawing
