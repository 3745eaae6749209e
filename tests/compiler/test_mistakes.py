"""Mistakes in a problem's functions: each is one sentence with the place, the source line, the reason, an advice."""

from __future__ import annotations

import inspect
import random
from random import randint

import numpy as np
import pytest

import rookery as rk
from rookery.settings import INTERPRETED

A_LIST = [1, 2]
A_DICT = {1: 2}


class Coins(rk.Problem):
    """The base of all mistakes below, without any."""

    n: int = 3
    names: tuple[str, ...] = ("a", "b")
    LETTERS = "ab"

    def limits(self):
        return rk.Limits(moves=2, length=self.n, codes=2 * self.n)

    def layout(self):
        return {"step": "i8", "heads": "i8", "seen": ("u1", 4)}

    def start(self, s):
        s.step = 0

    def moves(self, s, out):
        if s.step == self.n:
            return 0
        out[0] = 0
        out[1] = 1
        return 2

    def code(self, s, move):
        return 2 * s.step + move

    def play(self, s, move):
        s.step += 1
        s.heads += move

    def score(self, s):
        return s.heads

    @property
    def half(self):
        return self.n / 2

    @classmethod
    def made(cls):
        return 1


def misspelt_in_a_helper(s):
    return s.stpe


class MisspeltField(Coins):
    def play(self, s, move):
        s.stepp += 1


class FieldAssigned(Coins):
    def start(self, s):
        s.steps = 0


class MisspeltInHelper(Coins):
    def score(self, s):
        return misspelt_in_a_helper(s)


class ArrayAssigned(Coins):
    def start(self, s):
        s.seen = 0


class UnknownConstant(Coins):
    def score(self, s):
        return self.m


class TupleField(Coins):
    def score(self, s):
        return len(self.names)


class ClassAttribute(Coins):
    def score(self, s):
        return len(self.LETTERS)


class Property(Coins):
    def score(self, s):
        return self.half


class ClassMethod(Coins):
    def score(self, s):
        return self.made()


class PlainFunction(Coins):
    def score(self, s):
        return self.limits().moves


class ChangedConstant(Coins):
    def start(self, s):
        self.n = 4


class Super(Coins):
    def score(self, s):
        return super().score(s)


class GlobalList(Coins):
    def score(self, s):
        return A_LIST[s.step]


class GlobalDict(Coins):
    def score(self, s):
        return A_DICT[s.step]


class EmptyList(Coins):
    def score(self, s):
        found = []
        return len(found)


class EmptyDict(Coins):
    def score(self, s):
        found = {}
        return len(found)


class TextInField(Coins):
    def start(self, s):
        s.step = "none"


class FString(Coins):
    def score(self, s):
        return len(f"{s.step:03d}")


class TextOrNumber(Coins):
    def score(self, s):
        x = 1
        if s.step:
            x = "a"
        return x


class Power(Coins):
    def score(self, s):
        return s.step ** "2"


class NoSuchName(Coins):
    def score(self, s):
        return nothing_of_this_name(s)  # noqa: F821


class ImportInside(Coins):
    def score(self, s):
        import math

        return math.sqrt(2)


class Generator(Coins):
    def score(self, s):
        return max(s.seen[i] for i in range(4))


class RandomModule(Coins):
    def score(self, s):
        return random.random()


class NumPyRandom(Coins):
    def choose(self, s, moves, n, rng):
        return np.random.randint(n)


class RandomFunction(Coins):
    def score(self, s):
        return randint(1, 2)


class WrongCall(Coins):
    def _gain(self, s, x):
        return x

    def score(self, s):
        return self._gain(s)


class ScoreText(Coins):
    def score(self, s):
        return "high"


class ScoreNone(Coins):
    def score(self, s):
        if s.step > 1:
            return None
        return 1


class MovesList(Coins):
    def moves(self, s, out):
        return [0, 1]


class MovesNothing(Coins):
    def moves(self, s, out):
        out[0] = 1


class CodeTuple(Coins):
    def code(self, s, move):
        return (s.step, move)


class CodeFloat(Coins):
    def code(self, s, move):
        return (2 * s.step + move) / 1


class CommuteNothing(Coins):
    def commute(self, a, b):
        pass


CASES = [
    (MisspeltField, "play", "s.stepp += 1", "the state has no field 'stepp'; did you mean 'step'?"),
    (FieldAssigned, "start", "s.steps = 0", "the state has no field 'steps'; did you mean 'step'?"),
    (MisspeltInHelper, "misspelt_in_a_helper", "return s.stpe", "the state has no field 'stpe'"),
    (ArrayAssigned, "start", "s.seen = 0", "the field 'seen' is an array; assign its items, as in s.seen[:] = 0"),
    (UnknownConstant, "score", "return self.m", "no constant or method self.m; constants() has n"),
    (TupleField, "score", "return len(self.names)", "self.names is neither a number nor an array in constants()"),
    (
        ClassAttribute,
        "score",
        "return len(self.LETTERS)",
        "self.LETTERS is an attribute of the class",
    ),
    (Property, "score", "return self.half", "self.half is a property; return its value from constants()"),
    (ClassMethod, "score", "return self.made()", "self.made is a class method; make it a method that takes self"),
    (PlainFunction, "score", "return self.limits().moves", "self.limits() is a plain function"),
    (ChangedConstant, "start", "self.n = 4", "self.n cannot be changed; keep what changes in the state"),
    (Super, "score", "return super().score(s)", "super() cannot be compiled; call the function of the parent class"),
    (GlobalList, "score", "return A_LIST[s.step]", "the global A_LIST is a list, which cannot be compiled"),
    (GlobalDict, "score", "return A_DICT[s.step]", "the global A_DICT is a dict, which cannot be compiled"),
    (EmptyList, "score", "found = []", "the type of an empty list is not known; use an array"),
    (EmptyDict, "score", "found = {}", "a dictionary cannot be compiled; use an array as a table"),
    (TextInField, "start", 's.step = "none"', "a text cannot be stored where a whole number is expected"),
    (FString, "score", 'return len(f"{s.step:03d}")', "f-strings cannot be compiled; make texts in describe_move"),
    (TextOrNumber, "score", "return x", "'x' is a whole number in one place and a text in another"),
    (Power, "score", 'return s.step ** "2"', "** cannot be compiled for a whole number and a text"),
    (NoSuchName, "score", "return nothing_of_this_name(s)", "there is no name 'nothing_of_this_name'"),
    (ImportInside, "score", "import math", "import inside a function cannot be compiled; import at the top"),
    (Generator, "score", "return max(s.seen[i]", "a generator cannot be compiled; write it as a loop"),
    (RandomModule, "score", "return random.random()", "random.random draws random numbers that no seed controls"),
    (NumPyRandom, "choose", "return np.random.randint(n)", "numpy.random draws random numbers that no seed controls"),
    (RandomFunction, "score", "return randint(1, 2)", "randint draws random numbers that no seed controls"),
    (WrongCall, "score", "return self._gain(s)", "takes (self, s, x) is called with other arguments; missing"),
    (ScoreText, "score", 'return "high"', "returns a text; return the score, a number"),
    (ScoreNone, "score", "def score(self, s):", "returns None in some cases; return the score, a number"),
    (MovesList, "moves", "return [0, 1]", "returns a list; write the legal moves into out and return how many"),
    (MovesNothing, "moves", "out[0] = 1", "returns nothing; write the legal moves into out and return how many"),
    (CodeTuple, "code", "return (s.step, move)", "returns a tuple; return a whole number"),
    (CodeFloat, "code", "return (2 * s.step + move) / 1", "returns a number; return a whole number; // divides"),
    (CommuteNothing, "commute", "pass", "returns nothing; return True or False"),
]


# From Python 3.13 on, Numba is warned when it looks at a generator; it refuses it all the same.
@pytest.mark.filterwarnings("ignore:Assigning a code object of non-matching type:DeprecationWarning")
@pytest.mark.skipif(INTERPRETED, reason="nothing is compiled")
@pytest.mark.parametrize(("cls", "function", "source", "text"), CASES, ids=[case[0].__name__ for case in CASES])
def test_what_cannot_be_compiled_is_one_located_sentence(cls, function, source, text, monkeypatch, request):
    monkeypatch.chdir(request.path.parent)
    with pytest.raises(rk.CompileError) as caught:
        rk.replay(cls(), [])
    message = str(caught.value)
    where, _, reason = message.partition("`: ")
    place, _, shown = where.partition(", `")
    owner, _, line = place.rpartition(":")
    shared = function == "misspelt_in_a_helper"
    assert owner == f"{cls.__name__}{', ' if shared else '.'}{function}() at {request.path.name}"
    assert shown.startswith(source)
    assert inspect.getsource(inspect.getmodule(cls)).splitlines()[int(line) - 1].strip().startswith(source)
    assert text in reason
    assert "\n" not in message
    assert len(message) < 330


class MissingMethod(rk.Problem):
    def limits(self):
        return rk.Limits(moves=1, length=1, codes=1)

    def layout(self):
        return {"step": "i8"}

    def start(self, s):
        s.step = 0

    def move(self, s, out):
        return 0


class TooFewParameters(Coins):
    def play(self, s):
        s.step += 1


class TooManyParameters(Coins):
    def score(self, s, weight=2):
        return weight


class AnyParameters(Coins):
    def score(self, *arguments):
        return 1


class NotAMethod(Coins):
    score = 5


class CountAlone(Coins):
    def count(self, s):
        return 0


class UnknownType(Coins):
    def layout(self):
        return {"step": "i3"}


class TextType(Coins):
    def layout(self):
        return {"step": "U5"}


class NoLayout(Coins):
    def layout(self):
        return {}


class MakesAlone(Coins):
    def makes(self, s, move):
        return move


class MakersAlone(Coins):
    def makers(self, s, thing, out):
        return 0

    def clash(self, a, b):
        return False


class LimitsDict(Coins):
    def limits(self):
        return {"moves": 2}


class TextConstant(Coins):
    def constants(self):
        return {"n": 3, "names": "ab"}


BEFORE = [
    (MissingMethod, "MissingMethod must define moves(self, s, out); is 'move' meant to be it?"),
    (TooFewParameters, "`def play(self, s):`: takes (self, s), but play must take (self, s, move)"),
    (TooManyParameters, "takes (self, s, weight), but score must take (self, s)"),
    (AnyParameters, "takes (self, ...), but score must take (self, s)"),
    (NotAMethod, "NotAMethod.score must be a method, score(self, s), got 5"),
    (CountAlone, "CountAlone.count() at .*: is there without nth; define both, or neither"),
    (MakesAlone, "MakesAlone.makes() at .*: is there without needs; define makes, needs, undo, or none of them"),
    (MakersAlone, "MakersAlone.makers() at .*: is there without undo; define makes, needs and undo too"),
    (UnknownType, "UnknownType.layout() at .*: field 'step' has an unknown type 'i3'; a type is one of NumPy's"),
    (TextType, "field 'step' must hold numbers, got 'U5'"),
    (NoLayout, "NoLayout.layout() at .*: returned {}; return a dict of at least one field"),
    (LimitsDict, "LimitsDict.limits() at .*: returned {'moves': 2}; return rookery.Limits("),
    (TextConstant, "TextConstant.constants(): 'names' is a str; it must be a number or an array of numbers"),
]


@pytest.mark.parametrize(("cls", "text"), BEFORE, ids=[case[0].__name__ for case in BEFORE])
def test_a_wrong_shape_is_refused_before_anything_is_compiled(cls, text):
    start, _, end = text.partition(".*")
    with pytest.raises(rk.ProblemError) as caught:
        rk.replay(cls(), [])
    assert start in str(caught.value)
    assert end in str(caught.value)
    assert "\n" not in str(caught.value)


class StaticMethod(Coins):
    @staticmethod
    def twice(x):
        return 2 * x

    def score(self, s):
        return self.twice(s.heads) + by_another_name(self, s)


def by_another_name(me, s):
    return me.twice(s.heads)


def test_static_methods_and_self_by_another_name_can_be_compiled():
    assert rk.replay(StaticMethod(), [1, 1, 0]) == (8.0, ())


def test_a_class_made_from_text_has_a_place_without_a_source_line():
    scope = {"Coins": Coins}
    exec("class FromText(Coins):\n    def score(self, s):\n        return s.hats\n", scope)
    with pytest.raises(rk.ProblemError, match=r"(?s)FromText.score\(\) at <string>:3: the state has no field 'hats'"):
        rk.replay(scope["FromText"](), [])
