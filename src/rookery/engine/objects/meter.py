"""What a task may spend, read and written without NumPy: a cell of an array costs more than a short move."""

from __future__ import annotations

import math

from rookery.control import BUDGET, HALT, HALT_TARGET, PLAYOUTS, Signal


class Meter:
    """Counts the playouts of a task, notes improvements, and says when to stop.

    ``cells`` are those of the signal; playouts read ``cells[HALT]`` at every move.
    """

    def __init__(self, signal: Signal, budget: int, target: float) -> None:
        self.cells = memoryview(signal.control)  # type: ignore[arg-type]
        self.cells[PLAYOUTS] = 0
        self.cells[BUDGET] = budget
        self._target = target
        self._best = -math.inf
        self.improvements: list[tuple[int, float]] = []

    def may_begin(self) -> bool:
        """Whether one more playout may be played."""
        cells = self.cells
        return not cells[HALT] and cells[PLAYOUTS] < cells[BUDGET]

    def count(self) -> int:
        """Playouts so far."""
        return self.cells[PLAYOUTS]

    def finish(self, score: float) -> None:
        """Count a finished playout."""
        cells = self.cells
        playouts = cells[PLAYOUTS] = cells[PLAYOUTS] + 1
        if score > self._best:
            self._best = score
            self.improvements.append((playouts, score))
            if score >= self._target:
                cells[HALT] = HALT_TARGET
