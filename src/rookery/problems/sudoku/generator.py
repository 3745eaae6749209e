"""Full grids from a randomised solver, and grids with some of their cells emptied."""

from __future__ import annotations

from collections.abc import Sequence

from rookery.problems.sudoku.rules import peers, units
from rookery.rng import Stream, part_key

PATIENCE = 100
"""Dead ends after which the solver starts again: leaving a bad beginning can take any amount of time."""


def full_grid(size: int, seed: int) -> tuple[int, ...]:
    """A full grid: depth-first search from an empty one, with random choices, until a grid is full.

    >>> len(full_grid(9, seed=1)), full_grid(9, seed=1) == full_grid(9, seed=2)
    (81, False)
    """
    for attempt in range(1 << 20):
        found = _Solver(size, Stream(part_key(seed, attempt))).fill()
        if found is not None:
            return tuple(found)
    raise AssertionError("no grid")  # pragma: no cover


def emptied(values: Sequence[int], count: int, seed: int) -> tuple[int, ...]:
    """A grid with this many of its cells emptied, chosen at random.

    >>> emptied([1, 2, 3, 4], 4, seed=1)
    (0, 0, 0, 0)
    """
    stream = Stream(part_key(seed, 1 << 40))  # apart from the streams of the solver
    cells, left = list(range(len(values))), list(values)
    for _ in range(count):
        left[cells.pop(stream.below(len(cells)))] = 0
    return tuple(left)


class _Solver:
    """Depth-first search that fills in what is forced: the last value of a cell, the last cell of a value in a unit.

    Values are bits. Besides the values left for each cell, the search keeps, for each unit and value, how many cells
    are left.
    """

    def __init__(self, size: int, stream: Stream) -> None:
        self.size = size
        self.stream = stream
        self.cells_of = [cells for _, cells in units(size)]
        self.units_of = [[u for u, cells in enumerate(self.cells_of) if cell in cells] for cell in range(size * size)]
        self.peers = [[other for other in found if other != cell] for cell, found in enumerate(peers(size))]

    def fill(self) -> list[int] | None:
        """A full grid from an empty one; None after too many dead ends."""
        cells, size = self.size * self.size, self.size
        stack = [([(1 << size) - 1] * cells, [size] * (len(self.cells_of) * size))]
        dead_ends = 0
        while stack and dead_ends <= PATIENCE:
            domains, counts = stack.pop()
            cell = self._next(domains)
            if cell is None:
                return [bits.bit_length() for bits in domains]
            for bit in self._shuffled(domains[cell]):
                branch = domains.copy(), counts.copy()
                if self._propagate(*branch, [(cell, other) for other in _bits(domains[cell] ^ bit)]):
                    stack.append(branch)
                else:
                    dead_ends += 1
        return None

    def _next(self, domains: list[int]) -> int | None:
        """One of the cells with the fewest values left, at random; None if all have one value."""
        open_cells = [(bits.bit_count(), cell) for cell, bits in enumerate(domains) if bits & (bits - 1)]
        if not open_cells:
            return None
        least = min(open_cells)[0]
        fewest = [cell for count, cell in open_cells if count == least]
        return fewest[self.stream.below(len(fewest))]

    def _shuffled(self, bits: int) -> list[int]:
        values, shuffled = _bits(bits), []
        while values:
            shuffled.append(values.pop(self.stream.below(len(values))))
        return shuffled

    def _propagate(self, domains: list[int], counts: list[int], strike: list[tuple[int, int]]) -> bool:
        """Remove values from cells, and do what follows from that; False if a cell or a value has nothing left."""
        while strike:
            cell, bit = strike.pop()
            left = domains[cell]
            if not left & bit:
                continue
            left ^= bit
            if not left:
                return False
            domains[cell] = left
            if not left & (left - 1):
                strike += [(other, left) for other in self.peers[cell]]
            for unit in self.units_of[cell]:
                place = unit * self.size + bit.bit_length() - 1
                counts[place] -= 1
                if counts[place] == 0:
                    return False
                if counts[place] == 1:
                    last = next(other for other in self.cells_of[unit] if domains[other] & bit)
                    strike += [(last, other) for other in _bits(domains[last] ^ bit)]
        return True


def _bits(word: int) -> list[int]:
    """The bits that are set, each alone."""
    return [1 << k for k in range(word.bit_length()) if word >> k & 1]
