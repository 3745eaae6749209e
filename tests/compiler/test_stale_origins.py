"""Problems that are in no module: of a script, of standard input, of a notebook, of a text; and changed as they run."""

from __future__ import annotations

import json
import sys

import numba
import numpy as np
import pytest
from processes import COUNTING, HELPER, PROBLEM, User

import rookery as rk

CLASS = PROBLEM.replace("from user_helper import helper", "")
PROGRAM = f"{COUNTING}{HELPER}{CLASS}report(rk.replay(Steps(), [0])[0])\n"


@pytest.fixture
def user(tmp_path):
    return User(tmp_path, tmp_path / "cache")


def script(user: User, text: str):
    (user.folder / "script.py").write_text(text)
    return user.finish([sys.executable, str(user.folder / "script.py")])


def standard_input(user: User, text: str):
    return user.finish([sys.executable, "-"], text)


def executed_text(user: User, text: str):
    inner = text.removeprefix(COUNTING)
    return user.finish([sys.executable, "-c", f"{COUNTING}exec({inner!r}, {{**globals(), '__name__': 'text'}})"])


@pytest.mark.parametrize("origin", [script, standard_input, executed_text])
def test_a_problem_that_is_in_no_module_is_kept_and_its_edit_gives_the_new_result(user, origin):
    assert origin(user, PROGRAM).value == 20.0
    again = origin(user, PROGRAM)
    assert (again.value, again.cache) == (20.0, "hit")
    edited = origin(user, PROGRAM.replace("10 * x", "30 * x"))
    assert (edited.value, edited.cache) == (60.0, "miss")


MINE = "class Mine(Exception): pass\n"
RAISES = "if x > 0:\n        raise Mine('not one')\n    return x"
CAUGHT = "try:\n    rk.replay(Steps(), [0])\nexcept Mine as error:\n    report(str(error))\n"


def test_an_exception_of_a_script_is_the_scripts_own_in_every_process(user):
    text = PROGRAM.replace("return 10 * x", RAISES).replace("report(rk.replay(Steps(), [0])[0])\n", CAUGHT)
    runs = [script(user, text.replace(COUNTING, COUNTING + MINE)) for _ in range(2)]
    assert ["not one" in ran.value for ran in runs] == [True, True]


NOTEBOOK = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.history_manager.enabled = False
for cell in json.load(sys.stdin):
    shell.run_cell(cell).raise_error()
"""


def test_a_class_defined_again_in_a_notebook_gives_the_new_result(user):
    pytest.importorskip("IPython")
    cells = [
        COUNTING,
        HELPER,
        CLASS,
        "found = [rk.replay(Steps(), [0])[0]]",
        HELPER.replace("10 * x", "30 * x"),  # only the helper
        "found.append(rk.replay(Steps(), [0])[0])",
        CLASS.replace("SCALE *", "7 *"),
        "found.append(rk.replay(Steps(), [0])[0])",
        "report(found)",
    ]
    command = [sys.executable, "-c", NOTEBOOK]
    first = user.finish(command, json.dumps(cells), IPYTHONDIR=str(user.folder))
    assert first.value == [20.0, 60.0, 210.0]
    second = user.finish(command, json.dumps(cells), IPYTHONDIR=str(user.folder))
    assert (second.value, second.cache) == ([20.0, 60.0, 210.0], "hit")


# --- changes while a process runs ---

NUMBER = 1
ARRAY = np.array([1.0, 10.0])
PAIR = (1, 100)


def helper(x):
    return 1000 * x


def another_helper(x):
    return 2000 * x


class Running(rk.Problem):
    """One step; the score is the sum of what is global."""

    def limits(self):
        return rk.Limits(moves=1, length=1, codes=1)

    def layout(self):
        return {"step": "i8"}

    def start(self, s):
        s.step = 0

    def moves(self, s, out):
        out[0] = 0
        return 1 - s.step

    def code(self, s, move):
        return 0

    def play(self, s, move):
        s.step += 1

    def score(self, s):
        return NUMBER + ARRAY[1] + PAIR[1] + helper(s.step) + self.gain(s)

    def gain(self, s):
        return 10000


def another_gain(self, s):
    return 20000


CHANGES = {
    "a number": (lambda patch: patch.setitem(globals(), "NUMBER", 2), 1),
    "a tuple": (lambda patch: patch.setitem(globals(), "PAIR", (1, 200)), 100),
    "a function": (lambda patch: patch.setitem(globals(), "helper", another_helper), 1000),
    "a method": (lambda patch: patch.setattr(Running, "gain", another_gain), 10000),
    "an array": (lambda patch: patch.setitem(globals(), "ARRAY", np.array([1.0, 20.0])), 10),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_between_two_runs_of_a_process_gives_the_new_result_and_taken_back_the_old(what, monkeypatch):
    change, more = CHANGES[what]
    assert rk.replay(Running(), [0])[0] == 11111.0
    with monkeypatch.context() as patch:
        change(patch)
        assert rk.replay(Running(), [0])[0] == 11111.0 + more
    assert rk.replay(Running(), [0])[0] == 11111.0


def test_an_item_of_an_array_that_changes_between_two_runs_gives_the_new_result():
    before = rk.replay(Running(), [0])[0]
    ARRAY[1] += 5
    try:
        assert rk.replay(Running(), [0])[0] == before + 5
    finally:
        ARRAY[1] -= 5


class Lost(Exception):
    """An exception that is in the way of an exact hash."""


Lost.__qualname__ = "nowhere.Lost"


class Unhashable(Running):
    """The same, with no key on disk."""

    def gain(self, s):
        if s.step > 1:
            raise Lost("never")
        return NUMBER


def test_a_change_gives_the_new_result_also_where_nothing_is_kept(monkeypatch):
    before = rk.replay(Unhashable(), [0])[0]
    monkeypatch.setitem(globals(), "NUMBER", 2)
    assert rk.replay(Unhashable(), [0])[0] == before + 2


@numba.njit
def compiled_by_the_user(x):
    return x + NUMBER


class WithNumba(Running):
    """The same, with a function that is compiled already."""

    def gain(self, s):
        return compiled_by_the_user(s.step)


def test_a_change_of_what_a_function_of_numbas_reads_gives_the_new_result(monkeypatch):
    before = rk.replay(WithNumba(), [0])[0]
    monkeypatch.setitem(globals(), "NUMBER", 2)
    assert rk.replay(WithNumba(), [0])[0] == before + 2


TWINS = f"""
{HELPER}
def make():
    {CLASS.strip().replace("import rookery as rk", "").replace(chr(10), chr(10) + "    ")}
        def gain(self, s): return 31
    return Steps
A, B = make(), make()
def other(self, s): return 32
"""
PATCHED = "A.gain = other\nrk.replay(A(), [0])\n"
SAMPLED = "report(rk.solve(B(), rk.Sampling(), stop=rk.MaxPlayouts(1), seed=1).score)\n"


def test_a_class_that_changed_does_not_change_its_twin(user):
    text = TWINS.replace("def score(self, s): return SCALE * helper(s.step)", "def score(self, s): return self.gain(s)")
    first = "rk.replay(A(), [0])\n"
    user.run(f"{text}{first}report(0)")
    assert user.run(f"{text}{first}{PATCHED}{SAMPLED}").value == 31.0
