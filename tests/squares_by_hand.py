"""Slow oracles of the games on squares: plain sets of (column, row), one square at a time, and exhaustive search."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from rookery.engine.interpreted import InterpretedGame
from rookery.game import Game

PAWN = ((-1, 1), (0, 1), (1, 1))
KNIGHT = ((-2, 1), (-1, 2), (1, 2), (2, 1))
Square = tuple[int, int]
Step = tuple[Square, Square]


class Men(NamedTuple):
    """A position of Breakthrough or Knightthrough."""

    width: int
    height: int
    steps: tuple[Square, ...]
    white: frozenset[Square]
    black: frozenset[Square]
    turn: int

    @classmethod
    def start(cls, width: int, height: int, steps: tuple[Square, ...]) -> Men:
        rows = {row: frozenset((column, row) for column in range(width)) for row in range(height)}
        return cls(width, height, steps, rows[0] | rows[1], rows[height - 1] | rows[height - 2], 0)

    def moves(self) -> Iterator[Step]:
        if any(row == self.height - 1 for _, row in self.white) or any(row == 0 for _, row in self.black):
            return
        own, other = (self.white, self.black) if self.turn == 0 else (self.black, self.white)
        for column, row in own:
            for aside, forward in self.steps:
                to = column + aside, row + (forward if self.turn == 0 else -forward)
                inside = to[0] in range(self.width) and to[1] in range(self.height)
                if inside and to not in own and not (aside == 0 and to in other):
                    yield (column, row), to

    def play(self, move: Step) -> Men:
        at, to = move
        own, other = (self.white, self.black) if self.turn == 0 else (self.black, self.white)
        own, other = (own - {at}) | {to}, other - {to}
        white, black = (own, other) if self.turn == 0 else (other, own)
        return self._replace(white=white, black=black, turn=1 - self.turn)


class Dominoes(NamedTuple):
    """A position of Domineering."""

    empty: frozenset[Square]
    turn: int

    @classmethod
    def start(cls, width: int, height: int) -> Dominoes:
        return cls(frozenset((column, row) for column in range(width) for row in range(height)), 0)

    def moves(self) -> Iterator[Step]:
        for column, row in self.empty:
            second = (column, row + 1) if self.turn == 0 else (column + 1, row)
            if second in self.empty:
                yield (column, row), second

    def play(self, move: Step) -> Dominoes:
        return Dominoes(self.empty - set(move), 1 - self.turn)


def step_name(move: Step) -> str:
    """A move as the games write it."""
    return "-".join(f"{'abcdefghijklmnop'[column]}{row + 1}" for column, row in move)


def perft(position: Any, depth: int) -> int:
    """How many games of this many moves there are."""
    moves = list(position.moves())
    return len(moves) if depth == 1 else sum(perft(position.play(move), depth - 1) for move in moves)


def solver(misere: bool = False) -> Callable[[Any], int]:
    """A function that says who wins a position, by exhaustive search."""

    @cache
    def wins(position: Any) -> int:
        mover, moved = position.turn, False
        for move in position.moves():
            moved = True
            if wins(position.play(move)) == mover:
                return int(mover)
        stuck = not moved
        return int(mover if stuck and misere else 1 - mover)

    return wins


def game_perft(game: Game, depth: int) -> int:
    """The same count by the functions of a game."""
    ours = InterpretedGame(game)

    def count(state: Any, depth: int) -> int:
        moves, total = ours.moves(state), 0
        if depth == 1:
            return len(moves)
        for move in moves:
            child = ours.copy(state)
            ours.play(child, move)
            total += count(child, depth - 1)
        return total

    return count(ours.start(), depth)


def assert_keys_tell_positions_apart(game: Game, start: Any, most: int = 1 << 20) -> None:
    """The positions that can be reached, by all moves that lead there: one key each, and no two the same."""
    ours = InterpretedGame(game)
    keys, waiting, again = {start: ours.key(ours.start())}, [(ours.start(), start)], 0
    while waiting and len(keys) < most:
        state, oracle = waiting.pop()
        for step in oracle.moves():
            child, position = ours.copy(state), oracle.play(step)
            ours.play(child, game.read_move(step if isinstance(step, str) else step_name(step)))
            if position in keys:
                assert ours.key(child) == keys[position]
                again += 1
            else:
                keys[position] = ours.key(child)
                waiting.append((child, position))
    assert again > 0
    assert len(set(keys.values())) == len(keys)
