"""Numbers that are compiled in: fixed constants, and those in the body of a class."""

from __future__ import annotations

import pytest

import rookery as rk
from rookery.compiler.specialise import specialise
from rookery.engine.interpreted import Interpreted


class Steps(rk.Problem):
    size: int = 3
    MOST = 4
    BONUS = 0.5

    def limits(self):
        return rk.Limits(moves=1, length=self.MOST, codes=1)

    def layout(self):
        return {"step": "i8"}

    def constants(self):
        return {"size": rk.fixed(self.size), "twice": 2 * self.size}

    def start(self, s):
        s.step = 0

    def moves(self, s, out):
        out[0] = 0
        return 0 if s.step == self.size else 1

    def code(self, s, move):
        return 0

    def play(self, s, move):
        for _ in range(self.MOST - self.size):
            s.step += 1

    def score(self, s):
        return s.step + self.twice + self.BONUS


@pytest.mark.parametrize("kind", [lambda problem: problem, Interpreted], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("size", [3, 2])
def test_each_value_is_compiled_for_itself(size, kind):
    steps = 3 if size == 3 else 1
    assert rk.replay(kind(Steps(size)), [0] * steps) == (size + 2 * size + 0.5, ())


def test_a_fixed_value_is_part_of_the_key_and_no_other_is():
    class Other(Steps):
        def constants(self):
            return {"size": self.size, "twice": 2 * self.size}

    assert specialise(Steps(3))[0] is not specialise(Steps(2))[0]
    assert specialise(Steps(3))[0] is specialise(Steps(3))[0]
    assert specialise(Other(3))[0] is specialise(Other(2))[0]


def test_a_number_of_the_class_is_part_of_the_key():
    class Larger(Steps):
        MOST = 5

    assert rk.replay(Steps(2), [0])[0] == 6.5
    assert rk.replay(Larger(2), [])[0] == 4.5
    assert rk.replay(Larger(2), [])[1] == (0,)


@pytest.mark.parametrize("value", ["5", None, [1]])
def test_what_is_no_number_is_refused(value):
    with pytest.raises(rk.InputError, match="a fixed constant must be a number, got"):
        rk.fixed(value)
