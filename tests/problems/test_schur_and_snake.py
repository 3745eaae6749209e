"""Weak Schur numbers and snakes in boxes, against exhaustive search and known optima."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.errors import IllegalSolution
from rookery.testing import check_problem

WeakSchur, Snake = rk.problems.WeakSchur, rk.problems.Snake
NRPA = rk.NRPA(level=3)


def weak_schur(classes):
    """How far so many classes go, by trying."""

    def farthest(sets, n):
        fits = [s for s in sets if not any(x != n - x and n - x in s for x in s)]
        return max([n - 1, *(farthest([{*t, n} if t is s else t for t in sets], n + 1) for s in fits)])

    return farthest([set() for _ in range(classes)], 1)


def longest_snake(dimension):
    """The length of the longest induced path from corner 0, by trying."""

    def longest(path):
        ways = (path[-1] ^ (1 << d) for d in range(dimension))
        free = [v for v in ways if all((v ^ old).bit_count() > 1 for old in path[:-1])]
        return max([len(path) - 1, *(longest([*path, v]) for v in free)])

    return longest([0, 1])


@pytest.mark.parametrize(("classes", "last"), [(1, 2), (2, 8), (3, 23), (4, 66)])
def test_the_weak_schur_number_is_found(classes, last):
    problem = WeakSchur(classes)
    result = rk.solve(problem, NRPA, seed=2, stop=rk.Target(last))
    assert (result.score, result.status) == (last, "target")
    for numbers in map(set, problem.sets(result.moves)):
        assert not any(x + y in numbers for x in numbers for y in numbers if x < y)
    assert classes > 2 or weak_schur(classes) == last


@pytest.mark.parametrize(("dimension", "length"), [(3, 4), (4, 7), (5, 13), (6, 26)])
def test_the_longest_snake_is_found(dimension, length):
    problem = Snake(dimension)
    result = rk.solve(problem, NRPA, seed=2, stop=rk.Target(length))
    assert (result.score, result.status) == (length, "target")
    path = problem.corners(result.moves)
    near = sum((a ^ b).bit_count() == 1 for i, a in enumerate(path) for b in path[:i])
    assert (len(set(path)), near) == (length + 1, length)
    assert dimension > 4 or longest_snake(dimension) == length


@pytest.mark.parametrize("problem", [WeakSchur(3), Snake(5)], ids=repr)
def test_it_keeps_its_contract(problem):
    check_problem(problem, playouts=40, measure=False)


def test_solutions_with_other_names_are_read_as_the_same():
    assert WeakSchur(2).read("3\n1 2") == WeakSchur(2).read("1 2\n3")
    assert Snake(3).read("2 0 1") == Snake(3).read("0\n1 2  # turned")


@pytest.mark.parametrize(
    ("act", "error", "message"),
    [
        (lambda: WeakSchur(0), rk.InputError, "classes must be 1 to 10, got 0"),
        (lambda: WeakSchur(2).read("1 2\n2"), rk.InputError, "line 2: a number must appear only once, got 2"),
        (lambda: WeakSchur(2).read("1\n3"), IllegalSolution, "all numbers up to the last must be there, 2 is missing"),
        (lambda: WeakSchur(1).read("1\n2"), rk.InputError, "there must be 1 to 1 lines, one for each class, got 2"),
        (lambda: Snake(13), rk.InputError, "dimension must be 1 to 12, got 13"),
        (lambda: Snake(3).read("0 3"), rk.InputError, 'line 1: a dimension must be 0 to 2, got "3"'),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(act, error, message):
    with pytest.raises(error, match=message):
        act()
