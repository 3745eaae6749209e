"""Forward checking: the depth-first search that Cazenave 2009, section 5.3, compares with.

The cell with the fewest values left comes first; its values are tried in a random order; when nothing is left for some
cell, the search goes back to the last choice.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import isqrt
from typing import Any, Literal

import numpy as np

from rookery.compiler.functions import FunctionCompiler
from rookery.errors import InputError
from rookery.problems.sudoku.board import (
    CELL_BITS,
    CELL_MASK,
    DONE,
    Sudoku,
    assign,
    open_all,
    place_of_lowest,
    smallest,
)
from rookery.rng import below, root_key, seed_stream
from rookery.settings import quiet_overflow

SOLVED, EXHAUSTED, UNFINISHED = 0, 1, 2
NODES_AT_ONCE = 20_000
"""Nodes between two looks at the clock: a few milliseconds."""

Status = Literal["solved", "no solution", "time", "nodes"]


@dataclass(frozen=True)
class ForwardResult:
    """The result of a search: ``moves`` are those of the solution, if there is one; ``nodes`` are the values
    tried."""

    status: Status
    moves: tuple[int, ...]
    nodes: int
    seconds: float


@dataclass(frozen=True)
class ForwardChecking:
    """Depth-first search with forward checking.

    Parameters
    ----------
    seconds, nodes
        when to give up; None: never
    seed
        of the order in which values are tried

    >>> ForwardChecking(seconds=10).solve(Sudoku.build(size=4, seed=1)).status
    'solved'
    """

    seconds: float | None = None
    nodes: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        if self.seconds is not None and not self.seconds > 0:
            raise InputError(f"seconds must be more than 0, got {self.seconds}")
        if self.nodes is not None and self.nodes < 1:
            raise InputError(f"nodes must be at least 1, got {self.nodes}")

    def solve(self, problem: Sudoku) -> ForwardResult:
        """Search until a solution is found, there is none, or a limit is met; compiling does not count."""
        search = _compiled()
        with quiet_overflow():
            stack = _Stack(problem, self.seed)
            stack.advance(search, 0)  # compiles
            began = time.perf_counter()
            while True:
                budget = NODES_AT_ONCE if self.nodes is None else min(NODES_AT_ONCE, self.nodes - stack.nodes)
                code = stack.advance(search, budget)
                seconds = time.perf_counter() - began
                if code != UNFINISHED:
                    return ForwardResult(
                        "solved" if code == SOLVED else "no solution", stack.moves(), stack.nodes, seconds
                    )
                if self.nodes is not None and stack.nodes >= self.nodes:
                    return ForwardResult("nodes", (), stack.nodes, seconds)
                if self.seconds is not None and seconds >= self.seconds:
                    return ForwardResult("time", (), stack.nodes, seconds)


class _Stack:
    """The choices of a depth-first search: for each depth the domains, the cell, and its values not yet tried."""

    def __init__(self, problem: Sudoku, seed: int) -> None:
        given = np.array([(cell, value - 1) for cell, value in enumerate(problem.givens) if value], np.int64)
        self._given = given.reshape(-1, 2)
        self._box = isqrt(problem.size)
        self._empty = problem.givens.count(0)
        cells = len(problem.givens)
        self._domain = np.zeros((self._empty + 1, cells), np.uint32)
        self._rank = np.zeros((self._empty + 1, cells), np.uint16)
        self._left = np.zeros((self._empty + 1, 2), np.int64)  # cell, values not yet tried
        self._moves = np.zeros(self._empty + 1, np.int64)
        self._at = np.array([-1, 0], np.int64)  # depth, nodes
        self._rng = np.zeros(4, np.uint64)
        seed_stream(self._rng, np.uint64(root_key(seed)))

    @property
    def nodes(self) -> int:
        return int(self._at[1])

    def moves(self) -> tuple[int, ...]:
        """The moves of the solution that the stack holds; none if there is none."""
        return tuple(int(move) for move in self._moves[: max(0, int(self._at[0]))])

    def advance(self, search: Callable[..., Any], budget: int) -> int:
        arrays = self._domain, self._rank, self._left, self._moves, self._at
        return int(search(*arrays, self._given, self._rng, self._box, budget))


@cache
def _compiled() -> Callable[..., Any]:
    compiler = FunctionCompiler(ForwardChecking, "forward_checking", False, {})
    compiled: Callable[..., Any] = compiler.compile(_search, {"no_cpython_wrapper": False})
    return compiled


def _search(domain, rank, left, moves, at, given, rng, box, budget):
    """Continue from where the stack is, for at most this many nodes."""
    if at[0] < 0:
        at[0] = 0
        open_all(domain[0], rank[0], box)
        for i in range(len(given)):
            assign(domain[0], rank[0], given[i, 0], given[i, 1], box)
        _enter(domain, rank, left, 0)
    for _ in range(budget):
        depth = at[0]
        if depth == len(moves) - 1:
            return SOLVED
        while depth >= 0 and left[depth, 1] == 0:
            depth -= 1
        at[0] = depth
        if depth < 0:
            at[0] = 0  # nothing is left to try, even if asked again
            return EXHAUSTED
        value = _take(left, depth, rng)
        at[1] += 1
        domain[depth + 1, :] = domain[depth]
        rank[depth + 1, :] = rank[depth]
        assign(domain[depth + 1], rank[depth + 1], left[depth, 0], value, box)
        moves[depth] = left[depth, 0] * box * box + value
        at[0] = depth + 1
        _enter(domain, rank, left, depth + 1)
    return SOLVED if at[0] == len(moves) - 1 else UNFINISHED


def _enter(domain, rank, left, depth):
    """Note the cell with the fewest values left, and its values: none at a dead end."""
    least = smallest(rank[depth])
    left[depth, 1] = 0
    if least != DONE:
        cell = np.int64(least) & CELL_MASK
        left[depth, 0] = cell
        if (np.int64(least) >> CELL_BITS) > 0:
            left[depth, 1] = domain[depth, cell]


def _take(left, depth, rng):
    """A random one of the values not yet tried, which then counts as tried."""
    values = np.uint32(left[depth, 1])
    count = 0
    rest = values
    while rest != np.uint32(0):
        rest &= rest - np.uint32(1)
        count += 1
    rest = values
    for _ in range(below(rng, count)):
        rest &= rest - np.uint32(1)
    value = place_of_lowest(rest)
    left[depth, 1] = values & ~(np.uint32(1) << np.uint32(value))
    return value
