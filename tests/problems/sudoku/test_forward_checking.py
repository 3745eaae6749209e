"""Forward checking against the same search written as a recursion."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.problems.sudoku import ForwardChecking, Sudoku
from rookery.rng import Stream, root_key
from sudoku_by_hand import slow_moves


class SlowSearch:
    """The same depth-first search with the same draws, one call a node."""

    def __init__(self, problem, seed):
        self.size, self.stream, self.nodes = problem.size, Stream(root_key(seed)), 0
        self.moves = self.search(list(problem.givens))

    def search(self, values):
        if 0 not in values:
            return []
        untried = slow_moves(values)
        while untried:
            move = untried.pop(self.stream.below(len(untried)))
            self.nodes += 1
            following = values.copy()
            following[move // self.size] = move % self.size + 1
            found = self.search(following)
            if found is not None:
                return [move, *found]
        return None


@pytest.mark.parametrize(("size", "empty", "seed"), [(4, 1.0, 1), (9, 0.6, 1), (9, 0.7, 2), (9, 0.72, 3), (9, 1.0, 1)])
def test_nodes_and_solution_are_those_of_the_recursion(size, empty, seed):
    problem = Sudoku.build(size=size, empty=empty, seed=seed)
    slow, found = SlowSearch(problem, 7), ForwardChecking(seed=7).solve(problem)
    assert (found.status, list(found.moves), found.nodes) == ("solved", slow.moves, slow.nodes)
    assert rk.replay(problem, found.moves)[0] == size * size


def test_a_grid_without_solution_is_exhausted():
    problem = Sudoku.build(grid="3.2..2..2......3")
    slow = SlowSearch(problem, 0)
    assert (slow.moves, slow.nodes) == (None, 8)
    found = ForwardChecking().solve(problem)
    assert (found.status, found.moves, found.nodes) == ("no solution", (), slow.nodes)


def test_a_limit_of_nodes_is_kept_exactly():
    found = ForwardChecking(nodes=12_345).solve(Sudoku.build(seed=1))
    assert (found.status, found.moves, found.nodes) == ("nodes", (), 12_345)


@pytest.mark.timing
def test_a_limit_of_time_ends_the_search():
    found = ForwardChecking(seconds=0.05).solve(Sudoku.build(seed=1))
    assert (found.status, found.nodes > 0) == ("time", True)


def test_a_full_grid_is_solved_without_a_node():
    found = ForwardChecking().solve(Sudoku.build(size=4, empty=0.0))
    assert (found.status, found.nodes) == ("solved", 0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [({"seconds": 0}, "seconds must be more than 0, got 0"), ({"nodes": 0}, "nodes must be at least 1, got 0")],
)
def test_limits_must_be_limits(arguments, message):
    with pytest.raises(rk.InputError, match=message):
        ForwardChecking(**arguments)
