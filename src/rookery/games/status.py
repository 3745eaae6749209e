"""Who owns what at the end of a game of Go, as random games that go on from there say; and the score by area.

A player's own eyes are left alone, so that whoever has two of them lives. What is captured in most of these games is
dead. Random games judge settled positions well; they know nothing of sekis.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rookery.games.points import neighbours
from rookery.rng import Stream

BLACK, WHITE = 0, 1
GAMES = 100
MOST_MOVES = 3
"""A random game ends after this many times the number of points, whatever stands then."""


@dataclass(frozen=True)
class Board:
    """The neighbours of every point, beside it and diagonally."""

    size: int
    beside: tuple[tuple[int, ...], ...]
    diagonal: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, size: int) -> Board:
        """The board of this size.

        >>> board = Board.of(3)
        >>> sorted(board.beside[4]), sorted(board.diagonal[0])
        ([1, 3, 5, 7], [4])
        """
        beside = [tuple(neighbours(size, point)) for point in range(size * size)]
        diagonal = []
        for point in range(size * size):
            row, column = divmod(point, size)
            around = ((row + r, column + c) for r in (-1, 1) for c in (-1, 1))
            diagonal.append(tuple(r * size + c for r, c in around if 0 <= r < size and 0 <= c < size))
        return cls(size, tuple(beside), tuple(diagonal))

    def chain(self, stones: Mapping[int, int], start: int) -> tuple[set[int], bool]:
        """The chain of a stone, and whether it has a liberty; only part of it if it has."""
        chain, to_see, colour = {start}, [start], stones[start]
        while to_see:
            for point in self.beside[to_see.pop()]:
                if point not in stones:
                    return chain, True
                if stones[point] == colour and point not in chain:
                    chain.add(point)
                    to_see.append(point)
        return chain, False

    def is_eye(self, stones: Mapping[int, int], point: int, colour: int) -> bool:
        """Whether an empty point has only stones of a colour beside it and, but for one, no enemy diagonally."""
        if any(stones.get(p) != colour for p in self.beside[point]):
            return False
        enemies = sum(stones.get(p) == 1 - colour for p in self.diagonal[point])
        return enemies <= (len(self.diagonal[point]) == 4)

    def put(self, stones: dict[int, int], point: int, colour: int) -> int | None:
        """Play a stone and take captured chains off; returns how many stones, None if it is suicide and not played."""
        stones[point] = colour
        taken = 0
        for other in self.beside[point]:
            if stones.get(other) == 1 - colour:
                chain, lives = self.chain(stones, other)
                if not lives:
                    taken += len(chain)
                    for dead in chain:
                        del stones[dead]
        if not taken and not self.chain(stones, point)[1]:
            del stones[point]
            return None
        return taken

    def play_on(self, stones: Mapping[int, int], turn: int, stream: Stream) -> dict[int, int]:
        """The stones after a random game."""
        after, passes, ko = dict(stones), 0, -1
        empty = [point for point in range(self.size**2) if point not in after]
        for _ in range(MOST_MOVES * self.size**2):
            left, played = len(empty), False
            while left and not played:
                i = stream.below(left)
                left -= 1
                point = empty[i]
                empty[i], empty[left] = empty[left], point  # those that were tried are at the end
                if point == ko or self.is_eye(after, point, turn):
                    continue
                taken = self.put(after, point, turn)
                played = taken is not None
            if played:
                ko = -1
                if taken:
                    empty = [p for p in range(self.size**2) if p not in after]
                    free = [p for p in self.beside[point] if p not in after]
                    ko = free[0] if taken == 1 and len(free) == 1 else -1
                else:
                    empty[left] = empty[-1]
                    empty.pop()
            passes = 0 if played else passes + 1
            if passes == 2:
                break
            turn = 1 - turn
        return after

    def area(self, stones: Mapping[int, int]) -> dict[int, int]:
        """Who owns each point: stones, and empty points that only one colour leads to; others are nobody's.

        >>> Board.of(3).area({3: 0, 4: 0, 5: 0, 8: 1})
        {3: 0, 4: 0, 5: 0, 8: 1, 0: 0, 1: 0, 2: 0}
        """
        owner, seen = dict(stones), set(stones)
        for start in range(self.size**2):
            if start in seen:
                continue
            region, to_see, colours = [start], [start], set()
            seen.add(start)
            while to_see:
                for point in self.beside[to_see.pop()]:
                    if point in stones:
                        colours.add(stones[point])
                    elif point not in seen:
                        seen.add(point)
                        region.append(point)
                        to_see.append(point)
            if len(colours) == 1:
                owner |= dict.fromkeys(region, colours.pop())
        return owner


def dead_stones(size: int, stones: Mapping[int, int], turn: int, key: int = 0, games: int = GAMES) -> set[int]:
    """The stones whose chains are captured in most random games from here.

    >>> sorted(dead_stones(5, {**{5 + column: 0 for column in range(5)}, 12: 1, 20: 0}, turn=1))
    [12]
    """
    board, stream = Board.of(size), Stream(key)
    kept = dict.fromkeys(stones, 0)
    for _ in range(games):
        owner = board.area(board.play_on(stones, turn, stream))
        for point, colour in stones.items():
            kept[point] += owner.get(point) == colour
    dead: set[int] = set()
    for chain in chains(size, stones):
        if 2 * sum(kept[point] for point in chain) < games * len(chain):
            dead |= chain
    return dead


def chains(size: int, stones: Mapping[int, int]) -> list[set[int]]:
    """The chains of stones.

    >>> chains(3, {0: 0, 1: 0, 2: 1})
    [{0, 1}, {2}]
    """
    found: list[set[int]] = []
    seen: set[int] = set()
    for start in sorted(stones):
        if start in seen:
            continue
        chain, to_see = {start}, [start]
        while to_see:
            for point in neighbours(size, to_see.pop()):
                if stones.get(point) == stones[start] and point not in chain:
                    chain.add(point)
                    to_see.append(point)
        seen |= chain
        found.append(chain)
    return found


def area_score(size: int, stones: Mapping[int, int], komi: float, dead: Iterable[int] = ()) -> float:
    """Black's area minus white's and komi, dead stones taken off first.

    >>> area_score(3, {3: 0, 4: 0, 5: 0}, komi=2.5)
    6.5
    """
    living = {point: colour for point, colour in stones.items() if point not in set(dead)}
    owner = Board.of(size).area(living)
    return sum(1 if colour == BLACK else -1 for colour in owner.values()) - komi
