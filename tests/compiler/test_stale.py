"""An edit of anything that compiled code depends on: the next process gives the new result, not the kept one.

Each edit changes the score by an amount of its own, so that old code cannot give the right score by chance.
"""

from __future__ import annotations

import shutil

import pytest
from processes import User

FILES = {
    "user_base": """
import rookery as rk

class Base(rk.Problem):
    size: int = 7
    sense = "max"
    def limits(self): return rk.Limits(moves=1, length=1, codes=1)
    def layout(self): return {"step": "i8", "narrow": "i2"}
    def start(self, s): s.step = 0
    def moves(self, s, out):
        out[0] = 0
        return 1 - s.step
    def code(self, s, move): return 0
    def play(self, s, move):
        s.step += 1
        s.narrow = 300
""",
    "user_rules": """
import numpy as np
from user_base import Base
from user_helper import helper

NUMBER = 1
ARRAY = np.array([1.0, 2.0])
PAIR = (1, 2)

def with_default(x, by=100):
    return x * by

def by_another_name(me, s):
    return me._own(s)

class Parent(Base):
    def inherited(self, s): return 10

class Steps(Parent):
    def play(self, s, move):
        Base.play(self, s, move)
    def _own(self, s): return 20
    def score(self, s):
        total = 2 * s.step + s.narrow + self.size * s.step + NUMBER + ARRAY[1] + PAIR[1]
        return total + helper(s.step) + with_default(1) + by_another_name(self, s) + self.inherited(s)
""",
    "user_helper": "from user_deeper import deeper\ndef helper(x):\n    return deeper(x) + 2000\n",
    "user_deeper": "def deeper(x):\n    return x + 4000\n",
    "user_variables": """
from user_base import Base

def nested(x):
    def inside(y):
        return y + 1000
    return inside(x)

def first(x):
    return x + 3

def second(x):
    return x * 50

def make_closure(amount):
    def closed(x):
        return x + amount
    return closed

closed = make_closure(8)

def make_class():
    import user_local
    class Local(Base):
        def gain(self, s):
            return user_local.gain(s.step)
    class Child(Local):
        def gain(self, s):
            return 2 * Local.gain(self, s)
        def score(self, s):
            return nested(1) + first(1) - second(1) + closed(1) + self.gain(s)
    return Child

Steps = make_class()
""",
    "user_local": "def gain(x):\n    return 5 * x\n",
    "user_modules": """
import user_package.inner.deep
import user_tools
from user_base import Base
from user_stars import *

class Steps(Base):
    def score(self, s):
        return user_tools.tool(s.step) + user_tools.AMOUNT + user_package.inner.deep.DEPTH + STAR + starred(1)
""",
    "user_tools": "AMOUNT = 60\ndef tool(x):\n    return x + 70\n",
    "user_stars": "STAR = 80\ndef starred(x):\n    return x + 90\n",
    "user_package/inner/deep": "DEPTH = 110\n",
    "user_package/inner/__init__": "",
    "user_package/__init__": "",
    "user_kinds": """
import enum
from collections import namedtuple
import numba
from user_base import Base

AMOUNT = 5

class Colour(enum.IntEnum):
    RED = 3
    BLUE = 4

Point = namedtuple("Point", "x y")
ORIGIN = Point(5, 6)

@numba.njit
def compiled_by_the_user(x):
    return x + AMOUNT

class Steps(Base):
    def score(self, s):
        return compiled_by_the_user(s.step) + Colour.RED + ORIGIN.x + 10 * Point(1, 2).x
""",
}
RULES, VARIABLES, MODULES, KINDS = PROBLEMS = ("user_rules", "user_variables", "user_modules", "user_kinds")
EDITS = {
    "a function of the contract": (RULES, RULES, "total = 2 * s.step", "total = 3 * s.step", 1),
    "a helper": (RULES, "user_helper", "+ 2000", "+ 2002", 2),
    "a helper's helper in another module": (RULES, "user_deeper", "+ 4000", "+ 4003", 3),
    "a default": (RULES, RULES, "by=100", "by=104", 4),
    "a parent's function that is called by name": (RULES, "user_base", "s.narrow = 300", "s.narrow = 305", 5),
    "a method of self under another name": (RULES, RULES, "return 20", "return 26", 6),
    "an inherited method": (RULES, RULES, "return 10\n", "return 17\n", 7),
    "a global number": (RULES, RULES, "NUMBER = 1\n", "NUMBER = 9\n", 8),
    "a global number that becomes a fraction": (RULES, RULES, "NUMBER = 1\n", "NUMBER = 1.5\n", 0.5),
    "a global array": (RULES, RULES, "[1.0, 2.0]", "[1.0, 11.0]", 9),
    "a global tuple": (RULES, RULES, "PAIR = (1, 2)", "PAIR = (1, 12)", 10),
    "the layout": (RULES, "user_base", '"narrow": "i2"', '"narrow": "u1"', -256),
    "the type of a constant": (RULES, "user_base", "size: int = 7", "size: float = 7.25", 0.25),
    "the sense": (RULES, "user_base", 'sense = "max"', 'sense = "min"', 0),
    "a constant of a nested function": (VARIABLES, VARIABLES, "y + 1000", "y + 1011", 11),
    "a module in a variable of an outer function": (VARIABLES, "user_local", "5 * x", "11 * x", 12),
    "a parent in a variable of an outer function": (
        VARIABLES,
        VARIABLES,
        "return user_local",
        "return 2 * user_local",
        10,
    ),
    "a value in a variable of an outer function": (VARIABLES, VARIABLES, "make_closure(8)", "make_closure(21)", 13),
    "a function of a module": (MODULES, "user_tools", "x + 70", "x + 84", 14),
    "a number of a module": (MODULES, "user_tools", "AMOUNT = 60", "AMOUNT = 75", 15),
    "a number of a module in a package": (MODULES, "user_package/inner/deep", "110", "126", 16),
    "a number imported with a star": (MODULES, "user_stars", "STAR = 80", "STAR = 97", 17),
    "a function imported with a star": (MODULES, "user_stars", "x + 90", "x + 108", 18),
    "a value of an enumeration": (KINDS, KINDS, "RED = 3", "RED = 22", 19),
    "the order of fields of a named tuple": (KINDS, KINDS, '"x y"', '"y x"', 11),
    "a global read by a function that the user compiled": (KINDS, KINDS, "AMOUNT = 5", "AMOUNT = 25", 20),
}


def replay(problem: str) -> str:
    return f"from {problem} import Steps\nreport(rk.replay(Steps(), [0])[0])"


@pytest.fixture(scope="module")
def user(tmp_path_factory):
    """A user whose problems were compiled and kept, with their scores."""
    folder = tmp_path_factory.mktemp("user")
    (folder / "user_package" / "inner").mkdir(parents=True)
    user = User(folder, tmp_path_factory.mktemp("cache"))
    user.write(**FILES)
    filled = {problem: user.run(replay(problem)) for problem in PROBLEMS}
    assert {ran.cache for ran in filled.values()} == {"miss"}
    return user, {problem: ran.value for problem, ran in filled.items()}


@pytest.fixture
def copy(user, tmp_path):
    """A copy of the user's folder that may be edited; compiled code is kept where the original's is."""
    original, scores = user
    shutil.copytree(original.folder, tmp_path / "copy")
    return User(tmp_path / "copy", original.cache), scores


@pytest.mark.parametrize("problem", PROBLEMS)
def test_unchanged_code_comes_from_the_disk_wherever_it_lies(copy, problem):
    user, scores = copy
    ran = user.run(replay(problem))
    assert (ran.value, ran.cache) == (scores[problem], "hit")


@pytest.mark.parametrize("what", EDITS)
def test_after_an_edit_the_next_process_gives_the_new_result(copy, what):
    user, scores = copy
    problem, file, old, new, more = EDITS[what]
    user.edit(f"{file}.py", old, new)
    ran = user.run(replay(problem))
    assert (ran.value, ran.cache) == (scores[problem] + more, "miss")


def test_two_functions_whose_bodies_change_places_give_the_new_result(copy):
    user, scores = copy
    user.edit(f"{VARIABLES}.py", "x + 3\n", "x * 50 \n")
    user.edit(f"{VARIABLES}.py", "x * 50\n", "x + 3\n")
    ran = user.run(replay(VARIABLES))
    assert (ran.value, ran.cache) == (scores[VARIABLES] - (4 - 50) + (50 - 4), "miss")


def test_an_edit_that_is_taken_back_comes_from_the_disk_again(copy):
    user, scores = copy
    user.edit("user_deeper.py", "+ 4000", "+ 4111")
    assert user.run(replay(RULES)).value == scores[RULES] + 111
    user.edit("user_deeper.py", "+ 4111", "+ 4000")
    ran = user.run(replay(RULES))
    assert (ran.value, ran.cache) == (scores[RULES], "hit")


def test_a_comment_changes_nothing(copy):
    user, scores = copy
    user.edit("user_deeper.py", "def deeper", "# a comment\ndef deeper")
    ran = user.run(replay(RULES))
    assert (ran.value, ran.cache) == (scores[RULES], "hit")


DEBUG = """
class Beyond(rk.Problem):
    def limits(self): return rk.Limits(moves=1, length=1, codes=1)
    def layout(self): return {"cells": ("i8", 2), "after": "i8"}
    def start(self, s): s.after = 0
    def moves(self, s, out):
        out[0] = 0
        return 1 - s.after
    def code(self, s, move): return 0
    def play(self, s, move): s.after = 1
    def score(self, s): return s.cells[1 + s.after]
try:
    told = rk.solve(Beyond(), rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1, debug=DEBUG).score
except Exception as error:
    told = "refused"
report(told)
"""


def test_debug_has_compiled_code_of_its_own(tmp_path):
    user = User(tmp_path, tmp_path / "cache")
    quick, careful = DEBUG.replace("=DEBUG", "=False"), DEBUG.replace("=DEBUG", "=True")
    assert [user.run(program).value for program in (quick, careful, quick)] == [1.0, "refused", 1.0]
    assert [user.run(program).cache for program in (quick, careful)] == ["hit", "hit"]


def test_a_setting_of_numba_that_changes_machine_code_is_not_overlooked(tmp_path):
    user = User(tmp_path, tmp_path / "cache")
    quick = DEBUG.replace("=DEBUG", "=False")
    assert user.run(quick).value == 1.0
    checked = user.run(quick, NUMBA_BOUNDSCHECK="1")
    assert (checked.value, checked.cache) == ("refused", "miss")
