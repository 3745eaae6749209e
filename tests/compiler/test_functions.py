"""What the functions of a problem may use: helpers, methods, parents, closures, defaults."""

from __future__ import annotations

import math

import helper_module
import numpy as np
import pytest
from helper_module import inner_constant, twice_plus

import rookery as rk
from rookery.engine.interpreted import Interpreted


def add_one(x, by=1):
    return x + by


def add_two(x):
    return add_one(add_one(x))


class Base(rk.Problem):
    """Three steps; the score is what ``gain`` says of each."""

    size: int = 3

    def limits(self):
        return rk.Limits(moves=1, length=self.size, codes=1)

    def layout(self):
        return {"step": "i8", "total": "f8"}

    def start(self, s):
        s.step = 0

    def moves(self, s, out):
        out[0] = 0
        return 1 if s.step < self.size else 0

    def code(self, s, move):
        return move

    def play(self, s, move):
        s.total += self.gain(s, move)
        s.step += 1

    def gain(self, s, move):
        return 1.0

    def score(self, s):
        return s.total


class ByHelper(Base):
    def gain(self, s, move):
        return float(add_one(s.step))


class ByModule(Base):
    def gain(self, s, move):
        return float(helper_module.twice_plus(s.step) + math.sqrt(4.0) + np.abs(-1.0))


class ByImportedHelper(Base):
    def gain(self, s, move):
        return float(twice_plus(s.step) + inner_constant)


class ByParent(ByHelper):
    def gain(self, s, move):
        return 10 * ByHelper.gain(self, s, move)


class ByMethodOfMethod(Base):
    def gain(self, s, move):
        return self._outer(s.step, 2)

    def _outer(self, step, factor):
        return factor * self._inner(step=step)

    def _inner(self, step):
        return 1.0 * step + self.size


class ByChoiceInArguments(Base):
    def gain(self, s, move):
        return self._sum(s.step if s.step > 1 else 5, self._sum(1, 2) if s.step == 0 else 0)

    def _sum(self, a, b):
        return 1.0 * a + b


class ByNumbasOwn(Base):
    def gain(self, s, move):
        total = 0.0
        for x in map(add_two, (s.step, 1)):  # a function of Numba's calls one of the problem's, which calls another
            total += x
        return total


def make_by_closure(amount):
    def helper(x):
        return x + amount

    class ByClosure(Base):
        def gain(self, s, move):
            return float(helper(s.step))

    return ByClosure


EXPECTED = [
    (Base, 3.0),
    (ByHelper, 6.0),
    (ByModule, 24.0),
    (ByImportedHelper, 45.0),
    (ByParent, 60.0),
    (ByMethodOfMethod, 24.0),
    (ByChoiceInArguments, 15.0),
    (ByNumbasOwn, 18.0),
    (make_by_closure(5), 18.0),
]


@pytest.mark.parametrize(("cls", "score"), EXPECTED, ids=lambda value: getattr(value, "__name__", ""))
def test_compiled_functions_reach_what_python_functions_reach(cls, score):
    assert rk.replay(cls(), [0, 0, 0]) == (score, ())


@pytest.mark.parametrize(("cls", "score"), EXPECTED, ids=lambda value: getattr(value, "__name__", ""))
def test_interpreted_functions_give_the_same(cls, score):
    assert rk.replay(Interpreted(cls()), [0, 0, 0]) == (score, ())


class Raising(Base):
    def gain(self, s, move):
        if s.step == 1:
            raise ValueError("not the second step")
        return 1.0


def test_an_exception_in_a_compiled_function_reaches_the_user():
    with pytest.raises(ValueError, match="not the second step"):
        rk.replay(Raising(), [0, 0])


def test_a_read_only_or_transposed_array_is_taken_as_it_is_meant():
    matrix = np.arange(9.0).reshape(3, 3)
    fixed = matrix.T.copy().T
    fixed.setflags(write=False)
    assert rk.replay(rk.problems.TSP(fixed), [1, 2])[0] == matrix[0, 1] + matrix[1, 2] + matrix[2, 0]
