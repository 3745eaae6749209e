"""The bound that no scheduler of this search can beat by much: perfect prediction (Nagorko 2019, Figure 1b).

An oracle knows which results will replace a best. It starts a leaf as soon as the results that its policy is made
from are there, and never one in vain.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Collection, Sequence


class Trajectory:
    """What a run depended on: how long each leaf took, and which leaf supplied the best after each child.

    ``sizes``: children of a node, from those just above the leaves up to the root.

    >>> run = Trajectory([3])
    >>> for seconds, replaced in [(1.0, {0}), (1.0, ()), (1.0, {0})]:
    ...     run.add(seconds, replaced)
    >>> run.suppliers[0].tolist()
    [0, 0, 2]
    """

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = tuple(sizes)
        self.seconds = array("d")
        self.suppliers = [array("q") for _ in self.sizes]  # by height of the child, then by its number; -1: none
        self._current = [-1] * len(self.sizes)

    def add(self, seconds: float, replaced: Collection[int]) -> None:
        """The next leaf in the order of the sequential search.

        ``replaced``: heights at which a best was replaced when it was committed, 0 for that of its parent.
        """
        place = supplier = len(self.seconds)
        self.seconds.append(seconds)
        for height, size in enumerate(self.sizes):
            if height in replaced:
                self._current[height] = supplier
            supplier = self._current[height]
            self.suppliers[height].append(supplier)
            if (place + 1) % size:
                return
            place //= size
            self._current[height] = -1  # the next node begins without a best


def oracle_seconds(run: Trajectory, workers: int, delay: float = 0.0) -> float:
    """How long a run takes with perfect prediction.

    A node's next sibling is released once the node is released and the leaf that supplies the best after it has
    ended; a first child, with its parent. Free workers start released leaves in the order of the sequential search. A
    worker is busy for the duration of its leaf plus twice the delay of a message.

    >>> run = Trajectory([3])
    >>> for replaced in [{0}, (), ()]:
    ...     run.add(1.0, replaced)
    >>> oracle_seconds(run, 1), oracle_seconds(run, 2)
    (3.0, 2.0)
    """
    seconds, messages = run.seconds.tolist(), 2.0 * delay
    released = _Released(run)
    running: list[tuple[float, int]] = []
    now = 0.0
    while True:
        while released.leaves and len(running) < workers:
            leaf = heapq.heappop(released.leaves)
            heapq.heappush(running, (now + messages + seconds[leaf], leaf))
        if not running:
            return now
        now, leaf = heapq.heappop(running)
        released.end(leaf)
        while running and running[0][0] == now:
            released.end(heapq.heappop(running)[1])


class _Released:
    """The leaves that can be started, as a heap."""

    def __init__(self, run: Trajectory) -> None:
        self.leaves: list[int] = []
        self._sizes = run.sizes
        self._suppliers = [suppliers.tolist() for suppliers in run.suppliers]
        self._ended = bytearray(len(run.seconds))
        self._waiting: dict[int, list[tuple[int, int]]] = {}  # nodes, by the leaf that they wait for
        if run.seconds:
            self._release([(len(self._sizes), 0)])

    def end(self, leaf: int) -> None:
        """A leaf has ended: release what waited for it."""
        self._ended[leaf] = 1
        waiting = self._waiting.pop(leaf, None)
        if waiting is not None:
            self._release(waiting)

    def _release(self, nodes: list[tuple[int, int]]) -> None:
        """Release nodes, given by height and number, and all that can be released with them."""
        while nodes:
            height, number = nodes.pop()
            if height == 0:
                heapq.heappush(self.leaves, number)
            else:
                nodes.append((height - 1, number * self._sizes[height - 1]))
            if height < len(self._sizes) and (number + 1) % self._sizes[height]:
                supplier = self._suppliers[height][number]
                if supplier < 0 or self._ended[supplier]:
                    nodes.append((height, number + 1))
                else:
                    self._waiting.setdefault(supplier, []).append((height, number + 1))
