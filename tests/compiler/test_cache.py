"""The disk cache, in processes of their own: it hits when nothing changed and never runs old code."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
import rookery as rk
from user_problem import Steps
score, _ = rk.replay(Steps(), [0])
from rookery.compiler.specialise import specialise
kernel = specialise(Steps())[0]._kernels["replay"]
print(score, getattr(getattr(kernel, "_cache", None), "hits", None))
"""
PROBLEM = """
import rookery as rk
from user_helper import helper
SCALE = 2
class Steps(rk.Problem):
    def limits(self): return rk.Limits(moves=1, length=1, codes=1)
    def layout(self): return {"step": "i8"}
    def start(self, s): s.step = 0
    def moves(self, s, out):
        out[0] = 0
        return 1 - s.step
    def code(self, s, move): return 0
    def play(self, s, move): s.step += 1
    def score(self, s): return SCALE * helper(s.step)
"""
HELPER = "def helper(x):\n    return 10 * x\n"


@pytest.fixture
def user(tmp_path):
    """A user's folder; calling it runs the script in a new process and returns the score and cache hits."""
    (tmp_path / "user_problem.py").write_text(PROBLEM)
    (tmp_path / "user_helper.py").write_text(HELPER)

    def run(**environment):
        env = {**os.environ, "ROOKERY_CACHE_DIR": str(tmp_path / "cache"), **environment}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(tmp_path)], env=env, capture_output=True, text=True, check=True
        )
        score, hits = done.stdout.split()
        return float(score), hits, done.stderr

    run.folder = tmp_path
    return run


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new))


def test_a_second_process_hits_and_an_edit_misses(user):
    assert user()[:2] == (20.0, "0")
    assert user()[:2] == (20.0, "1")
    edit(user.folder / "user_helper.py", "10 * x", "30 * x")
    assert user()[:2] == (60.0, "0")
    edit(user.folder / "user_problem.py", "SCALE = 2", "SCALE = 5")
    assert user()[:2] == (150.0, "0")


def test_a_damaged_entry_is_compiled_again(user):
    user()
    for file in (user.folder / "cache").iterdir():
        file.write_bytes(file.read_bytes()[:-100])
    assert user()[:2] == (20.0, "0")


def test_a_folder_that_cannot_be_made_is_said_once_and_the_search_goes_on(user):
    (user.folder / "file").write_text("in the way")
    score, _, stderr = user(ROOKERY_CACHE_DIR=str(user.folder / "file" / "cache"))
    assert score == 20.0
    assert stderr.count("cannot be kept") == 1


def test_interpreted_functions_need_no_cache(user):
    assert user(NUMBA_DISABLE_JIT="1")[:2] == (20.0, "None")
    assert not (user.folder / "cache").exists()


def test_cached_code_may_allocate_use_mathematics_and_raise(user):
    edit(user.folder / "user_helper.py", HELPER, HELPER_OF_ALL_KINDS)
    first = user()
    assert first[:2] == (90.0, "0")
    assert user()[:2] == (90.0, "1")


HELPER_OF_ALL_KINDS = """
import math
import numpy as np
def helper(x):
    room = np.zeros(3)
    room += x
    if room.sum() > 100:
        raise ValueError("too much")
    return round(10 * x * room.sum() * math.exp(0.0) * math.sqrt(2.25) * np.cos(0.0))
"""

RAISING = """
import sys
sys.path.insert(0, sys.argv[1])
import rookery as rk
from user_problem import Steps
try:
    rk.replay(Steps(), [0])
except ValueError as error:
    print(error)
"""


def test_an_exception_from_cached_code_reaches_the_user(user):
    raising = "if x > 0:\n        raise ValueError('not one')\n    return x"
    edit(user.folder / "user_helper.py", "return 10 * x", raising)
    env = {**os.environ, "ROOKERY_CACHE_DIR": str(user.folder / "cache")}
    for _ in range(2):
        command = [sys.executable, "-c", RAISING, str(user.folder)]
        assert subprocess.run(command, env=env, capture_output=True, text=True, check=True).stdout == "not one\n"
